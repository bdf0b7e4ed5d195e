// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

#include "core/error.h"
#include "core/tensor/blas.h"
#include "core/tensor/kernels.h"
#include "core/train/training_memory.h"

namespace headlight {

namespace {

constexpr int pairsInShard = 16;
constexpr int mostShards = 4;

int threadCount(const TrainOptions& options) {
    const int wanted = options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
    return std::clamp(wanted, 1, options.shards());
}

/// Before anything is built on them: dealing out batches of no pairs would never end.
const TrainOptions& validated(const TrainOptions& options, const ModelConfig& config) {
    options.validate();
    refuseWhatMemoryCannotHold(config, options);
    return options;
}

}  // namespace

void TrainOptions::validate() const {
    const auto require = [](bool condition, const char* what) {
        if (!condition) throw Error(what);
    };
    require(steps >= 1, "steps must be at least 1");
    require(batchSize >= 1 && batchSize <= 65536, "batch-size must be between 1 and 65536");
    const double rate = learningRate.value_or(1);
    require(rate > 0 && std::isfinite(rate), "learning-rate must be above 0");
    require(warmupSteps.value_or(0) >= 0, "warmup-steps must be at least 0");
    require(labelSmoothing >= 0 && labelSmoothing < 1, "label-smoothing must be at least 0 and below 1");
    require(clipNorm >= 0, "clip-norm must be at least 0 (0: no clipping)");
    for (const double ratio : {teacherForcing, teacherForcingEnd})
        require(ratio >= 0 && ratio <= 1, "teacher-forcing must be between 0 and 1");
    require(threads >= 0 && threads <= WorkerPool::mostThreads,
            "threads must be between 0 (one a processor) and 128: more cannot multiply beside one another");
}

int TrainOptions::shards() const {
    return std::clamp(batchSize / pairsInShard, 1, mostShards);
}

Schedule TrainOptions::scheduleFor(const ModelConfig& config) const {
    Schedule result = Schedule::usual(schedule, config.width(), config.recurrent(), steps);
    result.learningRate = learningRate.value_or(result.learningRate);
    result.warmupSteps = warmupSteps.value_or(result.warmupSteps);
    return result;
}

LossReport evaluateLoss(const Model& model, const std::vector<Example>& pairs, int batchSize,
                        std::span<const MutedHead> muted) {
    std::vector<const Example*> order;
    order.reserve(pairs.size());
    for (const Example& pair : pairs)
        order.push_back(&pair);
    std::stable_sort(order.begin(), order.end(),
                     [](const Example* a, const Example* b) { return a->target.size() < b->target.size(); });
    Arena arena;
    ops::CrossEntropyResult total;
    const size_t step = static_cast<size_t>(batchSize);
    for (size_t first = 0; first < order.size(); first += step) {
        arena.reset();
        Tape<float> tape(arena, Tape<float>::Mode::Inference);
        ForwardContext context(tape, model.parameters());
        context.mutedHeads = muted;
        const auto part = std::span(order).subspan(first, std::min(step, order.size() - first));
        const ops::CrossEntropyResult result = model.loss(context, part, {});
        total.plain += result.plain;
        total.tokens += result.tokens;
        total.correct += result.correct;
    }
    const double tokens = static_cast<double>(std::max(1L, total.tokens));
    return {total.plain / tokens, static_cast<double>(total.correct) / tokens, total.tokens};
}

Trainer::Trainer(Model& model, const std::vector<Example>& pairs, const TrainOptions& options)
    : m_model(model),
      m_options(validated(options, model.config())),
      m_schedule(options.scheduleFor(model.config())),
      m_batcher(pairs, options.batchSize, options.seed),
      m_optimizer(options.optimizer, model.parameters().flatSize()),
      m_shards(static_cast<size_t>(options.shards())),
      m_squares(WorkerPool::blocksOf(model.parameters().flatSize())),
      m_pool(threadCount(options)) {
    refuseBatchesThatMemoryCannotHold(model.config(), options, m_batcher);
    blas::useOneThread();
    blas::reserve(threadCount(options));
    for (Shard& shard : m_shards)
        shard.gradients.resize(model.parameters().flatSize());
    for (Shard& shard : m_shards)
        for (const ParameterSet::Entry& entry : model.parameters().entries())
            shard.gradientMemory.push_back({shard.gradients.data() + entry.offset, entry.shape.count(), true});
}

double Trainer::teacherForcingAt(long step) const {
    if (m_options.steps < 2) return m_options.teacherForcing;
    const double done = static_cast<double>(step - 1) / static_cast<double>(m_options.steps - 1);
    return m_options.teacherForcing + (m_options.teacherForcingEnd - m_options.teacherForcing) * std::min(1.0, done);
}

void Trainer::runShard(Shard& shard, std::span<const Example* const> pairs, uint64_t seed, double lossScale) {
    shard.loss = {};
    shard.arena.reset();
    for (GradientMemory<float>& memory : shard.gradientMemory)
        memory.fresh = true;
    if (!pairs.empty()) runPairs(shard, pairs, seed, lossScale);
    for (GradientMemory<float>& memory : shard.gradientMemory)  // what nobody added to
        if (memory.fresh) std::fill_n(memory.data, memory.count, 0.0f);
}

void Trainer::runPairs(Shard& shard, std::span<const Example* const> pairs, uint64_t seed, double lossScale) {
    Tape<float> tape(shard.arena, Tape<float>::Mode::Training);
    ForwardContext context(tape, m_model.parameters());
    context.gradients = shard.gradients.data();
    context.gradientMemory = shard.gradientMemory;
    context.dropout = static_cast<float>(m_model.config().dropout);
    context.seed = seed;
    context.teacherForcing = teacherForcingAt(m_steps + 1);

    shard.loss = m_model.loss(context, pairs, {.labelSmoothing = m_options.labelSmoothing, .lossScale = lossScale});
    tape.backward();
}

double Trainer::sumGradients() {
    std::vector<float>& sum = m_shards[0].gradients;
    m_pool.runBlocks(sum.size(), [&](size_t first, size_t count) {
        for (size_t i = 1; i < m_shards.size(); ++i)
            kernels<float>().add(count, m_shards[i].gradients.data() + first, sum.data() + first, sum.data() + first);
        m_squares[first / WorkerPool::blockSize] = sumOfSquares(count, sum.data() + first);
    });
    return std::accumulate(m_squares.begin(), m_squares.end(), 0.0);
}

StepReport Trainer::step() {
    const std::span<const Example* const> pairs = m_batcher.batch(m_steps);
    long tokens = 0;
    for (const Example* pair : pairs)
        tokens += m_model.targetTokens(*pair);

    const size_t shards = m_shards.size();
    m_pool.run(static_cast<int>(shards), [&](int index) {
        const size_t i = static_cast<size_t>(index);
        const size_t first = pairs.size() * i / shards, end = pairs.size() * (i + 1) / shards;
        const uint64_t seed = mix(mix(m_options.seed) + static_cast<uint64_t>(m_steps) * shards + i);
        runShard(m_shards[i], pairs.subspan(first, end - first), seed, 1.0 / static_cast<double>(tokens));
    });

    ops::CrossEntropyResult total;
    for (const Shard& shard : m_shards) {
        total.smoothed += shard.loss.smoothed;
        total.correct += shard.loss.correct;
    }
    const double gradientSquares = sumGradients();
    StepReport report;
    report.step = m_steps + 1;
    report.tokens = tokens;
    report.loss = total.smoothed / static_cast<double>(tokens);
    report.accuracy = static_cast<double>(total.correct) / static_cast<double>(tokens);
    report.learningRate = m_schedule.at(report.step);
    report.gradientNorm = std::sqrt(gradientSquares);
    if (!std::isfinite(report.loss) || !std::isfinite(report.gradientNorm))
        throw Error("at step " + std::to_string(report.step) +
                    " the loss is no longer a number: lower --learning-rate or set --clip-norm");

    const bool clips = m_options.clipNorm > 0 && report.gradientNorm > m_options.clipNorm;
    m_optimizer.step(m_pool, m_model.parameters().flat(), m_shards[0].gradients, report.learningRate,
                     clips ? m_options.clipNorm / report.gradientNorm : 1.0);
    ++m_steps;
    return report;
}

size_t Trainer::stepMemory() const {
    return std::accumulate(m_shards.begin(), m_shards.end(), size_t{0},
                           [](size_t sum, const Shard& shard) { return sum + shard.arena.capacity(); });
}

std::vector<double> Trainer::gradientNorms() const {
    std::vector<double> norms;
    const std::vector<ParameterSet::Entry>& entries = std::as_const(m_model).parameters().entries();
    norms.reserve(entries.size());
    for (const ParameterSet::Entry& entry : entries)
        norms.push_back(std::sqrt(sumOfSquares(entry.shape.count(), m_shards[0].gradients.data() + entry.offset)));
    return norms;
}

void Trainer::resumeAt(long step) {
    m_steps = step;
    m_optimizer.setSteps(step);
}

TrainerState Trainer::state() const {
    return {m_steps, m_schedule.learningRate, m_optimizer.firstMoment(), m_optimizer.secondMoment()};
}

void Trainer::restore(const TrainerState& state) {
    m_schedule.learningRate = state.learningRate;
    m_optimizer.firstMoment() = state.firstMoment;
    m_optimizer.secondMoment() = state.secondMoment;
    resumeAt(state.step);
}

}  // namespace headlight
