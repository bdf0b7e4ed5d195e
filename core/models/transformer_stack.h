// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/models/token_batch.h"
#include "core/models/transformer_layers.h"
#include "core/nn/attention_positions.h"
#include "core/nn/positional_encoding.h"

namespace headlight {

/// Of a stack's output [batch·length, d] the first row of each sentence → [batch, d].
Variable<float> firstPositions(ForwardContext& context, const Variable<float>& output, const TokenBatch& ids);

/// Embedding, positions and torch.nn.TransformerEncoder: what decoder-only and encoder-only Transformers share.
/// Traced: ids, embedding, token_type_ids and token_type_embedding (with token_types), positional_encoding,
/// embedding_sum (with embedding_norm), embedding_norm (with word_width), input, relative_bias, layers.{i}.…, output.
class TransformerStack {
public:
    /// Who may look at whom.
    enum class Sight {
        Everywhere,  ///< padding apart
        Backwards,   ///< at itself and the words before
    };
    /// Keys and values of the words so far, one a layer.
    using Cache = std::vector<KeyValueCache>;

    TransformerStack(ParameterSet& parameters, const ModelConfig& config);

    /// ids → [batch·length, d].
    Value forward(ForwardContext& context, const TokenBatch& ids, Sight sight) const;
    Cache makeCache(ForwardContext& context, int capacity) const;
    /// One more word of one text → [1, d].
    Variable<float> step(ForwardContext& context, int word, Cache& cache) const;

    ParameterId embeddingWeight() const { return m_embedding.weight(); }

private:
    /// What the first layer reads, and what all of them are told of the words' places.
    LayerInput embed(ForwardContext& context, std::span<const int> ids, int length, int position) const;
    Value embedTypes(ForwardContext& context, std::span<const int> ids, int length) const;

    int m_separator;
    int m_window;
    Embedding m_embedding;
    PositionalEncoding m_positions;
    ModuleRef m_output;
    std::vector<EncoderLayer> m_layers;
    std::optional<Norm> m_norm;
    std::optional<Embedding> m_types;
    std::optional<Norm> m_embeddingNorm;
    std::optional<Linear> m_wordMap;
    AttentionPositions m_attentionPositions;
};

}  // namespace headlight
