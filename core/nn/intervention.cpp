// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/intervention.h"

#include <algorithm>
#include <cassert>

#include "core/tensor/tensor.h"

namespace headlight {

namespace {

/// A value as [batch, heads, rows, columns], however it lies.
struct Layout {
    int batch = 1, heads = 1, rows = 0, columns = 0;
    std::size_t batchStep = 0, headStep = 0, rowStep = 0;

    Layout(const Tensor<float>& value, int joinedHeads) {
        const Shape& shape = value.shape;
        const auto size = [](int n) { return static_cast<std::size_t>(n); };
        columns = value.cols();
        rowStep = size(value.ld);
        if (shape.rank() <= 2) {
            heads = joinedHeads;
            columns /= heads;
            rows = value.rows();
            headStep = size(columns);
            return;
        }
        rows = shape.dim(-2);
        heads = shape.dim(-3);
        headStep = size(rows) * size(columns);
        if (shape.rank() < 4) return;
        batch = shape.dim(0);
        batchStep = headStep * size(heads);
    }
};

/// The place of `index` among those named; index itself where all are, -1 where it is not named.
int placeIn(const std::vector<int>& named, int index) {
    if (named.empty()) return index;
    const auto found = std::ranges::find(named, index);
    return found == named.end() ? -1 : static_cast<int>(found - named.begin());
}

/// Of so many values that of number `index`; 1 serves all. -1: there is none.
int valueIndex(int index, int count) {
    return count == 1 ? 0 : index < count ? index : -1;
}

float changed(float value, Intervention::Act act, float by) {
    switch (act) {
        case Intervention::Act::Replace:
            return by;
        case Intervention::Act::Scale:
            return value * by;
        case Intervention::Act::Add:
            return value + by;
    }
    return value;
}

void changeRow(const Intervention& change, const float* by, int columns, float* row) {
    for (int column = 0; column < columns; ++column) {
        const int named = placeIn(change.columns, column);
        const int at = named < 0 ? -1 : valueIndex(named, change.valueColumns);
        if (at >= 0) row[column] = changed(row[column], change.act, by[at]);
    }
}

void apply(const Intervention& change, const Tensor<float>& value, const ChangedRows& where) {
    assert(change.values.size() == static_cast<std::size_t>(change.valueHeads) *
                                       static_cast<std::size_t>(change.valueRows) *
                                       static_cast<std::size_t>(change.valueColumns));
    const Layout layout(value, where.heads);
    for (int head = 0; head < layout.heads; ++head) {
        if (change.head >= 0 && change.head != head) continue;
        const int byHead = valueIndex(change.head < 0 ? head : 0, change.valueHeads);
        for (int row = 0; row < layout.rows; ++row) {
            const int named = placeIn(change.rows, where.first + row * where.stride);
            const int byRow = named < 0 ? -1 : valueIndex(named, change.valueRows);
            if (byHead < 0 || byRow < 0) continue;
            const float* const by = change.values.data() + static_cast<std::size_t>(byHead * change.valueRows + byRow) *
                                                               static_cast<std::size_t>(change.valueColumns);
            for (int b = 0; b < layout.batch; ++b)
                changeRow(change, by, layout.columns,
                          value.data + static_cast<std::size_t>(b) * layout.batchStep +
                              static_cast<std::size_t>(head) * layout.headStep +
                              static_cast<std::size_t>(row) * layout.rowStep);
        }
    }
}

}  // namespace

void applyInterventions(std::span<const Intervention> interventions, std::string_view place, const Tensor<float>& value,
                        const ChangedRows& rows) {
    for (const Intervention& change : interventions)
        if (change.place == place) apply(change, value, rows);
}

bool tellRows(std::span<const Intervention> interventions) {
    return std::ranges::any_of(interventions, &Intervention::tellsRows);
}

}  // namespace headlight
