// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

namespace headlight::why_layout {

inline constexpr double kMargin = 16, kHead = 68, kFoot = 112, kLeastLine = 29, kLeastProductLine = 37, kBar = 12;
inline constexpr double kNumbers = 102;  ///< the amounts, the sum with its sign, and what says that a bar opens
inline constexpr double kBox = 18;       ///< the height of a number that is multiplied

/// A column of few parts leaves room below them, so that a part is as high in each; on a large screen they are higher.
inline double mostLine(double room) {
    constexpr double kUsual = 48, kPartsThatFill = 12;
    return std::max(kUsual, room / kPartsThatFill);
}
inline double boxWidth(double column) {
    return std::clamp(column * 0.19, 48.0, 60.0);
}
inline double productLeft(double column) {
    return std::max(kMargin + 60.0, column - kNumbers - 2 * boxWidth(column) - 18);
}

}  // namespace headlight::why_layout
