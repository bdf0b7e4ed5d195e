// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/io/trained_model.h"
#include "core/lessons/stage_state.h"

namespace headlight {

/// What a web page keeps of what a layer costs: the sizes that it begins with, from which all is counted, and the
/// parameters of the open model by part, of which the page knows nothing else.
nlohmann::json costRecord(const StageState& state, const TrainedModel* model);

}  // namespace headlight
