// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/training_memory.h"

#include <algorithm>

#include "core/error.h"
#include "core/number_text.h"
#include "core/platform/process.h"
#include "core/train/batching.h"

namespace headlight {

namespace {

std::string gibibytes(double bytes) {
    return fixedNumber(bytes / (1 << 30), 1) + " GiB";
}

/// Words of a batch, and pairs of words that look at each other; padding left out.
struct Extent {
    double sources = 0, targets = 0;
    double sourcePairs = 0, targetPairs = 0, crossPairs = 0;
};

Extent extentOf(std::span<const Example* const> batch) {
    Extent extent;
    for (const Example* pair : batch) {
        const auto source = static_cast<double>(pair->source.size()), target = static_cast<double>(pair->target.size());
        extent.sources += source;
        extent.targets += target;
        extent.sourcePairs += source * source;
        extent.targetPairs += target * target;
        extent.crossPairs += source * target;
    }
    return extent;
}

/// Of the layers: query, key, value, context, output and norm, and the feed-forward network with its norm; and the
/// weights of each head.
double transformerNumbers(const ModelConfig& config, const Extent& extent) {
    const double d = config.dModel, heads = config.numHeads, ofLayer = 8 * d + config.dFf;
    if (!config.encoderDecoder()) {
        const bool reads = config.corpusKind() == CorpusKind::Labels;
        const double words = reads ? extent.sources : extent.targets;
        const double pairs = reads ? extent.sourcePairs : extent.targetPairs;
        return config.numLayers * (words * ofLayer + heads * pairs);
    }
    const double encoder = extent.sources * ofLayer + heads * extent.sourcePairs;
    const double cross = 4 * d * extent.targets + 2 * d * extent.sources + heads * extent.crossPairs;
    const double decoder = extent.targets * ofLayer + heads * extent.targetPairs + cross;
    return config.numEncoderLayers * encoder + config.numDecoderLayers * decoder;
}

/// Of the layers, for each unit: the gates, the state, an LSTM's cell and its tanh, a GRU's map of the state before.
/// And scores and weights of attention.
double recurrentNumbers(const ModelConfig& config, const Extent& extent) {
    const double ofUnit = config.cell == Cell::Lstm ? 6.5 : config.cell == Cell::Gru ? 7 : 2;
    const double reads = extent.sources * (config.bidirectional ? 2 : 1);
    const double attention = config.attention == AttentionKind::None ? 0 : 2 * extent.crossPairs;
    return config.numLayers * (reads + extent.targets) * config.hiddenSize * ofUnit + attention;
}

double leastShardBytes(const ModelConfig& config, std::span<const Example* const> examples) {
    const Extent extent = extentOf(examples);
    const double layers = config.recurrent() ? recurrentNumbers(config, extent) : transformerNumbers(config, extent);
    const bool labels = config.corpusKind() == CorpusKind::Labels;
    const double logits = config.targetVocabSize * (labels ? static_cast<double>(examples.size()) : extent.targets);
    return (layers + logits) * sizeof(float);
}

void refuse(double wanted, const char* advice) {
    const auto there = static_cast<double>(platform::memoryLimit());
    if (wanted <= there) return;
    throw Error("a model of these sizes takes at least " + gibibytes(wanted) + " of memory to train, and there are " +
                gibibytes(there) + ": choose " + advice);
}

}  // namespace

double leastTrainingBytes(const ModelConfig& config, const TrainOptions& options) {
    const double weights = static_cast<double>(config.weightCount());
    const int copies = 1 + options.shards() + (options.optimizer == OptimizerKind::Adam ? 2 : 0);
    const bool hasTable = !config.recurrent() && config.positionalEncoding == PositionalKind::Sinusoidal;
    const double table = hasTable ? static_cast<double>(config.maxLength) * config.embeddingWidth() : 0;
    return (weights * copies + table) * sizeof(float);
}

double leastStepBytes(const ModelConfig& config, const TrainOptions& options, std::span<const Example* const> batch) {
    const auto shards = static_cast<size_t>(options.shards());
    double most = 0;
    for (size_t shard = 0; shard < shards; ++shard) {
        const size_t first = batch.size() * shard / shards, end = batch.size() * (shard + 1) / shards;
        most = std::max(most, leastShardBytes(config, batch.subspan(first, end - first)));
    }
    return options.threadCount() * most;
}

void refuseWhatMemoryCannotHold(const ModelConfig& config, const TrainOptions& options) {
    config.validate();
    refuse(leastTrainingBytes(config, options), "smaller sizes, fewer layers or fewer words");
}

void refuseWhateverTheWords(ModelConfig config, const TrainOptions& options) {
    constexpr int fewest = 6;  // the four special ones, and two labels to choose from
    config.sourceVocabSize = config.targetVocabSize = fewest;
    refuseWhatMemoryCannotHold(config, options);
}

void refuseBatchesThatMemoryCannotHold(const ModelConfig& config, const TrainOptions& options, Batcher& batches) {
    double most = 0;
    for (long step = 0; step < batches.batchesInEpoch(); ++step)
        most = std::max(most, leastStepBytes(config, options, batches.batch(step)));
    refuse(leastTrainingBytes(config, options) + most,
           "smaller sizes, fewer layers, a smaller batch or shorter sentences");
}

}  // namespace headlight
