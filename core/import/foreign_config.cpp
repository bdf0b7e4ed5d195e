// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/foreign_config.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "core/json_text.h"
#include "core/number_text.h"

namespace headlight {

namespace {

constexpr const char* configFile = "config.json";
constexpr const char* generationFile = "generation_config.json";
constexpr size_t longestConfig = size_t{4} << 20;
constexpr JsonLimits configLimits{.values = size_t{1} << 17};

/// Chat models end a turn with a token of its own, which often stands in the second file alone.
void joinEnds(const ForeignConfig& first, const ForeignConfig& second, nlohmann::json& json) {
    constexpr const char* key = "eos_token_id";
    std::vector<int> all = first.ids(key);
    const size_t before = all.size();
    for (const int id : second.ids(key))
        if (std::ranges::find(all, id) == all.end()) all.push_back(id);
    if (all.size() > before) json[key] = all;
}

}  // namespace

ForeignConfig ForeignConfig::ofFolder(const platform::Folder& folder) {
    const std::string shown = folder.shown(configFile);
    nlohmann::json json = parseBoundedJson(folder.read(configFile, longestConfig), shown, configLimits);
    if (!json.is_object() || !folder.has(generationFile)) return {std::move(json), shown};
    // Newer programs keep what decoding asks for in a file of its own.
    const ForeignConfig more(
        parseBoundedJson(folder.read(generationFile, longestConfig), folder.shown(generationFile), configLimits),
        folder.shown(generationFile));
    std::vector<const char*> keys{"decoder_start_token_id", "forced_bos_token_id", "bad_words_ids", "bos_token_id",
                                  "eos_token_id",           "pad_token_id",        "num_beams",     "length_penalty"};
    for (const SearchSetting& setting : searchSettingsLeftOut)
        keys.push_back(setting.key);
    for (const char* key : keys)
        if (more.has(key) && (!json.contains(key) || json[key].is_null())) json[key] = more.json().at(key);
    joinEnds(ForeignConfig(json, shown), more, json);
    return {std::move(json), shown};
}

ForeignConfig ForeignConfig::beside(const platform::Folder& folder, const std::string& name) {
    const std::string shown = folder.shown(name);
    return {parseBoundedJson(folder.read(name, longestConfig), shown, configLimits), shown};
}

ForeignConfig::ForeignConfig(nlohmann::json json, std::string name) : m_json(std::move(json)), m_name(std::move(name)) {
    if (!m_json.is_object()) throw fault("it is not a JSON object: copy the model's configuration again");
    if (has("quantization_config"))
        throw fault(
            "its weights are quantized (quantization_config), which Headlight does not read: use the model as "
            "F32, F16 or BF16");
    if (has("pruned_heads") && !m_json["pruned_heads"].empty())
        throw fault(
            "heads were taken out of its layers (pruned_heads), and Headlight has as many in each layer of a model: "
            "use the model as it was before");
    refuseOwnProgram();
}

void ForeignConfig::refuseOwnProgram() const {
    const nlohmann::json* map = find("auto_map");
    if (!map || !map->is_object()) return;
    for (const auto& [key, value] : map->items())
        if (key.starts_with("AutoModel"))
            throw fault("its auto_map names a program of the model's own (" + key.substr(0, 80) +
                        "), and Headlight computes only what the model_type alone says");
}

const nlohmann::json* ForeignConfig::find(const char* key) const {
    const auto found = m_json.find(key);
    return found == m_json.end() || found->is_null() ? nullptr : &*found;
}

bool ForeignConfig::has(const char* key) const {
    return find(key) != nullptr;
}

int ForeignConfig::wholeNumber(const char* key, const nlohmann::json& value, int lowest) const {
    // One value that nobody means, and that anything can be computed with.
    constexpr int64_t largest = 1 << 30;
    const bool whole = value.is_number_unsigned() ? value.get<uint64_t>() <= static_cast<uint64_t>(largest)
                                                  : value.is_number_integer() && value.get<int64_t>() <= largest;
    if (!whole || value.get<int64_t>() < lowest)
        throw fault(std::string(key) + " is " + jsonText(value) + ": it must be a whole number from " +
                    std::to_string(lowest) + " to " + std::to_string(largest));
    return value.get<int>();
}

int ForeignConfig::size(const char* key) const {
    if (const nlohmann::json* value = find(key)) return wholeNumber(key, *value, 1);
    throw fault(std::string("it lacks ") + key + ", which a model of its kind needs");
}

int ForeignConfig::size(const char* key, int fallback) const {
    return has(key) ? size(key) : fallback;
}

std::optional<int> ForeignConfig::id(const char* key) const {
    const std::vector<int> all = ids(key);
    return all.empty() ? std::nullopt : std::optional(all.front());
}

std::vector<int> ForeignConfig::ids(const char* key) const {
    constexpr size_t most = 1000;
    const nlohmann::json* value = find(key);
    if (!value) return {};
    if (!value->is_array()) return {wholeNumber(key, *value, 0)};
    if (value->size() > most) throw fault(std::string(key) + " has more than " + std::to_string(most) + " ids");
    std::vector<int> all;
    for (const nlohmann::json& each : *value)
        all.push_back(wholeNumber(key, each, 0));
    return all;
}

double ForeignConfig::number(const char* key, double fallback) const {
    const nlohmann::json* value = find(key);
    if (!value) return fallback;
    if (!value->is_number()) throw fault(std::string(key) + " is no number");
    return value->get<double>();
}

bool ForeignConfig::flag(const char* key, bool fallback) const {
    const nlohmann::json* value = find(key);
    if (!value) return fallback;
    if (!value->is_boolean()) throw fault(std::string(key) + " is neither true nor false");
    return value->get<bool>();
}

std::string ForeignConfig::text(const char* key, const std::string& fallback) const {
    const nlohmann::json* value = find(key);
    if (!value) return fallback;
    if (!value->is_string()) throw fault(std::string(key) + " is no text");
    return value->get<std::string>();
}

ops::Activation ForeignConfig::activation(const char* key, const std::string& fallback) const {
    using enum ops::Activation;
    static const std::map<std::string, ops::Activation> known{
        {"relu", Relu},         {"gelu", Gelu},          {"gelu_python", Gelu},
        {"gelu_new", GeluTanh}, {"gelu_fast", GeluTanh}, {"gelu_pytorch_tanh", GeluTanh},
        {"silu", Silu},         {"swish", Silu},         {"quick_gelu", QuickGelu},
    };
    const std::string name = text(key, fallback);
    if (const auto found = known.find(name); found != known.end()) return found->second;
    throw fault(std::string(key) + " is \"" + name.substr(0, 80) +
                "\", an activation that Headlight does not compute: it has relu, gelu, gelu_new, silu and quick_gelu");
}

void ForeignConfig::requireFlag(const char* key, bool value) const {
    if (flag(key, value) != value)
        throw fault(std::string(key) + " is " + (value ? "false" : "true") +
                    ", and Headlight computes such models only with " + (value ? "true" : "false"));
}

void ForeignConfig::requireNumber(const char* key, double value) const {
    if (const double there = number(key, value); there != value)
        throw fault(std::string(key) + " is " + shortestNumber(there) +
                    ", and Headlight computes such models only with " + shortestNumber(value));
}

void ForeignConfig::requireEqual(const char* key, const char* other) const {
    if (size(key) != size(other))
        throw fault(std::string(key) + " is " + std::to_string(size(key)) + " and " + other + " is " +
                    std::to_string(size(other)) + ": Headlight has one number for both");
}

}  // namespace headlight
