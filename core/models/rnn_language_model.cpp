// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/rnn_language_model.h"

#include <algorithm>

#include "core/models/stack_parts.h"
#include "core/models/time_major.h"

namespace headlight {

RnnLanguageModel::RnnLanguageModel(const ModelConfig& config)
    : LanguageModel(config),
      m_embedding(m_parameters, {.fileScope = "embedding",
                                 .traceName = "embedding",
                                 .idsName = "ids",
                                 .vocabulary = config.sourceVocabSize,
                                 .width = config.embeddingSize,
                                 .init = Init::StandardNormal}),
      m_generator(m_parameters, addHead(m_parameters), "generator", config.hiddenSize, config.targetVocabSize,
                  Init::FanInUniform) {
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string number = std::to_string(i);
        m_layers.emplace_back(m_parameters,
                              RecurrentLayer::Options{config.cell, i == 0 ? config.embeddingSize : config.hiddenSize,
                                                      config.hiddenSize, "rnn", "l" + number, "layers." + number,
                                                      ModulePlace{Stack::Only, Section::Layer, i}});
    }
}

Value RnnLanguageModel::forward(ForwardContext& context, const TokenBatch& ids) const {
    Value x = m_embedding.forward(context, idsTimeMajor(context, ids), Axis::SourceToken);
    for (const RecurrentLayer& layer : m_layers) {
        x.variable = ops::dropout(context.tape, x.variable, context.dropout, context.nextSeed());
        const ops::RecurrentOutput<float> output = layer.forward(context, x, ids.batch, {});
        x = {output.hidden, context.tracing() ? layer.record(context, output, {x.name}, Axis::SourceToken) : ""};
    }
    const Variable<float> states = sentenceMajor(context, x.variable, ids.batch, ids.length);
    const Variable<float> dropped = ops::dropout(context.tape, states, context.dropout, context.nextSeed());
    return recordLogits(context, {m_generator.forward(context, dropped)}, m_generator, x.name, Axis::SourceToken);
}

struct RnnLanguageModel::Kept final : State {
    std::vector<RecurrentLayer::State> layers;  ///< [1, h] each
    int position = 0;
};

std::unique_ptr<LanguageModel::State> RnnLanguageModel::begin(ForwardContext& context, int) const {
    auto state = std::make_unique<Kept>();
    const auto zeros = [&] {
        const Tensor<float> row = context.tape.allocate({1, m_config.hiddenSize});
        std::fill_n(row.data, row.count(), 0.0f);
        return Variable<float>{row, {}};
    };
    for (size_t i = 0; i < m_layers.size(); ++i)
        state->layers.push_back({zeros(), m_config.cell == Cell::Lstm ? zeros() : Variable<float>()});
    return state;
}

Tensor<float> RnnLanguageModel::step(ForwardContext& context, int word, State& state) const {
    auto& kept = static_cast<Kept&>(state);
    const ForwardContext::AtPosition here(context, kept.position++);
    Value x = m_embedding.forward(context, std::span(&word, 1), Axis::SourceToken);
    for (size_t i = 0; i < m_layers.size(); ++i) {
        const ops::RecurrentOutput<float> output = m_layers[i].forward(context, x, 1, kept.layers[i]);
        const auto keep = [](const Variable<float>& from, const Variable<float>& to) {
            if (to.value) std::copy_n(from.value.data, from.value.count(), to.value.data);
        };
        keep(output.hidden, kept.layers[i].hidden);
        keep(output.cell, kept.layers[i].cell);
        x = {output.hidden};
    }
    return recordLogits(context, {m_generator.forward(context, x.variable)}, m_generator, x.name, Axis::SourceToken)
        .variable.value;
}

}  // namespace headlight
