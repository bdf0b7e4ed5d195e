// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/training_bench.h"

#include <QFileInfo>
#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/data/example_sentence.h"
#include "core/data/found_data.h"
#include "core/data/new_model.h"
#include "core/data/task.h"
#include "core/data/training_recipe.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/import/import_model.h"
#include "core/train/trainer.h"
#include "ui/session/open/model_parameters.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/module_states.h"

namespace headlight {

namespace {

constexpr size_t shownSentences = 20;
constexpr size_t momentsOfAdam = 2;

std::shared_ptr<const Trace> lastBlockOf(const Trace& whole) {
    const std::vector<AttentionBlock> blocks = attentionBlocks(whole);
    return attentionOf(whole, std::span(blocks).last(std::min<size_t>(blocks.size(), 1)));
}

/// What the model makes of each of them; translations side by side.
std::vector<std::string> writtenFor(const TrainedModel& model, const std::vector<std::string>& given) {
    std::vector<std::string> written;
    if (model.network->config().encoderDecoder())
        for (const Translation& translation : translate(model, given))
            written.push_back(translation.best().text);
    else
        for (const std::string& text : given)
            written.push_back(respond(model, text).text);
    return written;
}

/// Where the reader gave none, the sentence to follow is the task's own; of files an ordinary one of those kept away.
std::string exampleOf(const CorpusFiles& files, const Corpus& heldOut, const TrainedModel& model) {
    if (!files.task.empty()) return std::string(findTask(files.task).example);
    const size_t place = ordinaryPair(heldOut, model);
    return beginningOf(place < heldOut.size() ? heldOut[place] : heldOut.front(), model);
}

/// A run that was kept in a file may be of a text that somebody has changed since.
void refuseOtherWords(const TrainedModel& kept, const TrainedModel& made) {
    const auto same = [](const Tokenizer& one, const Tokenizer& other) { return one.toJson() == other.toJson(); };
    if (kept.network->config() != made.network->config() || !same(*kept.source, *made.source) ||
        !same(*kept.target, *made.target))
        throw Error("the text is no longer the one that this run learned from: begin anew, or put the old text back");
}

}  // namespace

QString nameOf(const TrainingData& data) {
    const auto fileName = [](const std::string& path) {
        return QFileInfo(QString::fromStdString(path)).completeBaseName();
    };
    const CorpusFiles& files = data.files;
    if (!files.task.empty()) return QString::fromStdString(files.task);
    if (!files.pairs.empty()) return fileName(files.pairs);
    if (!files.textFile.empty()) return fileName(files.textFile);
    const QFileInfo source(QString::fromStdString(files.sourceFile)), target(QString::fromStdString(files.targetFile));
    if (source.completeBaseName() != target.completeBaseName())
        return source.completeBaseName() + u'-' + target.completeBaseName();
    return QStringLiteral("%1 %2-%3").arg(source.completeBaseName(), source.suffix(), target.suffix());
}

size_t bytesOf(const TrainingCheckpoint& kept) {
    size_t numbers = kept.model ? std::as_const(*kept.model->network).parameters().flatSize() : 0;
    if (kept.trainer) numbers += kept.trainer->firstMoment.size() + kept.trainer->secondMoment.size();
    return numbers * sizeof(float);
}

bool isSameRun(const TrainingSetup& one, const TrainingSetup& other) {
    TrainOptions options = one.options;
    options.threads = other.options.threads;
    return one.data == other.data && one.config == other.config && options == other.options && one.keep == other.keep &&
           one.probe == other.probe && one.fromModel == other.fromModel && !one.from && !other.from;
}

TrainingBench::TrainingBench(const TrainingSetup& setup, const TellPreparation& tell) : m_setup(setup) {
    using Phase = TrainingPreparation::Part;
    const auto during = [&tell](Phase part) -> WorkProgress {
        return [&tell, part](double share) { return !tell || tell({part, share}); };
    };
    CorpusSplits splits = setup.data.splits(setup.options.seed, nullptr, during(Phase::Reading));
    for (const auto& [key, path] : setup.data.files.named())
        rememberDataFile(path);
    m_setup.data.files.description();  // what the files hold is known from now on, and not computed between steps
    makeModel(splits.train, during(Phase::LearningWords));
    m_train = encode(splits.train, m_model, Purpose::Training, during(Phase::Encoding));
    if (m_train.pairs.empty()) throw Error("every sentence is longer than the model may read: give shorter ones");
    if (setup.keep.choosesWeights()) {
        Corpus watched = splits.validation;
        m_watched = keepReadable(watched, m_model);
        if (m_watched.empty())
            throw Error("no sentence is left to choose weights by: give more of them, or shorter ones");
    }
    keepForTheEnd(splits.test);
    const bool chosen = !setup.probe.trimmed().isEmpty();
    m_validation = watchedSample(splits.validation, m_model);
    if (m_validation.empty())
        throw Error("no sentence is left to look at while the model learns: give more of them, or shorter ones");
    const std::string example = exampleOf(setup.data.files, m_validation, m_model);
    m_probe = chosen ? setup.probe.toStdString() : example;
    if (setup.data.files.task.empty()) m_ownExample = example;
    m_heads = std::make_unique<HeadsProbe>(m_model, splits, m_validation, m_probe);
    m_trainer = std::make_unique<Trainer>(*m_model.network, m_train.pairs, setup.options);
    if (setup.from) {
        refuseOtherWords(*setup.from->model, m_model);
        restore(*setup.from);
    } else {
        m_firstWeights.assign(flat().begin(), flat().end());
    }
    rememberOrigin();
}

void TrainingBench::makeModel(const Corpus& train, const WorkProgress& progress) {
    if (m_setup.fromModel.isEmpty()) {
        m_model = newModel(m_setup.config.toJson(), m_setup.data.words(), train, m_setup.options.seed, progress);
        return;
    }
    m_model = openModel(m_setup.fromModel.toStdString());
    m_setup.data.check(m_model.network->config());
}

void TrainingBench::keepForTheEnd(const Corpus& test) {
    m_kept = test;
    keepReadable(m_kept, m_model);
    m_keptAll = static_cast<long>(m_kept.size());
    if (m_kept.size() <= mostJudged) return;
    Corpus few;
    for (size_t i = 0; i < mostJudged; ++i)
        few.push_back(std::move(m_kept[i * m_kept.size() / mostJudged]));
    m_kept = std::move(few);
}

void TrainingBench::rememberOrigin() {
    auto origin = std::make_shared<TrainingSetup>(m_setup);
    origin->from.reset();
    m_origin = std::move(origin);
}

void TrainingBench::setRateChanges(const std::vector<RateChange>& changes) {
    m_trainer->setRateChanges(changes);
    m_setup.options.rateChanges = changes;
    rememberOrigin();
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
    const TrainOptions& options = m_trainer->options();
    facts.trainingPairs = static_cast<long>(m_train.pairs.size());
    facts.validationPairs = static_cast<long>(m_validation.size());
    facts.sourceVocabulary = m_model.source->vocabulary().size();
    facts.targetVocabulary = m_model.target->vocabulary().size();
    facts.probe = QString::fromStdString(m_probe);
    facts.config = m_model.network->config();
    facts.options = options;
    facts.parameters = parametersOf(*m_model.network);
    for (long step = 1; step <= options.steps; ++step)
        facts.learningRates.push_back(m_trainer->schedule().at(step));
    return facts;
}

/// Made to write the sentence's reference, where the corpus has one, so that a row is of the same word in every frame.
ProbeFrame TrainingBench::frame(ProbeFrame::Kind kind) const {
    const SentencePair& known = m_heads->forced();
    const bool isForced = m_model.network->config().encoderDecoder() && known.source == m_probe;
    const auto target = isForced ? std::optional(known.target) : std::nullopt;
    return {step(), lastBlockOf(traceSentence(m_model, m_probe, target)),
            QString::fromStdString(respond(m_model, m_probe).text), kind};
}

ValidationPoint TrainingBench::validation(const TrainedModel& model) const {
    const Evaluation result = evaluateInTraining(model, m_validation);
    return {step(), result.loss, result.tokenAccuracy, result.bleu.value_or(0)};
}

std::optional<TestFigures> TrainingBench::test(const TrainedModel& model) const {
    if (m_kept.empty()) return {};
    const Evaluation result = evaluate(model, m_kept);
    return TestFigures{result.loss, result.bleu, static_cast<long>(m_kept.size()), m_keptAll};
}

WeightsFrame TrainingBench::weights() const {
    return {step(), moduleStates(*m_model.network, m_trainer->gradientNorms())};
}

/// Evenly from all that it is validated by.
SentencesFrame TrainingBench::sentences() const {
    Corpus shown;
    std::vector<std::string> given;
    const size_t every = std::max<size_t>(1, m_validation.size() / shownSentences);
    for (size_t i = 0; i < m_validation.size() && shown.size() < shownSentences; i += every) {
        // A line of running text may be a single token, after which nothing is predicted.
        if (encode({m_validation[i]}, m_model, Purpose::Evaluation).pairs.empty()) continue;
        shown.push_back(m_validation[i]);
        given.push_back(beginningOf(m_validation[i], m_model));
    }
    const std::vector<std::string> written = writtenFor(m_model, given);
    SentencesFrame frame{step(), {}};
    for (size_t i = 0; i < shown.size(); ++i) {
        const std::vector<Example> pairs = encode({shown[i]}, m_model, Purpose::Evaluation).pairs;
        frame.sentences.push_back({QString::fromStdString(given[i]), QString::fromStdString(shown[i].target),
                                   QString::fromStdString(written[i]), evaluateLoss(*m_model.network, pairs, 1).loss});
    }
    return frame;
}

std::shared_ptr<TrainedModel> TrainingBench::copyOfModel() const {
    auto copy = std::make_shared<TrainedModel>(m_model);
    copy->network = m_model.network->clone();
    copy->training = storyOf(m_setup.data.files, *m_trainer, m_train.pairs.size(), m_ownExample);
    return copy;
}

}  // namespace headlight
