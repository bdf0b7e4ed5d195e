// SPDX-License-Identifier: GPL-3.0-or-later
// Gemma (2024), Gemma 2 (2024) and the text models of Gemma 3 (2025), all of the Gemma Team: Llama's shape with norms
// that scale by 1 + w and embeddings times √d; then norms behind the sublayers too, windows, and caps or head norms.
#include <cmath>
#include <utility>

#include "core/import/kinds/llama_like.h"

namespace headlight::gemma {

namespace {

constexpr LlamaUsual usualOf(const char* architecture, int keyHeads, int maxLength, double base) {
    LlamaUsual usual{.architecture = architecture,
                     .keyHeads = keyHeads,
                     .headWidth = 256,
                     .maxLength = maxLength,
                     .tied = true,
                     .activationKey = "hidden_activation",
                     .activation = "gelu_pytorch_tanh"};
    usual.rotary.base = base;
    return usual;
}
constexpr LlamaUsual firstUsual = usualOf("GemmaForCausalLM", 16, 8192, 10000),
                     secondUsual = usualOf("Gemma2ForCausalLM", 4, 8192, 10000),
                     thirdUsual = usualOf("Gemma3ForCausalLM", 4, 131072, 1e6);

constexpr double usualWindowBase = 10000;
constexpr int usualPattern = 6;  ///< of Gemma 3: so many layers to one that sees all
constexpr int usualWindow = 4096;

ModelConfig common(const ForeignConfig& foreign, const LlamaUsual& usual) {
    ModelConfig config = llamaLikeConfig(foreign, usual);
    config.normFromOne = true;
    config.scaleEmbeddings = true;
    if (foreign.flag("attention_bias", false)) config.qkvBias = config.outProjBias = OwnBias::All;
    config.padId = foreign.id("pad_token_id").value_or(0);
    config.eosId = foreign.id("eos_token_id").value_or(std::min(1, config.sourceVocabSize - 1));
    config.bosId = foreign.id("bos_token_id").value_or(std::min(2, config.sourceVocabSize - 1));
    config.unkId = std::min(3, config.sourceVocabSize - 1);
    return config;
}

nlohmann::json describeCommon(const ModelConfig& config, const LlamaUsual& usual, const char* kind) {
    nlohmann::json json = describeLlamaLike(config, usual);
    json["model_type"] = kind;
    json["attention_bias"] = config.qkvBiases() == Biases::All;
    if (config.activation == ops::Activation::GeluTanh) json[usual.activationKey] = usual.activation;
    return json;
}

ModelConfig first(const ForeignConfig& foreign, const WeightFiles&) {
    ModelConfig config = common(foreign, firstUsual);
    // The first files say "gelu" under an older key, and mean the other.
    if (!foreign.has("hidden_activation") && foreign.text("hidden_act", "gelu") != "gelu")
        config.activation = foreign.activation("hidden_act", "gelu");
    return config;
}

nlohmann::json describeFirst(const ModelConfig& config) {
    return describeCommon(config, firstUsual, "gemma");
}

/// What the second generation and the third have alike.
ModelConfig later(const ForeignConfig& foreign, const LlamaUsual& usual) {
    foreign.requireFlag("use_bidirectional_attention", false);
    ModelConfig config = common(foreign, usual);
    config.outputNorms = true;
    config.queryScale = foreign.number("query_pre_attn_scalar", 256);
    return config;
}

nlohmann::json describeLater(const ModelConfig& config, const LlamaUsual& usual, const char* kind) {
    nlohmann::json json = describeCommon(config, usual, kind);
    json["query_pre_attn_scalar"] = config.queryScale;
    json["attn_logit_softcapping"] = nullptr;
    json["final_logit_softcapping"] = nullptr;
    if (config.scoreCap > 0) json["attn_logit_softcapping"] = config.scoreCap;
    if (config.logitCap > 0) json["final_logit_softcapping"] = config.logitCap;
    json["layer_types"] = layerTypes(config);
    if (config.slidingWindow > 0) json["sliding_window"] = config.slidingWindow;
    return json;
}

/// null: none.
double cap(const ForeignConfig& foreign, const char* key, double usual) {
    return foreign.json().contains(key) && !foreign.has(key) ? 0 : foreign.number(key, usual);
}

bool isEven(int layer, int) {
    return layer % 2 == 0;
}

ModelConfig second(const ForeignConfig& foreign, const WeightFiles&) {
    ModelConfig config = later(foreign, secondUsual);
    config.scoreCap = cap(foreign, "attn_logit_softcapping", 50);
    config.logitCap = cap(foreign, "final_logit_softcapping", 30);
    takeWindows(foreign, foreign.size("sliding_window", usualWindow), isEven, 0, config);
    return config;
}

nlohmann::json describeSecond(const ModelConfig& config) {
    return describeLater(config, secondUsual, "gemma2");
}

bool isNotLast(int layer, int pattern) {
    return (layer + 1) % pattern != 0;
}

ModelConfig third(const ForeignConfig& foreign, const WeightFiles&) {
    ModelConfig config = later(foreign, thirdUsual);
    config.headNorms = true;
    config.scoreCap = cap(foreign, "attn_logit_softcapping", 0);
    config.logitCap = cap(foreign, "final_logit_softcapping", 0);
    const char* const key =
        foreign.has("sliding_window_pattern") ? "sliding_window_pattern" : "_sliding_window_pattern";
    takeWindows(foreign, foreign.size("sliding_window", usualWindow), isNotLast, foreign.size(key, usualPattern),
                config);
    const std::optional<double> base = windowRotaryBase(foreign);
    if (config.slidingWindow > 0)
        config.windowBase = base ? *base : foreign.number("rope_local_base_freq", usualWindowBase);
    return config;
}

nlohmann::json describeThird(const ModelConfig& config) {
    nlohmann::json json = describeLater(config, thirdUsual, "gemma3_text");
    json["rope_local_base_freq"] = config.windowBase > 0 ? config.windowBase : usualWindowBase;
    return json;
}

void firstWeights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    llamaLikeWeights(config, LlamaMaps::Apart, plan);
    llamaLikeNorms(config, "post_attention_layernorm", plan);
}

void laterWeights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    llamaLikeWeights(config, LlamaMaps::Apart, plan);
    llamaLikeNorms(config, "pre_feedforward_layernorm", plan);
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string ours = layerScope("transformer.layers.", i), theirs = layerScope("layers.", i);
        plan.copy(ours + "output_norm1.weight", theirs + "post_attention_layernorm.weight");
        plan.copy(ours + "output_norm2.weight", theirs + "post_feedforward_layernorm.weight");
    }
}

}  // namespace

}  // namespace headlight::gemma

namespace headlight {

extern const ModelKind gemmaKind, gemma2Kind, gemma3Kind;
const ModelKind gemmaKind{"gemma",           "Gemma",      {"language-model"},   nullptr,
                          llamaLikeFileName, gemma::first, gemma::describeFirst, gemma::firstWeights};
const ModelKind gemma2Kind{"gemma2",          "Gemma 2",     {"language-model"},    nullptr,
                           llamaLikeFileName, gemma::second, gemma::describeSecond, gemma::laterWeights};
const ModelKind gemma3Kind{"gemma3_text",     "Gemma 3",    {"language-model"},   nullptr,
                           llamaLikeFileName, gemma::third, gemma::describeThird, gemma::laterWeights};

}  // namespace headlight
