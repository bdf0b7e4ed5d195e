// SPDX-License-Identifier: GPL-3.0-or-later
// Qwen 2 and 2.5 (Yang et al. 2024): Llama's shape with biases of queries, keys and values. Qwen 3 (2025): without
// them, each head's queries and keys normed before they are turned.
#include "core/import/kinds/llama_like.h"

namespace headlight::qwen {

namespace {

constexpr LlamaUsual qwen2Usual{.architecture = "Qwen2ForCausalLM", .keyHeads = 32, .maxLength = 32768};
constexpr LlamaUsual qwen3Usual{
    .architecture = "Qwen3ForCausalLM", .keyHeads = 32, .headWidth = 128, .maxLength = 32768};
constexpr int usualFullLayers = 28;  ///< max_window_layers
constexpr int usualWindow = 4096;

bool isBehind(int layer, int fullLayers) {
    return layer >= fullLayers;
}

void takeQwenWindows(const ForeignConfig& foreign, ModelConfig& config) {
    if (!foreign.flag("use_sliding_window", false)) return;
    const bool none = foreign.json().contains("sliding_window") && !foreign.has("sliding_window");
    int fullLayers = usualFullLayers;
    if (foreign.has("max_window_layers")) fullLayers = foreign.id("max_window_layers").value_or(0);
    takeWindows(foreign, none ? 0 : foreign.size("sliding_window", usualWindow), isBehind, fullLayers, config);
}

void describeWindows(const ModelConfig& config, nlohmann::json& json) {
    json["use_sliding_window"] = config.slidingWindow > 0;
    if (config.slidingWindow == 0) return;
    json["sliding_window"] = config.slidingWindow;
    json["layer_types"] = layerTypes(config);
}

ModelConfig qwen2(const ForeignConfig& foreign, const WeightFiles&) {
    ModelConfig config = llamaLikeConfig(foreign, qwen2Usual);
    config.qkvBias = OwnBias::All;
    takeQwenWindows(foreign, config);
    return config;
}

nlohmann::json describeQwen2(const ModelConfig& config) {
    nlohmann::json json = describeLlamaLike(config, qwen2Usual);
    json["model_type"] = "qwen2";
    describeWindows(config, json);
    return json;
}

ModelConfig qwen3(const ForeignConfig& foreign, const WeightFiles&) {
    ModelConfig config = llamaLikeConfig(foreign, qwen3Usual);
    config.headNorms = true;
    if (foreign.flag("attention_bias", false)) config.qkvBias = config.outProjBias = OwnBias::All;
    takeQwenWindows(foreign, config);
    return config;
}

nlohmann::json describeQwen3(const ModelConfig& config) {
    nlohmann::json json = describeLlamaLike(config, qwen3Usual);
    json["model_type"] = "qwen3";
    json["attention_bias"] = config.qkvBiases() == Biases::All;
    describeWindows(config, json);
    return json;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    llamaLikeWeights(config, LlamaMaps::Apart, plan);
    llamaLikeNorms(config, "post_attention_layernorm", plan);
}

}  // namespace

}  // namespace headlight::qwen

namespace headlight {

extern const ModelKind qwen2Kind, qwen3Kind;
const ModelKind qwen2Kind{"qwen2",           "Qwen 2",    {"language-model"},  nullptr,
                          llamaLikeFileName, qwen::qwen2, qwen::describeQwen2, qwen::weights};
const ModelKind qwen3Kind{"qwen3",           "Qwen 3",    {"language-model"},  nullptr,
                          llamaLikeFileName, qwen::qwen3, qwen::describeQwen3, qwen::weights};

}  // namespace headlight
