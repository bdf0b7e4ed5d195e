// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Measures of the equation of attention, in pixels: what its layout and its painting share.
namespace headlight::equation {

inline constexpr double kMargin = 16, kLabel = 66, kLabelRight = 62;
inline constexpr double kTimes = 30, kIndex = 18, kEquals = 24;
/// Of the first band everything but the cells.
inline constexpr double kBandOne = 2 * kMargin + 2 * kLabel + kTimes + kIndex + kEquals;
inline constexpr double kTitle = 34, kHeads = 26, kProducts = 42, kBetween = 12;
inline constexpr double kAboveTotals = 10, kTotalRow = 26, kFoot = 34;
/// In a hall, in the place of headings and foot.
inline constexpr double kBareTitle = 8, kBareFoot = 8;
inline constexpr double kScore = 58, kDivisor = 38, kPowerText = 58, kWeight = 60, kStack = 26, kFunnel = 34;
inline constexpr double kLeastRow = 20, kMostRow = 64, kTaller = 1.25, kMostCell = 150;

}  // namespace headlight::equation
