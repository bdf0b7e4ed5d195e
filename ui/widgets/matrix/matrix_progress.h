// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace headlight {

/// What is there of a matrix that is being computed; the rest is outlines.
struct MatrixProgress {
    long filled = 0;              ///< cells, in reading order
    int row = -1, column = -1;    ///< that is under way; without a column the whole row is
    std::vector<double> heights;  ///< bars in the cells of that row, 0 … 1; empty: none
    std::vector<double> numbers;  ///< that stand in them
    double fade = 0;              ///< 0 … 1: of the cells' own colours behind the bars
};

}  // namespace headlight
