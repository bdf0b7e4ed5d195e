// SPDX-License-Identifier: GPL-3.0-or-later
// RoBERTa (Liu et al. 2019), XLM-RoBERTa (Conneau et al. 2020) and CamemBERT (Martin et al. 2020): BERT with positions
// that begin behind the pad id, texts of one type, and heads of their own.
#include <algorithm>

#include "core/import/kinds/bert_like.h"

namespace headlight::roberta {

namespace {

/// The classifier's two maps, of which the second names the labels as BERT's only one does.
constexpr const char* firstMap = "classifier.dense.";
constexpr const char* secondMap = "classifier.out_proj.";

std::string canonicalName(const std::string& name, const ForeignConfig&) {
    if (name.starts_with(firstMap)) return "classifier_dense." + withoutPrefix(name, firstMap);
    if (name.starts_with(secondMap)) return "classifier." + withoutPrefix(name, secondMap);
    return withoutPrefix(name, "roberta.");
}

std::string fileName(const std::string& canonical) {
    if (canonical.starts_with("classifier_dense.")) return firstMap + withoutPrefix(canonical, "classifier_dense.");
    if (canonical.starts_with("classifier.")) return secondMap + withoutPrefix(canonical, "classifier.");
    return withPrefix("roberta.", canonical, {"lm_head."});
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles& files) {
    requireBertLayers(foreign, "such models");
    ModelConfig config = bertLikeConfig(
        foreign, files,
        {.words = "lm_head.dense.weight", .pooler = "pooler.dense.weight", .function = PoolerKind::Tanh});
    const int pad = foreign.id("pad_token_id").value_or(1);
    if (config.corpusKind() != CorpusKind::Labels)
        config.padId = config.bosId = config.eosId = config.unkId = std::min(pad, config.sourceVocabSize - 1);
    config.dModel = foreign.size("hidden_size");
    takeBertSizes(foreign, config);
    config.positionOffset = pad + 1;
    config.maxLength = foreign.size("max_position_embeddings") - config.positionOffset;
    if (config.maxLength < 1)
        throw foreign.fault("max_position_embeddings leaves no row behind the pad id " + std::to_string(pad) +
                            ": correct one");
    if (config.masked() && config.activation != ops::Activation::Gelu)
        throw foreign.fault(
            "hidden_act is no gelu, which the head of such a model has whatever its layers have: "
            "Headlight has one activation for both");
    return config;
}

nlohmann::json describe(const ModelConfig& config, const char* kind, const char* className) {
    nlohmann::json json = describeBertSizes(config, kind, className);
    json["max_position_embeddings"] = config.maxLength + config.positionOffset;
    // It says where positions begin too.
    json["pad_token_id"] = std::max(0, config.positionOffset - 1);
    return json;
}

nlohmann::json describeRoberta(const ModelConfig& config) {
    return describe(config, "roberta", "Roberta");
}
nlohmann::json describeXlm(const ModelConfig& config) {
    return describe(config, "xlm-roberta", "XLMRoberta");
}
nlohmann::json describeCamembert(const ModelConfig& config) {
    return describe(config, "camembert", "Camembert");
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    bertLikeLayers(config, plan);
    plan.ignore("embeddings.position_ids");
    if (!config.headless()) plan.ignore("pooler.*");
    if (!config.masked()) return headWeights(config, config.headless() ? "pooler.dense" : "classifier_dense", plan);
    plan.module("transform", "lm_head.dense");
    plan.module("transform_norm", "lm_head.layer_norm");
    plan.copy("generator.bias", "lm_head.bias");
    plan.head("lm_head.decoder.weight", config.tieEmbeddings);
    plan.again("lm_head.decoder.bias", "generator.bias");
}

}  // namespace

}  // namespace headlight::roberta

namespace headlight {

extern const ModelKind robertaKind, xlmRobertaKind, camembertKind;
const ModelKind robertaKind{"roberta",         "RoBERTa",       bertLikeArchitectures,    roberta::canonicalName,
                            roberta::fileName, roberta::config, roberta::describeRoberta, roberta::weights};
const ModelKind xlmRobertaKind{"xlm-roberta",     "XLM-R",         bertLikeArchitectures, roberta::canonicalName,
                               roberta::fileName, roberta::config, roberta::describeXlm,  roberta::weights};
const ModelKind camembertKind{"camembert",       "CamemBERT",     bertLikeArchitectures,      roberta::canonicalName,
                              roberta::fileName, roberta::config, roberta::describeCamembert, roberta::weights};

}  // namespace headlight
