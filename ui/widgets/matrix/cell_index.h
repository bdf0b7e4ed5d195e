// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace headlight {

/// Where a cell of a matrix of so many columns lies, row after row. Computed in size_t, as wide as the matrix may be.
constexpr size_t cellIndex(int row, int column, int columns) {
    return static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(column);
}

}  // namespace headlight
