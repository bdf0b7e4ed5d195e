// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/transformer_layers.h"

namespace headlight {

namespace {

struct LayerScopes {
    const std::string& file;
    const std::string& trace;
};

MultiHeadAttention::Options attentionOptions(const ModelConfig& config, const ModulePlace& place, AttentionOver over) {
    return {.width = config.dModel,
            .numHeads = config.numHeads,
            .scaled = config.scaleScores,
            .place = place,
            .over = over,
            .keyHeads = config.keyHeads(),
            .headWidth = config.headWidth(),
            .scoreFactor = config.scaleScoresByLayer ? 1.0 / (place.layer + 1) : 1,
            .bias = config.bias};
}

FeedForward::Options feedForwardOptions(const ModelConfig& config, const std::string& fileScope,
                                        const std::string& traceScope, const ModulePlace& place) {
    return {.fileScope = fileScope,
            .traceScope = traceScope + ".ffn",
            .width = config.dModel,
            .hidden = config.dFf,
            .activation = config.activation,
            .place = place,
            .gated = config.gatedFfn,
            .bias = config.bias};
}

/// norm1, norm2, norm3 of a layer.
Norm makeNorm(ParameterSet& parameters, const ModelConfig& config, const LayerScopes& scopes, const ModulePlace& place,
              char number) {
    ModuleRef module = parameters.addModule({.kind = ModuleKind::Norm,
                                             .scope = scopes.trace + ".norm" + number,
                                             .place = place,
                                             .sumApart = config.normOrder == NormOrder::Pre});
    return {parameters, std::move(module), scopes.file + ".norm" + number, normOptions(config)};
}

/// One sublayer between its residual and its norm: x + f(norm(x)), or norm(x + f(x)). `number` is 1, 2, 3 in the names.
/// Without residuals the x + is left out.
struct Sublayer {
    ForwardContext& context;
    const std::string& scope;
    NormOrder order;
    bool residual;
    Axis tokens;

    Value normed(const Norm& norm, const Value& x, char number) const {
        Value result{norm.forward(context, x.variable)};
        if (context.tracing())
            context.record(result, join(scope, std::string("norm") + number), norm.made(Part::Norm), tokens, {x.name});
        return result;
    }

    template <class F>
    Value apply(const Value& x, const Norm& norm, char number, F&& f) const {
        const Value inside = order == NormOrder::Pre ? normed(norm, x, number) : x;
        const Value output = f(inside);
        const Variable<float> dropped =
            ops::dropoutInPlace(context.tape, output.variable, context.dropout, context.nextSeed());
        Value sum{dropped, output.name};
        if (residual) {
            sum.variable = ops::addInPlace(context.tape, x.variable, dropped);
            if (context.tracing())
                context.record(sum, join(scope, std::string("residual") + number), norm.madeSum(), tokens,
                               {x.name, output.name});
        }
        return order == NormOrder::Post ? normed(norm, sum, number) : sum;
    }
};

}  // namespace

Norm::Options normOptions(const ModelConfig& config) {
    return {config.dModel, static_cast<float>(config.layerNormEps), config.norm, config.bias};
}

EncoderLayer::EncoderLayer(ParameterSet& parameters, const ModelConfig& config, const std::string& fileScope,
                           const std::string& traceScope, const ModulePlace& place)
    : m_scope(traceScope),
      m_order(config.normOrder),
      m_residuals(config.residuals),
      m_selfAttention(parameters, fileScope + ".self_attn", m_scope + ".self_attn",
                      attentionOptions(config, place, AttentionOver::Itself)),
      m_feedForward(parameters, feedForwardOptions(config, fileScope, m_scope, place)),
      m_norm1(makeNorm(parameters, config, {fileScope, m_scope}, place, '1')),
      m_norm2(makeNorm(parameters, config, {fileScope, m_scope}, place, '2')) {}

Value EncoderLayer::forward(ForwardContext& context, const Value& x, const Tensor<float>& mask,
                            const AttentionShape& shape, const AttentionPlaces& places) const {
    const Sublayer sublayer{context, m_scope, m_order, m_residuals, shape.queryAxis};
    const Value attended = sublayer.apply(
        x, m_norm1, '1', [&](const Value& v) { return m_selfAttention.forward(context, v, v, mask, shape, places); });
    return sublayer.apply(attended, m_norm2, '2',
                          [&](const Value& v) { return m_feedForward.forward(context, v, shape.queryAxis); });
}

Value EncoderLayer::step(ForwardContext& context, const Value& x, KeyValueCache& kept,
                         const AttentionPlaces& places) const {
    const Sublayer sublayer{context, m_scope, m_order, m_residuals, Axis::SourceToken};
    const Value attended = sublayer.apply(x, m_norm1, '1', [&](const Value& v) {
        return Value{m_selfAttention.stepSelf(context, v.variable, kept, places)};
    });
    return sublayer.apply(attended, m_norm2, '2',
                          [&](const Value& v) { return m_feedForward.forward(context, v, Axis::SourceToken); });
}

DecoderLayer::DecoderLayer(ParameterSet& parameters, const ModelConfig& config, const std::string& fileScope,
                           const std::string& traceScope, const ModulePlace& place)
    : m_scope(traceScope),
      m_order(config.normOrder),
      m_residuals(config.residuals),
      m_selfAttention(parameters, fileScope + ".self_attn", m_scope + ".self_attn",
                      attentionOptions(config, place, AttentionOver::Itself)),
      m_crossAttention(parameters, fileScope + ".multihead_attn", m_scope + ".cross_attn",
                       attentionOptions(config, place, AttentionOver::Memory)),
      m_feedForward(parameters, feedForwardOptions(config, fileScope, m_scope, place)),
      m_norm1(makeNorm(parameters, config, {fileScope, m_scope}, place, '1')),
      m_norm2(makeNorm(parameters, config, {fileScope, m_scope}, place, '2')),
      m_norm3(makeNorm(parameters, config, {fileScope, m_scope}, place, '3')) {}

Value DecoderLayer::forward(ForwardContext& context, const Value& x, const Value& memory, const Sight& sight,
                            const AttentionShape& self, const AttentionShape& cross) const {
    const Sublayer sublayer{context, m_scope, m_order, m_residuals, self.queryAxis};
    const Value first = sublayer.apply(x, m_norm1, '1', [&](const Value& v) {
        return m_selfAttention.forward(context, v, v, sight.self, self, sight.places);
    });
    const Value second = sublayer.apply(first, m_norm2, '2', [&](const Value& v) {
        return m_crossAttention.forward(context, v, memory, sight.cross, cross);
    });
    return sublayer.apply(second, m_norm3, '3',
                          [&](const Value& v) { return m_feedForward.forward(context, v, self.queryAxis); });
}

DecoderLayer::StepOutput DecoderLayer::step(ForwardContext& context, const Value& x, KeyValueCache& self,
                                            const StepSight& sight) const {
    const Sublayer sublayer{context, m_scope, m_order, m_residuals, Axis::TargetToken};
    StepOutput result;
    const Value first = sublayer.apply(x, m_norm1, '1', [&](const Value& v) {
        return Value{m_selfAttention.stepSelf(context, v.variable, self, sight.places)};
    });
    const Value second = sublayer.apply(first, m_norm2, '2', [&](const Value& v) {
        auto [output, weights] = m_crossAttention.stepCross(context, v.variable, sight.cache, sight.mask);
        result.crossWeights = weights;
        return Value{output};
    });
    result.value = sublayer.apply(second, m_norm3, '3',
                                  [&](const Value& v) { return m_feedForward.forward(context, v, Axis::TargetToken); });
    return result;
}

}  // namespace headlight
