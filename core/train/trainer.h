// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/autograd/operations.h"
#include "core/models/model.h"
#include "core/nn/intervention.h"
#include "core/platform/worker_pool.h"
#include "core/tensor/arena.h"
#include "core/train/batching.h"
#include "core/train/train_options.h"

namespace headlight {

/// On sentences that are not trained on; dropout and smoothing off.
LossReport evaluateLoss(const Model& model, const std::vector<Example>& pairs, int batchSize,
                        std::span<const MutedHead> muted = {}, std::span<const Intervention> interventions = {});

/// Trains a model step by step. Not for use by two threads; it employs its own.
///
/// A batch is cut into shards by its size alone, each with a tape and a gradient buffer, and the gradients are added in
/// a fixed order: the result is the same to the last bit on any number of threads.
class Trainer {
public:
    /// `model` and `pairs` must outlive the trainer; pairs are not empty and none is longer than max_length allows.
    /// Throws Error for options out of range, for a muted head that the model does not have, and where memory cannot
    /// hold what the training takes.
    Trainer(Model& model, const std::vector<Example>& pairs, const TrainOptions& options);

    /// One step: forward, loss, backward, update. Throws Error where the loss or the gradient is no longer a number;
    /// the weights are then those of the step before.
    StepReport step();

    long stepsDone() const { return m_steps; }
    /// The norm of the last step's gradient for each weight of the model, before clipping; in the order of
    /// ParameterSet::entries(). Zeros before the first step.
    std::vector<double> gradientNorms() const;
    /// Bytes held for what steps compute, and for their ways back. 0 before the first step.
    size_t stepMemory() const;
    const TrainOptions& options() const { return m_options; }
    /// The share of the decoder's inputs that are the truth at a step, counted from 1.
    double teacherForcingAt(long step) const;
    /// The learning rate may be turned while training goes on. What was changed of steps that are done is what they
    /// were done with, or the run is no longer one that can be repeated. Throws Error as checkRateChanges().
    void setRateChanges(const std::vector<RateChange>& changes);
    const Schedule& schedule() const { return m_schedule; }
    double epoch() const {
        return static_cast<double>(m_steps * m_options.accumulate) / static_cast<double>(m_batcher.batchesInEpoch());
    }

    /// For checkpoints: the optimizer's state, and going on from a step.
    Optimizer& optimizer() { return m_optimizer; }
    void resumeAt(long step);
    TrainerState state() const;
    /// Of a trainer of the same model and options; the model's weights are the caller's to put back.
    void restore(const TrainerState& state);

private:
    struct Shard {
        std::vector<float> gradients;
        std::vector<GradientMemory<float>> gradientMemory;  ///< of each parameter
        ops::CrossEntropyResult loss;
    };
    using Batch = std::vector<const Example*>;
    /// Columns of a weight that are zero from a step on.
    struct Silent {
        long step = 1;
        size_t first = 0;  ///< of the flat weights
        int rows = 0, columns = 0, stride = 0;
    };
    static std::vector<Silent> silentOf(const ForkChanges& forks, const Model& model);
    /// Zeros in weights, moments or gradients, as they are to be for the next step.
    void silence(std::span<float> flat) const;
    /// Fills m_batches for the next step.
    void deal();
    /// Adds the shards' gradients into the first one's and returns the sum of their squares, both in a fixed order.
    double sumGradients();
    /// A shard's part of each batch.
    void runShard(size_t shard, double lossScale);
    void runPairs(Shard& shard, Arena& arena, std::span<const Example* const> pairs, uint64_t seed, double lossScale);

    Model& m_model;
    TrainOptions m_options;
    Schedule m_schedule;
    Batcher m_batcher;
    std::vector<Batch> m_batches;  ///< of a step; kept, so that a step allocates nothing
    Optimizer m_optimizer;
    std::vector<Shard> m_shards;
    std::vector<Silent> m_silent;
    ArenaPool m_arenas;             ///< one a thread
    std::vector<double> m_squares;  ///< of the gradient, by block
    WorkerPool m_pool;
    long m_steps = 0;
};

}  // namespace headlight
