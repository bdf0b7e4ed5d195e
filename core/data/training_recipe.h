// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/data/training_data.h"
#include "core/io/settings_file.h"
#include "core/io/trained_model.h"
#include "core/train/kept_weights.h"
#include "core/train/train_options.h"

namespace headlight {

class Trainer;

/// All that decides what a model becomes: what `headlight-cli train` is told, and the file of settings beside a model
/// tells again.
struct TrainingRecipe {
    TrainingData data;
    ModelConfig config;  ///< of a new model; its vocabulary sizes are limits, 0: every word
    std::string from;    ///< the file of a model that is trained on in the place of a new one
    TrainOptions options;
    KeepOptions keep;  ///< as at first where it chooses no weights: the steps of validations are then nobody's business
    long stopAfter = 0;  ///< the run is left after that step; 0: it ends with its last
};

/// The recipe as the options of `headlight-cli train`, under their names with underscores; files by their whole paths.
/// What stands at its default is said too, so that a later default changes nothing.
std::vector<Setting> settingsOf(const TrainingRecipe& recipe);
/// The way back. Options that change nothing of the training (`out`, `json`, `report_every`, …) are read over. Throws
/// Error for values that are no option's, and for options that a recipe has no place for (vectors to begin with).
TrainingRecipe recipeOf(const std::vector<Setting>& settings);

/// What a model learns from and as what tokens, as such settings; of rules and sizes what is not usual.
std::vector<Setting> settingsOf(const TrainingData& data);
/// Whether a setting's value is the name of a file, or of the task in its place.
bool namesAFile(const std::string& key);
/// Reads one of these; false where the setting is another one. Throws Error as recipeOf().
bool readSetting(const Setting& setting, TrainingData& data);

/// The same for the options of a training, and of which weights it writes; out of range they are not looked at.
bool readSetting(const Setting& setting, TrainOptions& options);
bool readSetting(const Setting& setting, KeepOptions& keep);

/// Beside `M.safetensors`: `M.train.yaml`.
std::string settingsFileOf(const std::string& model);

/// What the model's file says of how it was made, without figures.
TrainingStory storyOf(const CorpusFiles& files, const Trainer& trainer, size_t trainingPairs,
                      const std::string& example = {});

}  // namespace headlight
