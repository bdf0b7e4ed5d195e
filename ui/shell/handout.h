// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QObject>
#include <QString>
#include <QStringList>
#include <vector>

#include "core/lessons/stage_state.h"

namespace headlight {

class LessonPlayer;
class RoomStack;
class Stage;

/// The open lesson on paper: it goes through the steps, takes a figure of each stage, and writes words, formulas,
/// questions and figures to a PDF. Deletes itself when it is done.
class Handout : public QObject {
    Q_OBJECT
public:
    Handout(LessonPlayer& player, Stage& stage, RoomStack& rooms, const QString& path);
    void start();

signals:
    void drawn(int steps);
    /// The lesson stands again where it did.
    void finished();
    /// Told before finished(), and when whatever was said of the steps has been taken away again.
    void failed(const QString& message);

private:
    /// What a step gives to the paper.
    struct Page {
        QStringList words;  ///< of each part, its numbers filled in
        QImage figure;
    };

    void show(int step);
    void takePage(quint64 revision);
    QStringList wordsOfStep() const;
    /// What went wrong, or nothing. Where something did, there is no file, or the one that was there before.
    QString write() const;
    void goBack(const QString& failure);

    LessonPlayer& m_player;
    Stage& m_stage;
    RoomStack& m_rooms;
    QString m_path;
    StageState m_before;  ///< what to go back to
    int m_stepBefore = 0;
    int m_step = 0;
    quint64 m_shown = 0;  ///< the revision that shows it
    std::vector<Page> m_pages;
};

}  // namespace headlight
