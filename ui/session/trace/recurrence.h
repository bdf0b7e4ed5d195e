// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <span>
#include <vector>

#include "core/trace/trace.h"

namespace headlight {

/// A run of a recurrent network as a trace has it: one stack and layer, step by step. Points into the trace; whoever
/// keeps it keeps the trace.
class Recurrence {
public:
    Recurrence() = default;
    /// `layer` is one of recurrentLayers().
    Recurrence(const Trace& trace, const Module& layer);

    bool empty() const { return m_rows.empty(); }
    int steps() const { return m_steps; }
    int width() const { return m_width; }

    /// A value of each step, in the order of computation: gates, cell, state.
    struct Row {
        QString name;
        const TraceRecord* record = nullptr;
        bool isGate = false;  ///< between 0 and 1; the others are signed
    };
    const std::vector<Row>& rows() const { return m_rows; }
    std::span<const float> values(const Row& row, int step) const;
    /// The state h of a step.
    std::span<const float> state(int step) const;

private:
    std::vector<Row> m_rows;
    const TraceRecord* m_hidden = nullptr;
    int m_steps = 0, m_width = 0;
};

/// The recurrent layers of the stack, in the order of computation.
std::vector<ModuleRef> recurrentLayers(const Trace& trace, Stack stack);
/// What was attended to when each word was written, where the model attends: a recurrent decoder's, over its memory.
const TraceRecord* alignmentOf(const Trace& trace);

}  // namespace headlight
