// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/model.h"
#include "core/models/pooler.h"
#include "core/models/transformer_stack.h"

namespace headlight {

/// An encoder-only Transformer without a head: architecture `encoder`. It reads its ids as they stand, every word sees
/// every other, and it says nothing of them: what it makes is the vectors themselves. So it comes from elsewhere
/// (BertModel), and there is nothing to train it on.
/// With `finds_replaced` it tells words that were put in another's place (Clark et al. 2020): for each a number, above
/// zero where it was.
/// Traced: as TransformerStack; with a pooler head.hidden, head.activation [1, d]; with finds_replaced head.hidden,
/// head.activation [S, d], replaced [S, 1].
class Encoder final : public Model {
public:
    explicit Encoder(const ModelConfig& config);
    std::unique_ptr<Model> clone() const override { return std::make_unique<Encoder>(*this); }

    /// ids of one sentence or several → [batch·length, d].
    Value forward(ForwardContext& context, const TokenBatch& ids) const;

    /// Throws Error: without a head there is nothing that could be wrong.
    ops::CrossEntropyResult loss(ForwardContext& context, std::span<const Example* const> examples,
                                 ops::CrossEntropyOptions options) const override;
    long targetTokens(const Example&) const override { return 0; }

private:
    /// What the discriminator's two maps make, for the trace alone.
    struct ReplacedHead {
        ModuleRef module;
        Linear dense, prediction;
    };
    void recordReplaced(ForwardContext& context, const Value& output) const;

    TransformerStack m_stack;
    std::optional<Pooler> m_pooler;
    std::optional<ReplacedHead> m_replaced;
};

/// The Error of whoever asks such a model for words or labels.
[[noreturn]] void refuseWithoutHead();

}  // namespace headlight
