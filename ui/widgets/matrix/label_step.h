// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

namespace headlight {

constexpr double kSmallestLabel = 13;  ///< room along the edge of a matrix that a word takes

/// Where cells are smaller than a word is high, only some of the words can stand: every how many.
inline int labelStep(double cell) {
    return std::max(1, static_cast<int>(std::ceil(kSmallestLabel / cell)));
}

}  // namespace headlight
