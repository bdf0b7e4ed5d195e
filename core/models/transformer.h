// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/models/seq2seq.h"
#include "core/models/transformer_layers.h"
#include "core/models/word_head.h"
#include "core/nn/attention_positions.h"
#include "core/nn/positional_encoding.h"

namespace headlight {

/// The encoder-decoder Transformer (Vaswani et al. 2017), weights as torch.nn.Transformer names them.
///
/// Traced scopes: encoder.embedding, encoder.embedding_sum (with embedding_norm), encoder.input, encoder.relative_bias,
/// encoder.layers.{i}.…, encoder.output, decoder.… likewise, logits, log_probs.
class Transformer final : public Seq2Seq {
public:
    explicit Transformer(const ModelConfig& config);
    std::unique_ptr<Model> clone() const override { return std::make_unique<Transformer>(*this); }

    Value forward(ForwardContext& context, const TokenBatch& source, const TokenBatch& target) const override;
    std::unique_ptr<DecoderState> beginDecoding(ForwardContext& context, const TokenBatch& source, int mostBeams,
                                                int capacity) const override;
    Tensor<float> decodeStep(ForwardContext& context, std::span<const int> words, DecoderState& state) const override;

private:
    struct CachedState;
    Value encode(ForwardContext& context, const TokenBatch& source) const;
    Value decode(ForwardContext& context, const TokenBatch& target, const Value& memory,
                 const TokenBatch& source) const;
    LayerInput embed(ForwardContext& context, std::span<const int> ids, const PositionalEncoding::Rows& rows) const;

    std::optional<ParameterId> m_sharedEmbedding;  ///< of source and target
    Embedding m_sourceEmbedding;
    Embedding m_targetEmbedding;
    PositionalEncoding m_positions;
    std::optional<PositionalEncoding> m_targetPositions;  ///< where the decoder has its own
    ModuleRef m_encoderOutput, m_decoderOutput;
    std::vector<EncoderLayer> m_encoderLayers;
    std::vector<DecoderLayer> m_decoderLayers;
    std::optional<Norm> m_encoderNorm;
    std::optional<Norm> m_decoderNorm;
    WordHead m_head;
    std::optional<Norm> m_sourceNorm, m_targetNorm;  ///< of what the first layers read
    AttentionPositions m_encoderPositions, m_decoderPositions;
};

}  // namespace headlight
