// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <nlohmann/json.hpp>

#include "tests/session/small_run.h"
#include "ui/session/open/training_run.h"

using namespace headlight;
using headlight::fixture::smallSetup;

namespace {

/// All that a run has told, as a window keeps it.
struct Watched {
    TrainingRun run;
    std::vector<TrainingPoint> points;
    std::vector<ProbeFrame> frames;
    std::vector<HeadsFrame> heads;
    std::vector<ValidationPoint> validations;
    std::vector<WeightsFrame> weights;
    std::vector<SentencesFrame> sentences;
    std::vector<TrainingCheckpoint> kept;
    std::vector<int> arrivals;

    Watched() {
        const auto keep = [](auto& to) {
            return [&to](const auto& added) { to.insert(to.end(), added.begin(), added.end()); };
        };
        QObject::connect(&run, &TrainingRun::pointsAdded, keep(points));
        QObject::connect(&run, &TrainingRun::framesAdded, keep(frames));
        QObject::connect(&run, &TrainingRun::headsAdded, [this](const std::vector<HeadsFrame>& added) {
            for (const HeadsFrame& frame : added) {
                forgetResting();
                heads.push_back(frame);
            }
        });
        QObject::connect(&run, &TrainingRun::validated, keep(validations));
        QObject::connect(&run, &TrainingRun::weightsAdded, keep(weights));
        QObject::connect(&run, &TrainingRun::sentencesAdded, keep(sentences));
        QObject::connect(&run, &TrainingRun::checkpointsAdded, keep(kept));
        QObject::connect(&run, &TrainingRun::arrived, [this](int step) { arrivals.push_back(step); });
        QObject::connect(&run, &TrainingRun::cutBack, [this](int step) {
            const auto later = [step](const auto& told) { return told.step > step; };
            std::erase_if(points, later);
            std::erase_if(frames, later);
            std::erase_if(frames, [](const ProbeFrame& frame) { return frame.kind == ProbeFrame::Kind::Resting; });
            std::erase_if(heads, later);
            forgetResting();
            std::erase_if(validations, later);
            std::erase_if(weights, later);
            std::erase_if(sentences, later);
            std::erase_if(kept, later);
        });
    }

    void forgetResting() {
        std::erase_if(heads, [](const HeadsFrame& frame) { return frame.kind == HeadsFrame::Kind::Resting; });
    }

    void forget() {
        points.clear();
        frames.clear();
        heads.clear();
        validations.clear();
        weights.clear();
        sentences.clear();
        kept.clear();
    }

    bool trainTo(int step) {
        arrivals.clear();
        run.trainTo(step);
        return QTest::qWaitFor([&] { return !arrivals.empty(); }, fixture::kLongPatienceMs) && arrivals.front() == step;
    }

    std::shared_ptr<const TrainedModel> modelOf(int step) {
        std::shared_ptr<const TrainedModel> model;
        QObject context;
        QObject::connect(&run, &TrainingRun::modelCopied, &context, [&](const auto& copy) { model = copy; });
        run.requestModel(step);
        if (!QTest::qWaitFor([&] { return model != nullptr; }, fixture::kLongPatienceMs)) return {};
        return model;
    }
};

std::span<const float> numbersOf(const TrainedModel& model) {
    return std::as_const(*model.network).parameters().flat();
}

/// The first thing in which two runs differ, speed aside; empty: in nothing.
QString difference(const Watched& one, const Watched& other) {
    const auto differ = [](const auto& these, const auto& those, auto same) {
        return !std::ranges::equal(these, those, same);
    };
    if (differ(one.points, other.points, [](const TrainingPoint& a, const TrainingPoint& b) {
            return a.step == b.step && a.loss == b.loss && a.accuracy == b.accuracy &&
                   a.learningRate == b.learningRate && a.gradientNorm == b.gradientNorm;
        }))
        return QStringLiteral("points");
    if (differ(one.frames, other.frames, [](const ProbeFrame& a, const ProbeFrame& b) {
            return a.step == b.step && a.kind == b.kind && a.translation == b.translation &&
                   std::ranges::equal(a.trace->records(), b.trace->records(), {}, &TraceRecord::values,
                                      &TraceRecord::values);
        }))
        return QStringLiteral("frames");
    if (differ(one.heads, other.heads, [](const HeadsFrame& a, const HeadsFrame& b) {
            return a.step == b.step && a.kind == b.kind && a.written == b.written && a.trainLoss == b.trainLoss &&
                   a.validationLoss == b.validationLoss && a.spread == b.spread;
        }))
        return QStringLiteral("heads");
    if (differ(one.validations, other.validations, [](const ValidationPoint& a, const ValidationPoint& b) {
            return a.step == b.step && a.loss == b.loss && a.accuracy == b.accuracy && a.isWhole() == b.isWhole() &&
                   (a.bleu == b.bleu || !a.isWhole());
        }))
        return QStringLiteral("validations");
    if (differ(one.weights, other.weights, [](const WeightsFrame& a, const WeightsFrame& b) {
            return a.step == b.step && std::ranges::equal(a.modules, b.modules, [](const auto& m, const auto& n) {
                       return m.gradientNorm == n.gradientNorm && m.weights.counts == n.weights.counts;
                   });
        }))
        return QStringLiteral("weights");
    if (differ(one.sentences, other.sentences, [](const SentencesFrame& a, const SentencesFrame& b) {
            return a.step == b.step && std::ranges::equal(a.sentences, b.sentences, [](const auto& m, const auto& n) {
                       return m.written == n.written && m.loss == n.loss;
                   });
        }))
        return QStringLiteral("sentences");
    if (differ(one.kept, other.kept, [](const TrainingCheckpoint& a, const TrainingCheckpoint& b) {
            return a.step == b.step && std::ranges::equal(numbersOf(*a.model), numbersOf(*b.model)) &&
                   a.trainer->firstMoment == b.trainer->firstMoment &&
                   a.trainer->secondMoment == b.trainer->secondMoment;
        }))
        return QStringLiteral("kept models");
    return {};
}

/// Until the run has nothing more to do, while nobody looks into its mailbox.
void waitUnseen(const TrainingRun& run) {
    while (!run.isIdle())
        QThread::msleep(1);
}

}  // namespace

class TestTrainingRun : public QObject {
    Q_OBJECT
private slots:
    void isPreparedAndWaitsWithTheFirstFrame();
    void everyStepIsToldOnceAndInOrder();
    void oneStepIsOneStep();
    void pausesAndGoesOn();
    void sameSeedSameCurve();
    void impossibleSizesAreToldNotThrown();
    void modelCanBeTakenOut();
    void weightsSentencesAndModelsAreKept();
    void goingOnFromAKeptModelIsAsIfNothingHadBeenInBetween();
    void gradientsOfTheModulesAddUp();
    void stopsAtExactlyTheStepThatIsAskedFor_data();
    void stopsAtExactlyTheStepThatIsAskedFor();
    void anyOrderOfStepsTellsWhatAFreshRunTells();
    void goingOnByHandAfterGoingBackIsTheSameRun();
    void whereItStandsItArrivesAtOnceAndComputesNothing();
    void onlyTheStepThatWasAskedForLastArrives();
    void whatIsNotReachedIsSaid();
    void aFailureIsSaidToWhoeverWaits();
    void theModelOfAnEarlierStepIsTheModelOfThatStep();
    void resetReturnsAtOnceAndNothingOfTheOldRunIsTold();
    void askedInTheMiddleOfMailAnotherRunIsToldNothingOfTheOld();
    void everyFrameOfTheFilmIsOfTheSameWords();
    void whatARunKeepsIsBounded();
    void whatIsMadeReadyCanBeGivenUp();
};

void TestTrainingRun::whatIsMadeReadyCanBeGivenUp() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("large.tsv"));
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int i = 0; i < 20000; ++i)
            file.write("word" + QByteArray::number(i) + " and another\tanother word " + QByteArray::number(i) + "\n");
    }
    TrainingSetup setup = smallSetup(10);
    setup.data.files = {.pairs = path.toStdString()};
    setup.data.tokenizer = {.kind = TokenizerOptions::Kind::Bpe, .merges = 2000};
    TrainingRun run;
    QSignalSpy preparing(&run, &TrainingRun::preparing);
    QSignalSpy prepared(&run, &TrainingRun::prepared);
    // Given up by whoever is told first: it is certainly being made ready then.
    connect(&run, &TrainingRun::preparing, &run, &TrainingRun::cancelPreparation);
    run.reset(setup);
    run.start();
    QTRY_COMPARE(run.state(), TrainingState::Idle);
    QCOMPARE(preparing.size(), 1);
    const auto at = preparing.first().first().value<TrainingPreparation>();
    QVERIFY(at.share >= 0 && at.share <= 1);
    QTRY_VERIFY(!run.isWindingDown());
    QCOMPARE(preparing.size(), 1);
    QCOMPARE(prepared.size(), 0);
    QCOMPARE(run.state(), TrainingState::Idle);
    disconnect(&run, &TrainingRun::preparing, &run, &TrainingRun::cancelPreparation);
    // Another can be begun at once.
    run.reset(smallSetup(2));
    run.start();
    QTRY_COMPARE_WITH_TIMEOUT(run.state(), TrainingState::Finished, fixture::kLongPatienceMs);
}

void TestTrainingRun::isPreparedAndWaitsWithTheFirstFrame() {
    Watched watched;
    QSignalSpy prepared(&watched.run, &TrainingRun::prepared);
    watched.run.reset(smallSetup(10));
    QCOMPARE(watched.run.state(), TrainingState::Preparing);
    QVERIFY(prepared.wait(fixture::kPatienceMs));
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Paused, fixture::kLongPatienceMs);
    QCOMPARE(watched.frames.size(), size_t{1});
    QCOMPARE(watched.frames[0].step, 0);
    QVERIFY(watched.run.facts().trainingPairs > 1000);
    QCOMPARE(watched.run.facts().learningRates.size(), size_t{10});
    QVERIFY(watched.points.empty());
}

void TestTrainingRun::everyStepIsToldOnceAndInOrder() {
    Watched watched;
    watched.run.reset(smallSetup(40));
    watched.run.start();
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Finished, fixture::kLongPatienceMs);
    QCOMPARE(watched.points.size(), size_t{40});
    for (size_t i = 0; i < 40; ++i)
        QCOMPARE(watched.points[i].step, static_cast<int>(i) + 1);
    QCOMPARE(watched.frames.back().step, 40);
    QCOMPARE(watched.validations.back().step, 40);
    QVERIFY(watched.points.back().loss < watched.points.front().loss);
}

void TestTrainingRun::oneStepIsOneStep() {
    Watched watched;
    watched.run.reset(smallSetup(10));
    watched.run.stepOnce();
    QTRY_COMPARE_WITH_TIMEOUT(watched.points.size(), size_t{1}, fixture::kLongPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Paused, fixture::kLongPatienceMs);
    const auto model = watched.modelOf(-1);  // told after all that was done before
    QVERIFY(model);
    QCOMPARE(model->training.steps(), std::optional<long>(1));
    QCOMPARE(watched.points.size(), size_t{1});
    QCOMPARE(watched.frames.back().step, 1);
}

void TestTrainingRun::pausesAndGoesOn() {
    Watched watched;
    watched.run.reset(smallSetup(100000));
    watched.run.start();
    QTRY_VERIFY_WITH_TIMEOUT(watched.points.size() > 5, fixture::kLongPatienceMs);
    watched.run.pause();
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Paused, fixture::kLongPatienceMs);
    const size_t steps = watched.points.size();
    const auto model = watched.modelOf(-1);
    QVERIFY(model);
    QCOMPARE(model->training.steps(), std::optional<long>(steps));
    QCOMPARE(watched.points.size(), steps);
    watched.run.start();
    QTRY_VERIFY_WITH_TIMEOUT(watched.points.size() > steps, fixture::kLongPatienceMs);
    QCOMPARE(watched.points[steps].step, static_cast<int>(steps) + 1);
}

void TestTrainingRun::sameSeedSameCurve() {
    Watched first, second;
    for (Watched* watched : {&first, &second}) {
        watched->run.reset(smallSetup(12));
        watched->run.start();
        QTRY_COMPARE_WITH_TIMEOUT(watched->run.state(), TrainingState::Finished, fixture::kLongPatienceMs);
    }
    for (size_t i = 0; i < 12; ++i)
        QCOMPARE(first.points[i].loss, second.points[i].loss);
}

void TestTrainingRun::impossibleSizesAreToldNotThrown() {
    TrainingRun run;
    QSignalSpy changed(&run, &TrainingRun::stateChanged);
    TrainingSetup setup = smallSetup(10);
    setup.config.numHeads = 3;
    run.reset(setup);
    QTRY_COMPARE_WITH_TIMEOUT(run.state(), TrainingState::Failed, fixture::kLongPatienceMs);
    QVERIFY(changed.last().at(1).toString().contains("num_heads 3"));
}

void TestTrainingRun::modelCanBeTakenOut() {
    Watched watched;
    std::shared_ptr<const TrainedModel> model;
    connect(&watched.run, &TrainingRun::modelCopied, [&](auto copy) { model = copy; });
    watched.run.reset(smallSetup(3));
    watched.run.start();
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Finished, fixture::kLongPatienceMs);
    watched.run.requestModel();
    QTRY_VERIFY_WITH_TIMEOUT(model, fixture::kLongPatienceMs);
    QCOMPARE(*model->training.steps(), 3L);
}

void TestTrainingRun::weightsSentencesAndModelsAreKept() {
    Watched watched;
    const auto& weights = watched.weights;
    const auto& sentences = watched.sentences;
    const auto& kept = watched.kept;
    watched.run.reset(smallSetup(24));
    watched.run.start();
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Finished, fixture::kLongPatienceMs);
    QVERIFY(weights.size() > 2);
    QCOMPARE(weights.front().step, 0);
    QCOMPARE(weights.front().modules.front().gradientNorm, 0.0);
    QCOMPARE(weights.back().step, 24);
    // All the weights are counted, whatever the module.
    long counted = 0, numbers = 0;
    for (const ModuleState& module : weights.back().modules)
        for (const int count : module.weights.counts)
            counted += count;
    for (const auto& [name, count] : watched.run.facts().parameters)
        numbers += count;
    QCOMPARE(counted, numbers);
    QCOMPARE(sentences.front().step, 0);
    QCOMPARE(sentences.back().sentences.size(), size_t{20});
    for (const SentenceState& sentence : sentences.back().sentences)
        QVERIFY(sentence.loss > 0 && !sentence.source.isEmpty() && !sentence.reference.isEmpty());
    QVERIFY(kept.size() >= 12);
    QCOMPARE(kept.front().step, 1);
    QVERIFY(!std::ranges::equal(numbersOf(*kept.front().model), numbersOf(*kept.back().model)));
}

void TestTrainingRun::goingOnFromAKeptModelIsAsIfNothingHadBeenInBetween() {
    std::vector<TrainingPoint> whole, rest;
    std::vector<TrainingCheckpoint> kept;
    const auto keep = [](auto& to) {
        return [&to](const auto& added) { to.insert(to.end(), added.begin(), added.end()); };
    };
    {
        Watched watched;
        connect(&watched.run, &TrainingRun::pointsAdded, keep(whole));
        connect(&watched.run, &TrainingRun::checkpointsAdded, keep(kept));
        watched.run.reset(smallSetup(24));
        watched.run.start();
        QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Finished, fixture::kLongPatienceMs);
    }
    const TrainingCheckpoint& middle = kept[kept.size() / 2];
    QVERIFY(middle.step > 1 && middle.step < 24);
    Watched watched;
    std::vector<ProbeFrame> frames;
    connect(&watched.run, &TrainingRun::pointsAdded, keep(rest));
    connect(&watched.run, &TrainingRun::framesAdded, keep(frames));
    TrainingSetup setup = *middle.setup;
    setup.from = middle;
    watched.run.reset(setup);
    watched.run.start();
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Finished, fixture::kLongPatienceMs);
    QCOMPARE(frames.front().step, middle.step);
    QCOMPARE(rest.size(), size_t(24 - middle.step));
    for (const TrainingPoint& point : rest) {
        const TrainingPoint& before = whole[size_t(point.step - 1)];
        QCOMPARE(point.step, before.step);
        QCOMPARE(point.loss, before.loss);  // to the last bit
        QCOMPARE(point.learningRate, before.learningRate);
    }
}

void TestTrainingRun::gradientsOfTheModulesAddUp() {
    Watched watched;
    std::vector<WeightsFrame> weights;
    QObject::connect(&watched.run, &TrainingRun::weightsAdded,
                     [&](const auto& added) { weights.insert(weights.end(), added.begin(), added.end()); });
    watched.run.reset(smallSetup(5));
    watched.run.start();
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Finished, fixture::kLongPatienceMs);
    for (const WeightsFrame& frame : weights) {
        if (frame.step == 0) continue;
        double squares = 0;
        for (const ModuleState& module : frame.modules)
            squares += module.gradientNorm * module.gradientNorm;
        const double whole = watched.points[static_cast<size_t>(frame.step) - 1].gradientNorm;
        QVERIFY(std::abs(std::sqrt(squares) - whole) < 1e-4 * whole);
    }
    QStringList names;
    for (const ModuleState& module : weights.back().modules)
        names << module.name;
    QVERIFY(names.contains(QStringLiteral("Decoder, layer 1, cross-attention")));
    QVERIFY(names.contains(QStringLiteral("Encoder, layer 1, feed-forward")));
    QVERIFY(names.contains(QStringLiteral("Encoder, embedding")));
    QCOMPARE(names.count(QStringLiteral("Encoder, layer 1, norm")), 1);
}

void TestTrainingRun::stopsAtExactlyTheStepThatIsAskedFor_data() {
    QTest::addColumn<int>("step");
    for (const int step : {0, 1, 2, 7, 19, 40})
        QTest::addRow("%d", step) << step;
}

/// However late the window empties the mailbox.
void TestTrainingRun::stopsAtExactlyTheStepThatIsAskedFor() {
    QFETCH(int, step);
    Watched watched;
    watched.run.reset(smallSetup(40));
    watched.run.trainTo(step);
    waitUnseen(watched.run);
    QTRY_COMPARE(watched.arrivals, std::vector<int>{step});
    QCOMPARE(watched.points.size(), static_cast<size_t>(step));
    QCOMPARE(watched.run.step(), step);
    QCOMPARE(watched.frames.back().step, step);
    QCOMPARE(watched.run.state(), step == 40 ? TrainingState::Finished : TrainingState::Paused);
    const auto model = watched.modelOf(-1);
    QVERIFY(model);
    QCOMPARE(model->training.steps(), std::optional<long>(step));
    QCOMPARE(watched.arrivals.size(), size_t{1});
}

void TestTrainingRun::anyOrderOfStepsTellsWhatAFreshRunTells() {
    Watched watched;
    watched.run.reset(smallSetup(300));  // not every step has a picture or a kept model
    QRandomGenerator random(12);
    for (int round = 0; round < 20; ++round) {
        const int step = random.bounded(0, 70);
        QVERIFY(watched.trainTo(step));
        Watched fresh;
        fresh.run.reset(smallSetup(300));
        QVERIFY(fresh.trainTo(step));
        QCOMPARE(difference(watched, fresh), QString());
        QCOMPARE(watched.points.size(), static_cast<size_t>(step));
        const auto model = watched.modelOf(-1), freshModel = fresh.modelOf(-1);
        QVERIFY(model && freshModel);
        QVERIFY(std::ranges::equal(numbersOf(*model), numbersOf(*freshModel)));
        QVERIFY(model->training.json() == freshModel->training.json());
    }
}

void TestTrainingRun::goingOnByHandAfterGoingBackIsTheSameRun() {
    Watched fresh, watched;
    fresh.run.reset(smallSetup(30));
    QVERIFY(fresh.trainTo(30));
    watched.run.reset(smallSetup(30));
    QVERIFY(watched.trainTo(22));
    QVERIFY(watched.trainTo(13));
    watched.run.stepOnce();
    QTRY_COMPARE_WITH_TIMEOUT(watched.points.size(), size_t{14}, fixture::kLongPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Paused, fixture::kLongPatienceMs);
    watched.run.start();
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Finished, fixture::kLongPatienceMs);
    QCOMPARE(difference(watched, fresh), QString());
}

void TestTrainingRun::whereItStandsItArrivesAtOnceAndComputesNothing() {
    Watched watched;
    watched.run.reset(smallSetup(100000));
    QVERIFY(watched.trainTo(9));
    QSignalSpy points(&watched.run, &TrainingRun::pointsAdded), states(&watched.run, &TrainingRun::stateChanged);
    watched.arrivals.clear();
    watched.run.trainTo(9);
    QVERIFY2(watched.arrivals.empty(), "who asks is not answered before he knows the number of his wish");
    QTRY_COMPARE_WITH_TIMEOUT(watched.arrivals, std::vector<int>{9}, fixture::kLongPatienceMs);
    QCOMPARE(points.count(), 0);
    QCOMPARE(states.count(), 0);
    QCOMPARE(watched.frames.back().step, 9);
}

void TestTrainingRun::onlyTheStepThatWasAskedForLastArrives() {
    Watched watched;
    QSignalSpy arrived(&watched.run, &TrainingRun::arrived), missed(&watched.run, &TrainingRun::notReached);
    watched.run.reset(smallSetup(100000));
    watched.run.trainTo(50000);
    QTRY_VERIFY_WITH_TIMEOUT(watched.points.size() > 3, fixture::kLongPatienceMs);
    watched.run.trainTo(2);
    const int last = watched.run.trainTo(11);
    QTRY_COMPARE(arrived.count(), 1);
    QVERIFY(watched.modelOf(-1));  // told after all that was wished for before
    QCOMPARE(arrived.count(), 1);
    QCOMPARE(arrived.first().at(0).toInt(), 11);
    QCOMPARE(arrived.first().at(1).toInt(), last);
    QCOMPARE(missed.count(), 0);
    QCOMPARE(watched.points.size(), size_t{11});
}

void TestTrainingRun::whatIsNotReachedIsSaid() {
    Watched watched;
    QSignalSpy arrived(&watched.run, &TrainingRun::arrived), missed(&watched.run, &TrainingRun::notReached);
    const int none = watched.run.trainTo(5);
    QTRY_COMPARE_WITH_TIMEOUT(missed.count(), 1, fixture::kLongPatienceMs);
    QCOMPARE(missed.first().at(1).toInt(), none);
    watched.run.reset(smallSetup(100000));
    watched.run.trainTo(100001);
    QTRY_COMPARE_WITH_TIMEOUT(missed.count(), 2, fixture::kLongPatienceMs);
    QVERIFY(missed.last().at(2).toString().contains(QStringLiteral("100,000")));
    watched.run.trainTo(100000);
    QTRY_VERIFY_WITH_TIMEOUT(watched.points.size() > 2, fixture::kLongPatienceMs);
    watched.run.pause();
    QTRY_COMPARE_WITH_TIMEOUT(missed.count(), 3, fixture::kLongPatienceMs);
    QCOMPARE(missed.last().at(0).toInt(), 100000);
    watched.run.trainTo(100000);
    watched.run.reset(smallSetup(10));
    QTRY_COMPARE_WITH_TIMEOUT(missed.count(), 4, fixture::kLongPatienceMs);
    QTRY_COMPARE(watched.run.state(), TrainingState::Paused);
    QTRY_VERIFY(!watched.run.isWindingDown());
    QCOMPARE(arrived.count(), 0);
    QCOMPARE(missed.count(), 4);
}

void TestTrainingRun::aFailureIsSaidToWhoeverWaits() {
    TrainingRun run;
    QSignalSpy missed(&run, &TrainingRun::notReached);
    TrainingSetup setup = smallSetup(20);
    setup.options.learningRate = 1e30;
    setup.options.warmupSteps = 0;
    run.reset(setup);
    const int wish = run.trainTo(20);
    QTRY_COMPARE_WITH_TIMEOUT(missed.count(), 1, fixture::kLongPatienceMs);
    QCOMPARE(missed.first().at(1).toInt(), wish);
    QVERIFY(missed.first().at(2).toString().contains("no longer a number"));
    QTRY_COMPARE_WITH_TIMEOUT(run.state(), TrainingState::Failed, fixture::kLongPatienceMs);
    run.trainTo(1);
    QTRY_COMPARE_WITH_TIMEOUT(missed.count(), 2, fixture::kLongPatienceMs);
    QVERIFY(missed.last().at(2).toString().contains("no longer a number"));
}

void TestTrainingRun::theModelOfAnEarlierStepIsTheModelOfThatStep() {
    Watched watched, whole;
    whole.run.reset(smallSetup(60));
    QVERIFY(whole.trainTo(60));
    watched.run.reset(smallSetup(60));
    QVERIFY(watched.trainTo(32));
    watched.run.start();  // it goes on meanwhile
    for (const int step : {0, 13, 31}) {
        Watched fresh;
        fresh.run.reset(smallSetup(60));
        QVERIFY(fresh.trainTo(step));
        const auto model = watched.modelOf(step), freshModel = fresh.modelOf(-1);
        QVERIFY(model && freshModel);
        QCOMPARE(model->training.steps(), std::optional<long>(step));
        QVERIFY(std::ranges::equal(numbersOf(*model), numbersOf(*freshModel)));
    }
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Finished, fixture::kLongPatienceMs);
    std::erase_if(watched.frames, [](const ProbeFrame& frame) { return frame.kind == ProbeFrame::Kind::Resting; });
    QCOMPARE(difference(watched, whole), QString());
}

void TestTrainingRun::resetReturnsAtOnceAndNothingOfTheOldRunIsTold() {
    TrainingSetup slow = smallSetup(50);
    slow.config.dModel = 256;
    slow.config.dFf = 1024;
    slow.config.numEncoderLayers = slow.config.numDecoderLayers = 4;
    slow.options.batchSize = 512;
    slow.options.threads = 1;
    Watched watched;
    watched.run.reset(slow);
    watched.run.start();
    QTRY_COMPARE(watched.run.state(), TrainingState::Running);
    // In the middle of a step, which takes thousands of times as long as this may, or of the validation after it.
    QElapsedTimer clock;
    clock.start();
    watched.run.reset(smallSetup(7));
    const qint64 took = clock.nsecsElapsed();
    watched.forget();
    QSignalSpy prepared(&watched.run, &TrainingRun::prepared);
    connect(&watched.run, &TrainingRun::prepared, this, [&] { QCOMPARE(watched.run.facts().config.dModel, 16); });
    QTRY_VERIFY(!watched.run.isWindingDown());
    const qint64 untilTheStepEnded = clock.nsecsElapsed();
    QVERIFY2(took * 10 < untilTheStepEnded, "another run waits for the step of the old one");
    QVERIFY(watched.trainTo(7));
    QCOMPARE(prepared.count(), 1);
    QCOMPARE(watched.points.size(), size_t{7});
    Watched fresh;
    fresh.run.reset(smallSetup(7));
    QVERIFY(fresh.trainTo(7));
    QCOMPARE(difference(watched, fresh), QString());
}

void TestTrainingRun::askedInTheMiddleOfMailAnotherRunIsToldNothingOfTheOld() {
    Watched watched;
    watched.run.reset(smallSetup(6));
    bool again = false;
    connect(&watched.run, &TrainingRun::pointsAdded, this, [&] {
        if (std::exchange(again, true)) return;
        watched.run.reset(smallSetup(3));
        watched.forget();
    });
    watched.run.start();
    waitUnseen(watched.run);  // so that one mail holds points and all the rest
    QTRY_VERIFY_WITH_TIMEOUT(again, fixture::kLongPatienceMs);
    QVERIFY(watched.trainTo(3));
    Watched fresh;
    fresh.run.reset(smallSetup(3));
    QVERIFY(fresh.trainTo(3));
    QCOMPARE(difference(watched, fresh), QString());
}

/// Each frame had the rows of what the model wrote then: an outlined cell was of another word in the next.
void TestTrainingRun::everyFrameOfTheFilmIsOfTheSameWords() {
    Watched watched;
    watched.run.reset(smallSetup(12));
    QVERIFY(watched.trainTo(12));
    QVERIFY(watched.frames.size() > 2);
    QSet<QString> translations;
    for (const ProbeFrame& frame : watched.frames) {
        QCOMPARE(frame.trace->targetTokens, watched.frames.front().trace->targetTokens);
        translations.insert(frame.translation);
    }
    QVERIFY2(translations.size() > 1, "what it writes by itself changes");
}

void TestTrainingRun::whatARunKeepsIsBounded() {
    for (const long steps : {24L, 25L, 100L}) {
        Watched watched;
        watched.run.reset(smallSetup(steps));
        QVERIFY(watched.trainTo(static_cast<int>(steps)));
        QVERIFY(watched.kept.size() <= 13);
        QCOMPARE(watched.kept.back().step, static_cast<int>(steps));
        for (const ProbeFrame& frame : watched.frames) {
            QVERIFY(frame.trace->records().size() <= 2);  // the last block's weights and mask
            QCOMPARE(frame.trace->records().front().name, std::string("decoder.layers.0.cross_attn.weights"));
        }
    }
    // Of a large model only the first and the last step are kept: one alone takes more than a third of the 64 MB.
    TrainingSetup large = smallSetup(12);
    large.config.dModel = 160;
    large.config.dFf = 640;
    large.config.numEncoderLayers = large.config.numDecoderLayers = 3;
    Watched watched;
    watched.run.reset(large);
    QVERIFY(watched.trainTo(12));
    size_t bytes = 0;
    for (const TrainingCheckpoint& kept : watched.kept)
        bytes += bytesOf(kept);
    QVERIFY2(bytesOf(watched.kept.front()) > (size_t{64} << 20) / 3,
             qPrintable(QString::number(bytesOf(watched.kept.front()))));
    QCOMPARE(watched.kept.size(), size_t{2});
    QVERIFY(bytes <= size_t{64} << 20);
    // And what went between is still to be had.
    const auto model = watched.modelOf(5);
    QVERIFY(model);
    QCOMPARE(model->training.steps(), std::optional<long>(5));
}

QTEST_GUILESS_MAIN(TestTrainingRun)
#include "test_training_run.moc"
