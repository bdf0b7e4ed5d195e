// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/training_memory.h"

#include "core/error.h"
#include "core/number_text.h"
#include "core/platform/process.h"

namespace headlight {

namespace {

std::string gibibytes(double bytes) {
    return fixedNumber(bytes / (1 << 30), 1) + " GiB";
}

}  // namespace

double leastTrainingBytes(const ModelConfig& config, const TrainOptions& options) {
    const double weights = static_cast<double>(config.leastWeights());
    const int copies = 1 + options.shards() + (options.optimizer == OptimizerKind::Adam ? 2 : 0);
    const bool hasTable = !config.recurrent() && config.positionalEncoding == PositionalKind::Sinusoidal;
    const double table = hasTable ? static_cast<double>(config.maxLength) * config.embeddingWidth() : 0;
    return (weights * copies + table) * sizeof(float);
}

void refuseWhatMemoryCannotHold(const ModelConfig& config, const TrainOptions& options) {
    config.validate();
    const double wanted = leastTrainingBytes(config, options), there = static_cast<double>(platform::memoryLimit());
    if (wanted <= there) return;
    throw Error("a model of these sizes takes at least " + gibibytes(wanted) + " of memory to train, and there are " +
                gibibytes(there) + ": choose smaller sizes, fewer layers or fewer words");
}

void refuseWhateverTheWords(ModelConfig config, const TrainOptions& options) {
    constexpr int fewest = 6;  // the four special ones, and two labels to choose from
    config.sourceVocabSize = config.targetVocabSize = fewest;
    refuseWhatMemoryCannotHold(config, options);
}

}  // namespace headlight
