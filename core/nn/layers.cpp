// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/layers.h"

namespace headlight {

Linear::Linear(ParameterSet& parameters, const std::string& scope, int in, int out, Init weight)
    : m_weight(parameters.add(scope + ".weight", {out, in}, weight, in)),
      m_bias(parameters.add(scope + ".bias", {out}, Init::FanInUniform, in)) {}

Linear::Linear(ParameterSet& parameters, const std::string& scope, ParameterId weight)
    : m_weight(weight),
      m_bias(parameters.add(scope + ".bias", {parameters.entry(weight).shape.dim(0)}, Init::FanInUniform,
                            parameters.entry(weight).shape.dim(1))) {}

Variable<float> Linear::forward(ForwardContext& context, const Variable<float>& x) const {
    return ops::linear(context.tape, x, context.parameter(m_weight), context.parameter(m_bias));
}

LayerNorm::LayerNorm(ParameterSet& parameters, const std::string& scope, int width, float epsilon)
    : m_weight(parameters.add(scope + ".weight", {width}, Init::Ones)),
      m_bias(parameters.add(scope + ".bias", {width}, Init::Zeros)),
      m_epsilon(epsilon) {}

Variable<float> LayerNorm::forward(ForwardContext& context, const Variable<float>& x) const {
    return ops::layerNorm(context.tape, x, context.parameter(m_weight), context.parameter(m_bias), m_epsilon);
}

Embedding::Embedding(ParameterSet& parameters, const std::string& scope, int vocabulary, int width, float scale,
                     Init init)
    : m_weight(parameters.add(scope + ".weight", {vocabulary, width}, init)), m_scale(scale) {}

Variable<float> Embedding::forward(ForwardContext& context, std::span<const int> ids) const {
    return ops::embedding(context.tape, ids, context.parameter(m_weight), m_scale);
}

FeedForward::FeedForward(ParameterSet& parameters, const std::string& fileScope, std::string traceScope, int width,
                         int hidden, ops::Activation activation)
    : m_scope(std::move(traceScope)),
      m_linear1(parameters, fileScope + ".linear1", width, hidden),
      m_linear2(parameters, fileScope + ".linear2", hidden, width),
      m_activation(activation) {}

Value FeedForward::forward(ForwardContext& context, const Value& x, Axis tokens) const {
    Value hidden{m_linear1.forward(context, x.variable)};
    if (context.tracing()) context.record(hidden, m_scope, "hidden", Operation::Linear, tokens, {x.name});
    Value active{ops::activationInPlace(context.tape, m_activation, hidden.variable)};
    if (context.tracing()) context.record(active, m_scope, "activation", Operation::Activation, tokens, {hidden.name});
    const Variable<float> kept =
        ops::dropoutInPlace(context.tape, active.variable, context.dropout, context.nextSeed());
    Value output{m_linear2.forward(context, kept)};
    if (context.tracing()) context.record(output, m_scope, "output", Operation::Linear, tokens, {active.name});
    return output;
}

}  // namespace headlight
