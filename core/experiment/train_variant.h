// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <nlohmann/json.hpp>

#include "core/data/corpus.h"
#include "core/data/word_vectors.h"
#include "core/io/trained_model.h"
#include "core/text/learn_tokenizer.h"
#include "core/train/train_options.h"

namespace headlight {

/// All that decides what a training makes of a corpus. Two plans that differ in one setting are an experiment.
struct TrainingPlan {
    nlohmann::json config = nlohmann::json::object();  ///< keys of ModelConfig that were given
    TokenizerOptions tokenizer = {};
    VectorFiles vectors = {};
    TrainOptions train = {};
};

/// Trains a new model on `splits.train` to its last step. `progress` is called after each step; where it says false the
/// training ends there. Throws Error as newModel() and Trainer do.
TrainedModel trainVariant(const TrainingPlan& plan, const CorpusSplits& splits,
                          const std::function<bool(const StepReport&)>& progress = {});

}  // namespace headlight
