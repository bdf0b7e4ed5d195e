// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/language_model.h"
#include "core/models/transformer_stack.h"
#include "core/models/word_head.h"

namespace headlight {

/// The decoder-only Transformer (Radford et al. 2018): architecture `language-model`.
class TransformerLanguageModel final : public LanguageModel {
public:
    explicit TransformerLanguageModel(const ModelConfig& config);
    std::unique_ptr<Model> clone() const override { return std::make_unique<TransformerLanguageModel>(*this); }

    Value forward(ForwardContext& context, const TokenBatch& ids) const override;
    std::unique_ptr<State> begin(ForwardContext& context, int capacity) const override;
    Tensor<float> step(ForwardContext& context, int word, State& state) const override;

private:
    struct Kept;
    TransformerStack m_stack;
    WordHead m_head;
};

}  // namespace headlight
