// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/recorded_recipe.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_text.h"

namespace headlight {

TrainingRecipe recordedRecipe(const TrainedModel& model) {
    const nlohmann::json& story = model.training.json();
    const std::string task = model.training.task();
    if (task.empty() || story.contains("from") || !model.training.steps())
        throw Error("its file does not tell enough of the run that made it: that is known of models of built-in tasks");
    TrainingRecipe recipe;
    recipe.data.files.task = task;
    recipe.config = model.network->config();
    // What says the words' ids and numbers is found again in the data.
    const auto text = [](const nlohmann::json& value) {
        return value.is_string() ? value.get<std::string>() : jsonText(value);
    };
    for (const char* key :
         {"steps", "seed", "batch_size", "tokens_per_batch", "accumulate", "schedule", "learning_rate", "warmup_steps",
          "label_smoothing", "clip_norm", "optimizer", "weight_decay", "rate_changes", "order_changes", "mute_changes"})
        if (story.contains(key)) readSetting({key, text(story.at(key))}, recipe.options);
    if (const auto forcing = story.find("teacher_forcing"); forcing != story.end() && forcing->size() == 2)
        readSetting({"teacher_forcing", jsonText((*forcing)[0]) + ":" + jsonText((*forcing)[1])}, recipe.options);
    if (story.contains("planned_steps")) {
        recipe.stopAfter = recipe.options.steps;
        recipe.options.steps = story.at("planned_steps").get<long>();
    }
    recipe.options.validate();
    return recipe;
}

}  // namespace headlight
