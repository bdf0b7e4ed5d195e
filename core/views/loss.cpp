// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>

#include "core/io/trained_model.h"
#include "core/views/views.h"
#include "core/words.h"

namespace headlight {

namespace {

/// Costs, and the shares and logits that they come from.
constexpr const char* kOfLoss[] = {"word_losses", "sentence_loss", "perplexity", "word_probs",
                                   "log_probs",   "probabilities", "logits"};

}  // namespace

const View lossView = {
    .name = "loss",
    .title = HEADLIGHT_WORDS("Views", "Loss"),
    .question = HEADLIGHT_WORDS("Views", "What does each word of the target cost?"),
    .group = HEADLIGHT_WORDS("Views", "Words"),
    .whyNothing = [](const TrainedModel& model) -> std::string {
        const ModelConfig& config = model.network->config();
        if (config.headless()) return HEADLIGHT_WORDS("Views", "has no head that says words");
        return config.masked() ? HEADLIGHT_WORDS("Views", "is not told which words stood at its masks") : "";
    },
    .hides = [](const std::string& value) { return std::ranges::find(kOfLoss, value) != std::end(kOfLoss); },
    .panels = {"controls", "word", "side"},
};

}  // namespace headlight
