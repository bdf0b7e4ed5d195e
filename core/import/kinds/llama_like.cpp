// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/kinds/llama_like.h"

#include <algorithm>

namespace headlight {

ModelConfig llamaLikeConfig(const ForeignConfig& foreign, const LlamaUsual& usual) {
    ModelConfig config{.architecture = "language-model"};
    config.dModel = foreign.size("hidden_size");
    config.numLayers = foreign.size("num_hidden_layers");
    config.numHeads = foreign.size("num_attention_heads");
    config.numKvHeads = foreign.size("num_key_value_heads", usual.keyHeads > 0 ? usual.keyHeads : config.numHeads);
    if (foreign.has("head_dim") || usual.headWidth > 0) config.headSize = foreign.size("head_dim", usual.headWidth);
    config.dFf = foreign.size("intermediate_size");
    config.sourceVocabSize = config.targetVocabSize = foreign.size("vocab_size");
    config.maxLength = rotaryLength(foreign, usual.maxLength, config.dModel);
    config.activation = foreign.activation(usual.activationKey, usual.activation);
    config.gatedFfn = true;
    config.norm = NormKind::Rms;
    config.normOrder = NormOrder::Pre;
    config.finalNorm = true;
    config.layerNormEps = foreign.number("rms_norm_eps", usual.epsilon);
    config.bias = Biases::None;
    takeRotary(foreign, usual.rotary, config);
    config.scaleEmbeddings = false;
    config.tieEmbeddings = foreign.flag("tie_word_embeddings", usual.tied);
    config.outputBias = false;
    config.startsAtEnd = false;
    config.dropout = foreign.number("attention_dropout", 0);
    config.bosId = foreign.id("bos_token_id").value_or(std::min(1, config.sourceVocabSize - 1));
    config.eosId = foreign.id("eos_token_id").value_or(std::min(2, config.sourceVocabSize - 1));
    config.padId = foreign.id("pad_token_id").value_or(config.eosId);
    config.unkId = 0;
    return config;
}

nlohmann::json describeLlamaLike(const ModelConfig& config, const LlamaUsual& usual) {
    nlohmann::json json = describeSizes(config);
    json.update({{"architectures", {usual.architecture}},
                 {"num_key_value_heads", config.keyHeads()},
                 {usual.activationKey, activationName(config.activation)},
                 {"rms_norm_eps", config.layerNormEps},
                 {"tie_word_embeddings", config.tieEmbeddings},
                 {"attention_dropout", config.dropout},
                 {"bos_token_id", config.bosId},
                 {"eos_token_id", config.eosId},
                 {"pad_token_id", config.padId}});
    if (config.headSize > 0 || usual.headWidth > 0) json["head_dim"] = config.headWidth();
    describeRotary(config, usual.rotary, json);
    return json;
}

std::string llamaLikeFileName(const std::string& canonical) {
    return withPrefix("model.", canonical, {"lm_head."});
}

namespace {

void networkWeights(const ModelConfig& config, const std::string& ours, const std::string& theirs, LlamaMaps maps,
                    WeightPlan& plan) {
    const bool biased = config.ffnBiases() == Biases::All;
    if (maps == LlamaMaps::Fused) {
        plan.rows(ours + "linear1.weight", theirs + "gate_up_proj.weight", 0, 2 * config.dFf);
        plan.rows(ours + "linear_up.weight", theirs + "gate_up_proj.weight", config.dFf, 2 * config.dFf);
    } else {
        plan.copy(ours + "linear1.weight", theirs + "gate_proj.weight");
        plan.copy(ours + "linear_up.weight", theirs + "up_proj.weight");
        if (biased) plan.copy(ours + "linear1.bias", theirs + "gate_proj.bias");
        if (biased) plan.copy(ours + "linear_up.bias", theirs + "up_proj.bias");
    }
    plan.copy(ours + "linear2.weight", theirs + "down_proj.weight");
    if (biased) plan.copy(ours + "linear2.bias", theirs + "down_proj.bias");
}

}  // namespace

void llamaLikeWeights(const ModelConfig& config, LlamaMaps maps, WeightPlan& plan) {
    plan.copy("embedding.weight", "embed_tokens.weight");
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string ours = layerScope("transformer.layers.", i), theirs = layerScope("layers.", i);
        const std::string attention = theirs + "self_attn.";
        for (const char* part : {"weight", "bias"}) {
            if (part[0] == 'b' && config.qkvBiases() == Biases::None) continue;
            const std::string end = std::string("_proj.") + part, map = ours + "self_attn.in_proj_" + part;
            if (maps == LlamaMaps::Fused)
                plan.copy(map, attention + "qkv" + end);
            else
                plan.stack(map, {attention + "q" + end, attention + "k" + end, attention + "v" + end});
        }
        plan.copy(ours + "self_attn.out_proj.weight", attention + "o_proj.weight");
        if (config.outProjBiases() == Biases::All)
            plan.copy(ours + "self_attn.out_proj.bias", attention + "o_proj.bias");
        networkWeights(config, ours, theirs + "mlp.", maps, plan);
    }
    plan.head("lm_head.weight", config.tieEmbeddings);
    plan.ignore("*rotary_emb.inv_freq");  // the angles, which older files keep
}

void llamaLikeNorms(const ModelConfig& config, const char* beforeNetwork, WeightPlan& plan) {
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string ours = layerScope("transformer.layers.", i), theirs = layerScope("layers.", i);
        plan.copy(ours + "norm1.weight", theirs + "input_layernorm.weight");
        plan.copy(ours + "norm2.weight", theirs + beforeNetwork + ".weight");
        if (!config.headNorms) continue;
        for (const char* norm : {"self_attn.q_norm.weight", "self_attn.k_norm.weight"})
            plan.copy(ours + norm, theirs + norm);
    }
    plan.copy("transformer.norm.weight", "norm.weight");
}

bool noLayer(int, int) {
    return false;
}

bool everyLayer(int, int) {
    return true;
}

}  // namespace headlight
