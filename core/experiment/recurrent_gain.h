// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/cell_figures.h"

namespace headlight {

/// What becomes of a gradient where a layer's recurrent weights W_hh are multiplied.
struct GainReach {
    GradientReach reach;
    double singularValue = 0;  ///< the largest of W_hh, all gates stacked, as it was followed
};

/// Of the model as it was before training: its shape, the weights of seed 1. Below 1 the largest singular value makes
/// the gradient of a plain network vanish; for it to explode it has to be above 1 (Pascanu, Mikolov, Bengio 2013,
/// section 2.1). A trained network's units saturate, and hand nothing back however large W_hh is. Else as
/// gradientReach().
GainReach untrainedReach(const TrainedModel& model, const Corpus& corpus, CellPlace place, double factor, size_t most,
                         const StillWanted& wanted = {});

/// Of a matrix, to about six digits: power iteration on AᵀA.
double largestSingularValue(const Tensor<const float>& matrix);

/// W_hh of a layer, [gates·hidden, hidden]. Throws Error where the model has none.
Tensor<const float> recurrentWeights(const TrainedModel& model, CellPlace place);

}  // namespace headlight
