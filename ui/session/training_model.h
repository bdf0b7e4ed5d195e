// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "core/trace/trace.h"

namespace headlight {

/// What a training run tells the window, step by step.
struct TrainingPoint {
    int step = 0;
    double loss = 0;
    double accuracy = 0;  ///< 0 to 1, next word under teacher forcing
    double learningRate = 0;
    double tokensPerSecond = 0;
    double gradientNorm = 0;  ///< before clipping
};

struct ValidationPoint {
    int step = 0;
    double loss = 0;
    double accuracy = 0;
    double bleu = 0;  ///< 0 to 100
};

/// The probe sentence as the model of that step reads and translates it.
struct ProbeFrame {
    int step = 0;
    std::shared_ptr<const Trace> trace;
    QString translation;
};

enum class TrainingState { Idle, Preparing, Running, Paused, Finished, Failed };

}  // namespace headlight
