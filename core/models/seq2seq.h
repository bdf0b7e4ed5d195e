// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/model.h"
#include "core/models/token_batch.h"
#include "core/nn/context.h"

namespace headlight {

/// An encoder-decoder: reads a source sentence, then writes a target word by word (Sutskever, Vinyals, Le 2014).
class Seq2Seq : public Model {
public:
    /// Teacher forcing. Source without <bos> and <eos>, target as the decoder reads it (<bos> y₁ …) → logits
    /// [batch·target length, target vocabulary]. Traces everything, where a tracer watches.
    virtual Value forward(ForwardContext& context, const TokenBatch& source, const TokenBatch& target) const = 0;

    /// Word-by-word decoding: what is kept between two words. The memory is the arena's of the context that began it,
    /// so that what a step allocates may be given back after the step.
    ///
    /// Each sentence has `beams` rows, one a hypothesis; row = sentence·beams + beam. They share what is known of the
    /// source. A sentence begins with one: so long as nothing is written, all would be the same.
    struct DecoderState {
        DecoderState() = default;
        DecoderState(const DecoderState&) = delete;
        DecoderState& operator=(const DecoderState&) = delete;
        virtual ~DecoderState() = default;
        /// Row i goes on from where row parents[i] stood; both are rows of one sentence, which each have as many rows
        /// then as the list says.
        virtual void select(std::span<const int> parents) = 0;
        /// Only these sentences go on, numbered anew in this order, which is a rising one: what others have written is
        /// given up, and costs nothing in the steps that follow.
        virtual void keep(std::span<const int> going) = 0;

        int sentences = 0;
        int beams = 1;
        /// Weights over the source in the step just done, [sentences, heads, beams, source length], one a
        /// cross-attention block. In the step's part of the arena.
        std::vector<Tensor<float>> attention = {};
    };
    /// Encodes the source, and makes room for at most so many beams of `capacity` words.
    virtual std::unique_ptr<DecoderState> beginDecoding(ForwardContext& context, const TokenBatch& source,
                                                        int mostBeams, int capacity) const = 0;
    /// Feeds one word a row → logits [sentences·beams, target vocabulary] of the next.
    virtual Tensor<float> decodeStep(ForwardContext& context, std::span<const int> words,
                                     DecoderState& state) const = 0;

    ops::CrossEntropyResult loss(ForwardContext& context, std::span<const Example* const> examples,
                                 ops::CrossEntropyOptions options) const override;
    long targetTokens(const Example& example) const override {
        return static_cast<long>(example.target.size()) + 1;  // <eos>
    }

protected:
    using Model::Model;
    /// Of a matrix with so many rows a sentence those of the sentences that go on, moved to its beginning.
    static Tensor<float> keepRows(const Tensor<float>& matrix, std::span<const int> going, int rowsEach);

private:
    /// The decoder's input with some words replaced by what the model itself would say there, each with a chance of
    /// 1 − context.teacherForcing (Bengio, Vinyals, Jaitly, Shazeer 2015: scheduled sampling). Dropout is off.
    TokenBatch feedItself(ForwardContext& context, const TokenBatch& source, TokenBatch target) const;
};

}  // namespace headlight
