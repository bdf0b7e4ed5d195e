// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight::forcing_layout {

// Where the rows of the two decoders stand: from the top of the stage, and within a decoder from the top of its bars.

inline constexpr double kLabels = 100, kBehind = 96;  ///< beside the columns; behind the last one notes stand
inline constexpr double kPitch = 156, kLeastPitch = 78, kBetween = 14;
inline constexpr double kForced = 12, kTruth = 188, kFree = 240, kApart = 404, kApartHigh = 20;
inline constexpr double kBars = 40, kWrites = 44, kCells = 86, kReads = 130, kWord = 26, kCell = 28, kCellWide = 62;
inline constexpr double kTruthHigh = 36;
inline constexpr int kHeight = 432;

}  // namespace headlight::forcing_layout
