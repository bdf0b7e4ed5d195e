// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/recurrence.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>

namespace headlight {

namespace {

struct RecurrenceText {
    Q_DECLARE_TR_FUNCTIONS(Recurrence)
};

}  // namespace

Recurrence::Recurrence(const Trace& trace, const Module& layer) {
    struct Named {
        Part part;
        const char* name;
        bool isGate;
    };
    // In the order in which a cell computes them (Hochreiter and Schmidhuber 1997; Cho et al. 2014).
    static constexpr std::array<Named, 8> parts{
        {{Part::ResetGate, QT_TRANSLATE_NOOP("Recurrence", "reset gate"), true},
         {Part::UpdateGate, QT_TRANSLATE_NOOP("Recurrence", "update gate"), true},
         {Part::InputGate, QT_TRANSLATE_NOOP("Recurrence", "input gate"), true},
         {Part::ForgetGate, QT_TRANSLATE_NOOP("Recurrence", "forget gate"), true},
         {Part::Candidate, QT_TRANSLATE_NOOP("Recurrence", "candidate"), false},
         {Part::OutputGate, QT_TRANSLATE_NOOP("Recurrence", "output gate"), true},
         {Part::Cell, QT_TRANSLATE_NOOP("Recurrence", "cell"), false},
         {Part::State, QT_TRANSLATE_NOOP("Recurrence", "state"), false}}};
    for (const Named& part : parts)
        if (const TraceRecord* record = trace.find(layer, part.part))
            m_rows.push_back({RecurrenceText::tr(part.name), record, part.isGate});
    m_hidden = trace.find(layer, Part::State);
    if (!m_hidden) {
        m_rows.clear();
        return;
    }
    m_steps = m_hidden->dim(0);
    m_width = m_hidden->dim(1);
}

std::span<const float> Recurrence::values(const Row& row, int step) const {
    return std::span(row.record->values)
        .subspan(static_cast<size_t>(step) * static_cast<size_t>(m_width), static_cast<size_t>(m_width));
}

std::span<const float> Recurrence::state(int step) const {
    return std::span(m_hidden->values)
        .subspan(static_cast<size_t>(step) * static_cast<size_t>(m_width), static_cast<size_t>(m_width));
}

std::vector<ModuleRef> recurrentLayers(const Trace& trace, Stack stack) {
    std::vector<ModuleRef> layers;
    for (const TraceRecord& record : trace.records())
        if (record.is(ModuleKind::Recurrent, Part::State) && record.owner().place.stack == stack)
            layers.push_back(record.module);
    return layers;
}

const TraceRecord* alignmentOf(const Trace& trace) {
    const auto found = std::ranges::find_if(trace.records(), [](const TraceRecord& record) {
        return record.is(ModuleKind::Attention, Part::Weights) && record.owner().over == AttentionOver::Memory;
    });
    return found == trace.records().end() ? nullptr : &*found;
}

}  // namespace headlight
