// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/found_data.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <set>

#include <nlohmann/json.hpp>

#include "core/data/training_recipe.h"
#include "core/error.h"
#include "core/json_text.h"
#include "core/platform/file_hash.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

std::mutex rememberedMutex;
std::set<std::string> rememberedFiles;

std::string nameOfFile(const std::string& path) {
    return fs::path(path).filename().string();
}

/// What the settings beside a model's file say of its data; nothing where there are none that can be read.
std::optional<TrainingRecipe> recipeBeside(const std::string& model) {
    const std::string path = settingsFileOf(model);
    std::error_code error;
    if (model.empty() || !fs::is_regular_file(path, error)) return {};
    try {
        return recipeOf(readSettings(path));
    } catch (const Error&) {
        return {};
    }
}

/// What the model's own file says: everything but where its files lie.
TrainingRecipe recipeInside(const TrainingStory& training) {
    const nlohmann::json& story = training.json();
    TrainingRecipe recipe;
    const auto read = [&](const std::string& key, const nlohmann::json& value) {
        const Setting setting{key, value.is_string() ? value.get<std::string>() : jsonText(value)};
        try {
            readSetting(setting, recipe.data);
            readSetting(setting, recipe.options);
        } catch (const Error&) {
            return;  // of a later version
        }
    };
    if (const auto settings = story.find("settings"); settings != story.end() && settings->is_object())
        for (const auto& [key, value] : settings->items())
            read(key, value);
    if (const auto data = story.find("data"); data != story.end() && data->is_object())
        for (const char* key : {"pairs", "source_file", "target_file", "text_file", "undo_entities", "running_text",
                                "kind", "encoding", "columns", "header", "list"})
            if (data->contains(key)) read(key, data->at(key));
    if (story.contains("seed")) read("seed", story.at("seed"));
    return recipe;
}

/// The first of some places where the file lies that is asked for.
struct Search {
    std::vector<std::string> places;
    std::string hash;  ///< of its contents; "": not known

    std::optional<std::string> find(bool& isChanged) const {
        for (const std::string& place : places) {
            std::error_code error;
            if (place.empty() || !fs::is_regular_file(place, error)) continue;
            if (hash.empty() || platform::sha256OfFile(place) == hash) return place;
            isChanged = true;
        }
        return {};
    }
};

}  // namespace

void rememberDataFile(const std::string& path) {
    const std::lock_guard lock(rememberedMutex);
    rememberedFiles.insert(fs::absolute(path).string());
}

FoundData findData(const TrainedModel& model) {
    const nlohmann::json& story = model.training.json();
    const TrainingRecipe inside = recipeInside(model.training);
    const std::optional<TrainingRecipe> beside = recipeBeside(model.file);
    FoundData found;
    TrainingData data = beside ? beside->data : inside.data;
    found.seed = (beside ? *beside : inside).options.seed;
    if (!model.training.task().empty()) {
        data.files = {.task = model.training.task()};
        found.data = std::move(data);
        return found;
    }
    const auto told = inside.data.files.named();
    if (told.empty()) {
        found.missing = FoundData::Missing::Untold;
        return found;
    }
    const auto hashes = story.at("data").find("sha256");
    const std::string folder = model.file.empty() ? std::string() : fs::absolute(model.file).parent_path().string();
    data.files.pairs = data.files.sourceFile = data.files.targetFile = data.files.textFile = {};
    for (const auto& [key, path] : told) {
        const std::string name = nameOfFile(path);
        Search search;
        if (beside)
            for (const auto& [its, place] : beside->data.files.named())
                if (its == key && nameOfFile(place) == name) search.places.push_back(place);
        const std::string was = search.places.empty() ? folder : fs::path(search.places[0]).parent_path().string();
        if (!folder.empty()) search.places.push_back((fs::path(folder) / name).string());
        {
            const std::lock_guard lock(rememberedMutex);
            std::ranges::copy_if(rememberedFiles, std::back_inserter(search.places),
                                 [&](const std::string& each) { return nameOfFile(each) == name; });
        }
        if (hashes != story.at("data").end() && hashes->is_object() && hashes->contains(key) &&
            hashes->at(key).is_string())
            search.hash = hashes->at(key).get<std::string>();
        bool isChanged = false;
        const std::optional<std::string> at = search.find(isChanged);
        if (!at) {
            found.missing = isChanged ? FoundData::Missing::Changed : FoundData::Missing::Gone;
            found.file = name;
            found.folder = was;
            return found;
        }
        readSetting({key, *at}, data);
    }
    data.files.alignments = {};
    // Its other files are of no use here where they lie elsewhere.
    for (CorpusFiles* part : {&data.validation, &data.test})
        for (const auto& [key, path] : part->named())
            if (std::error_code error; !fs::is_regular_file(path, error)) *part = {};
    found.data = std::move(data);
    return found;
}

}  // namespace headlight
