// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/transformer.h"

#include "core/nn/masks.h"

namespace headlight {

// The generator starts as torch.nn.Linear does, not as the Transformer's own matrices: Xavier's bound shrinks with the
// vocabulary, and at 10,000 words the first steps would be spent on making logits large enough to matter.
Transformer::Transformer(const ModelConfig& config)
    : Seq2Seq(config),
      m_sourceEmbedding(m_parameters, "source_embedding", config.sourceVocabSize, config.embeddingWidth(),
                        config.embeddingScale()),
      m_targetEmbedding(m_parameters, "target_embedding", config.targetVocabSize, config.embeddingWidth(),
                        config.embeddingScale()),
      m_positions(m_parameters, "positions.weight", config.positionOptions()),
      m_generator(config.tieEmbeddings
                      ? Linear(m_parameters, "generator", m_targetEmbedding.weight())
                      : Linear(m_parameters, "generator", config.dModel, config.targetVocabSize, Init::FanInUniform)) {
    for (int i = 0; i < config.numEncoderLayers; ++i) {
        const std::string scope = "encoder.layers." + std::to_string(i);
        m_encoderLayers.emplace_back(m_parameters, config, "transformer." + scope, scope);
    }
    for (int i = 0; i < config.numDecoderLayers; ++i) {
        const std::string scope = "decoder.layers." + std::to_string(i);
        m_decoderLayers.emplace_back(m_parameters, config, "transformer." + scope, scope);
    }
    if (config.finalNorm) {
        const float epsilon = static_cast<float>(config.layerNormEps);
        m_encoderNorm.emplace(m_parameters, "transformer.encoder.norm", config.dModel, epsilon);
        m_decoderNorm.emplace(m_parameters, "transformer.decoder.norm", config.dModel, epsilon);
    }
}

Value Transformer::embed(ForwardContext& context, const Embedding& embedding, std::span<const int> ids,
                         const std::string& scope, int length, int position, Axis tokens) const {
    Value embedded{embedding.forward(context, ids)};
    if (context.tracing()) {
        const std::string idsName = tokens == Axis::SourceToken ? "source.ids" : "target.ids";
        context.record(embedded, scope, "embedding", Operation::Embedding, tokens, {idsName});
    }
    Value input = m_positions.forward(context, embedded, scope, length, position, tokens);
    input.variable = ops::dropoutInPlace(context.tape, input.variable, context.dropout, context.nextSeed());
    return input;
}

Value Transformer::encode(ForwardContext& context, const TokenBatch& source) const {
    if (context.tracing()) recordIds(context, source, "source", Axis::SourceToken);
    const AttentionShape shape{source.batch, source.length, source.length, Axis::SourceToken, Axis::SourceToken};
    const Tensor<float> padding = paddingMask(context.tape, source.lengths, source.length, source.length);
    Value x = embed(context, m_sourceEmbedding, source.ids, "encoder", source.length, 0, Axis::SourceToken);
    for (const EncoderLayer& layer : m_encoderLayers)
        x = layer.forward(context, x, padding, shape);
    Value output{m_encoderNorm ? m_encoderNorm->forward(context, x.variable) : x.variable};
    if (context.tracing())
        context.record(output, "encoder", "output", m_encoderNorm ? Operation::LayerNorm : Operation::Identity,
                       Axis::SourceToken, {x.name});
    return output;
}

Value Transformer::decode(ForwardContext& context, const TokenBatch& target, const Value& memory,
                          const TokenBatch& source) const {
    if (context.tracing()) recordIds(context, target, "target", Axis::TargetToken);
    const AttentionShape self{target.batch, target.length, target.length, Axis::TargetToken, Axis::TargetToken};
    const AttentionShape cross{target.batch, target.length, source.length, Axis::TargetToken, Axis::SourceToken};
    const DecoderLayer::Masks masks{causalMask(context.tape, target.lengths, target.length),
                                    paddingMask(context.tape, source.lengths, target.length, source.length)};
    Value x = embed(context, m_targetEmbedding, target.ids, "decoder", target.length, 0, Axis::TargetToken);
    for (const DecoderLayer& layer : m_decoderLayers)
        x = layer.forward(context, x, memory, masks, self, cross);
    Value output{m_decoderNorm ? m_decoderNorm->forward(context, x.variable) : x.variable};
    if (context.tracing())
        context.record(output, "decoder", "output", m_decoderNorm ? Operation::LayerNorm : Operation::Identity,
                       Axis::TargetToken, {x.name});
    return output;
}

Value Transformer::forward(ForwardContext& context, const TokenBatch& source, const TokenBatch& target) const {
    const Value memory = encode(context, source);
    const Value decoded = decode(context, target, memory, source);
    return recordLogits(context, {m_generator.forward(context, decoded.variable)}, decoded.name, Axis::TargetToken);
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
    Value x = embed(context, m_targetEmbedding, words, "decoder", 1, state.position, Axis::TargetToken);
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

std::vector<std::string> Transformer::attentionBlocks() const {
    std::vector<std::string> blocks;
    for (const EncoderLayer& layer : m_encoderLayers)
        blocks.push_back(layer.selfAttention().scope());
    for (const DecoderLayer& layer : m_decoderLayers) {
        blocks.push_back(layer.selfAttention().scope());
        blocks.push_back(layer.crossAttention().scope());
    }
    return blocks;
}

}  // namespace headlight
