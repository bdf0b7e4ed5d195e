// SPDX-License-Identifier: GPL-3.0-or-later
// Llama (Touvron et al. 2023; Grattafiori et al. 2024), the small models that are trained in its shape, and Mistral
// (Jiang et al. 2023), whose words see a window of words.
#include "core/import/kinds/llama_like.h"

namespace headlight::llama {

namespace {

constexpr LlamaUsual llamaUsual{.architecture = "LlamaForCausalLM"};
constexpr LlamaUsual mistralUsual{.architecture = "MistralForCausalLM", .keyHeads = 8, .maxLength = 4096 * 32};

ModelConfig config(const ForeignConfig& foreign, const WeightFiles&) {
    if (foreign.has("sliding_window"))
        throw foreign.fault(
            "it has a sliding_window, and every word of a llama sees all before it: correct model_type, "
            "or take sliding_window out");
    ModelConfig config = llamaLikeConfig(foreign, llamaUsual);
    if (foreign.flag("attention_bias", false)) config.qkvBias = config.outProjBias = OwnBias::All;
    if (foreign.flag("mlp_bias", false)) config.ffnBias = OwnBias::All;
    return config;
}

nlohmann::json describe(const ModelConfig& config) {
    nlohmann::json json = describeLlamaLike(config, llamaUsual);
    json["model_type"] = "llama";
    json["attention_bias"] = config.qkvBiases() == Biases::All;
    json["mlp_bias"] = config.ffnBiases() == Biases::All;
    return json;
}

ModelConfig mistralConfig(const ForeignConfig& foreign, const WeightFiles&) {
    constexpr int usualWindow = 4096;
    ModelConfig config = llamaLikeConfig(foreign, mistralUsual);
    // null: every word sees all before it.
    const bool none = foreign.json().contains("sliding_window") && !foreign.has("sliding_window");
    takeWindows(foreign, none ? 0 : foreign.size("sliding_window", usualWindow), everyLayer, 0, config);
    return config;
}

nlohmann::json describeMistral(const ModelConfig& config) {
    nlohmann::json json = describeLlamaLike(config, mistralUsual);
    json["model_type"] = "mistral";
    json["sliding_window"] = nullptr;
    if (config.slidingWindow > 0) json["sliding_window"] = config.slidingWindow;
    return json;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    llamaLikeWeights(config, LlamaMaps::Apart, plan);
    llamaLikeNorms(config, "post_attention_layernorm", plan);
}

}  // namespace

}  // namespace headlight::llama

namespace headlight {

extern const ModelKind llamaKind, mistralKind;
const ModelKind llamaKind{"llama",           "Llama",       {"language-model"}, nullptr,
                          llamaLikeFileName, llama::config, llama::describe,    llama::weights};
const ModelKind mistralKind{"mistral",
                            "Mistral",
                            {"language-model"},
                            nullptr,
                            llamaLikeFileName,
                            llama::mistralConfig,
                            llama::describeMistral,
                            llama::weights};

}  // namespace headlight
