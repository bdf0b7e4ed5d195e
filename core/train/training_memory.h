// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/models/model_config.h"
#include "core/train/train_options.h"

namespace headlight {

class Batcher;
struct Example;

/// Bytes that a training keeps all the time: weights, a gradient of each for every shard, the optimizer's moments, and
/// the table of positions. What a step computes comes on top.
double leastTrainingBytes(const ModelConfig& config, const TrainOptions& options);

/// Bytes that a step on that batch keeps for its way back at least: what each layer computes of each word, the weights
/// of attention and the scores of the vocabulary, of as many shards as are computed at a time. Gradients take the place
/// of what was read for the last time; padding and lesser things are left out.
double leastStepBytes(const ModelConfig& config, const TrainOptions& options, std::span<const Example* const> batch);

/// Throws Error, with the memory that it would take, for a training that this process has no memory for; and for sizes
/// that do not go together.
void refuseWhatMemoryCannotHold(const ModelConfig& config, const TrainOptions& options);

/// The same before a corpus is read: its words are not known yet, and vocabulary sizes are only limits.
void refuseWhateverTheWords(ModelConfig config, const TrainOptions& options);

/// The same once the sentences are known: with the largest batch of the first epoch.
void refuseBatchesThatMemoryCannotHold(const ModelConfig& config, const TrainOptions& options, Batcher& batches);

}  // namespace headlight
