// SPDX-License-Identifier: GPL-3.0-or-later
// ModernBERT (Warner et al. 2024): BERT's heads on layers with rotary positions, gated networks, norms before the
// sublayers and, but for every third of them, windows on both sides.
#include "core/import/kinds/bert_like.h"
#include "core/import/kinds/rotary_settings.h"

namespace headlight::modernbert {

namespace {

constexpr RotaryUsual rotary{.base = 160000, .baseKey = "global_rope_theta"};
constexpr const char* localBaseKey = "local_rope_theta";
constexpr double usualLocalBase = 10000;
constexpr const char* patternKey = "global_attn_every_n_layers";
constexpr int usualPattern = 3;
constexpr const char* windowKey = "local_attention";
constexpr int usualWindow = 128;

std::string fileName(const std::string& canonical) {
    return withPrefix("model.", canonical, {"head.", "decoder.", "classifier."});
}

bool isNoMultiple(int layer, int pattern) {
    return layer % pattern != 0;
}

/// Whether `all` is said of some maps as of the norms.
OwnBias biasOf(const ForeignConfig& foreign, const char* key, const ModelConfig& config) {
    const Biases own = foreign.flag(key, false) ? Biases::All : Biases::None;
    return own == config.bias ? OwnBias::AsOthers : own == Biases::All ? OwnBias::All : OwnBias::None;
}

void takeBiases(const ForeignConfig& foreign, ModelConfig& config) {
    config.bias = foreign.flag("norm_bias", false) ? Biases::All : Biases::None;
    config.qkvBias = config.outProjBias = biasOf(foreign, "attention_bias", config);
    config.ffnBias = biasOf(foreign, "mlp_bias", config);
    if (config.headless()) return;
    if (foreign.flag("classifier_bias", false) != (config.bias == Biases::All))
        throw foreign.fault(
            "classifier_bias and norm_bias differ, and the head has both a map and a norm: Headlight has one setting "
            "for the two");
    if (config.masked()) config.outputBias = foreign.flag("decoder_bias", true);
}

/// What stands between the layers and words or labels.
void takeHead(const ForeignConfig& foreign, ModelConfig& config) {
    if (config.headless()) return;
    const ops::Activation function = foreign.activation("classifier_activation", "gelu");
    if (function != (config.masked() ? config.activation : ops::Activation::Gelu))
        throw foreign.fault(
            "classifier_activation is none that Headlight computes there: above words it has that of the layers "
            "(hidden_activation), above labels gelu");
    if (config.masked()) return;
    if (const std::string pooling = foreign.text("classifier_pooling", "cls"); pooling != "cls")
        throw foreign.fault("classifier_pooling is \"" + pooling.substr(0, 80) +
                            "\", and Headlight reads classifiers of the first position (cls)");
}

void takeAttention(const ForeignConfig& foreign, ModelConfig& config) {
    takeRotary(foreign, rotary, config);
    // Of so many words, half stand on either side of the one that looks.
    takeWindows(foreign, foreign.size(windowKey, usualWindow) / 2 + 1, isNoMultiple,
                foreign.size(patternKey, usualPattern), config);
    if (config.slidingWindow == 0) return;
    if (config.rotaryScaling != RotaryScaling::None)
        throw foreign.fault(
            "rope_scaling is of layers with a window too, and Headlight scales the angles of the others");
    // null: as the layers that see all.
    const bool isNull = foreign.json().contains(localBaseKey) && !foreign.has(localBaseKey);
    const double base = isNull ? config.positionalBase : foreign.number(localBaseKey, usualLocalBase);
    config.windowBase = windowRotaryBase(foreign).value_or(base);
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles& files) {
    // One head is the beginning of all: what stands above it tells them apart.
    const bool labels = files.has("classifier.weight");
    ModelConfig config = bertLikeConfig(
        foreign, files, {.words = labels ? "" : "head.dense.weight", .pooler = "", .function = PoolerKind::GeluNorm});
    config.dModel = foreign.size("hidden_size", 768);
    config.numLayers = foreign.size("num_hidden_layers", 22);
    config.numHeads = foreign.size("num_attention_heads", 12);
    config.dFf = foreign.size("intermediate_size", 1152);
    config.activation = foreign.activation("hidden_activation", "gelu");
    config.gatedFfn = true;
    config.normOrder = NormOrder::Pre;
    config.finalNorm = true;
    config.firstNorm = false;
    config.layerNormEps = foreign.number("norm_eps", 1e-5);
    config.dropout = foreign.number("mlp_dropout", 0);
    config.maxLength = rotaryLength(foreign, 8192, config.dModel);
    takeBiases(foreign, config);
    takeHead(foreign, config);
    takeAttention(foreign, config);
    return config;
}

/// So many layers from one that sees all to the next; 0: they lie in another order.
int patternOf(const ModelConfig& config) {
    for (int pattern = 1; pattern <= config.numLayers; ++pattern) {
        bool fits = true;
        for (int i = 0; i < config.numLayers; ++i)
            fits = fits && config.isWindowed(i) == isNoMultiple(i, pattern);
        if (fits) return pattern;
    }
    return 0;
}

nlohmann::json describe(const ModelConfig& config) {
    nlohmann::json json = describeSizes(config);
    json.update({{"model_type", "modernbert"},
                 {"architectures", {"ModernBert" + std::string(headClass(config))}},
                 {"hidden_activation", activationName(config.activation)},
                 {"classifier_activation", config.masked() ? activationName(config.activation) : "gelu"},
                 {"norm_eps", config.layerNormEps},
                 {"norm_bias", config.bias == Biases::All},
                 {"classifier_bias", config.bias == Biases::All},
                 {"attention_bias", config.qkvBiases() == Biases::All},
                 {"mlp_bias", config.ffnBiases() == Biases::All},
                 {"mlp_dropout", config.dropout},
                 {"layer_types", layerTypes(config)}});
    describeHead(config, json);
    describeRotary(config, rotary, json);
    if (config.masked()) json["decoder_bias"] = config.outputBias;
    if (config.slidingWindow > 0) {
        json[windowKey] = 2 * (config.slidingWindow - 1);
        json[localBaseKey] = config.windowBase > 0 ? config.windowBase : config.positionalBase;
    }
    if (const int pattern = patternOf(config); pattern > 0) json[patternKey] = pattern;
    return json;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    plan.copy("embedding.weight", "embeddings.tok_embeddings.weight");
    plan.module("embedding_norm", "embeddings.norm");
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string ours = layerScope("transformer.layers.", i), theirs = layerScope("layers.", i);
        for (const char* part : {"weight", "bias"}) {
            plan.copy(ours + "self_attn.in_proj_" + part, theirs + "attn.Wqkv." + part);
            // What goes through the activation stands before what it is multiplied by.
            plan.rows(ours + "linear1." + part, theirs + "mlp.Wi." + part, 0, 2 * config.dFf);
            plan.rows(ours + "linear_up." + part, theirs + "mlp.Wi." + part, config.dFf, 2 * config.dFf);
        }
        plan.module(ours + "self_attn.out_proj", theirs + "attn.Wo");
        plan.module(ours + "linear2", theirs + "mlp.Wo");
        plan.module(ours + "norm1", theirs + "attn_norm");
        plan.module(ours + "norm2", theirs + "mlp_norm");
    }
    plan.module("transformer.norm", "final_norm");
    if (config.headless()) return;
    const std::string head = config.masked() ? "transform" : "pooler";
    plan.module(head, "head.dense");
    plan.module(head + "_norm", "head.norm");
    if (!config.masked()) return plan.module("classifier", "classifier");
    plan.copy("generator.bias", "decoder.bias");
    plan.head("decoder.weight", config.tieEmbeddings);
}

}  // namespace

}  // namespace headlight::modernbert

namespace headlight {

extern const ModelKind modernbertKind;
const ModelKind modernbertKind{"modernbert",         "ModernBERT",       bertLikeArchitectures, nullptr,
                               modernbert::fileName, modernbert::config, modernbert::describe,  modernbert::weights};

}  // namespace headlight
