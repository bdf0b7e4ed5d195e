// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/sinusoids.h"

#include <cmath>

namespace headlight {

void writeSinusoids(double position, int width, double base, SinusoidLayout layout, float* row) {
    const int sines = (width + 1) / 2;
    for (int dim = 0; dim < width; ++dim) {
        const double angle = position / std::pow(base, static_cast<double>(dim - dim % 2) / width);
        const int place = layout == SinusoidLayout::Interleaved ? dim : dim / 2 + (dim % 2 ? sines : 0);
        row[place] = static_cast<float>(dim % 2 ? std::cos(angle) : std::sin(angle));
    }
}

std::vector<float> sinusoidalTable(int length, int width, double base, SinusoidLayout layout) {
    std::vector<float> table(static_cast<size_t>(length) * static_cast<size_t>(width));
    for (int pos = 0; pos < length; ++pos)
        writeSinusoids(pos, width, base, layout, table.data() + static_cast<size_t>(pos) * static_cast<size_t>(width));
    return table;
}

}  // namespace headlight
