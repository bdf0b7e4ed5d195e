// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/pooler.h"

#include "core/autograd/recurrent.h"
#include "core/models/transformer_layers.h"

namespace headlight {

Pooler::Pooler(ParameterSet& parameters, const ModelConfig& config)
    : m_kind(config.pooler),
      m_module(parameters.addModule({ModuleKind::Head, "head", {Stack::Shared, Section::Head}})),
      m_dense(parameters, m_module, "pooler", config.dModel, config.dModel, Init::FanInUniform,
              m_kind == PoolerKind::GeluNorm ? config.bias : Biases::All) {
    if (m_kind == PoolerKind::GeluNorm)
        m_norm.emplace(parameters,
                       parameters.addModule({ModuleKind::Norm, "head.norm", {Stack::Shared, Section::Head}}),
                       "pooler_norm", normOptions(config));
}

std::optional<Pooler> Pooler::make(ParameterSet& parameters, const ModelConfig& config) {
    if (config.pooler == PoolerKind::None) return {};
    return Pooler(parameters, config);
}

Value Pooler::forward(ForwardContext& context, const Value& x) const {
    Value hidden{m_dense.forward(context, x.variable)};
    if (context.tracing())
        context.record(hidden, "head.hidden", m_dense.made(Part::Hidden), Axis::SourceToken, {x.name});
    const ops::Activation function = m_kind == PoolerKind::Relu ? ops::Activation::Relu : ops::Activation::Gelu;
    Value active{m_kind == PoolerKind::Tanh ? ops::tanh(context.tape, hidden.variable)
                                            : ops::activationInPlace(context.tape, function, hidden.variable)};
    if (context.tracing())
        context.record(active, "head.activation", {m_module, Part::Activation, Operation::Activation},
                       Axis::SourceToken, {hidden.name});
    if (!m_norm) return active;
    Value normed{m_norm->forward(context, active.variable)};
    if (context.tracing())
        context.record(normed, "head.norm", m_norm->made(Part::Norm), Axis::SourceToken, {active.name});
    return normed;
}

}  // namespace headlight
