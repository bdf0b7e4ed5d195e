// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/rotary.h"

#include <cmath>
#include <numbers>

namespace headlight {

double RotarySpeeds::of(int pair) const {
    const double speed = std::pow(base, -2.0 * pair / width);
    switch (scaling) {
        case RotaryScaling::None:
            return speed;
        case RotaryScaling::Linear:
            return speed / factor;
        case RotaryScaling::Llama3:
            break;
    }
    const double turns = originalLength * speed / (2 * std::numbers::pi);
    if (turns > highFactor) return speed;
    if (turns < lowFactor) return speed / factor;
    const double kept = (turns - lowFactor) / (highFactor - lowFactor);
    return (1 - kept) * speed / factor + kept * speed;
}

}  // namespace headlight
