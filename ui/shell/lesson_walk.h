// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "core/lessons/stage_state.h"
#include "ui/session/open/settling.h"

namespace headlight {

class LessonPlayer;
class Stage;

/// Goes through the steps of the open lesson, so that somebody can take something from each, and brings lesson and
/// stage back to where they were.
class LessonWalk : public QObject {
    Q_OBJECT
public:
    LessonWalk(LessonPlayer& player, Stage& stage, QObject* parent);
    void start();
    /// Back at once.
    void stop();

signals:
    /// The stage shows this step, its numbers are there.
    void stepShown(int step);
    /// The lesson stands again where it did; `failure` says what the stage could not show, if anything. A new state
    /// takes older words away, so this comes when the stage has come to rest.
    void ended(const QString& failure);

private:
    void show(int step);
    void take(Settling::Revision revision);
    void goBack(const QString& failure);

    LessonPlayer& m_player;
    Stage& m_stage;
    StageState m_before;  ///< what to go back to
    int m_stepBefore = 0;
    int m_step = 0;
    Settling::Revision m_shown = 0;  ///< that shows the step
};

}  // namespace headlight
