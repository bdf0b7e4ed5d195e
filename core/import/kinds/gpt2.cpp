// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-2 and DistilGPT-2 (Radford et al. 2019), and what minGPT and nanoGPT write: the same names, the four matrices of
// a layer the other way round.
#include <algorithm>

#include "core/import/model_kind.h"

namespace headlight::gpt2 {

namespace {

constexpr const char* fusedWeight = "h.0.attn.c_attn.weight";

/// GPT-2 keeps [in, out] where torch.nn.Linear has [out, in]. Queries, keys and values together are three times as many
/// as what they are made of, so that matrix tells which it is. What is yet to be written is GPT-2's own.
WeightPlan::Layout layout(const WeightFiles& files) {
    if (files.isPlan()) return WeightPlan::Layout::InOut;
    const std::vector<int64_t>& shape = files.shape(fusedWeight);
    return shape.size() == 2 && shape[0] > shape[1] ? WeightPlan::Layout::OutIn : WeightPlan::Layout::InOut;
}

std::string fileName(const std::string& canonical) {
    return withPrefix("transformer.", canonical, {"lm_head."});
}

nlohmann::json describe(const ModelConfig& config) {
    return {{"model_type", "gpt2"},
            {"architectures", {"GPT2LMHeadModel"}},
            {"n_embd", config.dModel},
            {"n_layer", config.numLayers},
            {"n_head", config.numHeads},
            {"n_inner", config.dFf},
            {"n_positions", config.maxLength},
            {"vocab_size", config.sourceVocabSize},
            {"activation_function", activationName(config.activation)},
            {"layer_norm_epsilon", config.layerNormEps},
            {"scale_attn_weights", config.scaleScores},
            {"scale_attn_by_inverse_layer_idx", config.scaleScoresByLayer},
            {"tie_word_embeddings", config.tieEmbeddings},
            {"resid_pdrop", config.dropout},
            {"embd_pdrop", config.dropout},
            {"attn_pdrop", config.dropout},
            {"bos_token_id", config.bosId},
            {"eos_token_id", config.eosId},
            {"pad_token_id", config.padId}};
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles& files) {
    foreign.requireFlag("add_cross_attention", false);
    ModelConfig config{.architecture = "language-model"};
    config.dModel = foreign.size("n_embd");
    config.numLayers = foreign.size("n_layer");
    config.numHeads = foreign.size("n_head");
    config.dFf = foreign.size("n_inner", static_cast<int>(std::min(int64_t{4} * config.dModel, int64_t{1} << 30)));
    config.sourceVocabSize = config.targetVocabSize = foreign.size("vocab_size");
    config.maxLength = foreign.size(foreign.has("n_positions") ? "n_positions" : "block_size");
    const bool conv1d = layout(files) == WeightPlan::Layout::InOut;
    config.activation = foreign.activation("activation_function", conv1d ? "gelu_new" : "gelu");
    config.normOrder = NormOrder::Pre;
    config.finalNorm = true;
    config.layerNormEps = foreign.number("layer_norm_epsilon", 1e-5);
    config.positionalEncoding = PositionalKind::Learned;
    config.scaleEmbeddings = false;
    config.scaleScores = foreign.flag("scale_attn_weights", true);
    config.scaleScoresByLayer = foreign.flag("scale_attn_by_inverse_layer_idx", false);
    config.bias = files.has("h.0.ln_1.bias") ? Biases::All : Biases::None;  // nanoGPT may do without
    config.tieEmbeddings = foreign.flag("tie_word_embeddings", true);
    config.outputBias = false;
    config.startsAtEnd = false;
    config.dropout = foreign.number("resid_pdrop", foreign.number("dropout", 0));
    // One token ends a text, begins it, and stands for what there is no other for.
    const int end = foreign.id("eos_token_id").value_or(config.sourceVocabSize - 1);
    config.eosId = config.unkId = end;
    config.bosId = foreign.id("bos_token_id").value_or(end);
    config.padId = foreign.id("pad_token_id").value_or(end);
    return config;
}

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    const WeightPlan::Layout matrices = layout(plan.files());
    plan.copy("embedding.weight", "wte.weight");
    plan.copy("positions.weight", "wpe.weight");
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string ours = layerScope("transformer.layers.", i), theirs = layerScope("h.", i);
        plan.copy(ours + "self_attn.in_proj_weight", theirs + "attn.c_attn.weight", matrices);
        plan.copy(ours + "self_attn.in_proj_bias", theirs + "attn.c_attn.bias");
        plan.module(ours + "self_attn.out_proj", theirs + "attn.c_proj", matrices);
        plan.module(ours + "linear1", theirs + "mlp.c_fc", matrices);
        plan.module(ours + "linear2", theirs + "mlp.c_proj", matrices);
        plan.module(ours + "norm1", theirs + "ln_1");
        plan.module(ours + "norm2", theirs + "ln_2");
    }
    plan.module("transformer.norm", "ln_f");
    plan.head("lm_head.weight", config.tieEmbeddings);
    plan.ignore("h.*.attn.bias");  // the causal mask, which older files keep
    plan.ignore("h.*.attn.masked_bias");
}

}  // namespace

}  // namespace headlight::gpt2

namespace headlight {

extern const ModelKind gpt2Kind;
const ModelKind gpt2Kind{"gpt2",         "GPT-2",      {"language-model"}, nullptr,
                         gpt2::fileName, gpt2::config, gpt2::describe,     gpt2::weights};

}  // namespace headlight
