// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/values/value_veil.h"

#include <cmath>

#include "ui/session/trace/value_region.h"
#include "ui/views/values/value_panel.h"

namespace headlight {

namespace {

/// Of what an input lends to a number: is any of it hidden?
bool isVeiledIn(const std::vector<NumberName>& veiled, const TraceRecord& input, const InputRegion& region) {
    const auto isIn = [](int chosen, int each) { return chosen < 0 || chosen == each; };
    for (int row = 0; row < matrixRows(input); ++row)
        for (int column = 0; isIn(region.row, row) && column < matrixColumns(input); ++column)
            if (isIn(region.column, column) && isVeiled(veiled, input, {region.head, row, column})) return true;
    return false;
}

}  // namespace

bool needsVeiled(const std::vector<NumberName>& veiled, const Trace& trace, const TraceRecord& value,
                 const ValueCell& cell) {
    for (size_t i = 0; i < value.inputs.size(); ++i) {
        if (!hasVeil(veiled, value.inputs[i])) continue;
        const TraceRecord* const input = trace.find(value.inputs[i]);
        const std::optional<InputRegion> region = inputRegion(trace, value, i, cell);
        if (!input || !region || isVeiledIn(veiled, *input, *region)) return true;
    }
    return false;
}

ColorScale shownScale(const std::vector<NumberName>& veiled, const TraceRecord& value) {
    const ColorScale whole = scaleOf(value);
    if (!hasVeil(veiled, value.name) || whole.kind != ColorScale::Kind::Diverging || std::isinf(whole.max))
        return whole;
    std::vector<float> shown;
    for (int head = 0; head < matrixHeads(value); ++head)
        for (int row = 0; row < matrixRows(value); ++row)
            for (int column = 0; column < matrixColumns(value); ++column)
                if (!isVeiled(veiled, value, {head, row, column}))
                    shown.push_back(numberAt(value, {head, row, column}));
    return ColorScale::scores(shown);
}

}  // namespace headlight
