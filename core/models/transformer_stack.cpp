// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/transformer_stack.h"

#include "core/autograd/recurrent.h"
#include "core/models/stack_parts.h"
#include "core/nn/masks.h"

namespace headlight {

Variable<float> firstPositions(ForwardContext& context, const Variable<float>& output, const TokenBatch& ids) {
    std::pmr::vector<int> first(context.memory());
    for (int b = 0; b < ids.batch; ++b)
        first.push_back(b * ids.length);
    return ops::gatherRows(context.tape, output, first);
}

TransformerStack::TransformerStack(ParameterSet& parameters, const ModelConfig& config)
    : m_separator(config.separatorId),
      m_window(config.slidingWindow),
      m_embedding(parameters, {.fileScope = "embedding",
                               .traceName = "embedding",
                               .idsName = "ids",
                               .vocabulary = config.sourceVocabSize,
                               .width = config.embeddingWidth(),
                               .scale = config.embeddingScale()}),
      m_positions(parameters, "positions.weight", config.positionOptions(), {{Stack::Only, ""}}),
      m_output(addStackOutput(parameters, "output", Stack::Only, config.finalNorm)),
      // Of those only that classify or fill in words everybody sees everybody.
      m_attentionPositions(parameters, attentionPositions(config, Stack::Only, "")) {
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string scope = "layers." + std::to_string(i);
        m_layers.emplace_back(parameters, config, "transformer." + scope, scope,
                              ModulePlace{Stack::Only, Section::Layer, i});
    }
    if (config.finalNorm) m_norm.emplace(parameters, m_output, "transformer.norm", normOptions(config));
    if (config.tokenTypes > 0)
        m_types.emplace(parameters, Embedding::Options{.fileScope = "token_types",
                                                       .traceName = "token_type_embedding",
                                                       .idsName = "token_type_ids",
                                                       .vocabulary = config.tokenTypes,
                                                       .width = config.embeddingWidth(),
                                                       .ids = Part::TypeIds,
                                                       .rows = Part::TypeEmbedding});
    if (config.embeddingNorm) m_embeddingNorm.emplace(makeEmbeddingNorm(parameters, config, Stack::Only, ""));
    if (config.wordWidth > 0)
        m_wordMap.emplace(parameters,
                          parameters.addModule({ModuleKind::Bridge, "word_map", {Stack::Only, Section::Start}}),
                          "word_map", config.wordWidth, config.dModel);
}

/// Words behind their sentence's first separator are of the second type.
Value TransformerStack::embedTypes(ForwardContext& context, std::span<const int> ids, int length) const {
    std::pmr::vector<int> types(ids.size(), context.memory());
    int type = 0;
    for (size_t i = 0; i < ids.size(); ++i) {
        if (i % static_cast<size_t>(length) == 0) type = 0;
        types[i] = type;
        if (ids[i] == m_separator) type = 1;
    }
    return m_types->forward(context, types, Axis::SourceToken);
}

LayerInput TransformerStack::embed(ForwardContext& context, std::span<const int> ids, int length, int position) const {
    const PositionalEncoding::Rows rows{Stack::Only, length, position, Axis::SourceToken};
    const Value words = m_embedding.forward(context, ids, rows.tokens);
    LayerInput input{{}, m_attentionPositions.of(context, rows)};
    input.value =
        m_positions.forward(context, words, rows,
                            {m_types ? embedTypes(context, ids, length) : Value{},
                             m_embeddingNorm ? &*m_embeddingNorm : nullptr, m_wordMap ? &*m_wordMap : nullptr});
    Variable<float>& x = input.value.variable;
    x = ops::dropoutInPlace(context.tape, x, context.dropout, context.nextSeed());
    return input;
}

Value TransformerStack::forward(ForwardContext& context, const TokenBatch& ids, Sight sight) const {
    const AttentionShape shape{ids.batch, ids.length, ids.length, Axis::SourceToken, Axis::SourceToken};
    const Tensor<float> mask = sight == Sight::Backwards
                                   ? causalMask(context.tape, ids.lengths, ids.length)
                                   : paddingMask(context.tape, ids.lengths, ids.length, ids.length);
    const auto makeWindow = sight == Sight::Backwards ? causalMask : bandMask;
    const Tensor<float> windowed =
        m_window > 0 ? makeWindow(context.tape, ids.lengths, ids.length, m_window) : Tensor<float>();
    const LayerInput input = embed(context, ids.ids, ids.length, 0);
    const Value x = throughLayers(context, m_layers, input.value, [&](const EncoderLayer& layer, const Value& each) {
        return layer.forward(context, each, layer.isWindowed() ? windowed : mask, shape, input.places);
    });
    return stackOutput(context, x, m_norm, m_output, Axis::SourceToken);
}

TransformerStack::Cache TransformerStack::makeCache(ForwardContext& context, int capacity) const {
    Cache cache;
    for (const EncoderLayer& layer : m_layers)
        cache.push_back(layer.selfAttention().makeCache(context, 1, capacity));
    return cache;
}

Variable<float> TransformerStack::step(ForwardContext& context, int word, Cache& cache) const {
    const ForwardContext::AtPosition here(context, cache.front().length);
    auto [x, places] = embed(context, std::span(&word, 1), 1, cache.front().length);
    for (size_t i = 0; i < m_layers.size(); ++i)
        x = m_layers[i].step(context, x, cache[i], places);
    return stackOutput(context, x, m_norm, m_output, Axis::SourceToken).variable;
}

}  // namespace headlight
