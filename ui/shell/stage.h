// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "core/lessons/lesson.h"
#include "ui/session/open/settling.h"

namespace headlight {

class RoomStack;
class Workbench;

/// Sets the window to a state, and tells in which state it is: whatever a lesson, a picture, a link or an undo can show
/// a reader can reach by hand. Models load, sentences are read and runs are trained in the background; settled() comes
/// when all is as it should be, failed() where it cannot be.
class Stage : public QObject {
    Q_OBJECT
public:
    Stage(Workbench& workbench, RoomStack& rooms, QObject* parent = nullptr);

    /// Takes the place of what was asked for before. What the state leaves open (no model, no sentence) is the open
    /// model and its example.
    Settling::Revision apply(const StageState& state);
    /// Sets one number that the stage shows, as if the reader had done so where it stands: see setNumber().
    void turn(const std::string& field, double value);
    /// All that the stage shows; while it is being set, all that it will show.
    StageState state() const;
    /// As it was when it was last settled: what a reader has done since shows in the difference.
    const StageState& before() const { return m_before; }
    Settling::Revision revision() const;
    bool isApplying() const { return m_phase != Phase::Done; }
    /// What was applied last is there, or cannot be.
    bool isSettled() const;

    /// The lesson is over: the laboratories have their own examples again, and controls that it had hidden are there.
    void leaveLesson();
    /// Did the reader point at that number?
    bool isPointedAt(const NumberName& number) const;

signals:
    void settled(quint64 revision);
    void failed(quint64 revision, const QString& why);
    /// The reader edited something; touched() comes as well.
    void edited();
    /// The reader opened another model; touched() comes as well.
    void modelChanged();
    /// The reader changed something, or moved.
    void touched();

private:
    enum class Phase { Model, Sentence, Done };

    void goOn();
    void openModel();
    bool setSentence();
    void finish();
    void fail(const QString& why);
    void showByHand();
    void pointAt();
    void setDecoding();
    void tellDecoding(StageState& now) const;
    const LessonTensors* tensors() const;

    Workbench& m_workbench;
    RoomStack& m_rooms;
    StageState m_wanted, m_before;
    Settling::Work m_work;
    Settling::Revision m_settled = 0;
    Phase m_phase = Phase::Done;
    bool m_opening = false;
    DecodeOptions::Search m_search =
        DecodeOptions::Search::Own;  ///< as it was asked for, of a model that brings none along
};

}  // namespace headlight
