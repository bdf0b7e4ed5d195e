// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/autograd/operations.h"
#include "core/nn/positional_encoding.h"

namespace headlight {

enum class NormOrder {
    Post,  ///< norm(x + sublayer(x)): the paper's
    Pre,   ///< x + sublayer(norm(x))
};

/// The sizes and switches of a model: `headlight.config` of its file and the options of `headlight-cli train`, under
/// the same names (CONTRACTS, section 2).
struct ModelConfig {
    std::string architecture = "transformer";
    int dModel = 64;
    int numHeads = 4;
    int numEncoderLayers = 2;
    int numDecoderLayers = 2;
    int dFf = 256;
    double dropout = 0.1;
    ops::Activation activation = ops::Activation::Relu;
    NormOrder normOrder = NormOrder::Post;
    bool finalNorm = false;
    double layerNormEps = 1e-5;
    PositionalKind positionalEncoding = PositionalKind::Sinusoidal;
    double positionalBase = 10000;
    PositionalCombine positionalCombine = PositionalCombine::Add;
    bool scaleEmbeddings = true;
    int maxLength = 128;
    bool tieEmbeddings = false;
    int sourceVocabSize = 0;
    int targetVocabSize = 0;
    int padId = 0;
    int bosId = 1;
    int eosId = 2;
    int unkId = 3;

    /// Throws Error for sizes that do not go together, naming both and what would.
    void validate() const;
    nlohmann::json toJson() const;
    /// Missing keys keep their defaults (final_norm: on with `pre`, off with `post`). Throws Error for a wrong type or
    /// value, and for a key that it does not know.
    static ModelConfig fromJson(const nlohmann::json& json);

    bool operator==(const ModelConfig&) const = default;
};

/// Calls visit(name, member) for every field, so that the file, the command line and the help are one list. An enum is
/// visited with its words: visit(name, member, {"relu", "gelu", …}) in the order of its values.
template <class Config, class Visit>
void visitFields(Config& config, Visit&& visit) {
    visit("architecture", config.architecture);
    visit("d_model", config.dModel);
    visit("num_heads", config.numHeads);
    visit("num_encoder_layers", config.numEncoderLayers);
    visit("num_decoder_layers", config.numDecoderLayers);
    visit("d_ff", config.dFf);
    visit("dropout", config.dropout);
    visit("activation", config.activation, {"relu", "gelu", "gelu_tanh"});
    visit("norm_order", config.normOrder, {"post", "pre"});
    visit("final_norm", config.finalNorm);
    visit("layer_norm_eps", config.layerNormEps);
    visit("positional_encoding", config.positionalEncoding, {"sinusoidal", "learned", "none"});
    visit("positional_base", config.positionalBase);
    visit("positional_combine", config.positionalCombine, {"add", "concat"});
    visit("scale_embeddings", config.scaleEmbeddings);
    visit("max_length", config.maxLength);
    visit("tie_embeddings", config.tieEmbeddings);
    visit("source_vocab_size", config.sourceVocabSize);
    visit("target_vocab_size", config.targetVocabSize);
    visit("pad_id", config.padId);
    visit("bos_id", config.bosId);
    visit("eos_id", config.eosId);
    visit("unk_id", config.unkId);
}

}  // namespace headlight
