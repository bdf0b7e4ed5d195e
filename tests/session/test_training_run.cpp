// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "ui/session/open/training_run.h"

using namespace headlight;

namespace {

TrainingSetup smallSetup(long steps) {
    TrainingSetup setup;
    setup.task = "copy";
    setup.config.dModel = 16;
    setup.config.numHeads = 2;
    setup.config.numEncoderLayers = setup.config.numDecoderLayers = 1;
    setup.config.dFf = 32;
    setup.options.steps = steps;
    setup.options.batchSize = 16;
    return setup;
}

struct Watched {
    TrainingRun run;
    std::vector<TrainingPoint> points;
    std::vector<ProbeFrame> frames;
    std::vector<ValidationPoint> validations;

    Watched() {
        QObject::connect(&run, &TrainingRun::pointsAdded,
                         [this](const auto& added) { points.insert(points.end(), added.begin(), added.end()); });
        QObject::connect(&run, &TrainingRun::framesAdded,
                         [this](const auto& added) { frames.insert(frames.end(), added.begin(), added.end()); });
        QObject::connect(&run, &TrainingRun::validated, [this](const auto& added) {
            validations.insert(validations.end(), added.begin(), added.end());
        });
    }
};

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
};

void TestTrainingRun::isPreparedAndWaitsWithTheFirstFrame() {
    Watched watched;
    QSignalSpy prepared(&watched.run, &TrainingRun::prepared);
    watched.run.reset(smallSetup(10));
    QCOMPARE(watched.run.state(), TrainingState::Preparing);
    QVERIFY(prepared.wait());
    QTRY_COMPARE(watched.run.state(), TrainingState::Paused);
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
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Finished, 120000);
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
    QTRY_COMPARE(watched.points.size(), size_t{1});
    QTRY_COMPARE(watched.run.state(), TrainingState::Paused);
    QTest::qWait(100);
    QCOMPARE(watched.points.size(), size_t{1});
    QCOMPARE(watched.frames.back().step, 1);
}

void TestTrainingRun::pausesAndGoesOn() {
    Watched watched;
    watched.run.reset(smallSetup(100000));
    watched.run.start();
    QTRY_VERIFY(watched.points.size() > 5);
    watched.run.pause();
    QTRY_COMPARE(watched.run.state(), TrainingState::Paused);
    const size_t steps = watched.points.size();
    QTest::qWait(150);
    QCOMPARE(watched.points.size(), steps);
    watched.run.start();
    QTRY_VERIFY(watched.points.size() > steps);
    QCOMPARE(watched.points[steps].step, static_cast<int>(steps) + 1);
}

void TestTrainingRun::sameSeedSameCurve() {
    Watched first, second;
    for (Watched* watched : {&first, &second}) {
        watched->run.reset(smallSetup(12));
        watched->run.start();
        QTRY_COMPARE_WITH_TIMEOUT(watched->run.state(), TrainingState::Finished, 240000);
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
    QTRY_COMPARE(run.state(), TrainingState::Failed);
    QVERIFY(changed.last().at(1).toString().contains("num_heads 3"));
}

void TestTrainingRun::modelCanBeTakenOut() {
    Watched watched;
    std::shared_ptr<const TrainedModel> model;
    connect(&watched.run, &TrainingRun::modelCopied, [&](auto copy) { model = copy; });
    watched.run.reset(smallSetup(3));
    watched.run.start();
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Finished, 120000);
    watched.run.requestModel();
    QTRY_VERIFY(model);
    QCOMPARE(*model->training.steps(), 3L);
}

void TestTrainingRun::weightsSentencesAndModelsAreKept() {
    Watched watched;
    std::vector<WeightsFrame> weights;
    std::vector<SentencesFrame> sentences;
    std::vector<TrainingCheckpoint> kept;
    const auto keep = [](auto& to) {
        return [&to](const auto& added) { to.insert(to.end(), added.begin(), added.end()); };
    };
    QObject::connect(&watched.run, &TrainingRun::weightsAdded, keep(weights));
    QObject::connect(&watched.run, &TrainingRun::sentencesAdded, keep(sentences));
    QObject::connect(&watched.run, &TrainingRun::checkpointsAdded, keep(kept));
    watched.run.reset(smallSetup(24));
    watched.run.start();
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Finished, 240000);
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
    const auto numbersOf = [](const TrainingCheckpoint& each) {
        return std::as_const(*each.model->network).parameters().flat();
    };
    QVERIFY(!std::ranges::equal(numbersOf(kept.front()), numbersOf(kept.back())));
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
        QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Finished, 240000);
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
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Finished, 240000);
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
    QTRY_COMPARE_WITH_TIMEOUT(watched.run.state(), TrainingState::Finished, 240000);
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

QTEST_GUILESS_MAIN(TestTrainingRun)
#include "test_training_run.moc"
