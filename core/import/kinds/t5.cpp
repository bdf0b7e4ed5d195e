// SPDX-License-Identifier: GPL-3.0-or-later
// T5 (Raffel et al. 2020) and Flan-T5: the same with a gated network and a head of its own (T5 1.1).
#include <algorithm>
#include <map>

#include "core/import/model_kind.h"

namespace headlight::t5 {

namespace {

constexpr int longestText = 512;  ///< what T5 was trained on; its positions have no end

std::string fileName(const std::string& canonical) {
    return canonical;
}

struct Network {
    ops::Activation activation;
    bool gated;
};

Network network(const ForeignConfig& foreign) {
    static const std::map<std::string, Network> known{{"relu", {ops::Activation::Relu, false}},
                                                      {"gated-gelu", {ops::Activation::GeluTanh, true}},
                                                      {"gated-relu", {ops::Activation::Relu, true}},
                                                      {"gated-silu", {ops::Activation::Silu, true}}};
    const std::string name = foreign.text("feed_forward_proj", "relu");
    if (const auto found = known.find(name); found != known.end()) {
        // Newer programs write down besides what they make of that name, and go by it.
        foreign.requireFlag("is_gated_act", found->second.gated);
        if (foreign.has("dense_act_fn") && foreign.activation("dense_act_fn", "") != found->second.activation)
            throw foreign.fault("feed_forward_proj is \"" + name +
                                "\", and dense_act_fn another activation: correct one");
        return found->second;
    }
    throw foreign.fault("feed_forward_proj is \"" + name.substr(0, 80) +
                        "\", and Headlight computes relu, gated-gelu, gated-relu and gated-silu");
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles&) {
    ModelConfig config{.architecture = "transformer"};
    config.dModel = foreign.size("d_model");
    config.numHeads = foreign.size("num_heads");
    config.headSize = foreign.size("d_kv");
    config.dFf = foreign.size("d_ff");
    config.numEncoderLayers = foreign.size("num_layers");
    config.numDecoderLayers = foreign.size("num_decoder_layers", config.numEncoderLayers);
    config.sourceVocabSize = config.targetVocabSize = foreign.size("vocab_size");
    config.maxLength = foreign.size("n_positions", longestText);
    config.activation = network(foreign).activation;
    config.gatedFfn = network(foreign).gated;
    config.norm = NormKind::Rms;
    config.normOrder = NormOrder::Pre;
    config.finalNorm = true;
    config.layerNormEps = foreign.number("layer_norm_epsilon", 1e-6);
    config.bias = Biases::None;
    config.positionalEncoding = PositionalKind::Relative;
    config.relativeBuckets = foreign.size("relative_attention_num_buckets", 32);
    config.relativeMaxDistance = foreign.size("relative_attention_max_distance", 128);
    config.scaleEmbeddings = false;
    config.scaleScores = false;
    config.shareEmbeddings = true;
    config.tieEmbeddings = foreign.flag("tie_word_embeddings", true);
    foreign.requireFlag("scale_decoder_outputs", config.tieEmbeddings);  // which newer programs write down besides
    config.scaleOutput = config.tieEmbeddings;
    config.outputBias = false;
    config.dropout = foreign.number("dropout_rate", 0);
    config.padId = foreign.id("pad_token_id").value_or(0);
    config.eosId = foreign.id("eos_token_id").value_or(std::min(1, config.targetVocabSize - 1));
    config.unkId = std::min(2, config.targetVocabSize - 1);
    config.bosId = foreign.id("decoder_start_token_id").value_or(config.padId);
    config.decoderStartId = config.bosId;
    return config;
}

nlohmann::json describe(const ModelConfig& config) {
    // As its program names what it computes; another of ours comes back as something else.
    std::string network = config.gatedFfn ? std::string("gated-") : "";
    network +=
        config.gatedFfn && config.activation == ops::Activation::GeluTanh ? "gelu" : activationName(config.activation);
    return {{"model_type", "t5"},
            {"architectures", {"T5ForConditionalGeneration"}},
            {"is_encoder_decoder", true},
            {"d_model", config.dModel},
            {"d_kv", config.headWidth()},
            {"d_ff", config.dFf},
            {"num_heads", config.numHeads},
            {"num_layers", config.numEncoderLayers},
            {"num_decoder_layers", config.numDecoderLayers},
            {"vocab_size", config.sourceVocabSize},
            {"n_positions", config.maxLength},
            {"feed_forward_proj", network},
            {"layer_norm_epsilon", config.layerNormEps},
            {"relative_attention_num_buckets", config.relativeBuckets},
            {"relative_attention_max_distance", config.relativeMaxDistance},
            {"tie_word_embeddings", config.tieEmbeddings},
            {"dropout_rate", config.dropout},
            {"pad_token_id", config.padId},
            {"eos_token_id", config.eosId},
            {"decoder_start_token_id", config.decoderStart()}};
}

/// A stack's layers hold two or three sublayers, each with its norm.
class StackPlan {
public:
    StackPlan(const ModelConfig& config, WeightPlan& plan) : m_config(config), m_plan(plan) {}

    void stack(const std::string& name, int layers, bool crosses) {
        const std::string ours = "transformer." + name + ".";
        m_plan.copy(ours + "relative_bias.weight",
                    name + ".block.0.layer.0.SelfAttention.relative_attention_bias.weight");
        for (int i = 0; i < layers; ++i) {
            const std::string layer = layerScope(ours + "layers.", i),
                              block = layerScope(name + ".block.", i) + "layer.";
            attention(layer + "self_attn", block + "0.SelfAttention");
            m_plan.copy(layer + "norm1.weight", block + "0.layer_norm.weight");
            if (crosses) {
                attention(layer + "multihead_attn", block + "1.EncDecAttention");
                m_plan.copy(layer + "norm2.weight", block + "1.layer_norm.weight");
            }
            network(layer, block + (crosses ? "2." : "1."), crosses ? "norm3" : "norm2");
        }
        m_plan.copy(ours + "norm.weight", name + ".final_layer_norm.weight");
        m_plan.again(name + ".embed_tokens.weight", "embedding.weight");
    }

private:
    void attention(const std::string& ours, const std::string& theirs) {
        m_plan.stack(ours + ".in_proj_weight", {theirs + ".q.weight", theirs + ".k.weight", theirs + ".v.weight"});
        m_plan.copy(ours + ".out_proj.weight", theirs + ".o.weight");
    }

    void network(const std::string& ours, const std::string& theirs, const std::string& norm) {
        const std::string dense = theirs + "DenseReluDense.";
        m_plan.copy(ours + "linear1.weight", dense + (m_config.gatedFfn ? "wi_0.weight" : "wi.weight"));
        if (m_config.gatedFfn) m_plan.copy(ours + "linear_up.weight", dense + "wi_1.weight");
        m_plan.copy(ours + "linear2.weight", dense + "wo.weight");
        m_plan.copy(ours + norm + ".weight", theirs + "layer_norm.weight");
    }

    const ModelConfig& m_config;
    WeightPlan& m_plan;
};

void weights(const ModelConfig& config, const ForeignConfig&, const ParameterSet&, WeightPlan& plan) {
    plan.copy("embedding.weight", "shared.weight");
    StackPlan stacks(config, plan);
    stacks.stack("encoder", config.numEncoderLayers, false);
    stacks.stack("decoder", config.numDecoderLayers, true);
    plan.head("lm_head.weight", config.tieEmbeddings);
    // The first files of T5 have one for cross-attention, which its program never reads.
    plan.ignore("decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight");
}

}  // namespace

}  // namespace headlight::t5

namespace headlight {

extern const ModelKind t5Kind;
const ModelKind t5Kind{"t5", "T5", {"transformer"}, nullptr, t5::fileName, t5::config, t5::describe, t5::weights};

}  // namespace headlight
