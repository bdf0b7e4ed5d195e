// SPDX-License-Identifier: GPL-3.0-or-later
// Llama (Touvron et al. 2023) and the small models that are trained in its shape.
#include <algorithm>
#include <optional>

#include "core/import/model_kind.h"
#include "core/number_text.h"

namespace headlight::llama {

namespace {

/// Newer files keep the base of the rotations in an object of its own; which of two that differ counts is a matter of
/// the program's version.
double rotationBase(const ForeignConfig& foreign) {
    std::optional<double> base;
    const auto take = [&](const ForeignConfig& from) {
        if (!from.has("rope_theta")) return;
        const double there = from.number("rope_theta", 0);
        if (base && *base != there)
            throw from.fault("rope_theta is " + shortestNumber(there) + ", and elsewhere in the file " +
                             shortestNumber(*base) + ": correct one");
        base = there;
    };
    take(foreign);
    for (const char* key : {"rope_scaling", "rope_parameters"}) {
        if (!foreign.has(key)) continue;
        const ForeignConfig inner(foreign.json().at(key), foreign.name() + ", " + key);
        const std::string kind =
            inner.text("rope_type", inner.text("type", inner.has("factor") ? "linear" : "default"));
        if (kind != "default")
            throw inner.fault("its type is \"" + kind.substr(0, 80) +
                              "\", and Headlight turns queries and keys by the default angles alone");
        inner.requireNumber("partial_rotary_factor", 1);
        take(inner);
    }
    return base.value_or(10000);
}

std::string fileName(const std::string& canonical) {
    return withPrefix("model.", canonical, {"lm_head."});
}

nlohmann::json describe(const ModelConfig& config) {
    nlohmann::json json{{"model_type", "llama"},
                        {"architectures", {"LlamaForCausalLM"}},
                        {"hidden_size", config.dModel},
                        {"num_hidden_layers", config.numLayers},
                        {"num_attention_heads", config.numHeads},
                        {"num_key_value_heads", config.keyHeads()},
                        {"intermediate_size", config.dFf},
                        {"vocab_size", config.sourceVocabSize},
                        {"max_position_embeddings", config.maxLength},
                        {"hidden_act", activationName(config.activation)},
                        {"rms_norm_eps", config.layerNormEps},
                        {"rope_theta", config.positionalBase},
                        {"tie_word_embeddings", config.tieEmbeddings},
                        {"attention_bias", false},
                        {"mlp_bias", false},
                        {"attention_dropout", config.dropout},
                        {"bos_token_id", config.bosId},
                        {"eos_token_id", config.eosId},
                        {"pad_token_id", config.padId}};
    if (config.headSize > 0) json["head_dim"] = config.headSize;
    return json;
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles&) {
    foreign.requireFlag("attention_bias", false);
    foreign.requireFlag("mlp_bias", false);
    foreign.requireNumber("partial_rotary_factor", 1);
    if (foreign.has("sliding_window"))
        throw foreign.fault("it has a sliding_window, and Headlight lets every word of such a model see all before it");
    ModelConfig config{.architecture = "language-model"};
    config.dModel = foreign.size("hidden_size");
    config.numLayers = foreign.size("num_hidden_layers");
    config.numHeads = foreign.size("num_attention_heads");
    config.numKvHeads = foreign.size("num_key_value_heads", config.numHeads);
    if (foreign.has("head_dim")) config.headSize = foreign.size("head_dim");
    config.dFf = foreign.size("intermediate_size");
    config.sourceVocabSize = config.targetVocabSize = foreign.size("vocab_size");
    // Nothing is stored of a position: as many as the program has room for.
    config.maxLength =
        std::min({foreign.size("max_position_embeddings", 2048), 1 << 16, std::max(1, (1 << 28) / config.dModel)});
    config.activation = foreign.activation("hidden_act", "silu");
    config.gatedFfn = true;
    config.norm = NormKind::Rms;
    config.normOrder = NormOrder::Pre;
    config.finalNorm = true;
    config.layerNormEps = foreign.number("rms_norm_eps", 1e-6);
    config.bias = Biases::None;
    config.positionalEncoding = PositionalKind::Rotary;
    config.positionalBase = rotationBase(foreign);
    config.scaleEmbeddings = false;
    config.tieEmbeddings = foreign.flag("tie_word_embeddings", false);
    config.outputBias = false;
    config.startsAtEnd = false;
    config.dropout = foreign.number("attention_dropout", 0);
    config.bosId = foreign.id("bos_token_id").value_or(std::min(1, config.sourceVocabSize - 1));
    config.eosId = foreign.id("eos_token_id").value_or(std::min(2, config.sourceVocabSize - 1));
    config.padId = foreign.id("pad_token_id").value_or(config.eosId);
    config.unkId = 0;
    return config;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    plan.copy("embedding.weight", "embed_tokens.weight");
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string ours = layerScope("transformer.layers.", i), theirs = layerScope("layers.", i);
        const std::string attention = theirs + "self_attn.";
        plan.stack(ours + "self_attn.in_proj_weight",
                   {attention + "q_proj.weight", attention + "k_proj.weight", attention + "v_proj.weight"});
        plan.copy(ours + "self_attn.out_proj.weight", attention + "o_proj.weight");
        plan.copy(ours + "linear1.weight", theirs + "mlp.gate_proj.weight");
        plan.copy(ours + "linear_up.weight", theirs + "mlp.up_proj.weight");
        plan.copy(ours + "linear2.weight", theirs + "mlp.down_proj.weight");
        plan.copy(ours + "norm1.weight", theirs + "input_layernorm.weight");
        plan.copy(ours + "norm2.weight", theirs + "post_attention_layernorm.weight");
    }
    plan.copy("transformer.norm.weight", "norm.weight");
    plan.head("lm_head.weight", config.tieEmbeddings);
    plan.ignore("layers.*.self_attn.rotary_emb.inv_freq");  // the angles, which older files keep
}

}  // namespace

}  // namespace headlight::llama

namespace headlight {

extern const ModelKind llamaKind;
const ModelKind llamaKind{"llama",       {"language-model"}, nullptr,       llama::fileName,
                          llama::config, llama::describe,    llama::weights};

}  // namespace headlight
