// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/transformer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor/kernels.h"

namespace headlight {

namespace {

const ModelConfig& validated(const ModelConfig& config) {
    config.validate();
    return config;
}

int embeddingWidth(const ModelConfig& config) {
    const bool halved =
        config.positionalCombine == PositionalCombine::Concat && config.positionalEncoding != PositionalKind::None;
    return halved ? config.dModel / 2 : config.dModel;
}

float embeddingScale(const ModelConfig& config) {
    return config.scaleEmbeddings ? std::sqrt(static_cast<float>(config.dModel)) : 1.0f;
}

PositionalEncoding::Options positionOptions(const ModelConfig& config) {
    return {config.positionalEncoding, config.positionalCombine, config.positionalBase, embeddingWidth(config),
            config.maxLength};
}

Tensor<float> mask(Tape<float>& tape, std::span<const int> keyLengths, int queries, int keys, bool causal) {
    const int batch = static_cast<int>(keyLengths.size());
    const Tensor<float> result = tape.allocate({batch, queries, keys});
    float* out = result.data;
    for (int b = 0; b < batch; ++b)
        for (int q = 0; q < queries; ++q)
            for (int k = 0; k < keys; ++k)
                *out++ = k < keyLengths[static_cast<size_t>(b)] && (!causal || k <= q)
                             ? 0.0f
                             : -std::numeric_limits<float>::infinity();
    return result;
}

}  // namespace

Tensor<float> paddingMask(Tape<float>& tape, std::span<const int> keyLengths, int queries, int keys) {
    return mask(tape, keyLengths, queries, keys, false);
}

Tensor<float> causalMask(Tape<float>& tape, std::span<const int> keyLengths, int length) {
    return mask(tape, keyLengths, length, length, true);
}

TokenBatch TokenBatch::pad(std::span<const std::vector<int>> sentences, int padId) {
    TokenBatch result;
    result.batch = static_cast<int>(sentences.size());
    for (const std::vector<int>& sentence : sentences) {
        result.lengths.push_back(static_cast<int>(sentence.size()));
        result.length = std::max(result.length, result.lengths.back());
    }
    result.ids.reserve(sentences.size() * static_cast<size_t>(result.length));
    for (const std::vector<int>& sentence : sentences) {
        result.ids.insert(result.ids.end(), sentence.begin(), sentence.end());
        result.ids.insert(result.ids.end(), static_cast<size_t>(result.length) - sentence.size(), padId);
    }
    return result;
}

// The generator starts as torch.nn.Linear does, not as the Transformer's own matrices: Xavier's bound shrinks with the
// vocabulary, and at 10,000 words the first steps would be spent on making logits large enough to matter.
Transformer::Transformer(const ModelConfig& config)
    : m_config(validated(config)),
      m_sourceEmbedding(m_parameters, "source_embedding", config.sourceVocabSize, embeddingWidth(config),
                        embeddingScale(config)),
      m_targetEmbedding(m_parameters, "target_embedding", config.targetVocabSize, embeddingWidth(config),
                        embeddingScale(config)),
      m_positions(m_parameters, "positions.weight", positionOptions(config)),
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
    input.variable = ops::dropout(context.tape, input.variable, context.dropout, context.nextSeed());
    return input;
}

namespace {

void recordIds(ForwardContext& context, const TokenBatch& tokens, const char* scope, Axis axis) {
    Value ids{{context.tape.allocate({1, tokens.length}), {}}};
    std::transform(tokens.ids.begin(), tokens.ids.end(), ids.variable.value.data,
                   [](int id) { return static_cast<float>(id); });
    context.record(ids, scope, "ids", Operation::Input, std::vector<Axis>{axis}, std::vector<int>{tokens.length}, {});
}

}  // namespace

Value Transformer::encode(ForwardContext& context, const TokenBatch& source) const {
    if (context.tracing()) recordIds(context, source, "source", Axis::SourceToken);
    const AttentionShape shape{source.batch, source.length, source.length, Axis::SourceToken, Axis::SourceToken};
    const Tensor<float> padding = paddingMask(context.tape, source.lengths, source.length, source.length);
    Value x = embed(context, m_sourceEmbedding, source.ids, "encoder", source.length, 0, Axis::SourceToken);
    for (const EncoderLayer& layer : m_encoderLayers)
        x = layer.forward(context, x, padding, shape);
    Value output{m_encoderNorm ? m_encoderNorm->forward(context, x.variable) : x.variable};
    if (context.tracing())
        context.record(output, "encoder", "output", Operation::LayerNorm, Axis::SourceToken, {x.name});
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
        context.record(output, "decoder", "output", Operation::LayerNorm, Axis::TargetToken, {x.name});
    return output;
}

Value Transformer::logits(ForwardContext& context, const Value& decoded) const {
    Value result{m_generator.forward(context, decoded.variable)};
    if (!context.tracing()) return result;
    context.record(result, "", "logits", Operation::Linear, Axis::TargetToken, {decoded.name}, Axis::Vocabulary);
    Value logProbs{{context.tape.allocate(result.variable.shape()), {}}};
    kernels<float>().logSoftmaxRows(result.variable.rows(), result.variable.cols(), result.variable.value.data,
                                    logProbs.variable.value.data);
    context.record(logProbs, "", "log_probs", Operation::LogSoftmax, Axis::TargetToken, {result.name},
                   Axis::Vocabulary);
    return result;
}

Transformer::DecoderState Transformer::beginDecoding(ForwardContext& context, const TokenBatch& source,
                                                     int capacity) const {
    const Value memory = encode(context, source);
    DecoderState state;
    state.memoryMask = paddingMask(context.tape, source.lengths, 1, source.length);
    for (const DecoderLayer& layer : m_decoderLayers) {
        const Shape rows{source.batch * capacity, m_config.dModel};
        state.self.push_back({context.tape.allocate(rows), context.tape.allocate(rows), capacity, 0});
        state.memory.push_back(layer.crossAttention().projectMemory(context, memory.variable, source.length));
    }
    return state;
}

Tensor<float> Transformer::decodeStep(ForwardContext& context, std::span<const int> words, DecoderState& state) const {
    Value x = embed(context, m_targetEmbedding, words, "decoder", 1, state.position, Axis::TargetToken);
    for (size_t i = 0; i < m_decoderLayers.size(); ++i)
        x = m_decoderLayers[i].step(context, x, state.self[i], state.memory[i], state.memoryMask);
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
