// SPDX-License-Identifier: GPL-3.0-or-later
// DistilBERT (Sanh et al. 2019) with its masked-word head.
#include "core/import/model_kind.h"

namespace headlight {

namespace {

std::string canonicalName(const std::string& name, const ForeignConfig&) {
    return withoutPrefix(name, "distilbert.");
}

std::string fileName(const std::string& canonical) {
    return withPrefix("distilbert.", canonical, {"vocab_"});
}

nlohmann::json describe(const ModelConfig& config) {
    return {{"model_type", "distilbert"},
            {"architectures", {"DistilBertForMaskedLM"}},
            {"dim", config.dModel},
            {"n_layers", config.numLayers},
            {"n_heads", config.numHeads},
            {"hidden_dim", config.dFf},
            {"vocab_size", config.sourceVocabSize},
            {"max_position_embeddings", config.maxLength},
            {"activation", activationName(config.activation)},
            {"tie_word_embeddings", config.tieEmbeddings},
            {"dropout", config.dropout},
            {"attention_dropout", config.dropout},
            {"pad_token_id", config.padId}};
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles& files) {
    if (!files.has("vocab_transform.weight"))
        throw Error(files.name() +
                    " holds DistilBERT without its masked-word head (vocab_transform): use a DistilBertForMaskedLM");
    ModelConfig config{.architecture = "masked-language-model"};
    config.dModel = foreign.size("dim");
    config.numLayers = foreign.size("n_layers");
    config.numHeads = foreign.size("n_heads");
    config.dFf = foreign.size("hidden_dim");
    config.sourceVocabSize = config.targetVocabSize = foreign.size("vocab_size");
    config.maxLength = foreign.size("max_position_embeddings");
    config.activation = foreign.activation("activation", "gelu");
    config.layerNormEps = 1e-12;
    config.positionalEncoding = PositionalKind::Learned;  // sinusoids too are kept as a table
    config.scaleEmbeddings = false;
    config.embeddingNorm = true;
    config.tieEmbeddings = foreign.flag("tie_word_embeddings", true);
    config.dropout = foreign.number("dropout", 0);
    config.padId = config.bosId = config.eosId = config.unkId = foreign.id("pad_token_id").value_or(0);
    return config;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    plan.copy("embedding.weight", "embeddings.word_embeddings.weight");
    plan.copy("positions.weight", "embeddings.position_embeddings.weight");
    plan.module("embedding_norm", "embeddings.LayerNorm");
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string ours = layerScope("transformer.layers.", i), theirs = layerScope("transformer.layer.", i);
        const std::string attention = theirs + "attention.";
        for (const char* part : {"weight", "bias"})
            plan.stack(ours + "self_attn.in_proj_" + part,
                       {attention + "q_lin." + part, attention + "k_lin." + part, attention + "v_lin." + part});
        plan.module(ours + "self_attn.out_proj", attention + "out_lin");
        plan.module(ours + "norm1", theirs + "sa_layer_norm");
        plan.module(ours + "linear1", theirs + "ffn.lin1");
        plan.module(ours + "linear2", theirs + "ffn.lin2");
        plan.module(ours + "norm2", theirs + "output_layer_norm");
    }
    plan.module("transform", "vocab_transform");
    plan.module("transform_norm", "vocab_layer_norm");
    plan.copy("generator.bias", "vocab_projector.bias");
    if (config.tieEmbeddings)
        plan.ignore("vocab_projector.weight");
    else
        plan.copy("generator.weight", "vocab_projector.weight");
    plan.ignore("embeddings.position_ids");
}

}  // namespace

extern const ModelKind distilbertKind;
const ModelKind distilbertKind{"distilbert", "masked-language-model", canonicalName, fileName, config, describe,
                               weights};

}  // namespace headlight
