// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/transformer.h"

#include "core/models/stack_parts.h"
#include "core/nn/masks.h"

namespace headlight {

namespace {

using Readers = std::vector<std::pair<Stack, std::string>>;

bool sharesPositions(const ModelConfig& config) {
    return config.sharePositions || config.positionalEncoding != PositionalKind::Learned;
}

/// One matrix for both vocabularies is none of theirs.
std::optional<ParameterId> makeSharedEmbedding(ParameterSet& parameters, const ModelConfig& config) {
    if (!config.shareEmbeddings) return {};
    const ModuleRef owner = parameters.addModule({ModuleKind::Embedding, "embedding", {Stack::Shared, Section::Start}});
    return parameters.add(owner, "embedding.weight", {config.sourceVocabSize, config.embeddingWidth()},
                          Init::EmbeddingNormal);
}

PositionalEncoding makePositions(ParameterSet& parameters, const ModelConfig& config) {
    if (sharesPositions(config))
        return {parameters, "positions.weight", config.positionOptions(),
                Readers{{Stack::Encoder, "encoder"}, {Stack::Decoder, "decoder"}}};
    return {parameters, "source_positions.weight", config.positionOptions(), Readers{{Stack::Encoder, "encoder"}}};
}

}  // namespace

Transformer::Transformer(const ModelConfig& config)
    : Seq2Seq(config),
      m_sharedEmbedding(makeSharedEmbedding(m_parameters, config)),
      m_sourceEmbedding(m_parameters, {.fileScope = "source_embedding",
                                       .traceName = "encoder.embedding",
                                       .idsName = "source.ids",
                                       .vocabulary = config.sourceVocabSize,
                                       .width = config.embeddingWidth(),
                                       .scale = config.embeddingScale(),
                                       .stack = Stack::Encoder,
                                       .shared = m_sharedEmbedding}),
      m_targetEmbedding(m_parameters, {.fileScope = "target_embedding",
                                       .traceName = "decoder.embedding",
                                       .idsName = "target.ids",
                                       .vocabulary = config.targetVocabSize,
                                       .width = config.embeddingWidth(),
                                       .scale = config.embeddingScale(),
                                       .stack = Stack::Decoder,
                                       .shared = m_sharedEmbedding}),
      m_positions(makePositions(m_parameters, config)),
      m_encoderOutput(addStackOutput(m_parameters, "encoder.output", Stack::Encoder, config.finalNorm)),
      m_decoderOutput(addStackOutput(m_parameters, "decoder.output", Stack::Decoder, config.finalNorm)),
      m_head(m_parameters, config, m_targetEmbedding.weight()),
      m_encoderPositions(m_parameters, attentionPositions(config, Stack::Encoder, "encoder")),
      m_decoderPositions(m_parameters, attentionPositions(config, Stack::Decoder, "decoder")) {
    if (!sharesPositions(config))
        m_targetPositions.emplace(m_parameters, "target_positions.weight", config.positionOptions(),
                                  Readers{{Stack::Decoder, "decoder"}});
    if (config.embeddingNorm) {
        m_sourceNorm.emplace(makeEmbeddingNorm(m_parameters, config, Stack::Encoder, "encoder"));
        m_targetNorm.emplace(makeEmbeddingNorm(m_parameters, config, Stack::Decoder, "decoder"));
    }
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
        m_encoderNorm.emplace(m_parameters, m_encoderOutput, "transformer.encoder.norm", normOptions(config));
        m_decoderNorm.emplace(m_parameters, m_decoderOutput, "transformer.decoder.norm", normOptions(config));
    }
}

LayerInput Transformer::embed(ForwardContext& context, std::span<const int> ids,
                              const PositionalEncoding::Rows& rows) const {
    const bool decodes = rows.stack == Stack::Decoder;
    const std::optional<Norm>& norm = decodes ? m_targetNorm : m_sourceNorm;
    const Value words = (decodes ? m_targetEmbedding : m_sourceEmbedding).forward(context, ids, rows.tokens);
    LayerInput input{{}, (decodes ? m_decoderPositions : m_encoderPositions).of(context, rows)};
    input.value = (decodes && m_targetPositions ? *m_targetPositions : m_positions)
                      .forward(context, words, rows, {{}, norm ? &*norm : nullptr});
    Variable<float>& x = input.value.variable;
    x = ops::dropoutInPlace(context.tape, x, context.dropout, context.nextSeed());
    return input;
}

Value Transformer::encode(ForwardContext& context, const TokenBatch& source) const {
    const AttentionShape shape{source.batch, source.length, source.length, Axis::SourceToken, Axis::SourceToken};
    const Tensor<float> padding = paddingMask(context.tape, source.lengths, source.length, source.length);
    const LayerInput input = embed(context, source.ids, {Stack::Encoder, source.length, 0, Axis::SourceToken});
    const Value x =
        throughLayers(context, m_encoderLayers, input.value, [&](const EncoderLayer& layer, const Value& each) {
            return layer.forward(context, each, padding, shape, input.places);
        });
    return stackOutput(context, x, m_encoderNorm, m_encoderOutput, Axis::SourceToken);
}

Value Transformer::decode(ForwardContext& context, const TokenBatch& target, const Value& memory,
                          const TokenBatch& source) const {
    const AttentionShape self{target.batch, target.length, target.length, Axis::TargetToken, Axis::TargetToken};
    const AttentionShape cross{target.batch, target.length, source.length, Axis::TargetToken, Axis::SourceToken};
    const LayerInput input = embed(context, target.ids, {Stack::Decoder, target.length, 0, Axis::TargetToken});
    const DecoderLayer::Sight sight{causalMask(context.tape, target.lengths, target.length),
                                    paddingMask(context.tape, source.lengths, target.length, source.length),
                                    input.places};
    const Value x =
        throughLayers(context, m_decoderLayers, input.value, [&](const DecoderLayer& layer, const Value& each) {
            return layer.forward(context, each, memory, sight, self, cross);
        });
    return stackOutput(context, x, m_decoderNorm, m_decoderOutput, Axis::TargetToken);
}

Value Transformer::forward(ForwardContext& context, const TokenBatch& source, const TokenBatch& target) const {
    const Value memory = encode(context, source);
    return m_head.forward(context, decode(context, target, memory, source), Axis::TargetToken);
}

struct Transformer::CachedState final : DecoderState {
    std::vector<KeyValueCache> self;    ///< one a layer, of all rows
    std::vector<KeyValueCache> memory;  ///< one a layer, of all sentences
    std::vector<int> sourceLengths;     ///< of each sentence
    int position = 0;

    void select(std::span<const int> parents) override {
        for (KeyValueCache& cache : self)
            cache.select(parents);
        beams = static_cast<int>(parents.size()) / sentences;
    }

    void keep(std::span<const int> going) override {
        std::vector<int> rows, lengths;
        for (const int sentence : going) {
            lengths.push_back(sourceLengths[static_cast<size_t>(sentence)]);
            for (int beam = 0; beam < beams; ++beam)
                rows.push_back(sentence * beams + beam);
        }
        for (KeyValueCache& cache : self)
            cache.select(rows);
        for (KeyValueCache& cache : memory)
            cache.select(going);
        sourceLengths = std::move(lengths);
        sentences = static_cast<int>(going.size());
    }
};

std::unique_ptr<Seq2Seq::DecoderState> Transformer::beginDecoding(ForwardContext& context, const TokenBatch& source,
                                                                  int mostBeams, int capacity) const {
    const Value memory = encode(context, source);
    auto state = std::make_unique<CachedState>();
    state->sentences = source.batch;
    state->sourceLengths.assign(source.lengths.begin(), source.lengths.end());
    for (const DecoderLayer& layer : m_decoderLayers) {
        state->self.push_back(layer.selfAttention().makeCache(context, source.batch * mostBeams, capacity));
        state->memory.push_back(layer.crossAttention().projectMemory(context, memory.variable, source.length));
    }
    return state;
}

Tensor<float> Transformer::decodeStep(ForwardContext& context, std::span<const int> words, DecoderState& kept) const {
    auto& state = static_cast<CachedState&>(kept);
    state.attention.clear();
    const ForwardContext::AtPosition here(context, state.position);
    auto [x, places] = embed(context, words, {Stack::Decoder, 1, state.position, Axis::TargetToken});
    const Tensor<float> mask =
        paddingMask(context.tape, state.sourceLengths, state.beams, state.memory.front().capacity);
    for (size_t i = 0; i < m_decoderLayers.size(); ++i) {
        const DecoderLayer::StepSight sight{state.memory[i], mask, places};
        DecoderLayer::StepOutput output = m_decoderLayers[i].step(context, x, state.self[i], sight);
        x = output.value;
        state.attention.push_back(output.crossWeights);
    }
    ++state.position;
    const Value output = stackOutput(context, x, m_decoderNorm, m_decoderOutput, Axis::TargetToken);
    return m_head.forward(context, output, Axis::TargetToken).variable.value;
}

}  // namespace headlight
