// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

#include "app/cli/cli.h"
#include "core/data/word_vectors.h"
#include "core/models/model_config.h"
#include "core/text/learn_tokenizer.h"
#include "core/train/kept_weights.h"
#include "core/train/train_options.h"

namespace headlight::cli {

/// What decides what a model becomes.
struct TrainingChoices {
    CorpusOptions corpus;
    PairRules rules;
    SplitSizes sizes;
    CorpusFiles validation, test;
    nlohmann::json config = nlohmann::json::object();  ///< the configuration keys that were given
    std::string tokenizer = "word";
    TokenizerOptions words;  ///< all but the kind, which `tokenizer` says
    VectorFiles vectors;
    TrainOptions train;

    /// Throws Error where a model of these settings cannot learn from these files so, before anything is read.
    void check(const ModelConfig& model) const;
    TokenizerOptions tokenizerOptions() const;
    TrainingData data() const { return {corpus, tokenizerOptions(), rules, sizes, validation, test}; }
    /// The task's parts, or the files' sentences with some of them set aside.
    CorpusSplits splits() const;
};

/// Adds the corpus, every configuration key and every setting of the training (CONTRACTS, section 2) to a subcommand.
void addTrainingChoices(CLI::App& command, TrainingChoices& choices);

/// What `train` was asked for.
struct TrainCommandOptions : TrainingChoices {
    std::string example;  ///< the sentence with which the model opens; empty: one of the data
    long reportEvery = 50;
    std::string out, checkpoint, resume;
    safetensors::DType weights = safetensors::DType::F32;  ///< as they are written
    std::string from;                                      ///< a model to go on training
    KeepOptions keep;
    long checkpointEvery = 0;
    long stopAfter = 0;  ///< the run is left after that step, its schedule being that of all; 0: it is not
    bool json = false;

    long lastStep() const { return stopAfter > 0 ? std::min(stopAfter, train.steps) : train.steps; }
};

/// Adds every option of `train` (CONTRACTS, section 1 and 2) to its subcommand.
void addTrainOptions(CLI::App& command, TrainCommandOptions& options);

}  // namespace headlight::cli
