// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Where things stand in the loss of one word, for what lays it out and what paints it.
namespace headlight::loss_layout {

inline constexpr double kMargin = 20;
inline constexpr double kHeader = 48;  ///< which word it is
inline constexpr double kHeads = 58;   ///< of the four columns
inline constexpr double kFoot = 26;    ///< what the columns sum to
inline constexpr double kLoss = 84;    ///< the loss as a sum
inline constexpr double kMostSmoothing = 0.5;

}  // namespace headlight::loss_layout
