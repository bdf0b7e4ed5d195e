// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace headlight {

/// Ways to keep attention from looking at a cell. Only the first is right; the others are in use, and go wrong in ways
/// that can be seen (decks 000, 001, 004).
enum class MaskingWay {
    AddMinusInfinity,       ///< −∞ is added to the score, before the softmax
    AddMinusABillion,       ///< −10⁹ is added: a row without any open cell looks everywhere alike
    MultiplyMinusInfinity,  ///< the score times −∞: of a negative score +∞, of zero no number
    AfterSoftmax,           ///< the weight is set to zero: rows no longer add up to one
};

/// One head's scores under a mask, as the engine's softmax has them.
struct MaskedAttention {
    std::vector<float> scores;   ///< [rows·columns], with the mask worked in
    std::vector<float> weights;  ///< [rows·columns]
    std::vector<double> sums;    ///< of each row of weights
};

/// `blocked` has a flag for each cell; `scores` are as they come from Q Kᵀ/√d_k.
MaskedAttention maskedAttention(const std::vector<float>& scores, const std::vector<char>& blocked, int rows,
                                int columns, MaskingWay way);

/// Cells that hold no word as a key (columns from `words` on), and cells behind the query.
std::vector<char> paddingMaskOf(int rows, int columns, int words);
std::vector<char> causalMaskOf(int rows, int columns);
/// The same, and cells further back than the last `window` words, the query's own among them.
std::vector<char> windowMaskOf(int rows, int columns, int window);

}  // namespace headlight
