// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>

/// Where things stand in the lens, so that its grid and the curve beside it, whose points stand in the grid's rows,
/// agree.
namespace headlight::lens_layout {

inline constexpr double kLabels = 128;  ///< of the rows
inline constexpr double kHead = 34;     ///< of the columns
inline constexpr double kText = 30;     ///< the line of what stands in the text
inline constexpr double kLegend = 62;
inline constexpr double kBelow = kText + kLegend;  ///< all that stands below the cells
inline constexpr double kEdge = 6;                 ///< room for the frame of what is chosen
/// Of the page: grid and curve begin at the same height.
inline constexpr int kMargin = 20, kTop = 12, kTitle = 28, kSubtitle = 20, kProgress = 14, kStory = 58;
inline constexpr int kSideYieldsBelow = 760;
inline constexpr QSizeF kLargest{272, 132};
inline constexpr QSizeF kRoomy{112, 40};  ///< word and number side by side in every cell

}  // namespace headlight::lens_layout
