// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

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

/// Keys and values that decoding keeps from word to word. Rows of sentence b start at b·capacity.
struct KeyValueCache {
    Tensor<float> key;    ///< [batch·capacity, d]
    Tensor<float> value;  ///< [batch·capacity, d]
    int capacity = 0;
    int length = 0;  ///< rows of each sentence that are filled

    /// Sentence i of `to` becomes sentence parents[i] of this one. Both have the same room.
    void copyRows(std::span<const int> parents, KeyValueCache& to) const;
};

/// torch.nn.MultiheadAttention: Concat(head₁, …, head_h) W_O with head_i = Attention(Q W_Q, K W_K, V W_V)
/// (Vaswani et al. 2017, section 3.2.2). W_Q, W_K and W_V are one weight, in_proj_weight [3d, d].
/// Traced: q, k, v, scores, mask, weights, heads, concat, output.
class MultiHeadAttention {
public:
    struct Options {
        int width = 0;
        int numHeads = 1;
        bool scaled = true;  ///< scores divided by √d_k
        ModulePlace place = {};
        AttentionOver over = AttentionOver::Itself;
    };
    MultiHeadAttention(ParameterSet& parameters, const std::string& fileScope, const std::string& traceScope,
                       const Options& options);

    /// Queries from x, keys and values from `memory` (x itself: self-attention).
    /// x [batch·queries, d], memory [batch·keys, d], mask [batch, queries, keys] → [batch·queries, d].
    Value forward(ForwardContext& context, const Value& x, const Value& memory, const Tensor<float>& mask,
                  const AttentionShape& shape) const;

    /// Self-attention of one new word a sentence, x [batch, d], over the cache, to which its key and value are added.
    Variable<float> stepSelf(ForwardContext& context, const Variable<float>& x, KeyValueCache& cache) const;
    /// Keys and values of the memory [batch·keys, d], computed once a sentence.
    KeyValueCache projectMemory(ForwardContext& context, const Variable<float>& memory, int keys) const;
    /// Cross-attention of one new word a row, x [sentences·rows, d], mask [sentences, rows, keys]: the rows of a
    /// sentence are hypotheses that share its memory.
    ops::AttentionOutput<float> stepCross(ForwardContext& context, const Variable<float>& x,
                                          const KeyValueCache& memory, const Tensor<float>& mask) const;

    int width() const { return m_width; }

private:
    /// Rows of the one weight, in this order.
    enum Projection { ToQuery = 0, ToKey = 1, ToValue = 2 };
    Variable<float> project(ForwardContext& context, const Variable<float>& x, Projection first, int parts) const;
    Origin projected(Part part, Projection projection) const;
    double scoreScale() const;
    std::vector<int> mutedHeads(const ForwardContext& context) const;

    ModuleRef m_module;
    int m_width;
    int m_numHeads;
    bool m_scaled;
    ParameterId m_inWeight;
    ParameterId m_inBias;
    Linear m_outProjection;
};

}  // namespace headlight
