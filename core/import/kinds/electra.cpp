// SPDX-License-Identifier: GPL-3.0-or-later
// ELECTRA (Clark et al. 2020): BERT's layers without a pooler, trained to tell which words were replaced. Read without
// a head, as ElectraModel.
#include "core/import/kinds/bert_like.h"

namespace headlight::electra {

namespace {

constexpr const char* prefix = "electra.";

std::string canonicalName(const std::string& name, const ForeignConfig&) {
    return withoutPrefix(name, prefix);
}

std::string fileName(const std::string& canonical) {
    return withPrefix(prefix, canonical, {});
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles& files) {
    requireBertLayers(foreign, "ELECTRA");
    for (const char* head : {"classifier.dense.weight", "classifier.weight", "generator_predictions.dense.weight",
                             "qa_outputs.weight", "sequence_summary.summary.weight"})
        if (files.has(head))
            throw foreign.fault(std::string("its weights have ") + head +
                                ", and Headlight reads ELECTRA without a head: save its ElectraModel alone");
    // What its own program takes where the file does not say it.
    constexpr int usualEmbeddings = 128, usualHidden = 256;
    const int embeddings = foreign.size("embedding_size", usualEmbeddings),
              hidden = foreign.size("hidden_size", usualHidden);
    if (embeddings != hidden)
        throw foreign.fault("embedding_size is " + std::to_string(embeddings) + " and hidden_size " +
                            std::to_string(hidden) +
                            ", and Headlight reads ELECTRA whose words are as wide as its layers (base and large)");
    ModelConfig config = bertLikeConfig(foreign, files, {.words = "", .pooler = "", .function = PoolerKind::None});
    config.dModel = hidden;
    config.maxLength = foreign.size("max_position_embeddings");
    takeBertSizes(foreign, config);
    return config;
}

nlohmann::json describe(const ModelConfig& config) {
    nlohmann::json json = describeBertSizes(config, "electra", "Electra");
    json["embedding_size"] = config.dModel;
    return json;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    bertLikeLayers(config, plan);
    plan.ignore("embeddings.position_ids");
    plan.ignore("discriminator_predictions.*");
}

}  // namespace

}  // namespace headlight::electra

namespace headlight {

extern const ModelKind electraKind;
const ModelKind electraKind{"electra",         "ELECTRA",       {"encoder"},       electra::canonicalName,
                            electra::fileName, electra::config, electra::describe, electra::weights};

}  // namespace headlight
