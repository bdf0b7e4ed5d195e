// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/nn/kinds.h"

namespace headlight {

/// PE(pos, 2i) = sin(pos / base^(2i/width)), PE(pos, 2i+1) = cos of the same (Vaswani et al. 2017, section 3.5); in
/// halves the same numbers, all sines first. → [length, width], row-major.
std::vector<float> sinusoidalTable(int length, int width, double base,
                                   SinusoidLayout layout = SinusoidLayout::Interleaved);

/// One row of it.
void writeSinusoids(double position, int width, double base, SinusoidLayout layout, float* row);

}  // namespace headlight
