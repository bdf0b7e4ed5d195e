// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Where the parts of a beam search's tree stand, in pixels; of BeamTree alone.
namespace headlight::beam {

inline constexpr double kLeft = 20, kRight = 12, kBelow = 12;
inline constexpr double kTop = 36;       ///< room for the columns' names
inline constexpr double kHeadings = 18;  ///< their middle
inline constexpr double kStartWidth = 48, kBehindStart = 17;
inline constexpr double kGap = 17;   ///< between a node and the next column
inline constexpr double kTrunk = 9;  ///< before a node, where branches go down to their rows
inline constexpr double kNarrowest = 60, kLeastForWords = 104, kWidest = 132;  ///< from one column to the next
inline constexpr double kLeastPitch = 36, kMostPitch = 88;                     ///< from one row to the next
inline constexpr double kMarkHeight = 16;                                      ///< below a node that folds something
inline constexpr double kLeastMarkedPitch = 48;
inline constexpr double kLowest = 32, kTallest = 48;  ///< of a node
inline constexpr double kBesideWord = 12;             ///< of a node, at both sides together
inline constexpr double kBesideNumber = 8;            ///< likewise
inline constexpr double kBeforeEnding = 28;           ///< a dash and a cross
inline constexpr int kSmallWord = 10, kEnding = 12;   ///< letters
inline constexpr double kUnlit = 0.4;                 ///< opacity of what is not in the sentence that is pointed at

}  // namespace headlight::beam
