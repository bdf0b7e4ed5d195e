// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/decode/greedy.h"
#include "core/io/model_file.h"
#include "core/trace/trace.h"

namespace headlight {

/// What a model makes of a text.
struct Translation {
    std::string source;
    std::vector<std::string> sourceTokens;  ///< as the model reads them: `<unk>` for words that it does not know
    std::string text;
    std::vector<std::string> tokens;    ///< with <eos> where it was reached
    std::vector<double> tokenLogProbs;  ///< one a token
    double logProb = 0;
    bool finished = false;
};

/// Translates each text, greedily. Throws Error for a text without words or too long for the model.
std::vector<Translation> translate(const TrainedModel& model, const std::vector<std::string>& texts,
                                   const GreedyOptions& options = {});

/// Every intermediate value of reading `source` and writing `target` (without one: the model's own translation), under
/// teacher forcing; language models and classifiers read `source` alone. Throws Error as translate(), and for a muted
/// head that the model does not have.
Trace traceSentence(const TrainedModel& model, const std::string& source, const std::optional<std::string>& target = {},
                    const std::vector<MutedHead>& muted = {});

/// Parses `decoder.layers.1.cross_attn.3` (heads from 0). Throws Error where the model has no such head, naming the
/// blocks.
MutedHead parseMutedHead(const std::string& text, const Model& model);

}  // namespace headlight
