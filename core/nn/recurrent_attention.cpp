// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/recurrent_attention.h"

#include <algorithm>
#include <cmath>

namespace headlight {

RecurrentAttention::RecurrentAttention(ParameterSet& parameters, AttentionKind kind, int width)
    : m_kind(kind),
      m_module(parameters.addModule({.kind = ModuleKind::Attention,
                                     .scope = "decoder.attention",
                                     .place = {Stack::Decoder, Section::End},
                                     .over = AttentionOver::Memory,
                                     .width = width})) {
    const auto add = [&](const char* name, int rows) {
        return parameters.add(m_module, std::string("attention.") + name + ".weight", {rows, width}, Init::FanInUniform,
                              width);
    };
    if (kind == AttentionKind::Additive) m_query = add("query", width);
    if (kind == AttentionKind::Additive || kind == AttentionKind::General) m_key = add("key", width);
    if (kind == AttentionKind::Additive) m_energy = add("energy", 1);
}

Variable<float> RecurrentAttention::keys(ForwardContext& context, const Variable<float>& outputs) const {
    return m_key ? ops::linear(context.tape, outputs, context.parameter(*m_key), {}) : outputs;
}

double RecurrentAttention::scoreScale() const {
    return m_kind == AttentionKind::ScaledDot ? 1 / std::sqrt(static_cast<double>(m_module->width)) : 1;
}

Origin RecurrentAttention::madeScores() const {
    using As = UsedWeight::As;
    const Operation operation = m_kind == AttentionKind::Additive    ? Operation::AdditiveScores
                                : m_kind == AttentionKind::ScaledDot ? Operation::AttentionScores
                                                                     : Operation::DotScores;
    Origin origin{m_module, Part::Scores, operation, {}, scoreScale()};
    if (m_query) origin.weights.push_back({As::QueryMap, *m_query});
    if (m_key) origin.weights.push_back({As::KeyMap, *m_key});
    if (m_energy) origin.weights.push_back({As::Energy, *m_energy});
    return origin;
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
    Value weights;
    const auto recordWeights = [&](const Tensor<float>& view) {
        weights.variable.value = view;
        context.record(weights, join(m_module->scope, "weights"), {m_module, Part::Weights, Operation::Softmax},
                       Axis::TargetToken, {scores.name}, Axis::SourceToken);
    };
    void (*watch)(void*, const Tensor<float>&) = nullptr;
    if (context.tracing()) {
        context.record(scores, join(m_module->scope, "scores"), madeScores(), Axis::TargetToken,
                       {query.name, outputs.name}, Axis::SourceToken);
        watch = [](void* record, const Tensor<float>& view) { (*static_cast<decltype(recordWeights)*>(record))(view); };
    }
    const ops::AlignmentOutput<float> output =
        ops::attend(context.tape, scores.variable, outputs.variable, mask, shape, watch,
                    const_cast<void*>(static_cast<const void*>(&recordWeights)));
    const bool muted =
        std::ranges::any_of(context.mutedHeads, [&](const MutedHead& head) { return head.block == m_module->scope; });
    if (muted) std::fill_n(output.context.value.data, output.context.value.count(), 0.0f);
    if (!context.tracing()) return output;

    Value contextValue{output.context};
    context.record(contextValue, contextName(), {m_module, Part::Context, Operation::WeightedSum}, Axis::TargetToken,
                   {weights.name, outputs.name});
    return output;
}

}  // namespace headlight
