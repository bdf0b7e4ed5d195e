// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <vector>

#include "core/trace/trace.h"
#include "ui/session/trace/value_cell.h"
#include "ui/views/veiled.h"

namespace headlight {

/// Is that number of a traced value hidden, until the reader has predicted it?
inline bool isVeiled(const std::vector<NumberName>& veiled, const TraceRecord& value, const ValueCell& cell) {
    std::vector<int> at{cell.row + 1, cell.column + 1};
    if (value.shape.size() == 3) at.insert(at.begin(), cell.head + 1);
    return isAmong(veiled, {value.name, at});
}

/// Is any number of it hidden?
inline bool hasVeil(const std::vector<NumberName>& veiled, const std::string& value) {
    return std::ranges::any_of(veiled, [&](const NumberName& part) { return part.name == value; });
}

}  // namespace headlight
