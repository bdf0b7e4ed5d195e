// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/recurrent_attention.h"

#include <algorithm>
#include <cmath>

namespace headlight {

RecurrentAttention::RecurrentAttention(ParameterSet& parameters, AttentionKind kind, int width) : m_kind(kind) {
    const auto add = [&](const char* name, int rows) {
        return parameters.add(std::string("attention.") + name + ".weight", {rows, width}, Init::FanInUniform, width);
    };
    if (kind == AttentionKind::Additive) m_query = add("query", width);
    if (kind == AttentionKind::Additive || kind == AttentionKind::General) m_key = add("key", width);
    if (kind == AttentionKind::Additive) m_energy = add("energy", 1);
}

Variable<float> RecurrentAttention::keys(ForwardContext& context, const Variable<float>& outputs) const {
    return m_key ? ops::linear(context.tape, outputs, context.parameter(*m_key), {}) : outputs;
}

ops::AlignmentOutput<float> RecurrentAttention::forward(ForwardContext& context, const Value& query,
                                                        const Variable<float>& keys, const Value& outputs,
                                                        const Tensor<float>& mask,
                                                        const ops::AlignmentShape& shape) const {
    Value scores;
    if (m_kind == AttentionKind::Additive) {
        const Variable<float> projected = ops::linear(context.tape, query.variable, context.parameter(*m_query), {});
        scores.variable = ops::additiveScores(context.tape, projected, keys, context.parameter(*m_energy), shape);
    } else {
        const float scale = m_kind == AttentionKind::ScaledDot ? 1 / std::sqrt(static_cast<float>(keys.cols())) : 1.0f;
        scores.variable = ops::dotScores(context.tape, query.variable, keys, scale, shape);
    }
    const ops::AlignmentOutput<float> output =
        ops::attend(context.tape, scores.variable, outputs.variable, mask, shape);
    const bool muted =
        std::ranges::any_of(context.mutedHeads, [](const MutedHead& head) { return head.block == scope; });
    if (muted) std::fill_n(output.context.value.data, output.context.value.count(), 0.0f);
    if (!context.tracing()) return output;

    const Operation operation = m_kind == AttentionKind::Additive    ? Operation::AdditiveScores
                                : m_kind == AttentionKind::ScaledDot ? Operation::AttentionScores
                                                                     : Operation::DotScores;
    Value weights{output.weights}, contextValue{output.context};
    context.record(scores, scope, "scores", operation, Axis::TargetToken, {query.name, outputs.name},
                   Axis::SourceToken);
    context.record(weights, scope, "weights", Operation::Softmax, Axis::TargetToken, {scores.name}, Axis::SourceToken);
    context.record(contextValue, scope, "context", Operation::WeightedSum, Axis::TargetToken,
                   {weights.name, outputs.name});
    return output;
}

}  // namespace headlight
