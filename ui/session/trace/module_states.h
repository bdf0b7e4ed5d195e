// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/open/training_model.h"

namespace headlight {

/// The module that a weight belongs to: `encoder.layers.0.self_attn` of
/// `transformer.encoder.layers.0.self_attn.in_proj_weight`.
std::string moduleOfWeight(const std::string& weight);

/// Gradients and weights by module, in the order of the model's weights. `gradientNorms`: one a weight.
std::vector<ModuleState> moduleStates(const Model& model, const std::vector<double>& gradientNorms);

}  // namespace headlight
