// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight::motion {

/// Milliseconds of what moves (VISUAL-LANGUAGE, section 6). One operation, while the computation is played at speed 1:
constexpr int kOperation = 900;
/// A tint under the pointer comes, and goes.
constexpr int kTint = 80;
/// A playhead, or a chosen cell, goes to another place.
constexpr int kPlace = 160;
/// A change of zoom.
constexpr int kZoom = 320;
/// Small pictures find their places in another order; cells take other colours.
constexpr int kReflow = 200;
/// From one step of a lesson to the next.
constexpr int kStep = 240;

/// The reader asked for less motion, or a figure is drawn: everything cuts to its end state.
bool isReduced();
void setReduced(bool reduced);

}  // namespace headlight::motion
