// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/models/seq2seq.h"
#include "core/nn/layers.h"
#include "core/nn/recurrent.h"
#include "core/nn/recurrent_attention.h"

namespace headlight {

/// The recurrent encoder-decoder (Sutskever, Vinyals, Le 2014; Cho et al. 2014), with attention where the configuration
/// asks for it (Bahdanau, Cho, Bengio 2015; Luong, Pham, Manning 2015). CONTRACTS, section 2, has it in full.
///
/// A bidirectional encoder's outputs and last states are twice as wide as the decoder: `bridge` and tanh map all of
/// them to its width, so that everything behind the encoder has one size.
///
/// Traced: encoder.embedding, encoder.layers.{i}.… (with .reverse for the other direction), encoder.output,
/// encoder.state, decoder.embedding, decoder.input, decoder.layers.{i}.…, decoder.attention.…, decoder.attentional,
/// logits, log_probs.
class RnnSeq2Seq final : public Seq2Seq {
public:
    explicit RnnSeq2Seq(const ModelConfig& config);
    std::unique_ptr<Model> clone() const override { return std::make_unique<RnnSeq2Seq>(*this); }

    Value forward(ForwardContext& context, const TokenBatch& source, const TokenBatch& target) const override;
    std::unique_ptr<DecoderState> beginDecoding(ForwardContext& context, const TokenBatch& source, int mostBeams,
                                                int capacity) const override;
    Tensor<float> decodeStep(ForwardContext& context, std::span<const int> words, DecoderState& state) const override;

private:
    struct Kept;
    /// What the decoder knows of the source.
    struct Memory {
        Value outputs = {};                              ///< [batch·length, h]
        Variable<float> keys = {};                       ///< [batch·length, h]; with attention
        std::pmr::vector<RecurrentLayer::State> states;  ///< one a layer, [batch, h]
        Value thought = {};                              ///< the last layer's last state, [batch, h]
    };
    Memory encode(ForwardContext& context, const TokenBatch& source) const;
    /// The states of a layer at each sentence's last word, the directions side by side.
    RecurrentLayer::State lastStates(ForwardContext& context, const TokenBatch& source,
                                     std::span<const ops::RecurrentOutput<float>> directions) const;
    Variable<float> bridge(ForwardContext& context, const Variable<float>& x) const;
    /// Embeddings of ids [steps·batch], and beside them the thought where it is joined to every input.
    Value decoderInput(ForwardContext& context, std::span<const int> ids, const Variable<float>& thought) const;
    /// The decoder's states [rows, h] → logits [rows, target vocabulary].
    Value predict(ForwardContext& context, const Value& states, const Memory& memory, const Tensor<float>& mask,
                  const ops::AlignmentShape& shape, Tensor<float>* weights = nullptr) const;

    Embedding m_sourceEmbedding;
    Embedding m_targetEmbedding;
    std::vector<std::vector<RecurrentLayer>> m_encoder;  ///< [layer][direction]
    std::vector<RecurrentLayer> m_decoder;
    ModuleRef m_encoderOutput;  ///< the bridge, where there is one
    std::optional<Linear> m_bridge;
    std::optional<RecurrentAttention> m_attention;
    std::optional<Linear> m_combine;
    Linear m_generator;
};

}  // namespace headlight
