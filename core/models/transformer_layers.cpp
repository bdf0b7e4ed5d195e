// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/transformer_layers.h"

#include <cmath>
#include <optional>

namespace headlight {

namespace {

struct LayerScopes {
    const std::string& file;
    const std::string& trace;
};

/// What the scores of a layer are multiplied by, where that is not 1/√d_k.
double scoreFactor(const ModelConfig& config, int layer) {
    const double byLayer = config.scaleScoresByLayer ? 1.0 / (layer + 1) : 1;
    return config.queryScale > 0 ? byLayer / std::sqrt(config.queryScale) : byLayer;
}

Norm::Options headNormOptions(const ModelConfig& config) {
    return {.width = config.headWidth(),
            .epsilon = static_cast<float>(config.layerNormEps),
            .kind = NormKind::Rms,
            .fromOne = config.normFromOne};
}

MultiHeadAttention::Options attentionOptions(const ModelConfig& config, const ModulePlace& place, AttentionOver over) {
    return {.width = config.dModel,
            .numHeads = config.numHeads,
            .scaled = config.scaleScores && config.queryScale == 0,
            .place = place,
            .over = over,
            .keyHeads = config.keyHeads(),
            .headWidth = config.headWidth(),
            .scoreFactor = scoreFactor(config, place.layer),
            .scoreCap = config.scoreCap,
            .bias = config.qkvBiases(),
            .outBias = config.outProjBiases(),
            .headNorm = config.headNorms ? std::optional(headNormOptions(config)) : std::nullopt,
            .window = config.isWindowed(place.layer) ? config.slidingWindow : 0};
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
            .bias = config.ffnBiases()};
}

/// The module of norm1, norm2 or norm3 of a layer, with its sum.
ModuleRef addNorm(ParameterSet& parameters, const ModelConfig& config, const LayerScopes& scopes,
                  const ModulePlace& place, char number) {
    return parameters.addModule({.kind = ModuleKind::Norm,
                                 .scope = scopes.trace + ".norm" + number,
                                 .place = place,
                                 .sumApart = config.normOrder == NormOrder::Pre});
}

Norm makeNorm(ParameterSet& parameters, const ModelConfig& config, const LayerScopes& scopes, const ModulePlace& place,
              char number) {
    return {parameters, addNorm(parameters, config, scopes, place, number), scopes.file + ".norm" + number,
            normOptions(config)};
}

/// Of what a sublayer makes, where it has one.
std::optional<Norm> makeOutputNorm(ParameterSet& parameters, const ModelConfig& config, const LayerScopes& scopes,
                                   const ModulePlace& place, char number) {
    if (!config.outputNorms) return {};
    const std::string name = std::string(".output_norm") + number;
    return Norm(parameters,
                parameters.addModule({.kind = ModuleKind::Norm, .scope = scopes.trace + name, .place = place}),
                scopes.file + name, normOptions(config));
}

/// One sublayer between its residual and its norm: x + f(norm(x)), or norm(x + f(x)). `number` is 1, 2, 3 in the names.
/// Without residuals the x + is left out.
struct Sublayer {
    /// Those of one sublayer.
    struct Norms {
        const Norm* norm;  ///< null: f reads x itself
        const Norm* ofOutput = nullptr;
        char number = '1';
        const ModuleRef& sum;  ///< whose the sum is
    };

    ForwardContext& context;
    const std::string& scope;
    NormOrder order;
    bool residual;
    Axis tokens;

    Value normed(const Norm& norm, const Value& x, const char* name, Part part, char number) const {
        Value result{norm.forward(context, x.variable)};
        if (context.tracing())
            context.record(result, join(scope, std::string(name) + number), norm.made(part), tokens, {x.name});
        return result;
    }
    Value normed(const Norm& norm, const Value& x, char number) const {
        return normed(norm, x, "norm", Part::Norm, number);
    }

    /// x + output, or the output alone. `output` is overwritten, x is not.
    Value added(const Value& x, const Value& output, const ModuleRef& module, char number) const {
        const Variable<float> dropped =
            ops::dropoutInPlace(context.tape, output.variable, context.dropout, context.nextSeed());
        Value sum{dropped, output.name};
        if (!residual) return sum;
        sum.variable = ops::addInPlace(context.tape, x.variable, dropped);
        if (context.tracing())
            context.record(sum, join(scope, std::string("residual") + number), {module, Part::Residual, Operation::Add},
                           tokens, {x.name, output.name});
        return sum;
    }

    template <class F>
    Value apply(const Value& x, const Norms& norms, F&& f) const {
        const auto& [norm, ofOutput, number, ofSum] = norms;
        const Value inside = norm && order == NormOrder::Pre ? normed(*norm, x, number) : x;
        Value output = f(inside);
        if (ofOutput) output = normed(*ofOutput, output, "output_norm", Part::NormedOutput, number);
        const Value sum = added(x, output, ofSum, number);
        return norm && order == NormOrder::Post ? normed(*norm, sum, number) : sum;
    }
    template <class F>
    Value apply(const Value& x, const Norm& norm, char number, F&& f) const {
        return apply(x, Norms{&norm, nullptr, number, norm.module()}, f);
    }
};

}  // namespace

Norm::Options normOptions(const ModelConfig& config) {
    return {config.dModel, static_cast<float>(config.layerNormEps), config.norm, config.bias, config.normFromOne};
}

EncoderLayer::EncoderLayer(ParameterSet& parameters, const ModelConfig& config, const std::string& fileScope,
                           const std::string& traceScope, const ModulePlace& place)
    : m_scope(traceScope),
      m_order(config.normOrder),
      m_parallel(config.parallel),
      m_residuals(config.residuals),
      m_isWindowed(config.isWindowed(place.layer)),
      m_selfAttention(parameters, fileScope + ".self_attn", m_scope + ".self_attn",
                      attentionOptions(config, place, AttentionOver::Itself)),
      m_feedForward(parameters, feedForwardOptions(config, fileScope, m_scope, place)),
      m_outputNorm1(makeOutputNorm(parameters, config, {fileScope, m_scope}, place, '1')),
      m_outputNorm2(makeOutputNorm(parameters, config, {fileScope, m_scope}, place, '2')) {
    // The sums have modules of their own even where there is no norm, or one serves both sublayers.
    m_sum1 = addNorm(parameters, config, {fileScope, m_scope}, place, '1');
    if (config.firstNorm || place.layer > 0)
        m_norm1.emplace(parameters, m_sum1, fileScope + ".norm1", normOptions(config));
    m_sum2 = addNorm(parameters, config, {fileScope, m_scope}, place, '2');
    if (m_parallel != Parallel::OneNorm) m_norm2.emplace(parameters, m_sum2, fileScope + ".norm2", normOptions(config));
}

template <class Attend>
Value EncoderLayer::compute(ForwardContext& context, const Value& x, Axis tokens, Attend attend) const {
    const Sublayer sublayer{context, m_scope, m_order, m_residuals, tokens};
    const auto network = [&](const Value& v) { return m_feedForward.forward(context, v, tokens); };
    const auto orNull = [](const std::optional<Norm>& norm) { return norm ? &*norm : nullptr; };
    if (m_parallel == Parallel::None) {
        const Value attended = sublayer.apply(x, {orNull(m_norm1), orNull(m_outputNorm1), '1', m_sum1}, attend);
        return sublayer.apply(attended, {orNull(m_norm2), orNull(m_outputNorm2), '2', m_sum2}, network);
    }
    const Value first = sublayer.normed(*m_norm1, x, '1');
    const Value attended = sublayer.added(x, attend(first), m_sum1, '1');
    const Value second = m_norm2 ? sublayer.normed(*m_norm2, x, '2') : first;
    return sublayer.added(attended, network(second), m_sum2, '2');
}

Value EncoderLayer::forward(ForwardContext& context, const Value& x, const Tensor<float>& mask,
                            const AttentionShape& shape, const AttentionPlaces& places) const {
    return compute(context, x, shape.queryAxis,
                   [&](const Value& v) { return m_selfAttention.forward(context, v, v, mask, shape, places); });
}

Value EncoderLayer::step(ForwardContext& context, const Value& x, KeyValueCache& kept,
                         const AttentionPlaces& places) const {
    return compute(context, x, Axis::SourceToken,
                   [&](const Value& v) { return Value{m_selfAttention.stepSelf(context, v.variable, kept, places)}; });
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
