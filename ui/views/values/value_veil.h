// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <vector>

#include "core/trace/trace.h"
#include "ui/session/trace/value_cell.h"
#include "ui/views/view.h"
#include "ui/widgets/theme/color_scale.h"

namespace headlight {

/// Is that a number or a row of the value? `probabilities` are e to the power of `log_probs`: one tells the other.
inline bool isOfValue(const NumberName& part, const std::string& value) {
    return part.name == value || (value == "log_probs" && part.name == "probabilities");
}

/// Is that number of a traced value hidden, until the reader has predicted it?
inline bool isVeiled(const std::vector<NumberName>& veiled, const TraceRecord& value, const ValueCell& cell) {
    std::vector<int> at{cell.row + 1, cell.column + 1};
    if (value.shape.size() == 3) at.insert(at.begin(), cell.head + 1);
    return std::ranges::any_of(veiled, [&](const NumberName& part) {
        return isOfValue(part, value.name) && isPartOf({part.name, at}, part);
    });
}

/// Is any number of it hidden?
inline bool hasVeil(const std::vector<NumberName>& veiled, const std::string& value) {
    return std::ranges::any_of(veiled, [&](const NumberName& part) { return isOfValue(part, value); });
}

/// Is a number hidden that this one is computed from?
bool needsVeiled(const std::vector<NumberName>& veiled, const Trace& trace, const TraceRecord& value,
                 const ValueCell& cell);

/// scaleOf(), of the numbers that are not hidden: the end of a scale would tell how large the largest is.
ColorScale shownScale(const std::vector<NumberName>& veiled, const TraceRecord& value);

}  // namespace headlight
