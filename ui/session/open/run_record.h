// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/data/training_recipe.h"
#include "ui/session/open/training_setup.h"

namespace headlight {

/// What a run has told of its figures.
struct RunCurves {
    std::vector<TrainingPoint> points;
    std::vector<ValidationPoint> validations;
};
/// Without what was told of later steps.
RunCurves upTo(RunCurves curves, int step);
/// At most so many points of each curve; the last stays.
RunCurves thinned(const RunCurves& curves, size_t most);

/// A run's setup as the options that repeat it; left after that step, where it is not 0, and with what the rate was
/// turned to until then.
TrainingRecipe recipeOf(const TrainingSetup& setup, int stopAfter);
/// The way back, with as many threads as leave one processor to the window.
TrainingSetup setupOf(const TrainingRecipe& recipe);
int threadsBesideTheWindow();

/// The model with what its file is to say of its run: settings, figures and curves beside what it says already. Of
/// files the names alone are told, as folders are nobody's business whom the model is given to.
TrainedModel recorded(const ModelToSave& model, const TrainingSetup& setup, const RunCurves& curves);
/// The curves that a file tells; none where it tells of none, or not as this program does.
RunCurves curvesOf(const TrainingStory& story);

/// What the file of a run says that is kept to be gone on with: all settings, whole paths and every point.
/// Besides, the file that its models were saved to.
TrainedModel recorded(const TrainingCheckpoint& stand, const RunCurves& curves, const QString& file = {});
/// That file; empty where it tells of none.
QString savedAs(const TrainingStory& story);
/// The setup that such a file tells. Throws Error where it tells of none.
TrainingSetup setupOf(const TrainingStory& story);

}  // namespace headlight
