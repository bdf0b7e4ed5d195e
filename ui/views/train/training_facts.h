// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "ui/session/open/training_run.h"

namespace headlight {

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

TrainingSummary summaryOf(const TrainingRun::Facts& facts);

/// A task to train on: `name` for the engine, `title` for the reader.
struct TrainingTask {
    QString name;
    QString title;
};

}  // namespace headlight
