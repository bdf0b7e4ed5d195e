// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight::attribution_layout {

inline constexpr double kStripMargin = 14, kAround = 6, kApart = 6, kTitle = 20, kBetween = 3, kGroups = 18,
                        kWords = 24, kTurned = 76, kStripGap = 18, kNarrowest = 14, kWidest = 88, kMostMore = 60;
/// Above the bars and, where some point down, below them: for their numbers.
inline constexpr double kOver = 24, kUnder = 12;
inline constexpr int kTextPx = 12, kNumberPx = 11, kWordPx = 13, kSmallestWordPx = 10;

}  // namespace headlight::attribution_layout
