// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/kinds/bert_like.h"

#include <algorithm>

#include "core/import/labels.h"
#include "core/json_text.h"
#include "core/text/vocabulary.h"

namespace headlight {

namespace {

constexpr const char* labelsWeight = "classifier.weight";

/// Other heads have a tensor of that name too: one that names a label for each word, or chooses among sentences.
void requireSentenceLabels(const ForeignConfig& foreign) {
    constexpr std::string_view wanted = "ForSequenceClassification";
    if (!foreign.has("architectures")) return;
    for (const nlohmann::json& name : foreign.json().at("architectures"))
        if (!name.is_string() || !name.get<std::string>().ends_with(wanted))
            throw foreign.fault("architectures names " + jsonText(name).substr(0, 80) +
                                ", and of models with a classifier Headlight reads those that name one label for a "
                                "sentence (" +
                                std::string(wanted) + ")");
}

void takeLabels(const ForeignConfig& foreign, const WeightFiles& files, const BertLikeHead& head, ModelConfig& config) {
    requireSentenceLabels(foreign);
    config.architecture = "encoder-classifier";
    config.pooler = head.function;
    config.startsAtBos = false;
    const std::vector<int64_t>& shape = files.shape(labelsWeight);
    const auto labels = static_cast<int>(std::min<int64_t>(shape.empty() ? 0 : shape.front(), 1 << 20));
    requireLabels(foreign, labels);
    config.padId = SpecialIds::pad, config.bosId = SpecialIds::bos;
    config.eosId = SpecialIds::eos, config.unkId = SpecialIds::unk;
    config.targetVocabSize = config.firstLabel() + labels;
}

}  // namespace

ModelConfig bertLikeConfig(const ForeignConfig& foreign, const WeightFiles& files, const BertLikeHead& head) {
    ModelConfig config{.architecture = "masked-language-model"};
    config.sourceVocabSize = config.targetVocabSize = foreign.size("vocab_size");
    config.padId = config.bosId = config.eosId = config.unkId = foreign.id("pad_token_id").value_or(0);
    config.positionalEncoding = PositionalKind::Learned;  // DistilBERT's sinusoids too are kept as a table
    config.scaleEmbeddings = false;
    config.embeddingNorm = true;
    if (files.has(head.words)) {
        config.tieEmbeddings = foreign.flag("tie_word_embeddings", true);
        return config;
    }
    if (files.has(labelsWeight)) {
        takeLabels(foreign, files, head, config);
        return config;
    }
    config.architecture = "encoder";
    if (files.has(head.pooler)) config.pooler = head.function;
    return config;
}

void requireBertLayers(const ForeignConfig& foreign, const char* models) {
    foreign.requireFlag("is_decoder", false);
    if (const std::string kind = foreign.text("position_embedding_type", "absolute"); kind != "absolute")
        throw foreign.fault("position_embedding_type is \"" + kind.substr(0, 80) + "\", and Headlight reads " + models +
                            " with absolute positions");
}

void takeBertSizes(const ForeignConfig& foreign, ModelConfig& config) {
    config.numLayers = foreign.size("num_hidden_layers");
    config.numHeads = foreign.size("num_attention_heads");
    config.dFf = foreign.size("intermediate_size");
    config.tokenTypes = foreign.size("type_vocab_size", 2);
    config.activation = foreign.activation("hidden_act", "gelu");
    config.layerNormEps = foreign.number("layer_norm_eps", 1e-12);
    config.dropout = foreign.number("hidden_dropout_prob", 0);
}

nlohmann::json describeBertSizes(const ModelConfig& config, const char* kind, const char* className) {
    nlohmann::json json = describeSizes(config);
    json.update({{"model_type", kind},
                 {"architectures", {className + std::string(headClass(config))}},
                 {"type_vocab_size", std::max(1, config.tokenTypes)},
                 {"hidden_act", activationName(config.activation)},
                 {"layer_norm_eps", config.layerNormEps},
                 {"hidden_dropout_prob", config.dropout},
                 {"attention_probs_dropout_prob", config.dropout}});
    describeHead(config, json);
    return json;
}

const char* headClass(const ModelConfig& config) {
    if (config.headless()) return config.findsReplaced ? "ForPreTraining" : "Model";
    return config.masked() ? "ForMaskedLM" : "ForSequenceClassification";
}

void describeHead(const ModelConfig& config, nlohmann::json& json) {
    if (config.corpusKind() != CorpusKind::Labels) json["pad_token_id"] = config.padId;
    if (config.masked()) json["tie_word_embeddings"] = config.tieEmbeddings;
}

void bertLikeLayers(const ModelConfig& config, WeightPlan& plan) {
    plan.copy("embedding.weight", "embeddings.word_embeddings.weight");
    plan.copy("positions.weight", "embeddings.position_embeddings.weight");
    plan.copy("token_types.weight", "embeddings.token_type_embeddings.weight");
    plan.module("embedding_norm", "embeddings.LayerNorm");
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string ours = layerScope("transformer.layers.", i), theirs = layerScope("encoder.layer.", i);
        const std::string self = theirs + "attention.self.";
        plan.projections(ours + "self_attn", {self + "query", self + "key", self + "value"});
        plan.module(ours + "self_attn.out_proj", theirs + "attention.output.dense");
        plan.module(ours + "norm1", theirs + "attention.output.LayerNorm");
        plan.module(ours + "linear1", theirs + "intermediate.dense");
        plan.module(ours + "linear2", theirs + "output.dense");
        plan.module(ours + "norm2", theirs + "output.LayerNorm");
    }
}

void headWeights(const ModelConfig& config, const std::string& pooler, WeightPlan& plan) {
    if (config.pooler != PoolerKind::None) plan.module("pooler", pooler);
    if (!config.headless()) plan.module("classifier", "classifier");
}

}  // namespace headlight
