// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/model.h"
#include "core/models/pooler.h"
#include "core/models/transformer_stack.h"

namespace headlight {

/// The encoder-only Transformer with a head that names a sentence's label (Devlin et al. 2019): architecture
/// `encoder-classifier`. It reads <bos> w₁ … wₙ (as they stand where `starts_at_bos` is off); the head looks at the
/// first position alone, so what <bos> attends to in the last layer is what decides. Labels are the target vocabulary
/// without its special tokens: `classifier.weight` [labels, d]. An example's target is its label's id. Traced: as
/// TransformerStack; head.hidden, head.activation (with a pooler); logits, log_probs [1, labels].
class Classifier final : public Model {
public:
    explicit Classifier(const ModelConfig& config);
    std::unique_ptr<Model> clone() const override { return std::make_unique<Classifier>(*this); }

    int labels() const { return m_config.targetVocabSize - firstLabel(); }
    /// The id of the first label in the target vocabulary.
    int firstLabel() const;
    /// Sentences, without the <bos> that it puts before them → logits [batch, labels].
    Value forward(ForwardContext& context, std::span<const std::span<const int>> sentences) const;

    ops::CrossEntropyResult loss(ForwardContext& context, std::span<const Example* const> examples,
                                 ops::CrossEntropyOptions options) const override;
    long targetTokens(const Example&) const override { return 1; }

private:
    TransformerStack m_stack;
    std::optional<Pooler> m_pooler;
    Linear m_classifier;
};

}  // namespace headlight
