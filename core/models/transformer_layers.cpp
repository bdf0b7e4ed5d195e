// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/transformer_layers.h"

namespace headlight {

namespace {

MultiHeadAttention::Options attentionOptions(const ModelConfig& config) {
    return {config.dModel, config.numHeads, config.scaleScores};
}

/// One sublayer between its residual and its norm: x + f(norm(x)), or norm(x + f(x)). `number` is 1, 2, 3 in the names.
/// Without residuals the x + is left out.
struct Sublayer {
    ForwardContext& context;
    const std::string& scope;
    NormOrder order;
    bool residual;
    Axis tokens;

    Value norm(const LayerNorm& layerNorm, const Value& x, char number) const {
        Value result{layerNorm.forward(context, x.variable)};
        if (context.tracing())
            context.record(result, scope, std::string("norm") + number, Operation::LayerNorm, tokens, {x.name});
        return result;
    }

    template <class F>
    Value apply(const Value& x, const LayerNorm& layerNorm, char number, F&& f) const {
        const Value inside = order == NormOrder::Pre ? norm(layerNorm, x, number) : x;
        const Value output = f(inside);
        const Variable<float> dropped =
            ops::dropoutInPlace(context.tape, output.variable, context.dropout, context.nextSeed());
        Value sum{dropped, output.name};
        if (residual) {
            sum.variable = ops::addInPlace(context.tape, x.variable, dropped);
            if (context.tracing())
                context.record(sum, scope, std::string("residual") + number, Operation::Add, tokens,
                               {x.name, output.name});
        }
        return order == NormOrder::Post ? norm(layerNorm, sum, number) : sum;
    }
};

}  // namespace

EncoderLayer::EncoderLayer(ParameterSet& parameters, const ModelConfig& config, const std::string& fileScope,
                           std::string traceScope)
    : m_scope(std::move(traceScope)),
      m_order(config.normOrder),
      m_residuals(config.residuals),
      m_selfAttention(parameters, fileScope + ".self_attn", m_scope + ".self_attn", attentionOptions(config)),
      m_feedForward(parameters, fileScope, m_scope + ".ffn", config.dModel, config.dFf, config.activation),
      m_norm1(parameters, fileScope + ".norm1", config.dModel, static_cast<float>(config.layerNormEps)),
      m_norm2(parameters, fileScope + ".norm2", config.dModel, static_cast<float>(config.layerNormEps)) {}

Value EncoderLayer::forward(ForwardContext& context, const Value& x, const Tensor<float>& mask,
                            const AttentionShape& shape) const {
    const Sublayer sublayer{context, m_scope, m_order, m_residuals, shape.queryAxis};
    const Value attended = sublayer.apply(
        x, m_norm1, '1', [&](const Value& v) { return m_selfAttention.forward(context, v, v, mask, shape); });
    return sublayer.apply(attended, m_norm2, '2',
                          [&](const Value& v) { return m_feedForward.forward(context, v, shape.queryAxis); });
}

Value EncoderLayer::step(ForwardContext& context, const Value& x, KeyValueCache& kept) const {
    const Sublayer sublayer{context, m_scope, m_order, m_residuals, Axis::SourceToken};
    const Value attended = sublayer.apply(
        x, m_norm1, '1', [&](const Value& v) { return Value{m_selfAttention.stepSelf(context, v.variable, kept)}; });
    return sublayer.apply(attended, m_norm2, '2',
                          [&](const Value& v) { return m_feedForward.forward(context, v, Axis::SourceToken); });
}

DecoderLayer::DecoderLayer(ParameterSet& parameters, const ModelConfig& config, const std::string& fileScope,
                           std::string traceScope)
    : m_scope(std::move(traceScope)),
      m_order(config.normOrder),
      m_residuals(config.residuals),
      m_selfAttention(parameters, fileScope + ".self_attn", m_scope + ".self_attn", attentionOptions(config)),
      m_crossAttention(parameters, fileScope + ".multihead_attn", m_scope + ".cross_attn", attentionOptions(config)),
      m_feedForward(parameters, fileScope, m_scope + ".ffn", config.dModel, config.dFf, config.activation),
      m_norm1(parameters, fileScope + ".norm1", config.dModel, static_cast<float>(config.layerNormEps)),
      m_norm2(parameters, fileScope + ".norm2", config.dModel, static_cast<float>(config.layerNormEps)),
      m_norm3(parameters, fileScope + ".norm3", config.dModel, static_cast<float>(config.layerNormEps)) {}

Value DecoderLayer::forward(ForwardContext& context, const Value& x, const Value& memory, const Masks& masks,
                            const AttentionShape& self, const AttentionShape& cross) const {
    const Sublayer sublayer{context, m_scope, m_order, m_residuals, self.queryAxis};
    const Value first = sublayer.apply(
        x, m_norm1, '1', [&](const Value& v) { return m_selfAttention.forward(context, v, v, masks.self, self); });
    const Value second = sublayer.apply(first, m_norm2, '2', [&](const Value& v) {
        return m_crossAttention.forward(context, v, memory, masks.cross, cross);
    });
    return sublayer.apply(second, m_norm3, '3',
                          [&](const Value& v) { return m_feedForward.forward(context, v, self.queryAxis); });
}

DecoderLayer::StepOutput DecoderLayer::step(ForwardContext& context, const Value& x, KeyValueCache& self,
                                            const StepMemory& memory) const {
    const Sublayer sublayer{context, m_scope, m_order, m_residuals, Axis::TargetToken};
    StepOutput result;
    const Value first = sublayer.apply(
        x, m_norm1, '1', [&](const Value& v) { return Value{m_selfAttention.stepSelf(context, v.variable, self)}; });
    const Value second = sublayer.apply(first, m_norm2, '2', [&](const Value& v) {
        auto [output, weights] = m_crossAttention.stepCross(context, v.variable, memory.cache, memory.mask);
        result.crossWeights = weights;
        return Value{output};
    });
    result.value = sublayer.apply(second, m_norm3, '3',
                                  [&](const Value& v) { return m_feedForward.forward(context, v, Axis::TargetToken); });
    return result;
}

}  // namespace headlight
