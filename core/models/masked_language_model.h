// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/model.h"
#include "core/models/transformer_stack.h"
#include "core/models/word_head.h"
#include "core/tensor/random.h"

namespace headlight {

/// Fills in words that were taken out of a text, by what stands on either side (Devlin et al. 2019): architecture
/// `masked-language-model`. An example's target is a window of text, as a language model's. Of its words 15 % are
/// chosen (never a special token); of these 8 in 10 are masked, 1 in 10 becomes another word, and 1 in 10 stays. The
/// loss asks for what stood there.
/// Traced: as TransformerStack; head.hidden, head.activation, head.norm [S, width of an embedding]; logits, log_probs.
class MaskedLanguageModel final : public Model {
public:
    explicit MaskedLanguageModel(const ModelConfig& config);
    std::unique_ptr<Model> clone() const override { return std::make_unique<MaskedLanguageModel>(*this); }

    /// ids, masks among them → logits [batch·length, vocabulary]: what could stand at each place.
    Value forward(ForwardContext& context, const TokenBatch& ids) const;

    ops::CrossEntropyResult loss(ForwardContext& context, std::span<const Example* const> examples,
                                 ops::CrossEntropyOptions options) const override;
    /// The words that are asked for.
    long targetTokens(const Example& example) const override;

private:
    bool isWord(int id) const;
    std::pmr::vector<int> choose(ForwardContext& context, const Example& example, Random& random) const;
    int replacement(int word, Random& random) const;
    Value transform(ForwardContext& context, const Value& x) const;

    TransformerStack m_stack;
    ModuleRef m_transformModule;
    Linear m_transform;
    Norm m_transformNorm;
    WordHead m_head;
};

}  // namespace headlight
