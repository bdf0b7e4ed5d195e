// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/cli.h"
#include "core/models/model_config.h"
#include "core/text/tokenizer.h"
#include "core/train/trainer.h"

namespace headlight::cli {

/// What `train` was asked for.
struct TrainCommandOptions {
    CorpusOptions corpus;
    std::string validationPairs, validationSource, validationTarget;
    nlohmann::json config = nlohmann::json::object();  ///< the configuration keys that were given
    std::string tokenizer = "word";
    bool lowercase = false;
    TrainOptions train;
    long reportEvery = 50;
    long validateEvery = 500;
    std::string out, checkpoint, resume;
    long checkpointEvery = 0;
    bool json = false;
};

/// Adds every option of `train` (CONTRACTS, section 1 and 2) to its subcommand.
void addTrainOptions(CLI::App& command, TrainCommandOptions& options);

}  // namespace headlight::cli
