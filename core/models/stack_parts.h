// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the models of several kinds are put together of.

#include <optional>
#include <string>

#include "core/models/model_config.h"
#include "core/nn/attention_positions.h"
#include "core/nn/layers.h"

namespace headlight {

/// The module of the layer that names the words or labels.
ModuleRef addHead(ParameterSet& parameters);
struct LogitOptions {
    double factor = 1;  ///< of what the head reads
    double cap = 0;     ///< logits are bent so that none goes beyond it; 0: they stay
};
/// Records logits [N, vocabulary], made by `head` from `input`, and their log softmax; hands them back, capped where
/// they are.
Value recordLogits(ForwardContext& context, Value logits, const Linear& head, const std::string& input, Axis tokens,
                   const LogitOptions& options = {});
/// How the attention of a stack is told of positions, where it is.
AttentionPositions::Options attentionPositions(const ModelConfig& config, Stack stack, const std::string& traceScope);
/// The norm of what the first layer of a stack reads.
Norm makeEmbeddingNorm(ParameterSet& parameters, const ModelConfig& config, Stack stack, const std::string& traceScope);
/// The module of what a stack hands on, recorded as `scope`: a norm, or what its last layer made.
ModuleRef addStackOutput(ParameterSet& parameters, const std::string& scope, Stack stack, bool norm);
/// What a stack hands on: its last layer's values, through the final norm where there is one. Traced under `result`'s
/// scope.
Value stackOutput(ForwardContext& context, const Value& x, const std::optional<Norm>& norm, const ModuleRef& result,
                  Axis tokens);

}  // namespace headlight
