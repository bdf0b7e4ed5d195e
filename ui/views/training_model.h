// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "core/trace/trace.h"

namespace headlight {

/// What one training step measured, on its batch.
struct TrainingPoint {
    int step = 0;
    double loss = 0;
    double accuracy = 0;  ///< of the next word, 0..1
    double learningRate = 0;
    double tokensPerSecond = 0;
    double gradientNorm = 0;  ///< before clipping
};

/// What a pass over the held-out pairs measured.
struct ValidationPoint {
    int step = 0;
    double loss = 0;
    double accuracy = 0;
    double bleu = 0;  ///< 0..100
};

/// The probe sentence as the model reads and translates it after `step` steps.
struct ProbeFrame {
    int step = 0;
    std::shared_ptr<const Trace> trace;
    QString translation;
};

/// What the model is made of, in three parts of the right column.
struct TrainingSummary {
    enum class Role { Encoder, Decoder, Neutral };
    struct Row {
        QString label;
        QString value;
    };
    struct Parameters {
        QString label;
        qint64 count = 0;
        Role role = Role::Neutral;
    };
    std::vector<Row> model;
    std::vector<Parameters> parameters;
    std::vector<Row> data;
};

enum class TrainingState { Idle, Running, Paused, Finished, Failed };

/// A task to train on: `name` for the engine, `title` for the reader.
struct TrainingTask {
    QString name;
    QString title;
};

}  // namespace headlight
