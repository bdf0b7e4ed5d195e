// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/import_model.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/decode/beam_search.h"
#include "core/error.h"
#include "core/import/gguf/gguf_folder.h"
#include "core/import/gguf/gguf_model.h"
#include "core/import/hub_cache.h"
#include "core/import/labels.h"
#include "core/import/model_cache.h"
#include "core/import/model_kind.h"
#include "core/import/pickle.h"
#include "core/import/tokenizers.h"
#include "core/io/safetensors.h"
#include "core/json_text.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

/// The files of another program's model.
struct Foreign {
    ForeignConfig config;
    WeightFiles files;
    std::optional<platform::Folder> folder;            ///< where a tokenizer may lie
    std::string name;                                  ///< what the model is called: its folder, or its file
    std::shared_ptr<const gguf::File> gguf = nullptr;  ///< where the model is one such file, its tokenizer too
};

Foreign asGguf(const fs::path& path) {
    const auto file = std::make_shared<const gguf::File>(gguf::File::read(path.string()));
    const fs::path name = isGgufName(path) ? path.stem() : path.filename();
    return {ggufConfig(*file), WeightFiles::of(ggufTensors(file)), {}, name.string(), file};
}

/// The one GGUF file of a folder that has nothing else to say what it holds; "" where it has none. Throws Error where
/// it has several.
std::string ggufIn(const fs::path& path) {
    const platform::Folder folder(path);
    if (folder.has("config.json")) return "";
    const std::vector<std::string> names = ggufNamesIn(path);
    if (names.empty()) return "";
    if (names.size() > 1)
        throw Error(path.string() + " has several models, " + listedNames(names) + ": name the one that you mean");
    return folder.file(names.front()).string();
}

Foreign inFolder(const fs::path& path) {
    const platform::Folder folder(path);
    // "model/" and "." have a last part that says nothing, and so has the snapshot of a model that was downloaded.
    const std::string inCache = hubName(path.string());
    const std::string name = inCache.empty() ? fs::weakly_canonical(path).filename().string() : inCache;
    if (!folder.has("config.json")) refusePickles(folder);
    return {ForeignConfig::ofFolder(folder), WeightFiles::ofFolder(folder), folder, name};
}

/// A file beside which a JSON says what it is, or one that lies in a model's folder.
Foreign asFile(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const fs::path description = fs::path(path).replace_extension(".json");
    std::error_code error;
    if (path.extension() == ".safetensors" && fs::exists(description, error))
        return {ForeignConfig::beside(platform::Folder(folder), description.filename().string()),
                WeightFiles::ofFile(path.string()),
                {},
                path.stem().string()};
    if (fs::exists(folder / "config.json", error)) return inFolder(folder);
    throw Error(path.string() + " is not a file that Headlight wrote, and beside it there is neither " +
                description.filename().string() + " nor config.json that says what kind of model it holds: see " +
                "headlight-cli import --help");
}

Foreign find(const std::string& path) {
    std::error_code error;
    if (gguf::isGgufFile(path)) return asGguf(path);
    if (!fs::is_directory(path, error)) return asFile(path);
    if (const std::string file = ggufIn(path); !file.empty()) return asGguf(file);
    return inFolder(path);
}

/// What the configuration asks for must be there: the sizes of a stranger's file are not those of this memory.
void checkSize(const ModelConfig& config, const WeightFiles& files) {
    // The one weight that a file may lack is the bias of the head, which is then zero.
    const size_t there = files.count() + static_cast<size_t>(config.targetVocabSize);
    if (const size_t wanted = config.weightCount(); wanted > there)
        throw Error("it asks for " + std::to_string(wanted) + " weights, and " + files.name() + " holds " +
                    std::to_string(files.count()) + ": the two do not belong together");
}

/// The configuration in our words, checked.
ModelConfig describe(Foreign& foreign) {
    const ModelKind& kind = kindOf(foreign.config);
    foreign.files.rename([&](const std::string& name) {
        // Somebody's own program calls its parts as it likes.
        const std::string own = kind.isAnyProgram() ? name : withoutWrappers(name);
        return kind.canonicalName == nullptr ? own : kind.canonicalName(own, foreign.config);
    });
    ModelConfig config = readConfig(kind, foreign.config, foreign.files);
    try {
        config.validate();
        checkSize(config, foreign.files);
    } catch (const Error& error) {
        throw foreign.config.fault(error.what());
    }
    return config;
}

/// What else its own program's search keeps to, and this one does not: "no_repeat_ngram_size 3".
std::vector<std::string> settingsLeftOut(const ForeignConfig& config) {
    std::vector<std::string> all;
    for (const auto& [key, without] : searchSettingsLeftOut)
        if (const nlohmann::json value = config.json().value(key, nlohmann::json());
            value.is_number() && value.get<double>() != without)
            all.push_back(std::string(key) + " " + jsonText(value));
    const nlohmann::json forbidden = config.json().value("bad_words_ids", nlohmann::json());
    const auto isSeveral = [](const nlohmann::json& words) { return words.is_array() && words.size() > 1; };
    if (forbidden.is_array() && std::ranges::any_of(forbidden, isSeveral))
        all.emplace_back("bad_words_ids of several tokens");
    return all;
}

/// How its own program searches, where the configuration says it: that score is log P / |Y|^length_penalty.
nlohmann::json decodingOf(const ForeignConfig& config) {
    constexpr int mostBeams = 1000;
    const double power = config.number("length_penalty", 1);
    const LengthPenalty penalty = power == 1 ? LengthPenalty{} : LengthPenalty{LengthPenalty::Kind::Power, power};
    if (power < 0) throw config.fault("length_penalty is below 0: a search that likes short texts is not known here");
    nlohmann::json decoding{{"beam", std::min(config.size("num_beams", 1), mostBeams)},
                            {"length_penalty", penalty.text()}};
    if (std::vector<std::string> leftOut = settingsLeftOut(config); !leftOut.empty())
        decoding["left_out"] = std::move(leftOut);
    return decoding;
}

TrainingStory story(const Foreign& foreign, const ModelConfig& config) {
    nlohmann::json imported{
        {"kind", kindOf(foreign.config).name}, {"from", foreign.name}, {"config", foreign.config.json()}};
    if (config.encoderDecoder()) imported["decoding"] = decodingOf(foreign.config);
    // Saved as ours it is float32, and its numbers are still those few.
    if (foreign.gguf && foreign.gguf->isQuantized()) imported["quantized"] = foreign.files.floatTypes();
    return TrainingStory(nlohmann::json{{"imported", std::move(imported)}}).savedAs(foreign.files.floatTypes());
}

bool isOurs(const std::string& path) {
    const safetensors::File file = safetensors::File::read(path);
    const auto format = file.metadata().find("format");
    return format != file.metadata().end() && format->second.starts_with("headlight");
}

/// The file that Headlight wrote, where it is one, or stands in a folder that Headlight wrote for another program; ""
/// for what is another program's.
std::string ownFile(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        const platform::Folder folder(path);
        const auto weights = folder.find("model.safetensors");
        return weights && isOurs(weights->string()) ? weights->string() : "";
    }
    const std::string name = fs::path(path).filename().string();
    if (name == "config.json" || name.ends_with(".index.json")) return "";
    if (isPickle(path)) refusePickle(path);
    if (gguf::isGgufFile(path)) return "";
    return isOurs(path) ? path : "";
}

TrainedModel importModel(Foreign foreign) {
    ModelConfig config = describe(foreign);
    Tokenizers tokenizers = foreign.gguf ? ggufTokenizers(*foreign.gguf, config)
                                         : findTokenizers(foreign.folder, kindOf(foreign.config).name, config);
    takeSpecials(tokenizers, kindOf(foreign.config).name, config);
    if (config.corpusKind() == CorpusKind::Labels && !kindOf(foreign.config).isAnyProgram())
        tokenizers.target = labelTokenizer(foreign.config, config.targetVocabSize - config.firstLabel());
    TrainedModel model{.network = Model::make(config),
                       .source = tokenizers.source,
                       .target = tokenizers.target,
                       .training = story(foreign, config)};
    WeightPlan plan(foreign.files);
    kindOf(foreign.config).weights(config, foreign.config, model.network->parameters(), plan);
    plan.fill(model.network->parameters());
    return model;
}

}  // namespace

bool isModelFolder(const std::string& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) return false;
    if (isHubModel(path)) return true;
    const auto has = [&](const char* name) { return fs::exists(fs::path(path) / name, error); };
    return has("config.json") || has("model.safetensors") || has("model.safetensors.index.json") ||
           !ggufNamesIn(path).empty();
}

TrainedModel openModel(const std::string& given) {
    const std::string path = hubSnapshot(modelOrCached(given));
    const std::string own = ownFile(path);
    return own.empty() ? importModel(find(path)) : loadModel(own);
}

ModelCard readCardOf(const std::string& given) {
    const std::string path = hubSnapshot(modelOrCached(given));
    if (const std::string own = ownFile(path); !own.empty()) return readModelCard(own);
    Foreign foreign = find(path);
    ModelConfig config = describe(foreign);
    return {config, story(foreign, config)};
}

}  // namespace headlight
