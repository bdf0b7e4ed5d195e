// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/kinds/rotary_settings.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/json_text.h"
#include "core/number_text.h"

namespace headlight {

namespace {

constexpr std::array rotaryObjects{"rope_scaling", "rope_parameters"};

/// One of these objects, or what it has of that kind of layers; nothing where there is none.
std::optional<ForeignConfig> rotaryObject(const ForeignConfig& foreign, const char* key, const char* layers) {
    if (!foreign.has(key)) return {};
    const ForeignConfig object(foreign.json().at(key), foreign.name() + ", " + key);
    const nlohmann::json& json = object.json();
    if (json.contains("full_attention") || json.contains("sliding_attention")) {
        if (!object.has(layers)) return {};
        return ForeignConfig(json.at(layers), object.name() + ", " + layers);
    }
    return object;
}

/// A number that may stand in several places, and must be the same in all.
class OneNumber {
public:
    explicit OneNumber(const char* key) : m_key(key) {}
    void take(const ForeignConfig& from) {
        if (!from.has(m_key)) return;
        const double there = from.number(m_key, 0);
        if (m_value && *m_value != there)
            throw from.fault(std::string(m_key) + " is " + shortestNumber(there) + ", and elsewhere in the file " +
                             shortestNumber(*m_value) + ": correct one");
        m_value = there;
    }
    double valueOr(double usual) const { return m_value.value_or(usual); }
    const std::optional<double>& value() const { return m_value; }

private:
    const char* m_key;
    std::optional<double> m_value;
};

double neededNumber(const ForeignConfig& from, const char* key) {
    if (!from.has(key)) throw from.fault(std::string("it lacks ") + key + ", which angles of its type need");
    return from.number(key, 0);
}

void takeScaling(const ForeignConfig& from, ModelConfig& config) {
    const std::string type = from.text("rope_type", from.text("type", from.has("factor") ? "linear" : "default"));
    if (type == "default") return;
    if (type != "linear" && type != "llama3")
        throw from.fault("its type is \"" + type.substr(0, 80) +
                         "\", and Headlight turns queries and keys by default, linear and llama3 angles alone");
    config.rotaryFactor = neededNumber(from, "factor");
    config.rotaryScaling = type == "linear" ? RotaryScaling::Linear : RotaryScaling::Llama3;
    if (config.rotaryScaling == RotaryScaling::Linear) return;
    config.rotaryLowFactor = neededNumber(from, "low_freq_factor");
    config.rotaryHighFactor = neededNumber(from, "high_freq_factor");
    config.rotaryOriginalLength = from.size("original_max_position_embeddings");
}

/// int(width · share), as the programs of these kinds have it.
int turnedNumbers(int width, double share) {
    return static_cast<int>(static_cast<double>(width) * share);
}

}  // namespace

int rotaryLength(const ForeignConfig& foreign, int usual, int width) {
    return std::min({foreign.size("max_position_embeddings", usual), 1 << 16, std::max(1, (1 << 28) / width)});
}

void takeRotary(const ForeignConfig& foreign, const RotaryUsual& usual, ModelConfig& config, const char* layers) {
    config.positionalEncoding = PositionalKind::Rotary;
    OneNumber base("rope_theta"), otherBase(usual.baseKey), share("partial_rotary_factor"), otherShare(usual.shareKey);
    const auto take = [&](const ForeignConfig& from) {
        for (OneNumber* each : {&base, &otherBase, &share, &otherShare})
            each->take(from);
    };
    take(foreign);
    for (const char* key : rotaryObjects)
        if (const std::optional<ForeignConfig> object = rotaryObject(foreign, key, layers)) {
            takeScaling(*object, config);
            take(*object);
        }
    config.positionalBase = base.valueOr(otherBase.valueOr(usual.base));
    const double turned = share.valueOr(otherShare.valueOr(usual.share));
    if (turned <= 0 || turned > 1)
        throw foreign.fault(std::string(usual.shareKey) + " is " + shortestNumber(turned) +
                            ": it must be above 0, and at most 1");
    const int numbers = turnedNumbers(config.headWidth(), turned);
    config.rotarySize = numbers == config.headWidth() ? 0 : numbers;
    if (numbers < 2)
        throw foreign.fault(std::string(usual.shareKey) + " leaves no pair of a head's " +
                            std::to_string(config.headWidth()) + " numbers to turn: correct it");
}

void describeRotary(const ModelConfig& config, const RotaryUsual& usual, nlohmann::json& json) {
    json[usual.baseKey] = config.positionalBase;
    double share = config.rotarySize > 0 ? static_cast<double>(config.rotarySize) / config.headWidth() : 1;
    while (turnedNumbers(config.headWidth(), share) < config.rotarySize)
        share = std::nextafter(share, 2);
    if (usual.share != 1 || share != 1) json[usual.shareKey] = share;
    json["rope_scaling"] = nullptr;
    if (config.rotaryScaling == RotaryScaling::None) return;
    const bool linear = config.rotaryScaling == RotaryScaling::Linear;
    json["rope_scaling"] = {{"rope_type", linear ? "linear" : "llama3"}, {"factor", config.rotaryFactor}};
    if (linear) return;
    json["rope_scaling"].update({{"low_freq_factor", config.rotaryLowFactor},
                                 {"high_freq_factor", config.rotaryHighFactor},
                                 {"original_max_position_embeddings", config.rotaryOriginalLength}});
}

std::optional<double> windowRotaryBase(const ForeignConfig& foreign) {
    OneNumber base("rope_theta");
    for (const char* key : rotaryObjects) {
        if (!foreign.has(key) || !foreign.json().at(key).contains("sliding_attention")) continue;
        const std::optional<ForeignConfig> object = rotaryObject(foreign, key, "sliding_attention");
        if (!object) continue;
        ModelConfig own;
        takeScaling(*object, own);
        if (own.rotaryScaling != RotaryScaling::None)
            throw object->fault("angles of layers with a window are scaled, and Headlight scales those of the others");
        base.take(*object);
    }
    return base.value();
}

void takeWindows(const ForeignConfig& foreign, int window, bool (*isWindowed)(int layer, int rule), int rule,
                 ModelConfig& config) {
    constexpr int mostLayers = 1024;  // more are refused where sizes are checked
    if (config.numLayers > mostLayers) return;
    std::vector<int> layers;
    if (foreign.has("layer_types")) {
        const nlohmann::json& types = foreign.json().at("layer_types");
        if (!types.is_array() || types.size() != static_cast<size_t>(config.numLayers))
            throw foreign.fault("layer_types is no list with a type for each of the " +
                                std::to_string(config.numLayers) + " layers: correct it");
        for (size_t i = 0; i < types.size(); ++i) {
            if (types[i] != "sliding_attention" && types[i] != "full_attention")
                throw foreign.fault("layer_types has " + jsonText(types[i]).substr(0, 80) +
                                    ", and Headlight computes full_attention and sliding_attention");
            if (types[i] == "sliding_attention") layers.push_back(static_cast<int>(i));
        }
    } else {
        for (int i = 0; i < config.numLayers; ++i)
            if (isWindowed(i, rule)) layers.push_back(i);
    }
    if (layers.empty() || window == 0) return;
    config.slidingWindow = window;
    if (layers.size() < static_cast<size_t>(config.numLayers)) config.windowLayers = layers;
}

nlohmann::json layerTypes(const ModelConfig& config) {
    nlohmann::json types = nlohmann::json::array();
    for (int i = 0; i < config.numLayers; ++i)
        types.push_back(config.isWindowed(i) ? "sliding_attention" : "full_attention");
    return types;
}

}  // namespace headlight
