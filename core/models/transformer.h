// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/models/model_config.h"
#include "core/models/transformer_layers.h"
#include "core/nn/positional_encoding.h"

namespace headlight {

/// Sentences padded to one length, row by row.
struct TokenBatch {
    int batch = 0;
    int length = 0;
    std::vector<int> ids;      ///< [batch·length], padded with pad_id
    std::vector<int> lengths;  ///< [batch], without padding

    /// `length` = that of the longest.
    static TokenBatch pad(std::span<const std::vector<int>> sentences, int padId);
};

/// The encoder-decoder Transformer (Vaswani et al. 2017), weights as torch.nn.Transformer names them.
///
/// Traced scopes: encoder.embedding, encoder.input, encoder.layers.{i}.…, encoder.output, decoder.… likewise, logits,
/// log_probs.
class Transformer {
public:
    /// Throws Error where the configuration does not validate. Weights are zeros until initialize() or loading.
    explicit Transformer(const ModelConfig& config);

    const ModelConfig& config() const { return m_config; }
    ParameterSet& parameters() { return m_parameters; }
    const ParameterSet& parameters() const { return m_parameters; }
    void initialize(uint64_t seed) { m_parameters.initialize(seed); }

    /// Source sentences → memory [batch·length, d].
    Value encode(ForwardContext& context, const TokenBatch& source) const;
    /// Decoder input (<bos> y₁ …) and memory → the decoder's output [batch·length, d].
    Value decode(ForwardContext& context, const TokenBatch& target, const Value& memory,
                 const TokenBatch& source) const;
    /// Decoder output → logits [N, target vocabulary].
    Value logits(ForwardContext& context, const Value& decoded) const;

    /// Word-by-word decoding: what is kept between two words, in the arena of the context that began it.
    struct DecoderState {
        std::vector<KeyValueCache> self;    ///< one a layer
        std::vector<KeyValueCache> memory;  ///< one a layer
        Tensor<float> memoryMask;           ///< [batch, 1, source length]
        int position = 0;
    };
    /// Encodes and makes room for `capacity` words a sentence.
    DecoderState beginDecoding(ForwardContext& context, const TokenBatch& source, int capacity) const;
    /// Feeds one word a sentence → logits [batch, target vocabulary] of the next.
    Tensor<float> decodeStep(ForwardContext& context, std::span<const int> words, DecoderState& state) const;

    /// Scopes of all attention blocks in the order of computation.
    std::vector<std::string> attentionBlocks() const;

private:
    Value embed(ForwardContext& context, const Embedding& embedding, std::span<const int> ids, const std::string& scope,
                int length, int position, Axis tokens) const;

    ModelConfig m_config;
    ParameterSet m_parameters;
    Embedding m_sourceEmbedding;
    Embedding m_targetEmbedding;
    PositionalEncoding m_positions;
    std::vector<EncoderLayer> m_encoderLayers;
    std::vector<DecoderLayer> m_decoderLayers;
    std::optional<LayerNorm> m_encoderNorm;
    std::optional<LayerNorm> m_decoderNorm;
    Linear m_generator;
};

/// Additive masks of 0 and −∞, in the tape's arena (CONTRACTS, section 3; one type everywhere).
/// [batch, queries, keys]: keys at and after each sentence's length are masked.
Tensor<float> paddingMask(Tape<float>& tape, std::span<const int> keyLengths, int queries, int keys);
/// The same, and keys after the query's own position (the future).
Tensor<float> causalMask(Tape<float>& tape, std::span<const int> keyLengths, int length);

}  // namespace headlight
