// SPDX-License-Identifier: GPL-3.0-or-later
// OPT (Zhang et al. 2022): learned positions that begin at the third row, norms before the sublayers or behind them.
#include <algorithm>

#include "core/import/model_kind.h"

namespace headlight::opt {

namespace {

std::string canonicalName(const std::string& name, const ForeignConfig&) {
    return withoutPrefix(name, "decoder.");
}

std::string fileName(const std::string& canonical) {
    return withPrefix("model.decoder.", canonical, {"lm_head."});
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles&) {
    foreign.requireFlag("layer_norm_elementwise_affine", true);
    ModelConfig config{.architecture = "language-model"};
    config.dModel = foreign.size("hidden_size");
    if (const int words = foreign.size("word_embed_proj_dim", config.dModel); words != config.dModel)
        throw foreign.fault("word_embed_proj_dim is " + std::to_string(words) + " and hidden_size " +
                            std::to_string(config.dModel) +
                            ": Headlight has no maps between words and layers of another width (project_in, "
                            "project_out); use a model where both are one");
    config.numLayers = foreign.size("num_hidden_layers");
    config.numHeads = foreign.size("num_attention_heads");
    config.dFf = foreign.size("ffn_dim");
    config.sourceVocabSize = config.targetVocabSize = foreign.size("vocab_size");
    config.maxLength = foreign.size("max_position_embeddings", 2048);
    config.activation = foreign.activation("activation_function", "relu");
    const bool before = foreign.flag("do_layer_norm_before", true);
    config.normOrder = before ? NormOrder::Pre : NormOrder::Post;
    config.finalNorm = before && !foreign.flag("_remove_final_layer_norm", false);
    config.layerNormEps = 1e-5;
    if (!foreign.flag("enable_bias", true)) config.qkvBias = config.outProjBias = config.ffnBias = OwnBias::None;
    config.positionalEncoding = PositionalKind::Learned;
    config.positionOffset = 2;
    config.scaleEmbeddings = false;
    config.tieEmbeddings = foreign.flag("tie_word_embeddings", true);
    config.outputBias = false;
    config.startsAtEnd = false;
    config.dropout = foreign.number("dropout", 0);
    const int last = config.sourceVocabSize - 1;
    config.padId = foreign.id("pad_token_id").value_or(std::min(1, last));
    config.eosId = foreign.id("eos_token_id").value_or(std::min(2, last));
    config.bosId = foreign.id("bos_token_id").value_or(config.eosId);
    config.unkId = std::min(3, last);
    return config;
}

nlohmann::json describe(const ModelConfig& config) {
    const bool before = config.normOrder == NormOrder::Pre;
    return {{"model_type", "opt"},
            {"architectures", {"OPTForCausalLM"}},
            {"hidden_size", config.dModel},
            {"word_embed_proj_dim", config.dModel},
            {"num_hidden_layers", config.numLayers},
            {"num_attention_heads", config.numHeads},
            {"ffn_dim", config.dFf},
            {"vocab_size", config.sourceVocabSize},
            {"max_position_embeddings", config.maxLength},
            {"activation_function", activationName(config.activation)},
            {"do_layer_norm_before", before},
            {"_remove_final_layer_norm", before && !config.finalNorm},
            {"enable_bias", config.qkvBiases() == Biases::All},
            {"tie_word_embeddings", config.tieEmbeddings},
            {"dropout", config.dropout},
            {"attention_dropout", config.dropout},
            {"bos_token_id", config.bosId},
            {"eos_token_id", config.eosId},
            {"pad_token_id", config.padId}};
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    plan.copy("embedding.weight", "embed_tokens.weight");
    plan.copy("positions.weight", "embed_positions.weight");
    const bool biased = config.qkvBiases() == Biases::All;
    const auto map = [&](const std::string& ours, const std::string& theirs) {
        plan.copy(ours + ".weight", theirs + ".weight");
        if (biased) plan.copy(ours + ".bias", theirs + ".bias");
    };
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string ours = layerScope("transformer.layers.", i), theirs = layerScope("layers.", i);
        const std::string attention = theirs + "self_attn.";
        for (const char* part : {"weight", "bias"}) {
            if (part[0] == 'b' && !biased) continue;
            const std::string end = std::string("_proj.") + part;
            plan.stack(ours + "self_attn.in_proj_" + part,
                       {attention + "q" + end, attention + "k" + end, attention + "v" + end});
        }
        map(ours + "self_attn.out_proj", attention + "out_proj");
        map(ours + "linear1", theirs + "fc1");
        map(ours + "linear2", theirs + "fc2");
        plan.module(ours + "norm1", theirs + "self_attn_layer_norm");
        plan.module(ours + "norm2", theirs + "final_layer_norm");
    }
    if (config.finalNorm) plan.module("transformer.norm", "final_layer_norm");
    plan.head("lm_head.weight", config.tieEmbeddings);
}

}  // namespace

}  // namespace headlight::opt

namespace headlight {

extern const ModelKind optKind;
const ModelKind optKind{"opt",         "OPT",       {"language-model"}, opt::canonicalName,
                        opt::fileName, opt::config, opt::describe,      opt::weights};

}  // namespace headlight
