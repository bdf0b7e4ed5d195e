// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>

#include "ui/widgets/matrix/matrix_view.h"

namespace headlight {

/// Takes the numbers out of a matrix that a reader is to predict: their cells are hatched, and whoever asks for one, by
/// a screen reader or a tooltip, finds no number. `isVeiled` is asked for each row and column, from 0.
template <class IsVeiled>
void takeOut(MatrixData& matrix, IsVeiled isVeiled) {
    for (int row = 0; row < matrix.rows; ++row)
        for (int column = 0; column < matrix.columns; ++column) {
            if (!isVeiled(row, column)) continue;
            matrix.leftOut.resize(matrix.values.size());
            const size_t at = cellIndex(row, column, matrix.columns);
            matrix.leftOut[at] = 1;
            matrix.values[at] = std::numeric_limits<float>::quiet_NaN();
        }
}

/// Was the number taken out by takeOut()?
inline bool isTakenOut(const MatrixData& matrix, int row, int column) {
    return matrix.isLeftOut(row, column) && matrix.value(row, column) != matrix.value(row, column);
}

}  // namespace headlight
