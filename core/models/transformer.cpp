// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/transformer.h"

#include "core/nn/masks.h"

namespace headlight {

// The generator starts as torch.nn.Linear does, not as the Transformer's own matrices: Xavier's bound shrinks with the
// vocabulary, and at 10,000 words the first steps would be spent on making logits large enough to matter.
Transformer::Transformer(const ModelConfig& config)
    : Seq2Seq(config),
      m_sourceEmbedding(m_parameters, {.fileScope = "source_embedding",
                                       .traceName = "encoder.embedding",
                                       .idsName = "source.ids",
                                       .vocabulary = config.sourceVocabSize,
                                       .width = config.embeddingWidth(),
                                       .scale = config.embeddingScale(),
                                       .stack = Stack::Encoder}),
      m_targetEmbedding(m_parameters, {.fileScope = "target_embedding",
                                       .traceName = "decoder.embedding",
                                       .idsName = "target.ids",
                                       .vocabulary = config.targetVocabSize,
                                       .width = config.embeddingWidth(),
                                       .scale = config.embeddingScale(),
                                       .stack = Stack::Decoder}),
      m_positions(m_parameters, "positions.weight", config.positionOptions(),
                  {{Stack::Encoder, "encoder"}, {Stack::Decoder, "decoder"}}),
      m_encoderOutput(addStackOutput(m_parameters, "encoder.output", Stack::Encoder, config.finalNorm)),
      m_decoderOutput(addStackOutput(m_parameters, "decoder.output", Stack::Decoder, config.finalNorm)),
      m_generator(config.tieEmbeddings
                      ? Linear(m_parameters, addHead(m_parameters), "generator", m_targetEmbedding.weight())
                      : Linear(m_parameters, addHead(m_parameters), "generator", config.dModel, config.targetVocabSize,
                               Init::FanInUniform)) {
    for (int i = 0; i < config.numEncoderLayers; ++i) {
        const std::string scope = "encoder.layers." + std::to_string(i);
        m_encoderLayers.emplace_back(m_parameters, config, "transformer." + scope, scope,
                                     ModulePlace{Stack::Encoder, Section::Layer, i});
    }
    for (int i = 0; i < config.numDecoderLayers; ++i) {
        const std::string scope = "decoder.layers." + std::to_string(i);
        m_decoderLayers.emplace_back(m_parameters, config, "transformer." + scope, scope,
                                     ModulePlace{Stack::Decoder, Section::Layer, i});
    }
    if (config.finalNorm) {
        const float epsilon = static_cast<float>(config.layerNormEps);
        m_encoderNorm.emplace(m_parameters, m_encoderOutput, "transformer.encoder.norm", config.dModel, epsilon);
        m_decoderNorm.emplace(m_parameters, m_decoderOutput, "transformer.decoder.norm", config.dModel, epsilon);
    }
}

Value Transformer::embed(ForwardContext& context, const Embedding& embedding, std::span<const int> ids,
                         const PositionalEncoding::Rows& rows) const {
    Value input = m_positions.forward(context, embedding.forward(context, ids, rows.tokens), rows);
    input.variable = ops::dropoutInPlace(context.tape, input.variable, context.dropout, context.nextSeed());
    return input;
}

Value Transformer::encode(ForwardContext& context, const TokenBatch& source) const {
    const AttentionShape shape{source.batch, source.length, source.length, Axis::SourceToken, Axis::SourceToken};
    const Tensor<float> padding = paddingMask(context.tape, source.lengths, source.length, source.length);
    Value x = embed(context, m_sourceEmbedding, source.ids, {Stack::Encoder, source.length, 0, Axis::SourceToken});
    for (const EncoderLayer& layer : m_encoderLayers)
        x = layer.forward(context, x, padding, shape);
    return stackOutput(context, x, m_encoderNorm, m_encoderOutput, Axis::SourceToken);
}

Value Transformer::decode(ForwardContext& context, const TokenBatch& target, const Value& memory,
                          const TokenBatch& source) const {
    const AttentionShape self{target.batch, target.length, target.length, Axis::TargetToken, Axis::TargetToken};
    const AttentionShape cross{target.batch, target.length, source.length, Axis::TargetToken, Axis::SourceToken};
    const DecoderLayer::Masks masks{causalMask(context.tape, target.lengths, target.length),
                                    paddingMask(context.tape, source.lengths, target.length, source.length)};
    Value x = embed(context, m_targetEmbedding, target.ids, {Stack::Decoder, target.length, 0, Axis::TargetToken});
    for (const DecoderLayer& layer : m_decoderLayers)
        x = layer.forward(context, x, memory, masks, self, cross);
    return stackOutput(context, x, m_decoderNorm, m_decoderOutput, Axis::TargetToken);
}

Value Transformer::forward(ForwardContext& context, const TokenBatch& source, const TokenBatch& target) const {
    const Value memory = encode(context, source);
    const Value decoded = decode(context, target, memory, source);
    return recordLogits(context, {m_generator.forward(context, decoded.variable)}, m_generator, decoded.name,
                        Axis::TargetToken);
}

struct Transformer::CachedState final : DecoderState {
    std::vector<KeyValueCache> self;    ///< one a layer, a sentence of it a row
    std::vector<KeyValueCache> spare;   ///< what select() copies into; empty where nothing is ever selected
    std::vector<KeyValueCache> memory;  ///< one a layer
    Tensor<float> memoryMask;           ///< [sentences, beams, source length]
    int position = 0;

    void select(std::span<const int> parents) override {
        for (size_t layer = 0; layer < self.size(); ++layer) {
            self[layer].copyRows(parents, spare[layer]);
            std::swap(self[layer], spare[layer]);
        }
    }
};

std::unique_ptr<Seq2Seq::DecoderState> Transformer::beginDecoding(ForwardContext& context, const TokenBatch& source,
                                                                  int beams, int capacity) const {
    const Value memory = encode(context, source);
    auto state = std::make_unique<CachedState>();
    state->sentences = source.batch;
    state->beams = beams;
    state->memoryMask = paddingMask(context.tape, source.lengths, beams, source.length);
    const Shape rows{source.batch * beams * capacity, m_config.dModel};
    const auto room = [&] {
        return KeyValueCache{context.tape.allocate(rows), context.tape.allocate(rows), capacity, 0};
    };
    for (const DecoderLayer& layer : m_decoderLayers) {
        state->self.push_back(room());
        if (beams > 1) state->spare.push_back(room());
        state->memory.push_back(layer.crossAttention().projectMemory(context, memory.variable, source.length));
    }
    return state;
}

Tensor<float> Transformer::decodeStep(ForwardContext& context, std::span<const int> words, DecoderState& kept) const {
    auto& state = static_cast<CachedState&>(kept);
    state.attention.clear();
    Value x = embed(context, m_targetEmbedding, words, {Stack::Decoder, 1, state.position, Axis::TargetToken});
    for (size_t i = 0; i < m_decoderLayers.size(); ++i) {
        const DecoderLayer::StepMemory memory{state.memory[i], state.memoryMask};
        DecoderLayer::StepOutput output = m_decoderLayers[i].step(context, x, state.self[i], memory);
        x = output.value;
        state.attention.push_back(output.crossWeights);
    }
    if (m_decoderNorm) x.variable = m_decoderNorm->forward(context, x.variable);
    ++state.position;
    return m_generator.forward(context, x.variable).value;
}

}  // namespace headlight
