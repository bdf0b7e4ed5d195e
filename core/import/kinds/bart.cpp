// SPDX-License-Identifier: GPL-3.0-or-later
// BART (Lewis et al. 2020), and mBART (Liu et al. 2020; Tang et al. 2020), whose norms stand before the sublayers.
#include <algorithm>

#include "core/import/kinds/bart_like.h"

namespace headlight::bart {

namespace {

ModelConfig common(const ForeignConfig& foreign, NormOrder order) {
    foreign.requireFlag("normalize_embedding", true);
    foreign.requireFlag("static_position_embeddings", false);
    ModelConfig config = bartLikeConfig(foreign, order);
    config.positionalEncoding = PositionalKind::Learned;
    config.positionOffset = 2;
    config.sharePositions = false;
    config.embeddingNorm = true;
    config.shareEmbeddings = true;
    config.bosId = foreign.id("bos_token_id").value_or(0);
    config.padId = foreign.id("pad_token_id").value_or(std::min(1, config.targetVocabSize - 1));
    config.eosId = foreign.id("eos_token_id").value_or(std::min(2, config.targetVocabSize - 1));
    config.unkId = std::min(3, config.targetVocabSize - 1);
    config.decoderStartId = foreign.id("decoder_start_token_id").value_or(config.eosId);
    // BART's first files said it by a switch.
    const int usualFirst = foreign.flag("force_bos_token_to_be_generated", false) ? config.bosId : -1;
    config.forcedFirstId = foreign.id("forced_bos_token_id").value_or(usualFirst);
    return config;
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles&) {
    return common(foreign, NormOrder::Post);
}

ModelConfig mbartConfig(const ForeignConfig& foreign, const WeightFiles&) {
    return common(foreign, NormOrder::Pre);
}

nlohmann::json describe(const ModelConfig& config) {
    nlohmann::json json = describeBartLike(config);
    json["model_type"] = "bart";
    json["architectures"] = {"BartForConditionalGeneration"};
    return json;
}

nlohmann::json describeMbart(const ModelConfig& config) {
    nlohmann::json json = describeBartLike(config);
    json["model_type"] = "mbart";
    json["architectures"] = {"MBartForConditionalGeneration"};
    return json;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    bartLikeWeights(config, plan);
    plan.copy("source_positions.weight", "encoder.embed_positions.weight");
    plan.copy("target_positions.weight", "decoder.embed_positions.weight");
    plan.module("source_embedding_norm", "encoder.layernorm_embedding");
    plan.module("target_embedding_norm", "decoder.layernorm_embedding");
}

}  // namespace

}  // namespace headlight::bart

namespace headlight {

extern const ModelKind bartKind, mbartKind;
const ModelKind bartKind{"bart",           "BART",       {"transformer"}, nullptr,
                         bartLikeFileName, bart::config, bart::describe,  bart::weights};
const ModelKind mbartKind{"mbart",          "mBART",           {"transformer"},     nullptr,
                          bartLikeFileName, bart::mbartConfig, bart::describeMbart, bart::weights};

}  // namespace headlight
