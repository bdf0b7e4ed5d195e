// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/data/evaluation.h"

namespace headlight {

/// How well a model translates sentences of some lengths.
struct LengthBin {
    int from = 0, to = 0;  ///< source tokens, both counted in
    Evaluation evaluation;
};

/// Sorts a corpus by the length of its source and translates each part (Cho et al. 2014, figure 4; Bahdanau, Cho,
/// Bengio 2015, figure 2): where a single vector must hold the sentence, long ones suffer. `edges` are the longest
/// lengths of the bins, rising; longer sentences are left out, and bins without sentences too. Throws Error for a model
/// that does not translate, and for edges that do not rise.
std::vector<LengthBin> accuracyByLength(const TrainedModel& model, const Corpus& corpus, std::span<const int> edges,
                                        const BeamOptions& options = {});

}  // namespace headlight
