// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/encoder.h"

#include "core/error.h"

namespace headlight {

Encoder::Encoder(const ModelConfig& config)
    : Model(config), m_stack(m_parameters, config), m_pooler(Pooler::make(m_parameters, config)) {}

Value Encoder::forward(ForwardContext& context, const TokenBatch& ids) const {
    Value output = m_stack.forward(context, ids, TransformerStack::Sight::Everywhere);
    // What the pooler makes of it nobody reads but the trace.
    if (m_pooler && context.tracing())
        m_pooler->forward(context, {firstPositions(context, output.variable, ids), output.name});
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
