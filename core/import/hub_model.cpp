// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/hub_model.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <limits>
#include <numeric>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/import/foreign_config.h"
#include "core/import/model_cache.h"
#include "core/import/model_kind.h"
#include "core/io/model_file.h"
#include "core/json_text.h"

namespace headlight {

namespace {

using namespace std::string_view_literals;

constexpr size_t gitHash = 40, sha256Hash = 64;  ///< hexadecimal digits
const std::string wholeWeights = "model.safetensors", listOfShards = "model.safetensors.index.json";

/// All that is read of a model's folder besides its weights.
constexpr std::array settingsFiles{"config.json"sv,
                                   "generation_config.json"sv,
                                   "tokenizer.json"sv,
                                   "tokenizer_config.json"sv,
                                   "special_tokens_map.json"sv,
                                   "added_tokens.json"sv,
                                   "vocab.json"sv,
                                   "merges.txt"sv,
                                   "vocab.txt"sv,
                                   "target_vocab.json"sv,
                                   "source.spm"sv,
                                   "target.spm"sv,
                                   "spiece.model"sv,
                                   "tokenizer.model"sv,
                                   "sentencepiece.bpe.model"sv};

bool isHexadecimal(std::string_view text) {
    return std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// The value of a key, where it is of that type; a stranger's JSON may have any.
template <class Value>
Value valueOf(const nlohmann::json& object, const char* key, Value missing) {
    if (!object.is_object()) return missing;
    const auto at = object.find(key);
    if (at == object.end()) return missing;
    if constexpr (std::is_same_v<Value, std::string>)
        return at->is_string() ? at->template get<std::string>() : missing;
    else
        return at->is_number_unsigned() && at->template get<std::uint64_t>() <= std::numeric_limits<Value>::max()
                   ? at->template get<Value>()
                   : missing;
}

nlohmann::json partOf(const nlohmann::json& object, const char* key) {
    const auto at = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && at != object.end() ? *at : nlohmann::json();
}

/// A file as the hub lists it; one whose contents cannot be checked has no hash.
HubFile fileFromJson(const nlohmann::json& listed) {
    HubFile file{.name = valueOf<std::string>(listed, "rfilename", {}),
                 .size = valueOf<std::int64_t>(listed, "size", 0),
                 .hash = valueOf<std::string>(listed, "blobId", {})};
    if (const nlohmann::json large = partOf(listed, "lfs"); large.is_object()) {
        file.hash = valueOf<std::string>(large, "sha256", {});
        file.size = valueOf<std::int64_t>(large, "size", file.size);
    }
    const size_t digits = file.hash.size();
    if ((digits != gitHash && digits != sha256Hash) || !isHexadecimal(file.hash)) file.hash.clear();
    return file;
}

/// `model-00001-of-00002.safetensors`
bool isShard(std::string_view name) {
    constexpr auto head = "model-"sv, tail = ".safetensors"sv, of = "-of-"sv;
    if (!name.starts_with(head) || !name.ends_with(tail) || name.size() <= head.size() + tail.size()) return false;
    const std::string_view numbers = name.substr(head.size(), name.size() - head.size() - tail.size());
    const size_t at = numbers.find(of);
    const auto isNumber = [](std::string_view text) {
        return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
    };
    return at != std::string_view::npos && isNumber(numbers.substr(0, at)) && isNumber(numbers.substr(at + of.size()));
}

/// Do its tags say that it has weights as safetensors, and is of a kind that is read? Where it has none, nothing is
/// said.
bool mayBeOpened(const nlohmann::json& listed) {
    const nlohmann::json tags = partOf(listed, "tags");
    if (!tags.is_array()) return true;
    const auto has = [&](std::string_view tag) { return std::ranges::find(tags, nlohmann::json(tag)) != tags.end(); };
    return has("safetensors") &&
           std::ranges::any_of(modelKinds(), [&](const ModelKind* kind) { return has(kind->name); });
}

/// Numbers of all types together, as the hub counted them in the files.
std::int64_t parametersOf(const nlohmann::json& model) {
    return valueOf<std::int64_t>(partOf(model, "safetensors"), "total", 0);
}

/// Weights are kept as float32.
constexpr std::int64_t bytesPerWeight = 4;

}  // namespace

const HubFile* HubModel::file(const std::string& wanted) const {
    const auto at = std::ranges::find(files, wanted, &HubFile::name);
    return at == files.end() ? nullptr : &*at;
}

HubModel hubModelFromJson(const std::string& text, const std::string& name) {
    const nlohmann::json told = parseBoundedJson(text, name);
    HubModel model{.name = valueOf<std::string>(told, "id", {}),
                   .commit = valueOf<std::string>(told, "sha", {}),
                   .parameters = parametersOf(told)};
    const nlohmann::json gated = partOf(told, "gated"), files = partOf(told, "siblings");
    model.isGated = gated.is_string() || (gated.is_boolean() && gated.get<bool>());
    if (!isModelName(model.name) || model.name.find('@') != std::string::npos || model.commit.size() != gitHash ||
        !isHexadecimal(model.commit) || !files.is_array())
        throw Error(name + ": what the hub says of it is not understood");
    std::ranges::transform(files, std::back_inserter(model.files), fileFromJson);
    return model;
}

HubSearch hubSearchFromJson(const std::string& text) {
    const nlohmann::json told = parseBoundedJson(text, "what the hub found");
    if (!told.is_array()) throw Error("what the hub found is not understood");
    HubSearch search{.found = static_cast<int>(told.size())};
    for (const nlohmann::json& listed : told)
        if (std::string name = valueOf<std::string>(listed, "id", valueOf<std::string>(listed, "modelId", {}));
            isModelName(name) && mayBeOpened(listed))
            search.names.push_back(std::move(name));
    return search;
}

std::vector<HubFile> neededFiles(const HubModel& model) {
    const bool isWhole = model.file(wholeWeights) != nullptr;
    const bool isInParts = !isWhole && model.file(listOfShards) != nullptr;
    std::vector<HubFile> needed;
    bool hasPickle = false;
    for (const HubFile& file : model.files) {
        const bool isWeights =
            isWhole ? file.name == wholeWeights : isInParts && (file.name == listOfShards || isShard(file.name));
        hasPickle |= file.name.ends_with(".bin") || file.name.ends_with(".pt") || file.name.ends_with(".pth");
        if (!isWeights && std::ranges::find(settingsFiles, file.name) == settingsFiles.end()) continue;
        if (file.hash.empty() || file.size <= 0)
            throw Error(model.name + ": the hub does not say what is in " + file.name +
                        ", so it could not be checked: get it with its own program");
        needed.push_back(file);
    }
    if (model.file("config.json") == nullptr)
        throw Error(model.name + " has no config.json, so nobody can say how it computes: choose another model");
    if (!isWhole && !isInParts)
        throw Error(model.name + (hasPickle ? " has its weights only as a pickle, which could run a program: choose a "
                                              "model with safetensors, or convert it"
                                            : " has no weights as safetensors: choose another model"));
    return needed;
}

std::int64_t bytesOf(const std::vector<HubFile>& files) {
    return std::accumulate(files.begin(), files.end(), std::int64_t{0},
                           [](std::int64_t sum, const HubFile& file) { return sum + file.size; });
}

ModelOutline outlineOf(const HubModel& model, const std::string& text) {
    const std::string name = model.name + "/config.json";
    const ForeignConfig foreign(parseBoundedJson(text, name), name);
    const ModelKind& kind = kindOf(foreign);
    ModelOutline outline{.kind = kind.title, .config = readConfig(kind, foreign, WeightFiles::planned({}))};
    outline.config.validate();
    const auto counted = static_cast<std::int64_t>(outline.config.weightCount());
    outline.parameters = model.parameters > 0 ? model.parameters : counted;
    outline.memory = std::max(outline.parameters, counted) * bytesPerWeight;
    return outline;
}

ModelOutline outlineOf(const ModelCard& card) {
    const auto counted = static_cast<std::int64_t>(card.config.weightCount());
    ModelOutline outline{.kind = {}, .config = card.config, .parameters = counted, .memory = counted * bytesPerWeight};
    const std::string name = valueOf<std::string>(partOf(card.training.json(), "imported"), "kind", {});
    for (const ModelKind* kind : modelKinds())
        if (kind->name == name) outline.kind = kind->title;
    return outline;
}

}  // namespace headlight
