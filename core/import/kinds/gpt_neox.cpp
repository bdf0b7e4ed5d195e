// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-NeoX (Black et al. 2022) and Pythia (Biderman et al. 2023): attention beside the network, a quarter of each head
// turned by its position, queries, keys and values of one head after the other.
#include "core/import/kinds/rotary_settings.h"

namespace headlight::neox {

namespace {

constexpr RotaryUsual rotaryUsual{.share = 0.25, .shareKey = "rotary_pct", .baseKey = "rotary_emb_base"};

std::string canonicalName(const std::string& name, const ForeignConfig&) {
    return withoutPrefix(name, "gpt_neox.");
}

std::string fileName(const std::string& canonical) {
    return withPrefix("gpt_neox.", canonical, {"embed_out."});
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles&) {
    ModelConfig config{.architecture = "language-model"};
    config.dModel = foreign.size("hidden_size");
    config.numLayers = foreign.size("num_hidden_layers");
    config.numHeads = foreign.size("num_attention_heads");
    config.dFf = foreign.size("intermediate_size");
    config.sourceVocabSize = config.targetVocabSize = foreign.size("vocab_size");
    config.maxLength = rotaryLength(foreign, 2048, config.dModel);
    config.activation = foreign.activation("hidden_act", "gelu");
    config.normOrder = NormOrder::Pre;
    config.finalNorm = true;
    config.parallel = foreign.flag("use_parallel_residual", true) ? Parallel::TwoNorms : Parallel::None;
    config.layerNormEps = foreign.number("layer_norm_eps", 1e-5);
    if (!foreign.flag("attention_bias", true)) config.qkvBias = config.outProjBias = OwnBias::None;
    takeRotary(foreign, rotaryUsual, config);
    config.scaleEmbeddings = false;
    config.tieEmbeddings = foreign.flag("tie_word_embeddings", false);
    config.outputBias = false;
    config.startsAtEnd = false;
    config.dropout = foreign.number("hidden_dropout", 0);
    config.eosId = config.unkId = foreign.id("eos_token_id").value_or(0);
    config.bosId = foreign.id("bos_token_id").value_or(config.eosId);
    config.padId = foreign.id("pad_token_id").value_or(config.eosId);
    return config;
}

nlohmann::json describe(const ModelConfig& config) {
    nlohmann::json json = describeSizes(config);
    json.update({{"model_type", "gpt_neox"},
                 {"architectures", {"GPTNeoXForCausalLM"}},
                 {"hidden_act", activationName(config.activation)},
                 {"use_parallel_residual", config.parallel == Parallel::TwoNorms},
                 {"layer_norm_eps", config.layerNormEps},
                 {"attention_bias", config.qkvBiases() == Biases::All},
                 {"tie_word_embeddings", config.tieEmbeddings},
                 {"hidden_dropout", config.dropout},
                 {"attention_dropout", config.dropout},
                 {"bos_token_id", config.bosId},
                 {"eos_token_id", config.eosId},
                 {"pad_token_id", config.padId}});
    describeRotary(config, rotaryUsual, json);
    return json;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    plan.copy("embedding.weight", "embed_in.weight");
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string ours = layerScope("transformer.layers.", i), theirs = layerScope("layers.", i);
        const std::string fused = theirs + "attention.query_key_value.", dense = theirs + "attention.dense.";
        plan.headByHead(ours + "self_attn.in_proj_weight", fused + "weight", config.numHeads);
        if (config.qkvBiases() == Biases::All)
            plan.headByHead(ours + "self_attn.in_proj_bias", fused + "bias", config.numHeads);
        plan.copy(ours + "self_attn.out_proj.weight", dense + "weight");
        if (config.outProjBiases() == Biases::All) plan.copy(ours + "self_attn.out_proj.bias", dense + "bias");
        plan.module(ours + "linear1", theirs + "mlp.dense_h_to_4h");
        plan.module(ours + "linear2", theirs + "mlp.dense_4h_to_h");
        plan.module(ours + "norm1", theirs + "input_layernorm");
        plan.module(ours + "norm2", theirs + "post_attention_layernorm");
    }
    plan.module("transformer.norm", "final_layer_norm");
    plan.head("embed_out.weight", config.tieEmbeddings);
    // The causal mask and the angles, which older files keep.
    plan.ignore("layers.*.attention.bias");
    plan.ignore("layers.*.attention.masked_bias");
    plan.ignore("*rotary_emb.inv_freq");
}

}  // namespace

}  // namespace headlight::neox

namespace headlight {

extern const ModelKind gptNeoxKind;
const ModelKind gptNeoxKind{"gpt_neox",     "GPT-NeoX",   {"language-model"}, neox::canonicalName,
                            neox::fileName, neox::config, neox::describe,     neox::weights};

}  // namespace headlight
