// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a training is asked for and what it tells, for whoever does not train himself.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/train/fork_changes.h"
#include "core/train/optimizer.h"
#include "core/train/schedule.h"

namespace headlight {

struct ModelConfig;

/// How a model is trained; the `train` options of the command line under the same names.
struct TrainOptions {
    long steps = 1000;
    uint64_t seed = 1;
    int batchSize = 64;
    int tokensPerBatch = 0;                   ///< instead of batchSize: BatchSize::tokens; 0: batchSize
    int accumulate = 1;                       ///< batches whose gradients are added for one step
    std::optional<double> learningRate = {};  ///< with Noam the factor, otherwise the peak; absent: Schedule::usual
    ScheduleKind schedule = ScheduleKind::Cosine;
    std::optional<int> warmupSteps = {};  ///< absent: Schedule::usual
    std::vector<RateChange> rateChanges = {};
    ForkChanges forks = {};
    double labelSmoothing = 0.1;
    double clipNorm = 1;  ///< 0: no clipping
    OptimizerKind optimizer = OptimizerKind::Adam;
    AdamOptions adam = {};
    double teacherForcing = 1;     ///< share of the decoder's inputs that are the truth, at the first step
    double teacherForcingEnd = 1;  ///< and at the last; in between it moves evenly
    int threads = 0;               ///< 0: one a processor. The result does not depend on it.

    bool operator==(const TrainOptions&) const = default;
    /// Throws Error for values out of range.
    void validate() const;
    /// Which of the two decides, `batch_size` or `tokens_per_batch`, and its value.
    std::pair<std::string, int> batchSetting() const;
    /// Into how many parts a batch is cut.
    int shards() const;
    /// How many of them are computed beside one another: no more threads than that have work.
    int threadCount() const;
    Schedule scheduleFor(const ModelConfig& config) const;
};

/// What a step tells.
struct StepReport {
    long step = 0;        ///< from 1
    double loss = 0;      ///< mean smoothed cross-entropy of a target token, before the update
    double accuracy = 0;  ///< target tokens guessed right under teacher forcing, 0 to 1
    double learningRate = 0;
    double gradientNorm = 0;  ///< before clipping
    long tokens = 0;          ///< target tokens in the step's batches, <eos> counted in
};

/// Loss on sentences that are not trained on.
struct LossReport {
    double loss = 0;  ///< mean −log p of a target token
    double tokenAccuracy = 0;
    long tokens = 0;
};

/// What a trainer knows besides the weights: enough to go on as if nothing had been in between.
struct TrainerState {
    long step = 0;
    std::vector<float> firstMoment, secondMoment;  ///< Adam's
};

}  // namespace headlight
