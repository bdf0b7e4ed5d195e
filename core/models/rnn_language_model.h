// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/language_model.h"
#include "core/nn/layers.h"
#include "core/nn/recurrent.h"

namespace headlight {

/// The recurrent language model (Mikolov et al. 2010): architecture `rnn-language-model`. Each window starts from
/// zeros. Traced: ids, embedding, layers.{i}.…, logits, log_probs.
class RnnLanguageModel final : public LanguageModel {
public:
    explicit RnnLanguageModel(const ModelConfig& config);
    std::unique_ptr<Model> clone() const override { return std::make_unique<RnnLanguageModel>(*this); }

    Value forward(ForwardContext& context, const TokenBatch& ids) const override;
    std::unique_ptr<State> begin(ForwardContext& context, int capacity) const override;
    Tensor<float> step(ForwardContext& context, int word, State& state) const override;

private:
    struct Kept;
    Embedding m_embedding;
    std::vector<RecurrentLayer> m_layers;
    Linear m_generator;
};

}  // namespace headlight
