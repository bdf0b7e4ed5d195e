// SPDX-License-Identifier: GPL-3.0-or-later
// BERT (Devlin et al. 2019): with its masked-word head, with one that names a sentence's label, or with none.
#include <utility>

#include "core/import/kinds/bert_like.h"

namespace headlight::bert {

namespace {

std::string canonicalName(const std::string& name, const ForeignConfig&) {
    std::string known = withoutPrefix(name, "bert.");
    // TensorFlow's names for a norm's weight and bias, in files that were converted from it.
    for (const auto& [old, present] :
         {std::pair("LayerNorm.gamma", "LayerNorm.weight"), std::pair("LayerNorm.beta", "LayerNorm.bias")})
        if (known.ends_with(old)) return known.substr(0, known.size() - std::string(old).size()) + present;
    return known;
}

std::string fileName(const std::string& canonical) {
    return withPrefix("bert.", canonical, {"cls.", "classifier."});
}

nlohmann::json describe(const ModelConfig& config) {
    return describeBertSizes(config, "bert", "Bert");
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles& files) {
    requireBertLayers(foreign, "BERT");
    ModelConfig config = bertLikeConfig(foreign, files,
                                        {.words = "cls.predictions.transform.dense.weight",
                                         .pooler = "pooler.dense.weight",
                                         .function = PoolerKind::Tanh});
    config.dModel = foreign.size("hidden_size");
    config.maxLength = foreign.size("max_position_embeddings");
    takeBertSizes(foreign, config);
    return config;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    bertLikeLayers(config, plan);
    plan.ignore("embeddings.position_ids");
    if (!config.masked()) return headWeights(config, "pooler.dense", plan);
    plan.module("transform", "cls.predictions.transform.dense");
    plan.module("transform_norm", "cls.predictions.transform.LayerNorm");
    plan.copy("generator.bias", "cls.predictions.bias");
    plan.head("cls.predictions.decoder.weight", config.tieEmbeddings);
    plan.again("cls.predictions.decoder.bias", "generator.bias");
    plan.ignore("cls.seq_relationship.*");
    plan.ignore("pooler.*");
}

}  // namespace

}  // namespace headlight::bert

namespace headlight {

extern const ModelKind bertKind;
const ModelKind bertKind{"bert",         "BERT",       bertLikeArchitectures, bert::canonicalName,
                         bert::fileName, bert::config, bert::describe,        bert::weights};

}  // namespace headlight
