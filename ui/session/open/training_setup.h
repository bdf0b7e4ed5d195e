// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <utility>
#include <vector>

#include "ui/session/open/training_model.h"

namespace headlight {

/// What is to be trained.
struct TrainingSetup {
    QString task = QStringLiteral("vi-en");
    ModelConfig config;  ///< vocabulary sizes are filled in from the task
    TrainOptions options;
    QString probe;                                ///< a source sentence; empty: the task's example
    std::optional<TrainingCheckpoint> from = {};  ///< of a run of this setup: it is gone on with

    /// Before its first step.
    int firstStep() const { return from ? from->step : 0; }
    int lastStep() const { return static_cast<int>(options.steps); }
};

/// Whether the two give the same run, to the last bit. The number of threads changes nothing.
bool isSameRun(const TrainingSetup& one, const TrainingSetup& other);

/// What is known of a run once it is prepared.
struct TrainingFacts {
    long trainingPairs = 0;
    long testPairs = 0;
    long batchesInEpoch = 1;
    int sourceVocabulary = 0;
    int targetVocabulary = 0;
    QString probe;
    ModelConfig config;
    TrainOptions options;
    std::vector<std::pair<ModuleRef, long>> parameters;  ///< of each tensor: its module, its numbers
    std::vector<double> learningRates;                   ///< of every step ahead
};

}  // namespace headlight
