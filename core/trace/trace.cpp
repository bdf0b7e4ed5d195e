// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace.h"

#include <algorithm>

#include "core/error.h"

namespace headlight {

std::span<const float> TraceRecord::head(int index) const {
    const size_t size = static_cast<size_t>(shape[1]) * static_cast<size_t>(shape[2]);
    return {values.data() + static_cast<size_t>(index) * size, size};
}

const Module& TraceRecord::owner() const {
    static const Module nobody{.kind = ModuleKind::Result, .place = {Stack::Only, Section::End}};
    return module ? *module : nobody;
}

const UsedWeight* TraceRecord::weight(UsedWeight::As as) const {
    const auto found = std::ranges::find(weights, as, &UsedWeight::as);
    return found == weights.end() ? nullptr : &*found;
}

void Trace::append(TraceRecord record) {
    m_index[record.name] = static_cast<int>(m_records.size());
    m_records.push_back(std::move(record));
}

int Trace::indexOf(std::string_view name) const {
    const auto found = m_index.find(std::string(name));
    return found == m_index.end() ? -1 : found->second;
}

const TraceRecord* Trace::find(std::string_view name) const {
    const int index = indexOf(name);
    return index < 0 ? nullptr : &m_records[static_cast<size_t>(index)];
}

const TraceRecord* Trace::find(const Module& module, Part part) const {
    const auto found = std::ranges::find_if(
        m_records, [&](const TraceRecord& record) { return record.module.get() == &module && record.part == part; });
    return found == m_records.end() ? nullptr : &*found;
}

const TraceRecord& Trace::at(std::string_view name) const {
    const TraceRecord* record = find(name);
    if (!record)
        throw Error("the trace has no value named " + std::string(name) + ": see CONTRACTS, section 3, for the names");
    return *record;
}

}  // namespace headlight
