// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/cli.h"
#include "core/models/model_config.h"
#include "core/text/tokenizer.h"
#include "core/train/trainer.h"

namespace headlight::cli {

/// What decides what a model becomes.
struct TrainingChoices {
    CorpusOptions corpus;
    nlohmann::json config = nlohmann::json::object();  ///< the configuration keys that were given
    std::string tokenizer = "word";
    bool lowercase = false;
    TrainOptions train;

    TokenizerOptions tokenizerOptions() const;
    /// The task's parts, or the files' sentences with some of them set aside.
    CorpusSplits splits() const;
};

/// Adds the corpus, every configuration key and every setting of the training (CONTRACTS, section 2) to a subcommand.
void addTrainingChoices(CLI::App& command, TrainingChoices& choices);

/// What `train` was asked for.
struct TrainCommandOptions : TrainingChoices {
    std::string validationPairs, validationSource, validationTarget;
    long reportEvery = 50;
    long validateEvery = 500;
    std::string out, checkpoint, resume;
    long checkpointEvery = 0;
    bool json = false;
};

/// Adds every option of `train` (CONTRACTS, section 1 and 2) to its subcommand.
void addTrainOptions(CLI::App& command, TrainCommandOptions& options);

}  // namespace headlight::cli
