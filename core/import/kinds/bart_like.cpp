// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/kinds/bart_like.h"

#include <utility>

namespace headlight {

std::string bartLikeFileName(const std::string& canonical) {
    return withPrefix("model.", canonical, {"final_logits_bias", "lm_head."});
}

nlohmann::json describeBartLike(const ModelConfig& config) {
    nlohmann::json json{{"is_encoder_decoder", true},
                        {"d_model", config.dModel},
                        {"vocab_size", config.sourceVocabSize},
                        {"max_position_embeddings", config.maxLength},
                        {"activation_function", activationName(config.activation)},
                        {"scale_embedding", config.scaleEmbeddings},
                        {"tie_word_embeddings", config.tieEmbeddings},
                        {"dropout", config.dropout},
                        {"pad_token_id", config.padId},
                        {"bos_token_id", config.bosId},
                        {"eos_token_id", config.eosId},
                        {"decoder_start_token_id", config.decoderStart()}};
    for (const auto& [stack, layers] :
         {std::pair("encoder_", config.numEncoderLayers), std::pair("decoder_", config.numDecoderLayers)}) {
        json[std::string(stack) + "layers"] = layers;
        json[std::string(stack) + "attention_heads"] = config.numHeads;
        json[std::string(stack) + "ffn_dim"] = config.dFf;
    }
    if (config.forcedFirstId >= 0) json["forced_bos_token_id"] = config.forcedFirstId;
    return json;
}

ModelConfig bartLikeConfig(const ForeignConfig& foreign, NormOrder order) {
    foreign.requireFlag("normalize_before", order == NormOrder::Pre);
    foreign.requireFlag("add_final_layer_norm", order == NormOrder::Pre);
    foreign.requireEqual("encoder_attention_heads", "decoder_attention_heads");
    foreign.requireEqual("encoder_ffn_dim", "decoder_ffn_dim");
    ModelConfig config{.architecture = "transformer"};
    config.dModel = foreign.size("d_model");
    config.numEncoderLayers = foreign.size("encoder_layers");
    config.numDecoderLayers = foreign.size("decoder_layers");
    config.numHeads = foreign.size("encoder_attention_heads");
    config.dFf = foreign.size("encoder_ffn_dim");
    config.sourceVocabSize = foreign.size("vocab_size");
    config.targetVocabSize = config.sourceVocabSize;
    config.maxLength = foreign.size("max_position_embeddings");
    config.activation = foreign.activation("activation_function", "gelu");
    config.normOrder = order;
    config.finalNorm = order == NormOrder::Pre;
    config.layerNormEps = 1e-5;
    config.scaleEmbeddings = foreign.flag("scale_embedding", false);
    config.tieEmbeddings = foreign.flag("tie_word_embeddings", true);
    config.dropout = foreign.number("dropout", 0);
    return config;
}

namespace {

/// What both layers have: self-attention and the network. `lastNorm`: the number of ours behind the network.
void layerWeights(const std::string& ours, const std::string& theirs, const std::string& lastNorm, WeightPlan& plan) {
    plan.module(ours + "linear1", theirs + "fc1");
    plan.module(ours + "linear2", theirs + "fc2");
    plan.module(ours + lastNorm, theirs + "final_layer_norm");
}

void attentionWeights(const std::string& ours, const std::string& theirs, WeightPlan& plan) {
    plan.projections(ours, {theirs + ".q_proj", theirs + ".k_proj", theirs + ".v_proj"});
    plan.module(ours + ".out_proj", theirs + ".out_proj");
}

}  // namespace

void bartLikeWeights(const ModelConfig& config, WeightPlan& plan) {
    if (config.shareEmbeddings) {
        plan.copy("embedding.weight", "shared.weight");
        plan.again("encoder.embed_tokens.weight", "embedding.weight");
        plan.again("decoder.embed_tokens.weight", "embedding.weight");
    } else {
        plan.copy("source_embedding.weight", "encoder.embed_tokens.weight");
        plan.copy("target_embedding.weight", "decoder.embed_tokens.weight");
    }
    for (int i = 0; i < config.numEncoderLayers; ++i) {
        const std::string ours = layerScope("transformer.encoder.layers.", i);
        const std::string theirs = layerScope("encoder.layers.", i);
        attentionWeights(ours + "self_attn", theirs + "self_attn", plan);
        plan.module(ours + "norm1", theirs + "self_attn_layer_norm");
        layerWeights(ours, theirs, "norm2", plan);
    }
    for (int i = 0; i < config.numDecoderLayers; ++i) {
        const std::string ours = layerScope("transformer.decoder.layers.", i);
        const std::string theirs = layerScope("decoder.layers.", i);
        attentionWeights(ours + "self_attn", theirs + "self_attn", plan);
        plan.module(ours + "norm1", theirs + "self_attn_layer_norm");
        attentionWeights(ours + "multihead_attn", theirs + "encoder_attn", plan);
        plan.module(ours + "norm2", theirs + "encoder_attn_layer_norm");
        layerWeights(ours, theirs, "norm3", plan);
    }
    if (config.finalNorm) {
        plan.module("transformer.encoder.norm", "encoder.layer_norm");
        plan.module("transformer.decoder.norm", "decoder.layer_norm");
    }
    plan.copyOrZeros("generator.bias", "final_logits_bias");
    plan.head("lm_head.weight", config.tieEmbeddings,
              config.shareEmbeddings ? "embedding.weight" : "target_embedding.weight");
}

}  // namespace headlight
