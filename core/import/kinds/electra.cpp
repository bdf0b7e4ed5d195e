// SPDX-License-Identifier: GPL-3.0-or-later
// ELECTRA (Clark et al. 2020): BERT's layers without a pooler, trained to tell which words were replaced. Read without
// a head, as ElectraModel.
#include <algorithm>

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
    foreign.requireFlag("is_decoder", false);
    if (const std::string kind = foreign.text("position_embedding_type", "absolute"); kind != "absolute")
        throw foreign.fault("position_embedding_type is \"" + kind.substr(0, 80) +
                            "\", and Headlight reads ELECTRA with absolute positions");
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
    config.numLayers = foreign.size("num_hidden_layers");
    config.numHeads = foreign.size("num_attention_heads");
    config.dFf = foreign.size("intermediate_size");
    config.maxLength = foreign.size("max_position_embeddings");
    config.tokenTypes = foreign.size("type_vocab_size", 2);
    config.activation = foreign.activation("hidden_act", "gelu");
    config.layerNormEps = foreign.number("layer_norm_eps", 1e-12);
    config.dropout = foreign.number("hidden_dropout_prob", 0);
    return config;
}

nlohmann::json describe(const ModelConfig& config) {
    nlohmann::json json{{"model_type", "electra"},
                        {"architectures", {"ElectraModel"}},
                        {"embedding_size", config.dModel},
                        {"hidden_size", config.dModel},
                        {"num_hidden_layers", config.numLayers},
                        {"num_attention_heads", config.numHeads},
                        {"intermediate_size", config.dFf},
                        {"vocab_size", config.sourceVocabSize},
                        {"max_position_embeddings", config.maxLength},
                        {"type_vocab_size", std::max(1, config.tokenTypes)},
                        {"hidden_act", activationName(config.activation)},
                        {"layer_norm_eps", config.layerNormEps},
                        {"hidden_dropout_prob", config.dropout},
                        {"attention_probs_dropout_prob", config.dropout}};
    describeHead(config, json);
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
const ModelKind electraKind{"electra",       {"encoder"},       electra::canonicalName, electra::fileName,
                            electra::config, electra::describe, electra::weights};

}  // namespace headlight
