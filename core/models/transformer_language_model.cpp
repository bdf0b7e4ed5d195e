// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/transformer_language_model.h"

namespace headlight {

TransformerLanguageModel::TransformerLanguageModel(const ModelConfig& config)
    : LanguageModel(config), m_stack(m_parameters, config), m_head(m_parameters, config, m_stack.embeddingWeight()) {}

Value TransformerLanguageModel::forward(ForwardContext& context, const TokenBatch& ids) const {
    return m_head.forward(context, m_stack.forward(context, ids, TransformerStack::Sight::Backwards),
                          Axis::SourceToken);
}

struct TransformerLanguageModel::Kept final : State {
    TransformerStack::Cache cache;
};

std::unique_ptr<LanguageModel::State> TransformerLanguageModel::begin(ForwardContext& context, int capacity) const {
    auto state = std::make_unique<Kept>();
    state->cache = m_stack.makeCache(context, capacity);
    return state;
}

Tensor<float> TransformerLanguageModel::step(ForwardContext& context, int word, State& state) const {
    TransformerStack::Cache& cache = static_cast<Kept&>(state).cache;
    const int position = cache.front().length;
    const Variable<float> output = m_stack.step(context, word, cache);
    const ForwardContext::AtPosition here(context, position);
    return m_head.forward(context, {output}, Axis::SourceToken).variable.value;
}

}  // namespace headlight
