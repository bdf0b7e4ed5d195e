// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/open/training_model.h"

namespace headlight {

/// Gradients and weights by module, in the order of the model's weights; the norms of a layer count as one.
/// `gradientNorms`: one a weight.
std::vector<ModuleState> moduleStates(const Model& model, const std::vector<double>& gradientNorms);

}  // namespace headlight
