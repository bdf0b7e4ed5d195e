// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/pooler.h"

#include "core/autograd/recurrent.h"

namespace headlight {

Pooler::Pooler(ParameterSet& parameters, const ModelConfig& config)
    : m_kind(config.pooler),
      m_module(parameters.addModule({ModuleKind::Head, "head", {Stack::Shared, Section::Head}})),
      m_dense(parameters, m_module, "pooler", config.dModel, config.dModel, Init::FanInUniform) {}

std::optional<Pooler> Pooler::make(ParameterSet& parameters, const ModelConfig& config) {
    if (config.pooler == PoolerKind::None) return {};
    return Pooler(parameters, config);
}

Value Pooler::forward(ForwardContext& context, const Value& x) const {
    Value hidden{m_dense.forward(context, x.variable)};
    if (context.tracing())
        context.record(hidden, "head.hidden", m_dense.made(Part::Hidden), Axis::SourceToken, {x.name});
    Value active{m_kind == PoolerKind::Tanh
                     ? ops::tanh(context.tape, hidden.variable)
                     : ops::activationInPlace(context.tape, ops::Activation::Relu, hidden.variable)};
    if (context.tracing())
        context.record(active, "head.activation", {m_module, Part::Activation, Operation::Activation},
                       Axis::SourceToken, {hidden.name});
    return active;
}

}  // namespace headlight
