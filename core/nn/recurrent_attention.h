// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/autograd/recurrent.h"
#include "core/nn/context.h"
#include "core/nn/kinds.h"

namespace headlight {

/// The attention of a recurrent decoder: one head, over the encoder's outputs.
/// Traced: scores, weights, context.
class RecurrentAttention {
public:
    /// Makes the weights that the kind has: `attention.query.weight`, `.key.weight`, `.energy.weight`, width × width.
    RecurrentAttention(ParameterSet& parameters, AttentionKind kind, int width);

    /// What the scores need of the encoder's outputs [batch·keys, d], computed once a sentence.
    Variable<float> keys(ForwardContext& context, const Variable<float>& outputs) const;
    /// Queries s [batch·queries, d] over the outputs and their keys() → context and weights.
    ops::AlignmentOutput<float> forward(ForwardContext& context, const Value& query, const Variable<float>& keys,
                                        const Value& outputs, const Tensor<float>& mask,
                                        const ops::AlignmentShape& shape) const;
    /// Of the context in the trace.
    std::string contextName() const { return join(m_module->scope, "context"); }

private:
    Origin madeScores() const;
    double scoreScale() const;

    AttentionKind m_kind;
    ModuleRef m_module;
    std::optional<ParameterId> m_query, m_key, m_energy;
};

}  // namespace headlight
