// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/data/training_data.h"
#include "core/train/kept_weights.h"
#include "ui/session/open/training_model.h"

namespace headlight {

/// What is to be trained.
struct TrainingSetup {
    TrainingData data{.files = {.task = "vi-en"}};
    ModelConfig config;  ///< its vocabulary sizes are limits; 0: every word
    TrainOptions options;
    KeepOptions keep = {};                        ///< which weights of it are written
    QString name = {};                            ///< what its model is to be called; empty: after what it learns from
    QString probe;                                ///< a source sentence; empty: the task's example
    QString fromModel = {};                       ///< the file of a model that is trained on in the place of a new one
    std::optional<TrainingCheckpoint> from = {};  ///< of a run of this setup: it is gone on with

    /// Before its first step.
    int firstStep() const { return from ? from->step : 0; }
    int lastStep() const { return static_cast<int>(options.steps); }
};

/// What it learns from, in a word or two: the name of the task, or of its files without their folders.
QString nameOf(const TrainingData& data);

/// Whether the two give the same run, to the last bit. The number of threads changes nothing.
bool isSameRun(const TrainingSetup& one, const TrainingSetup& other);

/// How far a run is in making ready.
struct TrainingPreparation {
    enum class Part { Reading, LearningWords, Encoding };
    Part part = Part::Reading;
    double share = 0;  ///< of that part, 0 to 1
};
/// Is told how far it is, and answers whether it is to go on.
using TellPreparation = std::function<bool(const TrainingPreparation&)>;

/// What is known of a run once it is prepared.
struct TrainingFacts {
    long trainingPairs = 0;
    long validationPairs = 0;  ///< that are looked at while it learns
    int sourceVocabulary = 0;
    int targetVocabulary = 0;
    QString probe;
    ModelConfig config;
    TrainOptions options;
    std::vector<std::pair<ModuleRef, long>> parameters;  ///< of each tensor: its module, its numbers
    std::vector<double> learningRates;                   ///< of every step, as its rate was turned
};

}  // namespace headlight
