// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/transformer_stack.h"

#include "core/models/model.h"
#include "core/nn/masks.h"

namespace headlight {

TransformerStack::TransformerStack(ParameterSet& parameters, const ModelConfig& config)
    : m_embedding(parameters, {.fileScope = "embedding",
                               .traceName = "embedding",
                               .idsName = "ids",
                               .vocabulary = config.sourceVocabSize,
                               .width = config.embeddingWidth(),
                               .scale = config.embeddingScale()}),
      m_positions(parameters, "positions.weight", config.positionOptions(), {{Stack::Only, ""}}),
      m_output(addStackOutput(parameters, "output", Stack::Only, config.finalNorm)) {
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string scope = "layers." + std::to_string(i);
        m_layers.emplace_back(parameters, config, "transformer." + scope, scope,
                              ModulePlace{Stack::Only, Section::Layer, i});
    }
    if (config.finalNorm)
        m_norm.emplace(parameters, m_output, "transformer.norm", config.dModel,
                       static_cast<float>(config.layerNormEps));
}

Value TransformerStack::embed(ForwardContext& context, std::span<const int> ids, int length, int position) const {
    Value input = m_positions.forward(context, m_embedding.forward(context, ids, Axis::SourceToken),
                                      {Stack::Only, length, position, Axis::SourceToken});
    input.variable = ops::dropoutInPlace(context.tape, input.variable, context.dropout, context.nextSeed());
    return input;
}

Value TransformerStack::forward(ForwardContext& context, const TokenBatch& ids, Sight sight) const {
    const AttentionShape shape{ids.batch, ids.length, ids.length, Axis::SourceToken, Axis::SourceToken};
    const Tensor<float> mask = sight == Sight::Backwards
                                   ? causalMask(context.tape, ids.lengths, ids.length)
                                   : paddingMask(context.tape, ids.lengths, ids.length, ids.length);
    Value x = embed(context, ids.ids, ids.length, 0);
    for (const EncoderLayer& layer : m_layers)
        x = layer.forward(context, x, mask, shape);
    return stackOutput(context, x, m_norm, m_output, Axis::SourceToken);
}

TransformerStack::Cache TransformerStack::makeCache(ForwardContext& context, int capacity) const {
    Cache cache;
    for (const EncoderLayer& layer : m_layers) {
        const Shape rows{capacity, layer.selfAttention().width()};
        cache.push_back({context.tape.allocate(rows), context.tape.allocate(rows), capacity, 0});
    }
    return cache;
}

Variable<float> TransformerStack::step(ForwardContext& context, int word, Cache& cache) const {
    Value x = embed(context, std::span(&word, 1), 1, cache.front().length);
    for (size_t i = 0; i < m_layers.size(); ++i)
        x = m_layers[i].step(context, x, cache[i]);
    return m_norm ? m_norm->forward(context, x.variable) : x.variable;
}

}  // namespace headlight
