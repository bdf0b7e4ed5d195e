// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <optional>

#include "core/lessons/lesson.h"

namespace headlight {

class MainWindow;

/// Sets the window to what a step of a lesson is to show, and tells what it shows: whatever a lesson can do, a reader
/// can do by hand. Models load and sentences are read in the background; shown() comes when all is as it should be.
class Stage : public QObject {
    Q_OBJECT
public:
    explicit Stage(MainWindow& window);

    /// Takes the place of what was asked for before. `tensors` null: none by hand.
    void show(const StageSetting& setting, const LessonTensors* tensors);
    bool isShown() const { return m_shown; }
    /// The lesson is over: the laboratories have their own examples again.
    void leave();

    /// Is a condition of a `try` met? Compared with the stage as it was when shown() came.
    bool isMet(const std::string& key, const std::string& value) const;
    /// Did the reader point at that number?
    bool isPointedAt(const NumberName& number) const;

signals:
    void shown();
    void failed(const QString& message);

private:
    void goOn();
    void showView();
    void pointAt();
    void setViews();
    void showByHand();
    void walk();
    QString said(const char* key) const;
    int countSaid(const char* key) const;

    MainWindow& m_window;
    StageSetting m_setting;
    std::optional<LessonTensors> m_tensors;
    bool m_shown = true, m_opening = false;
    QTimer m_walk;  ///< through the unrolled network
    int m_walkStep = 0, m_walkEnd = 0;
    int m_stepShown = -1;  ///< of the timeline
    unsigned m_shufflesShown = 0;
};

}  // namespace headlight
