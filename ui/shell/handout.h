// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPicture>
#include <QString>
#include <QStringList>
#include <vector>

#include "ui/shell/lesson_walk.h"

namespace headlight {

class LessonPlayer;
class RoomStack;
class Stage;

/// What a view shows, as strokes and words, at a size at which its words can be read on a page; its buttons, which
/// paper has no use for, are left out.
QPicture figureForPaper(QWidget& view);

/// The open lesson on paper: it goes through the steps, takes a figure of each stage, and writes words, formulas,
/// questions and figures to a PDF. Deletes itself when it is done.
class Handout : public QObject {
    Q_OBJECT
public:
    Handout(LessonPlayer& player, Stage& stage, RoomStack& rooms, const QString& path);
    void start() { m_walk.start(); }
    /// Nothing is written; finished() follows.
    void cancel();
    /// Of a step that was drawn.
    const QPicture& figure(int step) const { return m_pages[static_cast<size_t>(step)].figure; }

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
        QPicture figure;
        std::string model;  ///< of the step
    };

    void takePage(int step);
    void end(const QString& failure);
    QStringList wordsOfStep() const;
    /// What went wrong, or nothing. Where something did, there is no file, or the one that was there before.
    QString write() const;

    LessonPlayer& m_player;
    RoomStack& m_rooms;
    QString m_path;
    LessonWalk m_walk;
    bool m_isCancelled = false;
    std::vector<Page> m_pages;
};

}  // namespace headlight
