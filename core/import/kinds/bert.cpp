// SPDX-License-Identifier: GPL-3.0-or-later
// BERT (Devlin et al. 2019) with its masked-word head.
#include <algorithm>
#include <utility>

#include "core/import/model_kind.h"

namespace headlight {

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
    return withPrefix("bert.", canonical, {"cls."});
}

nlohmann::json describe(const ModelConfig& config) {
    return {{"model_type", "bert"},
            {"architectures", {"BertForMaskedLM"}},
            {"hidden_size", config.dModel},
            {"num_hidden_layers", config.numLayers},
            {"num_attention_heads", config.numHeads},
            {"intermediate_size", config.dFf},
            {"vocab_size", config.sourceVocabSize},
            {"max_position_embeddings", config.maxLength},
            {"type_vocab_size", std::max(1, config.tokenTypes)},
            {"hidden_act", activationName(config.activation)},
            {"layer_norm_eps", config.layerNormEps},
            {"tie_word_embeddings", config.tieEmbeddings},
            {"hidden_dropout_prob", config.dropout},
            {"attention_probs_dropout_prob", config.dropout},
            {"pad_token_id", config.padId}};
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles& files) {
    foreign.requireFlag("is_decoder", false);
    if (const std::string kind = foreign.text("position_embedding_type", "absolute"); kind != "absolute")
        throw foreign.fault("position_embedding_type is \"" + kind.substr(0, 80) +
                            "\", and Headlight reads BERT with absolute positions");
    if (!files.has("cls.predictions.transform.dense.weight"))
        throw Error(files.name() +
                    " holds BERT without its masked-word head (cls.predictions): use a BertForMaskedLM or "
                    "BertForPreTraining");
    ModelConfig config{.architecture = "masked-language-model"};
    config.dModel = foreign.size("hidden_size");
    config.numLayers = foreign.size("num_hidden_layers");
    config.numHeads = foreign.size("num_attention_heads");
    config.dFf = foreign.size("intermediate_size");
    config.sourceVocabSize = config.targetVocabSize = foreign.size("vocab_size");
    config.maxLength = foreign.size("max_position_embeddings");
    config.tokenTypes = foreign.size("type_vocab_size", 2);
    config.activation = foreign.activation("hidden_act", "gelu");
    config.layerNormEps = foreign.number("layer_norm_eps", 1e-12);
    config.positionalEncoding = PositionalKind::Learned;
    config.scaleEmbeddings = false;
    config.embeddingNorm = true;
    config.tieEmbeddings = foreign.flag("tie_word_embeddings", true);
    config.dropout = foreign.number("hidden_dropout_prob", 0);
    config.padId = config.bosId = config.eosId = config.unkId = foreign.id("pad_token_id").value_or(0);
    return config;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    plan.copy("embedding.weight", "embeddings.word_embeddings.weight");
    plan.copy("positions.weight", "embeddings.position_embeddings.weight");
    plan.copy("token_types.weight", "embeddings.token_type_embeddings.weight");
    plan.module("embedding_norm", "embeddings.LayerNorm");
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string ours = layerScope("transformer.layers.", i), theirs = layerScope("encoder.layer.", i);
        const std::string self = theirs + "attention.self.";
        for (const char* part : {"weight", "bias"})
            plan.stack(ours + "self_attn.in_proj_" + part,
                       {self + "query." + part, self + "key." + part, self + "value." + part});
        plan.module(ours + "self_attn.out_proj", theirs + "attention.output.dense");
        plan.module(ours + "norm1", theirs + "attention.output.LayerNorm");
        plan.module(ours + "linear1", theirs + "intermediate.dense");
        plan.module(ours + "linear2", theirs + "output.dense");
        plan.module(ours + "norm2", theirs + "output.LayerNorm");
    }
    plan.module("transform", "cls.predictions.transform.dense");
    plan.module("transform_norm", "cls.predictions.transform.LayerNorm");
    plan.copy("generator.bias", "cls.predictions.bias");
    if (config.tieEmbeddings)
        plan.ignore("cls.predictions.decoder.weight");
    else
        plan.copy("generator.weight", "cls.predictions.decoder.weight");
    plan.ignore("cls.predictions.decoder.bias");  // the same numbers as cls.predictions.bias
    plan.ignore("cls.seq_relationship.*");
    plan.ignore("pooler.*");
    plan.ignore("embeddings.position_ids");
}

}  // namespace

extern const ModelKind bertKind;
const ModelKind bertKind{"bert", "masked-language-model", canonicalName, fileName, config, describe, weights};

}  // namespace headlight
