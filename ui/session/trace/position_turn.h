// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

#include "core/nn/kinds.h"

namespace headlight {

/// One pair (sin, cos) of a sinusoidal encoding at a position, and k positions on. Its frequency ω makes of a step of k
/// the same rotation wherever it begins, so that PE(pos + k) = R_k · PE(pos) (Vaswani et al. 2017, section 3.5).
struct PositionTurn {
    using Pair = std::array<double, 2>;

    int sine = 0, cosine = 1;  ///< columns of the table
    double frequency = 1;      ///< ω, radians a position
    Pair from{}, to{};         ///< (sin, cos) at pos and at pos + k, as the table has them
    /// R_k for (sin, cos): ((cos kω, sin kω), (−sin kω, cos kω)).
    std::array<Pair, 2> rotation{};

    /// R_k · PE(pos).
    Pair turned() const;
};

/// Every pair of a table of that width, the fastest first; position and offset are 0 or more. A sine without its cosine
/// (odd widths) is no pair.
std::vector<PositionTurn> positionTurns(int width, double base, SinusoidLayout layout, int position, int offset);

}  // namespace headlight
