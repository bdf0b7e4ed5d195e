// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/model_config.h"
#include "core/nn/layers.h"

namespace headlight {

/// From what the last stack hands on to the words: `generator`, whose weight is the embedding's where they are tied.
/// Traced: logits_uncapped (where they are capped), logits, log_probs.
class WordHead {
public:
    /// `embedding` [vocabulary, d]: of the words that are written.
    WordHead(ParameterSet& parameters, const ModelConfig& config, ParameterId embedding);

    /// [N, d] → [N, vocabulary]; of words that are filled in, [N, width of an embedding]
    Variable<float> forward(ForwardContext& context, const Variable<float>& x) const;
    Value forward(ForwardContext& context, const Value& x, Axis tokens) const;

private:
    /// Not capped yet.
    Variable<float> logits(ForwardContext& context, const Variable<float>& x) const;

    float m_factor;  ///< of what it reads
    double m_cap;
    Linear m_generator;
};

}  // namespace headlight
