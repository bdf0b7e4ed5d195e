// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/models/seq2seq.h"
#include "core/models/transformer_layers.h"
#include "core/nn/positional_encoding.h"

namespace headlight {

/// The encoder-decoder Transformer (Vaswani et al. 2017), weights as torch.nn.Transformer names them.
///
/// Traced scopes: encoder.embedding, encoder.input, encoder.layers.{i}.…, encoder.output, decoder.… likewise, logits,
/// log_probs.
class Transformer final : public Seq2Seq {
public:
    explicit Transformer(const ModelConfig& config);
    std::unique_ptr<Model> clone() const override { return std::make_unique<Transformer>(*this); }

    Value forward(ForwardContext& context, const TokenBatch& source, const TokenBatch& target) const override;
    std::unique_ptr<DecoderState> beginDecoding(ForwardContext& context, const TokenBatch& source, int beams,
                                                int capacity) const override;
    Tensor<float> decodeStep(ForwardContext& context, std::span<const int> words, DecoderState& state) const override;

private:
    struct CachedState;
    Value encode(ForwardContext& context, const TokenBatch& source) const;
    Value decode(ForwardContext& context, const TokenBatch& target, const Value& memory,
                 const TokenBatch& source) const;
    Value embed(ForwardContext& context, const Embedding& embedding, std::span<const int> ids,
                const PositionalEncoding::Rows& rows) const;

    Embedding m_sourceEmbedding;
    Embedding m_targetEmbedding;
    PositionalEncoding m_positions;
    ModuleRef m_encoderOutput, m_decoderOutput;
    std::vector<EncoderLayer> m_encoderLayers;
    std::vector<DecoderLayer> m_decoderLayers;
    std::optional<LayerNorm> m_encoderNorm;
    std::optional<LayerNorm> m_decoderNorm;
    Linear m_generator;
};

}  // namespace headlight
