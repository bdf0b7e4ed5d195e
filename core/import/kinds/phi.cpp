// SPDX-License-Identifier: GPL-3.0-or-later
// Phi-1, Phi-1.5 and Phi-2 (Gunasekar et al. 2023; Li et al. 2023): attention beside the network behind one norm, a
// part of each head turned by its position, biases everywhere.
#include <algorithm>

#include "core/import/kinds/rotary_settings.h"

namespace headlight::phi {

namespace {

constexpr RotaryUsual rotaryUsual{.share = 0.5};

std::string fileName(const std::string& canonical) {
    return withPrefix("model.", canonical, {"lm_head."});
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles&) {
    foreign.requireFlag("qk_layernorm", false);
    ModelConfig config{.architecture = "language-model"};
    config.dModel = foreign.size("hidden_size");
    config.numLayers = foreign.size("num_hidden_layers");
    config.numHeads = foreign.size("num_attention_heads");
    config.numKvHeads = foreign.size("num_key_value_heads", config.numHeads);
    config.dFf = foreign.size("intermediate_size");
    config.sourceVocabSize = config.targetVocabSize = foreign.size("vocab_size");
    config.maxLength = rotaryLength(foreign, 2048, config.dModel);
    config.activation = foreign.activation("hidden_act", "gelu_new");
    config.normOrder = NormOrder::Pre;
    config.finalNorm = true;
    config.parallel = Parallel::OneNorm;
    config.layerNormEps = foreign.number("layer_norm_eps", 1e-5);
    takeRotary(foreign, rotaryUsual, config);
    config.scaleEmbeddings = false;
    config.tieEmbeddings = foreign.flag("tie_word_embeddings", false);
    config.startsAtEnd = false;
    config.dropout = foreign.number("resid_pdrop", 0);
    const int last = config.sourceVocabSize - 1;
    config.eosId = config.unkId = foreign.id("eos_token_id").value_or(std::min(2, last));
    config.bosId = foreign.id("bos_token_id").value_or(std::min(1, last));
    config.padId = foreign.id("pad_token_id").value_or(config.eosId);
    return config;
}

nlohmann::json describe(const ModelConfig& config) {
    nlohmann::json json = describeSizes(config);
    json.update({{"model_type", "phi"},
                 {"architectures", {"PhiForCausalLM"}},
                 {"num_key_value_heads", config.keyHeads()},
                 {"hidden_act", activationName(config.activation)},
                 {"layer_norm_eps", config.layerNormEps},
                 {"qk_layernorm", false},
                 {"tie_word_embeddings", config.tieEmbeddings},
                 {"resid_pdrop", config.dropout},
                 {"embd_pdrop", config.dropout},
                 {"attention_dropout", config.dropout},
                 {"bos_token_id", config.bosId},
                 {"eos_token_id", config.eosId},
                 {"pad_token_id", config.padId}});
    describeRotary(config, rotaryUsual, json);
    return json;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    plan.copy("embedding.weight", "embed_tokens.weight");
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string ours = layerScope("transformer.layers.", i), theirs = layerScope("layers.", i);
        const std::string attention = theirs + "self_attn.";
        plan.projections(ours + "self_attn", {attention + "q_proj", attention + "k_proj", attention + "v_proj"});
        plan.module(ours + "self_attn.out_proj", attention + "dense");
        plan.module(ours + "linear1", theirs + "mlp.fc1");
        plan.module(ours + "linear2", theirs + "mlp.fc2");
        plan.module(ours + "norm1", theirs + "input_layernorm");
    }
    plan.module("transformer.norm", "final_layernorm");
    plan.head("lm_head.weight", config.tieEmbeddings);
    plan.copy("generator.bias", "lm_head.bias");
    plan.ignore("*rotary_emb.inv_freq");
}

}  // namespace

}  // namespace headlight::phi

namespace headlight {

extern const ModelKind phiKind;
const ModelKind phiKind{"phi",         "Phi",       {"language-model"}, nullptr,
                        phi::fileName, phi::config, phi::describe,      phi::weights};

}  // namespace headlight
