// SPDX-License-Identifier: GPL-3.0-or-later
// ELECTRA (Clark et al. 2020): BERT's layers without a pooler, whose words may be narrower than they are. Its
// discriminator tells which words were replaced, its generator replaces them; a classifier names a sentence's label.
#include "core/import/kinds/bert_like.h"

namespace headlight::electra {

namespace {

constexpr const char* prefix = "electra.";
constexpr const char* firstMap = "classifier.dense.";
constexpr const char* secondMap = "classifier.out_proj.";
constexpr const char* wordMap = "embeddings_project";
constexpr const char* judge = "discriminator_predictions.dense_prediction";

/// The classifier's second map names the labels, as BERT's only one does.
std::string canonicalName(const std::string& name, const ForeignConfig&) {
    if (name.starts_with(firstMap)) return "classifier_dense." + withoutPrefix(name, firstMap);
    if (name.starts_with(secondMap)) return "classifier." + withoutPrefix(name, secondMap);
    return withoutPrefix(name, prefix);
}

std::string fileName(const std::string& canonical) {
    if (canonical.starts_with("classifier_dense.")) return firstMap + withoutPrefix(canonical, "classifier_dense.");
    if (canonical.starts_with("classifier.")) return secondMap + withoutPrefix(canonical, "classifier.");
    return withPrefix(prefix, canonical, {"generator_", "discriminator_"});
}

/// What some programs take of the heads with their kind's names, and others do not.
void refuseOtherHeads(const ForeignConfig& foreign, const WeightFiles& files) {
    for (const char* head : {"qa_outputs.weight", "sequence_summary.summary.weight"})
        if (files.has(head))
            throw foreign.fault(std::string("its weights have ") + head +
                                ", and Headlight reads ELECTRA's discriminator, its generator and classifiers of "
                                "sentences: save its ElectraModel alone");
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles& files) {
    requireBertLayers(foreign, "ELECTRA");
    refuseOtherHeads(foreign, files);
    ModelConfig config = bertLikeConfig(
        foreign, files, {.words = "generator_predictions.dense.weight", .pooler = "", .function = PoolerKind::Gelu});
    // What its own program takes where the file does not say it.
    constexpr int usualEmbeddings = 128, usualHidden = 256;
    config.dModel = foreign.size("hidden_size", usualHidden);
    const int embeddings = foreign.size("embedding_size", usualEmbeddings);
    if (embeddings != config.dModel) config.wordWidth = embeddings;
    config.maxLength = foreign.size("max_position_embeddings");
    takeBertSizes(foreign, config);
    if (config.masked() && config.activation != ops::Activation::Gelu)
        throw foreign.fault(
            "hidden_act is no gelu, which the generator's head has whatever its layers have: Headlight has one "
            "activation for both");
    config.findsReplaced = config.headless() && files.has(std::string(judge) + ".weight");
    return config;
}

nlohmann::json describe(const ModelConfig& config) {
    nlohmann::json json = describeBertSizes(config, "electra", "Electra");
    json["embedding_size"] = config.embeddingWidth();
    return json;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    bertLikeLayers(config, plan);
    if (config.wordWidth > 0) plan.module("word_map", wordMap);
    plan.ignore("embeddings.position_ids");
    if (config.findsReplaced) {
        plan.module("replaced_dense", "discriminator_predictions.dense");
        plan.module("replaced", judge);
    } else {
        plan.ignore("discriminator_predictions.*");
    }
    if (!config.masked()) return headWeights(config, "classifier_dense", plan);
    plan.module("transform", "generator_predictions.dense");
    plan.module("transform_norm", "generator_predictions.LayerNorm");
    plan.copy("generator.bias", "generator_lm_head.bias");
    plan.head("generator_lm_head.weight", config.tieEmbeddings);
}

}  // namespace

}  // namespace headlight::electra

namespace headlight {

extern const ModelKind electraKind;
const ModelKind electraKind{"electra",         "ELECTRA",       bertLikeArchitectures, electra::canonicalName,
                            electra::fileName, electra::config, electra::describe,     electra::weights};

}  // namespace headlight
