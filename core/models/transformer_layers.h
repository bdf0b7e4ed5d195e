// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>
#include <utility>

#include "core/models/model_config.h"
#include "core/nn/layers.h"
#include "core/nn/multi_head_attention.h"

namespace headlight {

/// The options of a norm of the model's width.
Norm::Options normOptions(const ModelConfig& config);

/// What the layers of a stack are given.
struct LayerInput {
    Value value;             ///< for the first of them
    AttentionPlaces places;  ///< for each
};

/// x through the layers of a stack, one after the other: step(layer, x). Where nobody goes back, what a layer computed
/// on the way to its result is given back before the next one begins, so that a deep model takes the memory of one
/// layer.
template <class Layers, class Step>
Value throughLayers(ForwardContext& context, const Layers& layers, Value x, Step step) {
    Arena& arena = context.tape.arena();
    const Arena::Mark before = arena.mark();
    for (const auto& layer : layers) {
        Value y = step(layer, x);
        if (context.tape.training() || context.kept) {
            x = std::move(y);
            continue;
        }
        const Tensor<float>&from = y.variable.value, &to = x.variable.value;
        assert(from.shape == to.shape && from.packed() && to.packed());
        if (from.data != to.data) std::copy_n(from.data, from.count(), to.data);
        x.name = std::move(y.name);
        arena.rewind(before);
    }
    return x;
}

/// torch.nn.TransformerEncoderLayer: self-attention and a feed-forward network, each with a residual and a norm.
/// Traced: self_attn.…, residual1, norm1, ffn.…, residual2, norm2 (in the order in which norm_order computes them), and
/// output_norm1, output_norm2 (where what a sublayer makes has a norm). Parallel sublayers read the same x, and are
/// added to it one after the other.
class EncoderLayer {
public:
    EncoderLayer(ParameterSet& parameters, const ModelConfig& config, const std::string& fileScope,
                 const std::string& traceScope, const ModulePlace& place);
    Value forward(ForwardContext& context, const Value& x, const Tensor<float>& mask, const AttentionShape& shape,
                  const AttentionPlaces& places) const;
    /// One word a row, x [rows, d], that looks at itself and the words before: what was kept of them.
    Value step(ForwardContext& context, const Value& x, KeyValueCache& kept, const AttentionPlaces& places) const;
    const MultiHeadAttention& selfAttention() const { return m_selfAttention; }
    /// Does its attention see a window of words alone?
    bool isWindowed() const { return m_isWindowed; }

private:
    /// attend(x) makes what attention adds.
    template <class Attend>
    Value compute(ForwardContext& context, const Value& x, Axis tokens, Attend attend) const;

    std::string m_scope;
    NormOrder m_order;
    Parallel m_parallel;
    bool m_residuals, m_isWindowed;
    MultiHeadAttention m_selfAttention;
    FeedForward m_feedForward;
    std::optional<Norm> m_norm1, m_norm2;  ///< none before a first attention, none of their own of parallel networks
    std::optional<Norm> m_outputNorm1, m_outputNorm2;
    ModuleRef m_sum1, m_sum2;
};

/// torch.nn.TransformerDecoderLayer: masked self-attention, cross-attention over the memory, feed-forward.
class DecoderLayer {
public:
    /// What attention is told besides its inputs.
    struct Sight {
        Tensor<float> self;      ///< mask [batch, T, T]
        Tensor<float> cross;     ///< mask [batch, T, S]
        AttentionPlaces places;  ///< of self-attention
    };

    DecoderLayer(ParameterSet& parameters, const ModelConfig& config, const std::string& fileScope,
                 const std::string& traceScope, const ModulePlace& place);
    Value forward(ForwardContext& context, const Value& x, const Value& memory, const Sight& sight,
                  const AttentionShape& self, const AttentionShape& cross) const;
    /// What a step is told of the memory, and of its own place.
    struct StepSight {
        const KeyValueCache& cache;
        const Tensor<float>& mask;  ///< [sentences, beams, S]
        const AttentionPlaces& places;
    };
    struct StepOutput {
        Value value;                 ///< [rows, d]
        Tensor<float> crossWeights;  ///< [sentences, heads, beams, S]
    };
    /// One word a row, x [rows, d], with what was kept of the words before and of the memory.
    StepOutput step(ForwardContext& context, const Value& x, KeyValueCache& self, const StepSight& sight) const;
    const MultiHeadAttention& selfAttention() const { return m_selfAttention; }
    const MultiHeadAttention& crossAttention() const { return m_crossAttention; }

private:
    std::string m_scope;
    NormOrder m_order;
    bool m_residuals;
    MultiHeadAttention m_selfAttention, m_crossAttention;
    FeedForward m_feedForward;
    Norm m_norm1, m_norm2, m_norm3;
};

}  // namespace headlight
