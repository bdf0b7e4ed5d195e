// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/nn/context.h"
#include "core/number_text.h"
#include "core/tensor/blas.h"
#include "core/tensor/kernels.h"
#include "core/train/training_memory.h"

namespace headlight {

namespace {

/// Before anything is built on them: dealing out batches of no pairs would never end.
const TrainOptions& validated(const TrainOptions& options, const ModelConfig& config) {
    options.validate();
    refuseWhatMemoryCannotHold(config, options);
    return options;
}

}  // namespace

LossReport evaluateLoss(const Model& model, const std::vector<Example>& pairs, int batchSize,
                        std::span<const MutedHead> muted, std::span<const Intervention> interventions) {
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
        context.interventions = interventions;
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
      m_batcher(pairs, {options.batchSize, options.tokensPerBatch}, options.seed),
      m_batches(static_cast<size_t>(options.accumulate)),
      m_optimizer(options.optimizer, model.parameters().flatSize(), options.adam),
      m_shards(static_cast<size_t>(options.shards())),
      m_silent(silentOf(options.forks, model)),
      m_arenas(static_cast<size_t>(options.threadCount())),
      m_squares(WorkerPool::blocksOf(model.parameters().flatSize())),
      m_pool(options.threadCount()) {
    refuseBatchesThatMemoryCannotHold(model.config(), options, m_batcher);
    blas::useOneThread();
    blas::reserve(options.threadCount());
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

void Trainer::runShard(size_t index, double lossScale) {
    Shard& shard = m_shards[index];
    const size_t shards = m_shards.size();
    const ArenaPool::Loan arena(m_arenas);
    shard.loss = {};
    for (GradientMemory<float>& memory : shard.gradientMemory)
        memory.fresh = true;
    for (size_t k = 0; k < m_batches.size(); ++k) {
        const std::span<const Example* const> pairs(m_batches[k]);
        const size_t first = pairs.size() * index / shards, end = pairs.size() * (index + 1) / shards;
        const uint64_t batch = static_cast<uint64_t>(m_steps) * m_batches.size() + k;
        (*arena).reset();
        if (first < end)
            runPairs(shard, *arena, pairs.subspan(first, end - first),
                     mix(mix(m_options.seed) + batch * shards + index), lossScale);
    }
    for (GradientMemory<float>& memory : shard.gradientMemory)  // what nobody added to
        if (memory.fresh) std::fill_n(memory.data, memory.count, 0.0f);
    silence(shard.gradients);
}

void Trainer::runPairs(Shard& shard, Arena& arena, std::span<const Example* const> pairs, uint64_t seed,
                       double lossScale) {
    Tape<float> tape(arena, Tape<float>::Mode::Training, Tape<float>::Afterwards::Reused);
    ForwardContext context(tape, m_model.parameters());
    context.gradients = shard.gradients.data();
    context.gradientMemory = shard.gradientMemory;
    context.dropout = static_cast<float>(m_model.config().dropout);
    context.seed = seed;
    context.teacherForcing = teacherForcingAt(m_steps + 1);

    const ops::CrossEntropyResult loss =
        m_model.loss(context, pairs, {.labelSmoothing = m_options.labelSmoothing, .lossScale = lossScale});
    shard.loss.smoothed += loss.smoothed;
    shard.loss.correct += loss.correct;
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

namespace {

/// The weight that reads the heads of an attention, and how many of its first columns do: a Transformer's output map
/// reads nothing else, a recurrent decoder's combining map reads the context before the state. Null: no such attention.
struct HeadReader {
    const ParameterSet::Entry* weight = nullptr;
    int heads = 1, width = 0;  ///< columns a head
};

HeadReader readerOf(const ParameterSet& parameters, std::string_view block) {
    const auto& modules = parameters.modules();
    const auto attention = std::ranges::find_if(modules, [&](const ModuleRef& module) {
        return module->kind == ModuleKind::Attention && module->scope == block;
    });
    if (attention == modules.end()) return {};
    for (const ParameterSet::Entry& entry : parameters.entries())
        if ((entry.module == *attention && entry.name.ends_with(".out_proj.weight")) ||
            (entry.module && entry.module->kind == ModuleKind::Combine && entry.name.ends_with(".weight")))
            return {&entry, (*attention)->heads, (*attention)->width};
    return {};
}

}  // namespace

std::vector<Trainer::Silent> Trainer::silentOf(const ForkChanges& forks, const Model& model) {
    std::vector<Silent> all;
    for (const MuteChange& change : forks.muted) {
        const size_t dot = change.head.rfind('.');
        const std::string block = change.head.substr(0, dot), number = change.head.substr(dot + 1);
        int head = -1;
        const bool isNumber = readNumber(number, head);
        const HeadReader reader = readerOf(model.parameters(), block);
        if (!isNumber || !reader.weight || head < 0 || head >= reader.heads)
            throw Error(
                "mute-changes: the model has no attention head " + change.head +
                "; heads are named as decoder.layers.1.cross_attn.3, a recurrent model's is decoder.attention.0");
        all.push_back({change.step,
                       reader.weight->offset + static_cast<size_t>(head) * static_cast<size_t>(reader.width),
                       reader.weight->shape.dim(0), reader.width, reader.weight->shape.dim(1)});
    }
    return all;
}

void Trainer::silence(std::span<float> flat) const {
    if (flat.empty()) return;
    for (const Silent& each : m_silent)
        for (int row = 0; m_steps + 1 >= each.step && row < each.rows; ++row)
            std::fill_n(flat.data() + each.first + static_cast<size_t>(row) * static_cast<size_t>(each.stride),
                        each.columns, 0.0f);
}

void Trainer::deal() {
    m_batcher.setSeed(m_options.forks.seedAt(m_steps + 1, m_options.seed));
    for (size_t k = 0; k < m_batches.size(); ++k) {
        const std::span<const Example* const> batch =
            m_batcher.batch(m_steps * m_options.accumulate + static_cast<long>(k));
        m_batches[k].assign(batch.begin(), batch.end());
    }
}

StepReport Trainer::step() {
    deal();
    if (!m_silent.empty())
        for (const std::span<float> flat :
             {m_model.parameters().flat(), std::span(m_optimizer.firstMoment()), std::span(m_optimizer.secondMoment())})
            silence(flat);
    long tokens = 0;
    for (const Batch& batch : m_batches)
        for (const Example* pair : batch)
            tokens += m_model.targetTokens(*pair);

    m_pool.run(static_cast<int>(m_shards.size()),
               [&](int index) { runShard(static_cast<size_t>(index), 1.0 / static_cast<double>(tokens)); });
    m_arenas.level();

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
    return m_arenas.capacity();
}

std::vector<double> Trainer::gradientNorms() const {
    std::vector<double> norms;
    const std::vector<ParameterSet::Entry>& entries = std::as_const(m_model).parameters().entries();
    norms.reserve(entries.size());
    for (const ParameterSet::Entry& entry : entries)
        norms.push_back(std::sqrt(sumOfSquares(entry.shape.count(), m_shards[0].gradients.data() + entry.offset)));
    return norms;
}

void Trainer::setRateChanges(const std::vector<RateChange>& changes) {
    checkRateChanges(changes);
    m_options.rateChanges = m_schedule.changes = changes;
}

void Trainer::resumeAt(long step) {
    m_steps = step;
    m_optimizer.setSteps(step);
}

TrainerState Trainer::state() const {
    return {m_steps, m_optimizer.firstMoment(), m_optimizer.secondMoment()};
}

void Trainer::restore(const TrainerState& state) {
    m_optimizer.firstMoment() = state.firstMoment;
    m_optimizer.secondMoment() = state.secondMoment;
    resumeAt(state.step);
}

}  // namespace headlight
