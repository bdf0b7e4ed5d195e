// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/layers.h"

#include <algorithm>

#include "core/autograd/variant_operations.h"

namespace headlight {

Linear::Linear(ParameterSet& parameters, ModuleRef module, const std::string& scope, int in, int out, Init weight,
               Biases bias)
    : m_module(std::move(module)), m_weight(parameters.add(m_module, scope + ".weight", {out, in}, weight, in)) {
    if (bias == Biases::All) m_bias = parameters.add(m_module, scope + ".bias", {out}, Init::FanInUniform, in);
}

Linear::Linear(ParameterSet& parameters, ModuleRef module, const std::string& scope, ParameterId weight, Biases bias)
    : m_module(std::move(module)), m_weight(weight) {
    const Shape shape = parameters.entry(weight).shape;
    if (bias == Biases::All)
        m_bias = parameters.add(m_module, scope + ".bias", {shape.dim(0)}, Init::FanInUniform, shape.dim(1));
}

Variable<float> Linear::forward(ForwardContext& context, const Variable<float>& x) const {
    return ops::linear(context.tape, x, context.parameter(m_weight),
                       m_bias ? context.parameter(*m_bias) : Variable<float>());
}

Origin Linear::made(Part part, Operation operation) const {
    Origin origin{m_module, part, operation, {{UsedWeight::As::Matrix, m_weight}}};
    if (m_bias) origin.weights.push_back({UsedWeight::As::Bias, *m_bias});
    return origin;
}

Norm::Norm(ParameterSet& parameters, ModuleRef module, const std::string& scope, const Options& options)
    : m_module(std::move(module)),
      m_kind(options.kind),
      m_weight(
          parameters.add(m_module, scope + ".weight", {options.width}, options.fromOne ? Init::Zeros : Init::Ones)),
      m_epsilon(options.epsilon),
      m_fromOne(options.fromOne) {
    if (m_kind == NormKind::Layer && options.bias == Biases::All)
        m_bias = parameters.add(m_module, scope + ".bias", {options.width}, Init::Zeros);
}

Variable<float> Norm::forward(ForwardContext& context, const Variable<float>& x) const {
    if (m_kind == NormKind::Rms) {
        const Variable<float> weight = context.parameter(m_weight);
        return ops::rmsNorm(context.tape, x, m_fromOne ? ops::addNumber(context.tape, weight, 1.0f) : weight,
                            m_epsilon);
    }
    return ops::layerNorm(context.tape, x, context.parameter(m_weight),
                          m_bias ? context.parameter(*m_bias) : Variable<float>(), m_epsilon);
}

Origin Norm::made(Part part) const {
    Origin origin{m_module,
                  part,
                  m_kind == NormKind::Rms ? Operation::RmsNorm : Operation::LayerNorm,
                  {{.as = UsedWeight::As::Scale, .parameter = m_weight, .plus = m_fromOne ? 1.0 : 0.0}}};
    if (m_bias) origin.weights.push_back({UsedWeight::As::Shift, *m_bias});
    return origin;
}

Embedding::Embedding(ParameterSet& parameters, const Options& options)
    : m_module(parameters.addModule({ModuleKind::Embedding, options.traceName, {options.stack, Section::Start}})),
      m_idsName(options.idsName),
      m_weight(options.shared ? *options.shared
                              : parameters.add(m_module, options.fileScope + ".weight",
                                               {options.vocabulary, options.width}, options.init)),
      m_scale(options.scale),
      m_idsPart(options.ids),
      m_rowsPart(options.rows) {}

std::string Embedding::recordIds(ForwardContext& context, std::span<const int> ids, Axis tokens) const {
    Value value{{context.tape.allocate({1, static_cast<int>(ids.size())}), {}}};
    std::ranges::transform(ids, value.variable.value.data, [](int id) { return static_cast<float>(id); });
    context.record(value, m_idsName, {m_module, m_idsPart, Operation::Input}, std::vector<Axis>{tokens},
                   std::vector<int>{static_cast<int>(ids.size())}, {});
    return value.name;
}

Value Embedding::forward(ForwardContext& context, std::span<const int> ids, Axis tokens) const {
    const std::string idsName = context.tracing() ? recordIds(context, ids, tokens) : std::string();
    Value embedded{ops::embedding(context.tape, ids, context.parameter(m_weight), m_scale)};
    if (context.tracing())
        context.record(embedded, m_module->scope,
                       {m_module,
                        m_rowsPart,
                        Operation::Embedding,
                        {{UsedWeight::As::Table, m_weight}},
                        static_cast<double>(m_scale)},
                       tokens, {idsName});
    return embedded;
}

FeedForward::FeedForward(ParameterSet& parameters, const Options& options)
    : m_module(parameters.addModule({.kind = ModuleKind::FeedForward,
                                     .scope = options.traceScope,
                                     .place = options.place,
                                     .width = options.hidden})),
      m_linear1(parameters, m_module, options.fileScope + ".linear1", options.width, options.hidden,
                Init::XavierUniform, options.bias),
      m_linear2(parameters, m_module, options.fileScope + ".linear2", options.hidden, options.width,
                Init::XavierUniform, options.bias),
      m_activation(options.activation) {
    if (options.gated)
        m_linearUp.emplace(parameters, m_module, options.fileScope + ".linear_up", options.width, options.hidden,
                           Init::XavierUniform, options.bias);
}

Value FeedForward::forward(ForwardContext& context, const Value& x, Axis tokens) const {
    const auto name = [&](const char* part) { return join(m_module->scope, part); };
    Value hidden{m_linear1.forward(context, x.variable)};
    if (context.tracing()) context.record(hidden, name("hidden"), m_linear1.made(Part::Hidden), tokens, {x.name});
    Value active{ops::activationInPlace(context.tape, m_activation, hidden.variable)};
    if (context.tracing())
        context.record(active, name("activation"), {m_module, Part::Activation, Operation::Activation}, tokens,
                       {hidden.name});
    if (m_linearUp) active = gate(context, x, active, tokens);
    const Variable<float> kept =
        ops::dropoutInPlace(context.tape, active.variable, context.dropout, context.nextSeed());
    Value output{m_linear2.forward(context, kept)};
    if (context.tracing()) context.record(output, name("output"), m_linear2.made(Part::Output), tokens, {active.name});
    return output;
}

Value FeedForward::gate(ForwardContext& context, const Value& x, const Value& active, Axis tokens) const {
    Value up{m_linearUp->forward(context, x.variable)};
    if (context.tracing())
        context.record(up, join(m_module->scope, "up"), m_linearUp->made(Part::Up), tokens, {x.name});
    Value gated{ops::multiply(context.tape, active.variable, up.variable)};
    if (context.tracing())
        context.record(gated, join(m_module->scope, "gated"), {m_module, Part::Gated, Operation::Multiply}, tokens,
                       {active.name, up.name});
    return gated;
}

}  // namespace headlight
