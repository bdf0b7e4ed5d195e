// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/io/trained_model.h"
#include "core/lessons/stage_state.h"

namespace headlight {

/// Why a view has nothing to show of this model, as what follows the model's name ("is not recurrent"); empty: it has.
std::string whyNothingToShow(ViewName view, const TrainedModel& model);

}  // namespace headlight
