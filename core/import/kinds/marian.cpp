// SPDX-License-Identifier: GPL-3.0-or-later
// MarianMT (Junczys-Dowmunt et al. 2018; Tiedemann, Thottingal 2020): the paper's Transformer, its positions in halves.
#include <algorithm>

#include "core/import/kinds/bart_like.h"

namespace headlight::marian {

namespace {

/// Single words that are never to be written, and the pad id, which Marian does not write either.
std::vector<int> forbidden(const ForeignConfig& foreign, int pad) {
    std::vector<int> ids{pad};
    if (!foreign.has("bad_words_ids")) return ids;
    for (const nlohmann::json& word : foreign.json().at("bad_words_ids"))
        if (word.is_array() && word.size() == 1 && word[0].is_number_unsigned() && word[0] != pad &&
            word[0].get<uint64_t>() < static_cast<uint64_t>(foreign.size("vocab_size")))
            ids.push_back(word[0].get<int>());
    return ids;
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles&) {
    foreign.requireFlag("static_position_embeddings", true);
    foreign.requireFlag("normalize_embedding", false);
    ModelConfig config = bartLikeConfig(foreign, NormOrder::Post);
    config.positionalEncoding = PositionalKind::Sinusoidal;
    config.sinusoidLayout = SinusoidLayout::Halves;
    config.shareEmbeddings = foreign.flag("share_encoder_decoder_embeddings", true);
    if (!config.shareEmbeddings) config.targetVocabSize = foreign.size("decoder_vocab_size", config.sourceVocabSize);
    config.padId = foreign.id("pad_token_id").value_or(config.targetVocabSize - 1);
    config.eosId = foreign.id("eos_token_id").value_or(0);
    config.unkId = std::min(1, config.targetVocabSize - 1);
    config.bosId = foreign.id("decoder_start_token_id").value_or(config.padId);
    config.decoderStartId = config.bosId;
    config.forcedFirstId = foreign.id("forced_bos_token_id").value_or(-1);
    config.forbiddenIds = forbidden(foreign, config.padId);
    return config;
}

nlohmann::json describe(const ModelConfig& config) {
    nlohmann::json json = describeBartLike(config);
    json["model_type"] = "marian";
    json["architectures"] = {"MarianMTModel"};
    json["decoder_vocab_size"] = config.targetVocabSize;
    json["share_encoder_decoder_embeddings"] = config.shareEmbeddings;
    json["bad_words_ids"] = nlohmann::json::array();
    for (const int id : config.forbiddenIds)
        json["bad_words_ids"].push_back({id});
    return json;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    bartLikeWeights(config, plan);
    plan.ignore("*coder.embed_positions.weight");  // sines and cosines that older files keep
}

}  // namespace

}  // namespace headlight::marian

namespace headlight {

extern const ModelKind marianKind;
const ModelKind marianKind{"marian",         "Marian",       {"transformer"},  nullptr,
                           bartLikeFileName, marian::config, marian::describe, marian::weights};

}  // namespace headlight
