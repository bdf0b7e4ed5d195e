// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/train_options.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "core/error.h"
#include "core/models/model_config.h"
#include "core/number_text.h"

namespace headlight {

namespace {

constexpr int pairsInShard = 16;
constexpr int tokensInShard = 256;
constexpr int mostShards = 4;

}  // namespace

void TrainOptions::validate() const {
    const auto require = [](bool condition, const char* what) {
        if (!condition) throw Error(what);
    };
    require(steps >= 1, "steps must be at least 1");
    require(batchSize >= 1 && batchSize <= 65536, "batch-size must be between 1 and 65536");
    require(tokensPerBatch >= 0 && tokensPerBatch <= 1 << 24,
            "tokens-per-batch must be between 1 and 16777216, or 0 for batches of so many pairs");
    require(accumulate >= 1 && accumulate <= 65536, "accumulate must be between 1 and 65536");
    const double rate = learningRate.value_or(1);
    require(rate > 0 && std::isfinite(rate), "learning-rate must be above 0");
    require(warmupSteps.value_or(0) >= 0, "warmup-steps must be at least 0");
    checkRateChanges(rateChanges);
    forks.check();
    require(labelSmoothing >= 0 && labelSmoothing < 1, "label-smoothing must be at least 0 and below 1");
    require(clipNorm >= 0, "clip-norm must be at least 0 (0: no clipping)");
    for (const double beta : {adam.beta1, adam.beta2})
        require(beta >= 0 && beta < 1, "beta1 and beta2 must be at least 0 and below 1");
    require(adam.weightDecay >= 0 && adam.weightDecay < 1, "weight-decay must be at least 0 and below 1");
    require(adam.weightDecay == 0 || optimizer == OptimizerKind::Adam, "weight-decay belongs to the optimizer adam");
    for (const double ratio : {teacherForcing, teacherForcingEnd})
        require(ratio >= 0 && ratio <= 1, "teacher-forcing must be between 0 and 1");
    require(threads >= 0 && threads <= WorkerPool::mostThreads,
            "threads must be between 0 (one a processor) and 128: more cannot multiply beside one another");
}

std::pair<std::string, int> TrainOptions::batchSetting() const {
    if (tokensPerBatch > 0) return {"tokens_per_batch", tokensPerBatch};
    return {"batch_size", batchSize};
}

int TrainOptions::shards() const {
    const int parts = tokensPerBatch > 0 ? tokensPerBatch / tokensInShard : batchSize / pairsInShard;
    return std::clamp(parts, 1, mostShards);
}

int TrainOptions::threadCount() const {
    const int wanted = threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency());
    return std::clamp(wanted, 1, shards());
}

Schedule TrainOptions::scheduleFor(const ModelConfig& config) const {
    Schedule result = Schedule::usual(schedule, config.width(), config.recurrent(), steps);
    result.learningRate = learningRate.value_or(result.learningRate);
    result.warmupSteps = warmupSteps.value_or(result.warmupSteps);
    result.changes = rateChanges;
    return result;
}

}  // namespace headlight
