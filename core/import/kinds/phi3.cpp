// SPDX-License-Identifier: GPL-3.0-or-later
// Phi-3 and Phi-4 (Abdin et al. 2024): Llama's shape, its maps fused.
#include "core/import/kinds/llama_like.h"

namespace headlight::phi3 {

namespace {

constexpr LlamaUsual phi3Usual{.architecture = "Phi3ForCausalLM", .epsilon = 1e-5, .maxLength = 4096};

ModelConfig config(const ForeignConfig& foreign, const WeightFiles&) {
    ModelConfig config = llamaLikeConfig(foreign, phi3Usual);
    if (foreign.has("sliding_window")) takeWindows(foreign, foreign.size("sliding_window"), everyLayer, 0, config);
    return config;
}

nlohmann::json describe(const ModelConfig& config) {
    nlohmann::json json = describeLlamaLike(config, phi3Usual);
    json["model_type"] = "phi3";
    json["sliding_window"] = nullptr;
    if (config.slidingWindow > 0) json["sliding_window"] = config.slidingWindow;
    return json;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    llamaLikeWeights(config, LlamaMaps::Fused, plan);
    llamaLikeNorms(config, "post_attention_layernorm", plan);
}

}  // namespace

}  // namespace headlight::phi3

namespace headlight {

extern const ModelKind phi3Kind;
const ModelKind phi3Kind{"phi3",       "Phi-3",        {"language-model"}, nullptr, llamaLikeFileName,
                         phi3::config, phi3::describe, phi3::weights};

}  // namespace headlight
