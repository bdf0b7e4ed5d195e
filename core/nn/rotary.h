// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight {

/// How angles of rotary positions are made smaller, so that a model reads further than it was first trained to.
enum class RotaryScaling {
    None,
    Linear,  ///< all of them, by one factor (Chen et al. 2023)
    Llama3,  ///< those that turn slowly, by one factor; the fast ones not; between them by a share of it
};

/// By how much rotary positions turn each pair of numbers of a head (Su et al. 2021).
struct RotarySpeeds {
    double base = 10000;
    int width = 0;  ///< of the numbers that are turned, the first of each head
    RotaryScaling scaling = RotaryScaling::None;
    double factor = 1;
    double lowFactor = 1;       ///< of llama3: pairs that turn less often than this over the original length are slow
    double highFactor = 4;      ///< and those that turn more often than this are fast
    int originalLength = 8192;  ///< positions that the model was first trained with

    /// Radians a position, of a pair from 0.
    double of(int pair) const;
};

}  // namespace headlight
