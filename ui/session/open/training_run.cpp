// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/training_run.h"

#include <chrono>

#include <nlohmann/json.hpp>

#include "core/data/evaluation.h"
#include "core/data/new_model.h"
#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "ui/session/trace/module_states.h"

namespace headlight {

namespace {

constexpr int framesPerSecond = 30;
constexpr size_t testSentences = 200;  // enough for a BLEU that moves smoothly, few enough not to hold the training up
constexpr int probesInRun = 120;
constexpr int validationsInRun = 40;
constexpr int checkpointsInRun = 12;
constexpr int sentencesInRun = 20;
constexpr size_t shownSentences = 20;

/// The model, its data and its trainer, as they are built for a run.
struct Bench {
    TrainedModel model;
    EncodedCorpus train;
    Corpus test;
    std::unique_ptr<Trainer> trainer;
    std::string probe;

    explicit Bench(const TrainingSetup& setup) {
        const Task& task = findTask(setup.task.toStdString());
        CorpusSplits splits = task.generate();
        model = newModel(setup.config.toJson(), {}, splits.train, setup.options.seed);
        model.training = TrainingStory::ofTask(task.name, setup.options.seed);
        train = encode(splits.train, model, Purpose::Training);
        test = std::move(splits.test);
        test.resize(std::min(test.size(), testSentences));
        probe = setup.probe.trimmed().isEmpty() ? std::string(task.example) : setup.probe.toStdString();
        trainer = std::make_unique<Trainer>(*model.network, train.pairs, setup.options);
        if (!setup.from) return;
        const std::span<const float> kept = std::as_const(*setup.from->model->network).parameters().flat();
        std::ranges::copy(kept, model.network->parameters().flat().begin());
        trainer->restore(*setup.from->trainer);
    }

    ProbeFrame frame(long step) const {
        const Translation translation = translate(model, {probe}).front();
        return {static_cast<int>(step), std::make_shared<const Trace>(traceSentence(model, probe)),
                QString::fromStdString(translation.best().text)};
    }

    ValidationPoint validation(long step) const {
        const Evaluation result = evaluate(model, test);
        return {static_cast<int>(step), result.loss, result.tokenAccuracy, result.bleu.value_or(0)};
    }

    WeightsFrame weights(long step) const {
        return {static_cast<int>(step), moduleStates(*model.network, trainer->gradientNorms())};
    }

    /// Evenly from the whole test set, which is sorted by nothing in particular.
    SentencesFrame sentences(long step) const {
        Corpus shown;
        std::vector<std::string> sources;
        const size_t every = std::max<size_t>(1, test.size() / shownSentences);
        for (size_t i = 0; i < test.size() && shown.size() < shownSentences; i += every) {
            shown.push_back(test[i]);
            sources.push_back(test[i].source);
        }
        const EncodedCorpus pairs = encode(shown, model, Purpose::Evaluation);
        const std::vector<Translation> written = translate(model, sources);
        SentencesFrame frame{static_cast<int>(step), {}};
        for (size_t i = 0; i < pairs.pairs.size(); ++i) {
            const size_t at = pairs.kept[i];
            frame.sentences.push_back({QString::fromStdString(shown[at].source),
                                       QString::fromStdString(shown[at].target),
                                       QString::fromStdString(written[at].best().text),
                                       evaluateLoss(*model.network, {pairs.pairs[i]}, 1).loss});
        }
        return frame;
    }

    std::shared_ptr<const TrainedModel> copyOfModel() const {
        auto copy = std::make_shared<TrainedModel>(model);
        copy->network = model.network->clone();
        copy->training.setSteps(trainer->stepsDone());
        return copy;
    }
};

TrainingRun::Facts factsOf(const Bench& bench, const TrainingSetup& setup) {
    TrainingRun::Facts facts;
    facts.trainingPairs = static_cast<long>(bench.train.pairs.size());
    facts.testPairs = static_cast<long>(bench.test.size());
    facts.batchesInEpoch = (facts.trainingPairs + setup.options.batchSize - 1) / setup.options.batchSize;
    facts.sourceVocabulary = bench.model.source->vocabulary().size();
    facts.targetVocabulary = bench.model.target->vocabulary().size();
    facts.probe = QString::fromStdString(bench.probe);
    facts.config = bench.model.network->config();
    facts.options = setup.options;
    for (const auto& entry : std::as_const(*bench.model.network).parameters().entries())
        facts.parameters.emplace_back(entry.module, static_cast<long>(entry.shape.count()));
    for (long step = 1; step <= setup.options.steps; ++step)
        facts.learningRates.push_back(bench.trainer->schedule().at(step));
    return facts;
}

}  // namespace

TrainingRun::TrainingRun(QObject* parent) : QObject(parent) {
    m_timer.setInterval(1000 / framesPerSecond);
    connect(&m_timer, &QTimer::timeout, this, &TrainingRun::collect);
}

TrainingRun::~TrainingRun() {
    stopThread();
}

void TrainingRun::stopThread() {
    {
        const std::lock_guard lock(m_mutex);
        m_wishes.stop = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable()) m_thread.join();
}

void TrainingRun::reset(const TrainingSetup& setup) {
    stopThread();
    m_mail = {};
    m_wishes = {};
    m_setup = setup;
    m_state = TrainingState::Preparing;
    emit stateChanged(m_state, {});
    m_thread = std::thread([this, setup] { work(setup); });
    m_timer.start();
}

void TrainingRun::start() {
    const std::lock_guard lock(m_mutex);
    m_wishes.run = true;
    m_wake.notify_all();
}

void TrainingRun::pause() {
    const std::lock_guard lock(m_mutex);
    m_wishes.run = false;
    m_wake.notify_all();
}

void TrainingRun::stepOnce() {
    const std::lock_guard lock(m_mutex);
    m_wishes.run = false;
    ++m_wishes.steps;
    m_wake.notify_all();
}

void TrainingRun::setLearningRate(double rate) {
    const std::lock_guard lock(m_mutex);
    m_wishes.learningRate = rate;
}

void TrainingRun::requestModel() {
    const std::lock_guard lock(m_mutex);
    m_wishes.copyModel = true;
    m_wake.notify_all();
}

void TrainingRun::post(const std::function<void(Mail&)>& write) {
    const std::lock_guard lock(m_mutex);
    write(m_mail);
}

/// Waits until a step is wanted; false when the run is to end. Says what is wanted besides. `resting`: what the run is
/// while it waits.
bool TrainingRun::awaitStep(Wishes& wishes, TrainingState resting) {
    std::unique_lock lock(m_mutex);
    const auto wanted = [this] { return m_wishes.stop || m_wishes.run || m_wishes.steps > 0 || m_wishes.copyModel; };
    if (!wanted()) {
        m_mail.state = resting;
        m_wake.wait(lock, wanted);
    }
    wishes = m_wishes;
    m_wishes.copyModel = false;
    m_wishes.learningRate.reset();
    if (!wishes.run && m_wishes.steps > 0) --m_wishes.steps;
    return !wishes.stop;
}

void TrainingRun::work(const TrainingSetup& setup) {
    try {
        train(setup);
    } catch (const std::exception& error) {
        const QString message = QString::fromUtf8(error.what());
        post([&](Mail& mail) {
            mail.state = TrainingState::Failed;
            mail.message = message;
        });
    }
}

void TrainingRun::train(const TrainingSetup& setup) {
    using Clock = std::chrono::steady_clock;
    const Bench bench(setup);
    const long probeEvery = std::max(1L, setup.options.steps / probesInRun);
    const long translateEvery = std::max(1L, setup.options.steps / sentencesInRun);
    const long keepEvery = std::max(1L, setup.options.steps / checkpointsInRun);
    const long validateEvery = std::max(1L, setup.options.steps / validationsInRun);
    const auto facts = std::make_shared<const Facts>(factsOf(bench, setup));
    const long done = bench.trainer->stepsDone();
    const ProbeFrame first = bench.frame(done);
    post([&](Mail& mail) {
        mail.facts = facts;
        mail.frames.push_back(first);
        mail.sentences.push_back(bench.sentences(done));
        mail.weights.push_back(bench.weights(done));
    });
    auto origin = std::make_shared<TrainingSetup>(setup);
    origin->from.reset();

    bool finished = false;
    for (Wishes wishes; awaitStep(wishes, finished ? TrainingState::Finished : TrainingState::Paused);) {
        if (wishes.learningRate) bench.trainer->setLearningRate(*wishes.learningRate);
        if (wishes.copyModel) post([&](Mail& mail) { mail.model = bench.copyOfModel(); });
        if (finished) pause();
        if (finished || (!wishes.run && wishes.steps == 0)) continue;
        const Clock::time_point before = Clock::now();
        const StepReport report = bench.trainer->step();
        const double seconds = std::chrono::duration<double>(Clock::now() - before).count();
        const bool single = !wishes.run;
        finished = report.step == setup.options.steps;
        Mail mail;
        mail.points.push_back({static_cast<int>(report.step), report.loss, report.accuracy, report.learningRate,
                               static_cast<double>(report.tokens) / seconds, report.gradientNorm});
        if (report.step == 1 || report.step % probeEvery == 0 || finished || single)
            mail.frames.push_back(bench.frame(report.step));
        if (report.step == 1 || report.step % keepEvery == 0 || finished)
            mail.checkpoints.push_back({static_cast<int>(report.step), bench.copyOfModel(),
                                        std::make_shared<const TrainerState>(bench.trainer->state()), origin});
        if (report.step == 1 || report.step % validateEvery == 0 || finished)
            mail.validations.push_back(bench.validation(report.step));
        if (!mail.validations.empty()) mail.weights.push_back(bench.weights(report.step));
        if (report.step == 1 || report.step % translateEvery == 0 || finished)
            mail.sentences.push_back(bench.sentences(report.step));
        post([&](Mail& box) {
            const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
            append(box.points, mail.points);
            append(box.frames, mail.frames);
            append(box.validations, mail.validations);
            append(box.weights, mail.weights);
            append(box.sentences, mail.sentences);
            append(box.checkpoints, mail.checkpoints);
            if (!finished) box.state = TrainingState::Running;
        });
        if (finished) pause();
    }
}

void TrainingRun::collect() {
    Mail mail;
    {
        const std::lock_guard lock(m_mutex);
        std::swap(mail, m_mail);
    }
    if (mail.facts) {
        m_facts = *mail.facts;
        emit prepared();
    }
    if (!mail.points.empty()) emit pointsAdded(mail.points);
    if (!mail.validations.empty()) emit validated(mail.validations);
    if (!mail.frames.empty()) emit framesAdded(mail.frames);
    if (!mail.weights.empty()) emit weightsAdded(mail.weights);
    if (!mail.sentences.empty()) emit sentencesAdded(mail.sentences);
    if (!mail.checkpoints.empty()) emit checkpointsAdded(mail.checkpoints);
    if (mail.model) emit modelCopied(mail.model);
    if (!mail.state || *mail.state == m_state) return;
    m_state = *mail.state;
    emit stateChanged(m_state, mail.message);
}

}  // namespace headlight
