// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/session/trace/cell_arithmetic.h"

namespace headlight {

/// What a cell of a linear map is computed with: one row of its weight matrix, and what that is multiplied with.
struct LinearWeights {
    std::vector<float> weight;
    std::optional<double> bias;
    std::vector<std::string> inputs;  ///< records whose rows, side by side, are multiplied with the weights
};

/// The weights behind a record of operation Linear or Tanh. Nothing where the model has none under a known name.
std::optional<LinearWeights> linearWeights(const TrainedModel& model, const Trace& trace, const TraceRecord& record,
                                           const ValueCell& cell);

}  // namespace headlight
