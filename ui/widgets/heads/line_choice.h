// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace headlight {

/// A weight that is drawn as a line from a word that is looked at to the one that looks.
struct AttentionLine {
    int head = 0, row = 0, column = 0;
    float weight = 0;
    bool operator==(const AttentionLine&) const = default;
};

/// The weights of some heads, one behind the other: [heads, rows, columns].
struct LineWeights {
    std::span<const float> values;
    int heads = 1, rows = 0, columns = 0;
    std::span<const char> leftOut = {};  ///< empty, or a flag a cell, [rows, columns]: it is no line

    bool isLeftOut(size_t cell) const { return !leftOut.empty() && leftOut[cell] != 0; }
};

/// Weights below it would only be a haze; of each word the strongest line is drawn even so.
constexpr float kFaintestLine = 0.02F;

/// Which lines are drawn, and of how many.
struct LineChoice {
    std::vector<AttentionLine> lines;  ///< sorted by row, then head, then column
    size_t possible = 0;               ///< weights above 0 that are not left out
    size_t faint = 0;                  ///< of those weights, what is below kFaintestLine and no line
    size_t crowded = 0;                ///< what is strong enough, and left out as more lines would be too many
    double share = 0;                  ///< of the sum of those weights, what the lines hold
};

/// Of a row of a head, the strongest weights that hold `share` (0..1) of what it gives; the strongest in any case.
std::vector<AttentionLine> linesOfRow(const LineWeights& weights, int head, int row, double share);

/// Those of every row and head; and of more lines than an eye can follow (two a row and head, 64 at least, 4,096 at
/// most) the strongest.
LineChoice chooseLines(const LineWeights& weights, double share);

}  // namespace headlight
