// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/training_recipe.h"

namespace headlight {

/// The run that made a model, as its file tells of it (`headlight.training`); what it does not tell is as usual. Throws
/// Error for a model of another program, of files (which it names, and does not hold) or of a model that was trained
/// on, and for one that does not say its steps.
TrainingRecipe recordedRecipe(const TrainedModel& model);

}  // namespace headlight
