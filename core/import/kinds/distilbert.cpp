// SPDX-License-Identifier: GPL-3.0-or-later
// DistilBERT (Sanh et al. 2019): with its masked-word head, with one that names a sentence's label, or with none.
#include "core/import/kinds/bert_like.h"

namespace headlight::distilbert {

namespace {

std::string canonicalName(const std::string& name, const ForeignConfig&) {
    // Its layers are called `transformer` within.
    return withoutPrefix(withoutPrefix(name, "distilbert."), "transformer.");
}

std::string fileName(const std::string& canonical) {
    const std::string name = canonical.starts_with("layer.") ? "transformer." + canonical : canonical;
    return withPrefix("distilbert.", name, {"vocab_", "pre_classifier.", "classifier."});
}

nlohmann::json describe(const ModelConfig& config) {
    nlohmann::json json{{"model_type", "distilbert"},
                        {"architectures", {"DistilBert" + std::string(headClass(config))}},
                        {"dim", config.dModel},
                        {"n_layers", config.numLayers},
                        {"n_heads", config.numHeads},
                        {"hidden_dim", config.dFf},
                        {"vocab_size", config.sourceVocabSize},
                        {"max_position_embeddings", config.maxLength},
                        {"activation", activationName(config.activation)},
                        {"dropout", config.dropout},
                        {"attention_dropout", config.dropout}};
    describeHead(config, json);
    return json;
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles& files) {
    ModelConfig config = bertLikeConfig(
        foreign, files,
        {.words = "vocab_transform.weight", .pooler = "pre_classifier.weight", .function = PoolerKind::Relu});
    config.dModel = foreign.size("dim");
    config.numLayers = foreign.size("n_layers");
    config.numHeads = foreign.size("n_heads");
    config.dFf = foreign.size("hidden_dim");
    config.maxLength = foreign.size("max_position_embeddings");
    config.activation = foreign.activation("activation", "gelu");
    config.layerNormEps = 1e-12;
    config.dropout = foreign.number("dropout", 0);
    return config;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    plan.copy("embedding.weight", "embeddings.word_embeddings.weight");
    plan.copy("positions.weight", "embeddings.position_embeddings.weight");
    plan.module("embedding_norm", "embeddings.LayerNorm");
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string ours = layerScope("transformer.layers.", i), theirs = layerScope("layer.", i);
        const std::string attention = theirs + "attention.";
        plan.projections(ours + "self_attn", {attention + "q_lin", attention + "k_lin", attention + "v_lin"});
        plan.module(ours + "self_attn.out_proj", attention + "out_lin");
        plan.module(ours + "norm1", theirs + "sa_layer_norm");
        plan.module(ours + "linear1", theirs + "ffn.lin1");
        plan.module(ours + "linear2", theirs + "ffn.lin2");
        plan.module(ours + "norm2", theirs + "output_layer_norm");
    }
    plan.ignore("embeddings.position_ids");
    if (!config.masked()) return headWeights(config, "pre_classifier", plan);
    plan.module("transform", "vocab_transform");
    plan.module("transform_norm", "vocab_layer_norm");
    plan.copy("generator.bias", "vocab_projector.bias");
    plan.head("vocab_projector.weight", config.tieEmbeddings);
}

}  // namespace

}  // namespace headlight::distilbert

namespace headlight {

extern const ModelKind distilbertKind;
const ModelKind distilbertKind{
    "distilbert",         "DistilBERT",       bertLikeArchitectures, distilbert::canonicalName,
    distilbert::fileName, distilbert::config, distilbert::describe,  distilbert::weights};

}  // namespace headlight
