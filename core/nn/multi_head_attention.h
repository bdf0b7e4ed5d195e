// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/nn/attention_positions.h"
#include "core/nn/layers.h"

namespace headlight {

/// How the rows of a batch lie, and what their axes are called in a trace.
struct AttentionShape {
    int batch = 1;
    int queries = 0;
    int keys = 0;
    Axis queryAxis = Axis::SourceToken;
    Axis keyAxis = Axis::SourceToken;
};

/// Keys and values that decoding keeps from word to word, of so many sentences or hypotheses. Hypotheses that begin
/// alike share what they began with: what a hypothesis has is a list of places, and only that is copied when another
/// goes on from it.
struct KeyValueCache {
    Tensor<float> key;    ///< [hypotheses·capacity, keyWidth]
    Tensor<float> value;  ///< likewise
    int capacity = 0;
    int length = 0;           ///< words of each hypothesis that are there
    std::vector<int> places;  ///< [hypotheses, capacity]: in which row of `key` and `value` each word of theirs lies

    KeyValueCache(const Tensor<float>& keys, const Tensor<float>& values, int capacity, int length);
    /// A word for each hypothesis, the next one of each.
    void add(const Tensor<float>& keys, const Tensor<float>& values);
    /// Hypothesis i becomes what hypothesis from[i] is; there are as many then as in the list, at most as many as there
    /// is room for.
    void select(std::span<const int> from);
};

/// torch.nn.MultiheadAttention: Concat(head₁, …, head_h) W_O with head_i = Attention(Q W_Q, K W_K, V W_V)
/// (Vaswani et al. 2017, section 3.2.2). W_Q, W_K and W_V are one weight, in_proj_weight [3d, d]; with grouped queries
/// (Ainslie et al. 2023) or heads of a width of their own [(heads + 2·keyHeads)·headWidth, d].
/// Traced: q, k, v, q_normed and k_normed (where each head has a norm), q_rotated and k_rotated (where positions turn
/// them), scores, scores_capped (where they are), mask, weights, heads, concat, output.
class MultiHeadAttention {
public:
    struct Options {
        int width = 0;
        int numHeads = 1;
        bool scaled = true;  ///< scores divided by √d_k
        ModulePlace place = {};
        AttentionOver over = AttentionOver::Itself;
        int keyHeads = 0;                            ///< of keys and values; 0: numHeads
        int headWidth = 0;                           ///< 0: width / numHeads
        double scoreFactor = 1;                      ///< scores multiplied by it
        double scoreCap = 0;                         ///< scores bent so that none goes beyond it; 0: they stay
        Biases bias = Biases::All;                   ///< of the maps to queries, keys and values
        Biases outBias = Biases::All;                ///< of the map behind the heads
        std::optional<Norm::Options> headNorm = {};  ///< of each head's queries, and of its keys
        int window = 0;  ///< of self-attention: a query sees itself and the window − 1 before; 0: all before
    };
    MultiHeadAttention(ParameterSet& parameters, const std::string& fileScope, const std::string& traceScope,
                       const Options& options);

    /// Queries from x, keys and values from `memory` (x itself: self-attention).
    /// x [batch·queries, d], memory [batch·keys, d], mask [batch, queries, keys] (a window is part of it)
    /// → [batch·queries, d].
    Value forward(ForwardContext& context, const Value& x, const Value& memory, const Tensor<float>& mask,
                  const AttentionShape& shape, const AttentionPlaces& places = {}) const;

    /// Self-attention of one new word a sentence, x [batch, d], over the cache, to which its key and value are added.
    Variable<float> stepSelf(ForwardContext& context, const Variable<float>& x, KeyValueCache& cache,
                             const AttentionPlaces& places) const;
    /// Room for the keys and values of so many rows of so many words.
    KeyValueCache makeCache(ForwardContext& context, int rows, int capacity) const;
    /// Keys and values of the memory [batch·keys, d], computed once a sentence.
    KeyValueCache projectMemory(ForwardContext& context, const Variable<float>& memory, int keys) const;
    /// Cross-attention of one new word a row, x [sentences·rows, d], mask [sentences, rows, keys]: the rows of a
    /// sentence are hypotheses that share its memory.
    ops::AttentionOutput<float> stepCross(ForwardContext& context, const Variable<float>& x,
                                          const KeyValueCache& memory, const Tensor<float>& mask) const;

private:
    enum Projection { ToQuery, ToKey, ToValue };
    /// What the rows of the one weight make, side by side.
    struct Projected {
        Value query, key, value;
    };
    int headWidth() const { return m_module->width; }
    int queryWidth() const { return m_module->heads * headWidth(); }
    int keyWidth() const { return m_module->keyHeads * headWidth(); }
    int firstRow(Projection projection) const;
    Variable<float> project(ForwardContext& context, const Variable<float>& x, Projection first, Projection last) const;
    Projected projectAll(ForwardContext& context, const Value& x, const Value& memory) const;
    void recordProjected(ForwardContext& context, Projected& all, const std::string& x, const std::string& memory,
                         const AttentionShape& shape) const;
    /// Queries and keys as they are compared: normed and turned, where they are.
    void prepare(ForwardContext& context, Projected& all, const AttentionShape& shape,
                 const ops::Rotation<float>& rotation) const;
    void recordPrepared(ForwardContext& context, Value& value, const AttentionShape& shape, const Origin& origin) const;
    const ops::Rotation<float>& rotationOf(const AttentionPlaces& places) const {
        return m_window > 0 ? places.windowRotation : places.rotation;
    }
    ops::AttentionInput<float> input(const Variable<float>& query, const Variable<float>& key,
                                     const Variable<float>& value, const Tensor<float>& mask) const;
    ops::AttentionInput<float> input(const Variable<float>& query, const KeyValueCache& cache,
                                     const Tensor<float>& mask) const;
    Origin projected(Part part, Projection projection) const;
    double scoreScale() const;
    std::vector<int> mutedHeads(const ForwardContext& context) const;
    /// What so many rows see that stand behind all of so many keys.
    Tensor<float> stepMask(const ForwardContext& context, int rows, int keys) const;
    Tensor<float> ownMask(const ForwardContext& context, const ops::AttentionInput<float>& given) const;
    /// Attention and the output projection of a step of decoding, with what is asked for changed on the way.
    ops::AttentionOutput<float> attendInStep(ForwardContext& context, ops::AttentionInput<float> given) const;
    std::string name(std::string_view part) const { return join(m_module->scope, part); }

    ModuleRef m_module;
    bool m_scaled;
    double m_scoreFactor;
    double m_scoreCap;
    int m_window;
    ParameterId m_inWeight;
    std::optional<ParameterId> m_inBias;
    std::optional<Norm> m_queryNorm, m_keyNorm;
    Linear m_outProjection;
};

}  // namespace headlight
