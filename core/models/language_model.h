// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/model.h"
#include "core/models/token_batch.h"
#include "core/nn/context.h"

namespace headlight {

/// Reads a text and says at each word which comes next (Bengio, Ducharme, Vincent, Jauvin 2003). A text is one run of
/// ids, sentences ended by <eos>; an example's target is a window of it, of which every word but the first is
/// predicted.
class LanguageModel : public Model {
public:
    /// ids → logits [batch·length, vocabulary]; row t of a window says what follows its word t.
    virtual Value forward(ForwardContext& context, const TokenBatch& ids) const = 0;

    /// Word-by-word generation of one text: what is kept between two words, in the arena of the context that began it.
    struct State {
        State() = default;
        State(const State&) = delete;
        State& operator=(const State&) = delete;
        virtual ~State() = default;
    };
    /// Makes room for `capacity` words.
    virtual std::unique_ptr<State> begin(ForwardContext& context, int capacity) const = 0;
    /// Feeds one word → logits [1, vocabulary] of the next.
    virtual Tensor<float> step(ForwardContext& context, int word, State& state) const = 0;

    ops::CrossEntropyResult loss(ForwardContext& context, std::span<const Example* const> examples,
                                 ops::CrossEntropyOptions options) const override;
    long targetTokens(const Example& example) const override { return static_cast<long>(example.target.size()) - 1; }

protected:
    using Model::Model;
};

}  // namespace headlight
