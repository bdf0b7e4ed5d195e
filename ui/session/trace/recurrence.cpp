// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/recurrence.h"

#include <QCoreApplication>
#include <array>

namespace headlight {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("headlight", text);
}

}  // namespace

Recurrence::Recurrence(const Trace& trace, const std::string& scope) {
    struct Named {
        const char* part;
        const char* name;
        bool isGate;
    };
    // In the order in which a cell computes them (Hochreiter and Schmidhuber 1997; Cho et al. 2014).
    static constexpr std::array<Named, 9> parts{{{".gates.reset", "reset gate", true},
                                                 {".gates.update", "update gate", true},
                                                 {".gates.candidate", "candidate", false},
                                                 {".gates.input", "input gate", true},
                                                 {".gates.forget", "forget gate", true},
                                                 {".gates.cell_candidate", "candidate", false},
                                                 {".gates.output", "output gate", true},
                                                 {".cell", "cell", false},
                                                 {".hidden", "state", false}}};
    for (const Named& part : parts)
        if (const TraceRecord* record = trace.find(scope + part.part))
            m_rows.push_back({tr(part.name), record, part.isGate});
    m_hidden = trace.find(scope + ".hidden");
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

std::vector<std::string> recurrentLayers(const Trace& trace, const std::string& stack) {
    const std::string start = stack.empty() ? "layers." : stack + ".layers.";
    constexpr std::string_view end = ".hidden";
    std::vector<std::string> scopes;
    for (const TraceRecord& record : trace.records())
        if (record.name.starts_with(start) && record.name.ends_with(end) &&
            record.name.find("ffn") == std::string::npos)
            scopes.push_back(record.name.substr(0, record.name.size() - end.size()));
    return scopes;
}

}  // namespace headlight
