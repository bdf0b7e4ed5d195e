// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/position_turn.h"

#include <cmath>

#include "core/nn/sinusoids.h"

namespace headlight {

PositionTurn::Pair PositionTurn::turned() const {
    return {rotation[0][0] * from[0] + rotation[0][1] * from[1], rotation[1][0] * from[0] + rotation[1][1] * from[1]};
}

std::vector<PositionTurn> positionTurns(int width, double base, SinusoidLayout layout, int position, int offset) {
    const std::vector<float> table = sinusoidalTable(position + offset + 1, width, base, layout);
    const auto at = [&](int row, int column) {
        return static_cast<double>(
            table[static_cast<size_t>(row) * static_cast<size_t>(width) + static_cast<size_t>(column)]);
    };
    const bool halves = layout == SinusoidLayout::Halves;
    std::vector<PositionTurn> turns;
    for (int pair = 0; pair < width / 2; ++pair) {
        PositionTurn turn;
        turn.sine = halves ? pair : 2 * pair;
        turn.cosine = halves ? (width + 1) / 2 + pair : 2 * pair + 1;
        turn.frequency = std::pow(base, -2.0 * pair / width);
        turn.from = {at(position, turn.sine), at(position, turn.cosine)};
        turn.to = {at(position + offset, turn.sine), at(position + offset, turn.cosine)};
        const double angle = offset * turn.frequency;
        turn.rotation = {{{std::cos(angle), std::sin(angle)}, {-std::sin(angle), std::cos(angle)}}};
        turns.push_back(turn);
    }
    return turns;
}

}  // namespace headlight
