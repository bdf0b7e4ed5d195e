// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"
#include "ui/session/trace/value_cell.h"

namespace headlight {

/// What a cell of a linear map is computed with: one row of its weight matrix.
struct LinearWeights {
    std::vector<float> weight;
    std::optional<double> bias;
};

/// The weight that the record says to be used so; null where it names none, or the model does not have it.
Tensor<const float> weightOf(const TrainedModel& model, const TraceRecord& record, UsedWeight::As as);
/// Its row for a cell; -1 where there is none.
int weightRow(const TraceRecord& record, UsedWeight::As as, const ValueCell& cell);
/// The weights behind a record of operation Linear or Tanh. Nothing where it names none.
std::optional<LinearWeights> linearWeights(const TrainedModel& model, const TraceRecord& record, const ValueCell& cell);

}  // namespace headlight
