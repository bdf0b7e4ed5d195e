// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/models/model_config.h"
#include "core/nn/layers.h"

namespace headlight {

/// One vector for a whole sentence: its first position through a map of its own and a function, tanh in BERT (Devlin et
/// al. 2019), max(0, x) in DistilBERT (Sanh et al. 2019), the exact GELU in ELECTRA (Clark et al. 2020), the same and a
/// norm in ModernBERT (Warner et al. 2024). `pooler.weight` [d, d], `pooler.bias`, `pooler_norm.*`.
/// Traced: head.hidden, head.activation, head.norm (where there is one) [1, d].
class Pooler {
public:
    /// Nothing where the configuration has none.
    static std::optional<Pooler> make(ParameterSet& parameters, const ModelConfig& config);

    /// x [N, d], the first position of each sentence → [N, d].
    Value forward(ForwardContext& context, const Value& x) const;

private:
    Pooler(ParameterSet& parameters, const ModelConfig& config);

    PoolerKind m_kind;
    ModuleRef m_module;
    Linear m_dense;
    std::optional<Norm> m_norm;
};

}  // namespace headlight
