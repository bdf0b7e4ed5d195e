// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/encoder.h"

#include "core/error.h"

namespace headlight {

Encoder::Encoder(const ModelConfig& config)
    : Model(config), m_stack(m_parameters, config), m_pooler(Pooler::make(m_parameters, config)) {
    if (!config.findsReplaced) return;
    const ModuleRef head = m_parameters.addModule({ModuleKind::Head, "replaced", {Stack::Shared, Section::Head}});
    m_replaced.emplace(ReplacedHead{
        head, Linear(m_parameters, head, "replaced_dense", config.dModel, config.dModel, Init::FanInUniform),
        Linear(m_parameters, head, "replaced", config.dModel, 1, Init::FanInUniform)});
}

void Encoder::recordReplaced(ForwardContext& context, const Value& output) const {
    const auto& [module, dense, prediction] = *m_replaced;
    Value hidden{dense.forward(context, output.variable)};
    context.record(hidden, "head.hidden", dense.made(Part::Hidden), Axis::SourceToken, {output.name});
    Value active{ops::activationInPlace(context.tape, m_config.activation, hidden.variable)};
    context.record(active, "head.activation", {module, Part::Activation, Operation::Activation}, Axis::SourceToken,
                   {hidden.name});
    Value replaced{prediction.forward(context, active.variable)};
    context.record(replaced, "replaced", prediction.made(Part::Output), Axis::SourceToken, {active.name});
}

Value Encoder::forward(ForwardContext& context, const TokenBatch& ids) const {
    Value output = m_stack.forward(context, ids, TransformerStack::Sight::Everywhere);
    // What the pooler makes of it nobody reads but the trace.
    if (m_pooler && context.tracing())
        m_pooler->forward(context, {firstPositions(context, output.variable, ids), output.name});
    if (m_replaced && context.tracing()) recordReplaced(context, output);
    return output;
}

ops::CrossEntropyResult Encoder::loss(ForwardContext&, std::span<const Example* const>,
                                      ops::CrossEntropyOptions) const {
    refuseWithoutHead();
}

void refuseWithoutHead() {
    throw Error(
        "this model has no head that says words or labels, only the layers below one: trace it, or open one with its "
        "head");
}

}  // namespace headlight
