// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/models/token_batch.h"
#include "core/models/transformer_layers.h"
#include "core/nn/positional_encoding.h"

namespace headlight {

/// Embedding, positions and torch.nn.TransformerEncoder: what decoder-only and encoder-only Transformers share.
/// Traced: ids, embedding, positional_encoding, input, layers.{i}.…, output.
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
    Value embed(ForwardContext& context, std::span<const int> ids, int length, int position) const;

    Embedding m_embedding;
    PositionalEncoding m_positions;
    ModuleRef m_output;
    std::vector<EncoderLayer> m_layers;
    std::optional<LayerNorm> m_norm;
};

}  // namespace headlight
