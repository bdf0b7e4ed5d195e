// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/data/evaluation.h"
#include "core/nn/intervention.h"

namespace headlight {

/// What becomes of a model without one of its heads.
struct HeadWorth {
    MutedHead head;
    Evaluation evaluation;  ///< with the head muted
};

struct HeadAblation {
    Evaluation whole;              ///< nothing muted
    std::vector<HeadWorth> heads;  ///< every head of every attention block, in the order of computation
};

/// Mutes each head in turn and measures what is lost (Michel, Levy, Neubig 2019, section 3). `progress` is called after
/// each evaluation with the share done; where it says false the rest is left out.
HeadAblation ablateHeads(const TrainedModel& model, const Corpus& corpus, const BeamOptions& options = {},
                         const std::function<bool(double)>& progress = {});

/// What one text costs without one of the heads.
struct HeadRise {
    MutedHead head;
    double rise = 0;  ///< of the loss, in nats: without the head, minus with all of them
};

struct TextAblation {
    double loss = 0;              ///< with every head on: mean −log p of the words that the text asks for
    std::vector<HeadRise> heads;  ///< every head of every attention block, in the order of computation
};

/// The same on one text, forward passes alone. What a text asks for: of a language model each word but the first; of a
/// translator the translation and its <eos> (`target`, or what the model writes with every head on); of a classifier
/// the label that it gives then; of a model that fills in words what it fills in, or where nothing is masked each word.
/// Throws Error as traceSentence(), and for a model without heads.
TextAblation ablateHeadsOnText(const TrainedModel& model, const std::string& source,
                               const std::optional<std::string>& target = {},
                               const std::function<bool(double)>& progress = {});

}  // namespace headlight
