// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/training_bench.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/data/new_model.h"
#include "core/data/task.h"
#include "core/data/translate.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/module_states.h"

namespace headlight {

namespace {

constexpr size_t testSentences = 200;  // enough for a BLEU that moves smoothly, few enough not to hold the training up
constexpr size_t shownSentences = 20;
constexpr size_t momentsOfAdam = 2;

std::shared_ptr<const Trace> lastBlockOf(const Trace& whole) {
    auto part = std::make_shared<Trace>();
    part->sourceTokens = whole.sourceTokens;
    part->targetTokens = whole.targetTokens;
    const std::vector<AttentionBlock> blocks = attentionBlocks(whole);
    if (blocks.empty()) return part;
    for (const TraceRecord* record : {blocks.back().weights, blocks.back().mask})
        if (record) part->append(*record);
    return part;
}

}  // namespace

size_t bytesOf(const TrainingCheckpoint& kept) {
    size_t numbers = kept.model ? std::as_const(*kept.model->network).parameters().flatSize() : 0;
    if (kept.trainer) numbers += kept.trainer->firstMoment.size() + kept.trainer->secondMoment.size();
    return numbers * sizeof(float);
}

bool isSameRun(const TrainingSetup& one, const TrainingSetup& other) {
    TrainOptions options = one.options;
    options.threads = other.options.threads;
    return one.task == other.task && one.config == other.config && options == other.options &&
           one.probe == other.probe && !one.from && !other.from;
}

TrainingBench::TrainingBench(const TrainingSetup& setup) : m_setup(setup) {
    const Task& task = findTask(setup.task.toStdString());
    CorpusSplits splits = task.generate();
    m_model = newModel(setup.config.toJson(), {}, splits.train, setup.options.seed);
    m_model.training = TrainingStory::ofTask(task.name, setup.options.seed);
    m_train = encode(splits.train, m_model, Purpose::Training);
    m_test = std::move(splits.test);
    m_test.resize(std::min(m_test.size(), testSentences));
    m_probe = setup.probe.trimmed().isEmpty() ? std::string(task.example) : setup.probe.toStdString();
    m_trainer = std::make_unique<Trainer>(*m_model.network, m_train.pairs, setup.options);
    if (setup.from)
        restore(*setup.from);
    else
        m_firstWeights.assign(flat().begin(), flat().end());
    auto origin = std::make_shared<TrainingSetup>(setup);
    origin->from.reset();
    m_origin = std::move(origin);
}

TrainingCheckpoint TrainingBench::keep() const {
    return {step(), copyOfModel(), std::make_shared<const TrainerState>(m_trainer->state()), m_origin};
}

void TrainingBench::restore(const TrainingCheckpoint& kept) {
    std::ranges::copy(std::as_const(*kept.model->network).parameters().flat(), flat().begin());
    m_trainer->restore(*kept.trainer);
}

void TrainingBench::backToTheBeginning() {
    if (m_setup.from) return restore(*m_setup.from);
    std::ranges::copy(m_firstWeights, flat().begin());
    TrainerState state = m_trainer->state();
    state.step = 0;
    std::ranges::fill(state.firstMoment, 0.0f);
    std::ranges::fill(state.secondMoment, 0.0f);
    m_trainer->restore(state);
}

size_t TrainingBench::bytesOfState() const {
    return (1 + momentsOfAdam) * flat().size_bytes();
}

TrainingFacts TrainingBench::facts() const {
    TrainingFacts facts;
    const TrainOptions& options = m_setup.options;
    facts.trainingPairs = static_cast<long>(m_train.pairs.size());
    facts.testPairs = static_cast<long>(m_test.size());
    facts.batchesInEpoch = (facts.trainingPairs + options.batchSize - 1) / options.batchSize;
    facts.sourceVocabulary = m_model.source->vocabulary().size();
    facts.targetVocabulary = m_model.target->vocabulary().size();
    facts.probe = QString::fromStdString(m_probe);
    facts.config = m_model.network->config();
    facts.options = options;
    for (const auto& entry : std::as_const(*m_model.network).parameters().entries())
        facts.parameters.emplace_back(entry.module, static_cast<long>(entry.shape.count()));
    for (long step = 1; step <= options.steps; ++step)
        facts.learningRates.push_back(m_trainer->schedule().at(step));
    return facts;
}

ProbeFrame TrainingBench::frame(ProbeFrame::Kind kind) const {
    const Translation translation = translate(m_model, {m_probe}).front();
    return {step(), lastBlockOf(traceSentence(m_model, m_probe)), QString::fromStdString(translation.best().text),
            kind};
}

ValidationPoint TrainingBench::validation() const {
    const Evaluation result = evaluate(m_model, m_test);
    return {step(), result.loss, result.tokenAccuracy, result.bleu.value_or(0)};
}

WeightsFrame TrainingBench::weights() const {
    return {step(), moduleStates(*m_model.network, m_trainer->gradientNorms())};
}

/// Evenly from the whole test set, which is sorted by nothing in particular.
SentencesFrame TrainingBench::sentences() const {
    Corpus shown;
    std::vector<std::string> sources;
    const size_t every = std::max<size_t>(1, m_test.size() / shownSentences);
    for (size_t i = 0; i < m_test.size() && shown.size() < shownSentences; i += every) {
        shown.push_back(m_test[i]);
        sources.push_back(m_test[i].source);
    }
    const EncodedCorpus pairs = encode(shown, m_model, Purpose::Evaluation);
    const std::vector<Translation> written = translate(m_model, sources);
    SentencesFrame frame{step(), {}};
    for (size_t i = 0; i < pairs.pairs.size(); ++i) {
        const size_t at = pairs.kept[i];
        frame.sentences.push_back({QString::fromStdString(shown[at].source), QString::fromStdString(shown[at].target),
                                   QString::fromStdString(written[at].best().text),
                                   evaluateLoss(*m_model.network, {pairs.pairs[i]}, 1).loss});
    }
    return frame;
}

std::shared_ptr<const TrainedModel> TrainingBench::copyOfModel() const {
    auto copy = std::make_shared<TrainedModel>(m_model);
    copy->network = m_model.network->clone();
    copy->training.setSteps(m_trainer->stepsDone());
    return copy;
}

}  // namespace headlight
