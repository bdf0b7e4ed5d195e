// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/models/seq2seq.h"

namespace headlight {

/// A decoded sentence.
struct Hypothesis {
    std::vector<int> tokens;            ///< without <bos>, with <eos> where it was reached
    std::vector<double> tokenLogProbs;  ///< natural logarithm, one a token
    double logProb = 0;                 ///< their sum
    bool finished = false;              ///< ended by <eos>, not by the limit
};

struct GreedyOptions {
    int maxLength = 0;  ///< tokens at most, <eos> counted in; 0: as many as the model has positions for
    std::span<const MutedHead> mutedHeads = {};
};

/// The likeliest word at every step, sentences of a batch side by side, keys and values of the words before kept.
/// Throws Error for a sentence that is empty or longer than the model's max_length.
std::vector<Hypothesis> decodeGreedily(const Seq2Seq& model, std::span<const std::vector<int>> sources,
                                       const GreedyOptions& options = {});

}  // namespace headlight
