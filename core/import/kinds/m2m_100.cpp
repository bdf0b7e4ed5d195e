// SPDX-License-Identifier: GPL-3.0-or-later
// NLLB (NLLB Team 2022) and M2M-100 (Fan et al. 2020): mBART's layers with sinusoids for positions, words times √d and
// no norm of them; a word for the language is read first, and written first.
#include <algorithm>
#include <cmath>

#include "core/import/kinds/bart_like.h"

namespace headlight::m2m {

namespace {

/// fairseq's sinusoids turn by 10000^(−i/(h − 1)) for each of the h pairs of columns, where the paper's turn by
/// base^(−i/h): the same numbers with another base.
double sinusoidBase(int width) {
    const int pairs = width / 2;
    return std::pow(10000.0, static_cast<double>(pairs) / (pairs - 1));
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles&) {
    ModelConfig config = bartLikeConfig(foreign, NormOrder::Pre);
    if (config.dModel % 2 != 0 || config.dModel < 4)
        throw foreign.fault("d_model is " + std::to_string(config.dModel) +
                            ", and the positions of such models need an even number from 4");
    config.activation = foreign.activation("activation_function", "relu");
    config.scaleEmbeddings = foreign.flag("scale_embedding", true);
    config.shareEmbeddings = true;
    config.outputBias = false;
    config.positionalEncoding = PositionalKind::Sinusoidal;
    config.sinusoidLayout = SinusoidLayout::Halves;
    config.positionalBase = sinusoidBase(config.dModel);
    config.bosId = foreign.id("bos_token_id").value_or(0);
    config.padId = foreign.id("pad_token_id").value_or(std::min(1, config.targetVocabSize - 1));
    config.eosId = foreign.id("eos_token_id").value_or(std::min(2, config.targetVocabSize - 1));
    config.unkId = std::min(3, config.targetVocabSize - 1);
    config.positionOffset = config.padId + 1;  // rows up to it are padding's
    config.decoderStartId = foreign.id("decoder_start_token_id").value_or(config.eosId);
    config.forcedFirstId = foreign.id("forced_bos_token_id").value_or(-1);
    return config;
}

nlohmann::json describe(const ModelConfig& config) {
    nlohmann::json json = describeBartLike(config);
    json["model_type"] = "m2m_100";
    json["architectures"] = {"M2M100ForConditionalGeneration"};
    return json;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    bartLikeWeights(config, plan);
    // The sinusoids, which older files keep.
    plan.ignore("encoder.embed_positions.weights");
    plan.ignore("decoder.embed_positions.weights");
}

}  // namespace

}  // namespace headlight::m2m

namespace headlight {

extern const ModelKind m2m100Kind;
const ModelKind m2m100Kind{"m2m_100",        "NLLB",      {"transformer"}, nullptr,
                           bartLikeFileName, m2m::config, m2m::describe,   m2m::weights};

}  // namespace headlight
