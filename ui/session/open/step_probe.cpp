// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/step_probe.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/data/seeded_random.h"
#include "core/train/trainer.h"
#include "ui/session/open/model_parameters.h"

namespace headlight {

namespace {

constexpr int mostSteps = 7;
constexpr double secondsToTry = 1.5;

std::vector<Example> drawn(const ModelConfig& config, const StepProbe::Lengths& lengths, size_t count) {
    SeededRandom random(1);
    const auto words = [&](int length, int vocabulary) {
        const int specials = Vocabulary().size();
        std::vector<int> ids(static_cast<size_t>(std::clamp(length, 1, config.maxLength - 1)));
        for (int& id : ids)
            id = specials + static_cast<int>(random.below(static_cast<size_t>(std::max(1, vocabulary - specials))));
        return ids;
    };
    std::vector<Example> examples;
    for (size_t i = 0; i < count; ++i) {
        const auto [source, target] = lengths[random.below(lengths.size())];
        examples.push_back(
            {config.corpusKind() == CorpusKind::Text ? std::vector<int>() : words(source, config.sourceVocabSize),
             words(config.corpusKind() == CorpusKind::Labels ? 1 : target, config.targetVocabSize)});
    }
    return examples;
}

/// At most: padding takes the place of some.
size_t pairsOfABatch(const TrainOptions& options, const StepProbe::Lengths& lengths) {
    if (options.tokensPerBatch == 0) return static_cast<size_t>(options.batchSize);
    long tokens = 0;
    for (const auto& [source, target] : lengths)
        tokens += std::max(source, target + 1);
    constexpr size_t most = 4096;
    const double mean = static_cast<double>(tokens) / static_cast<double>(lengths.size());
    return std::clamp(static_cast<size_t>(options.tokensPerBatch / std::max(1.0, mean)), size_t{1}, most);
}

StepProbe::Result tried(const ModelConfig& config, TrainOptions options, const StepProbe::Lengths& lengths,
                        const Background::Wanted& wanted) {
    using Clock = std::chrono::steady_clock;
    options.steps = mostSteps;
    const std::shared_ptr<Model> model = Model::make(config);
    model->initialize(1);
    constexpr size_t batchesDrawn = 4;
    const std::vector<Example> examples = drawn(config, lengths, batchesDrawn * pairsOfABatch(options, lengths));
    const auto batches = static_cast<double>(
        Batcher(examples, {options.batchSize, options.tokensPerBatch}, options.seed).batchesInEpoch());
    Trainer trainer(*model, examples, options);
    trainer.step();  // the first makes room for all that follow
    std::vector<double> seconds;
    const Clock::time_point start = Clock::now();
    const auto since = [](Clock::time_point then) {
        return std::chrono::duration<double>(Clock::now() - then).count();
    };
    while (static_cast<int>(seconds.size()) < mostSteps - 1 && since(start) < secondsToTry && wanted()) {
        const Clock::time_point before = Clock::now();
        trainer.step();
        seconds.push_back(since(before));
    }
    if (seconds.empty()) seconds.push_back(0);
    std::ranges::sort(seconds);
    return {.steps = static_cast<int>(seconds.size()),
            .pairs = options.accumulate * static_cast<double>(examples.size()) / batches,
            .seconds = seconds[seconds.size() / 2],
            .parameters = parametersOf(*model)};
}

}  // namespace

StepProbe::StepProbe(QObject* parent) : QObject(parent), m_background(this) {}

void StepProbe::forget() {
    m_background.drop();
    m_result.reset();
    m_failure.clear();
    m_config = {};
}

bool StepProbe::isOf(const ModelConfig& config, const TrainOptions& options) const {
    TrainOptions same = options;
    same.steps = m_options.steps;  // as many as there may be: each takes as long
    same.seed = m_options.seed;
    return config == m_config && same == m_options;
}

void StepProbe::measure(const ModelConfig& config, const TrainOptions& options, const Lengths& lengths) {
    if (isOf(config, options) && (m_result || isBusy() || !m_failure.isEmpty())) return;
    m_config = config;
    m_options = options;
    m_result.reset();
    m_failure.clear();
    if (lengths.empty()) return m_background.drop();
    m_background.ask<Result>([config, options, lengths](
                                 const Background::Wanted& wanted) { return tried(config, options, lengths, wanted); },
                             [this](const Result& result) {
                                 m_result = result;
                                 emit measured();
                             },
                             [this](const QString& why) {
                                 m_failure = why;
                                 emit measured();
                             });
    emit measured();
}

}  // namespace headlight

#include "moc_step_probe.cpp"
