// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QUndoStack>

#include "core/lessons/stage_state.h"

namespace headlight {

class Stage;

/// Undo and redo of everything that a reader edits: sentence, muted heads, mask cells, numbers, fixed words, sliders.
/// It compares the stage with what it was and keeps both; where the reader went meanwhile is not undone. Another
/// model, or a step of a lesson, begins a new history.
class EditHistory : public QObject {
    Q_OBJECT
public:
    explicit EditHistory(Stage& stage, QObject* parent = nullptr);

    QUndoStack& stack() { return m_stack; }

private:
    class Edit;

    void look();
    void begin();
    void set(const StageState& edits);

    Stage& m_stage;
    QUndoStack m_stack;
    StageState m_last;
    quint64 m_revision = 0;  ///< the last one that belongs to this history
};

}  // namespace headlight
