// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight {

/// A figure that has another layout for the projector than for the window.
class HallFigure {
public:
    virtual ~HallFigure() = default;
    /// It stands on the projector: its minimumSizeHint() is what it needs there.
    virtual void setInHall(bool inHall) = 0;
    /// How high its smallest letters are, indices aside.
    virtual int smallestLetters() const = 0;
};

}  // namespace headlight
