// SPDX-License-Identifier: GPL-3.0-or-later
// When a run learnt something: the moment on given curves, and the very step of a run that is gone through again.
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "core/data/translate.h"
#include "tests/session/small_run.h"
#include "ui/session/open/learnt.h"

using namespace headlight;
using headlight::fixture::SmallRun;
using headlight::fixture::smallSetup;

namespace {

/// A head of cross-attention that puts `share` of each row on the gold word and the rest on the other.
HeadsFrame wordFrame(int step, const std::vector<double>& words, double share = 0.5) {
    auto trace = std::make_shared<Trace>();
    trace->sourceTokens = {"a", "b"};
    trace->targetTokens = {"<bos>", "x"};
    auto module = std::make_shared<Module>();
    module->kind = ModuleKind::Attention;
    module->scope = "decoder.layers.0.cross_attn";
    module->place = {Stack::Decoder, Section::Layer, 0};
    module->over = AttentionOver::Memory;
    module->heads = 1;
    TraceRecord record;
    record.name = module->scope + ".weights";
    record.operation = Operation::Softmax;
    record.shape = {1, 2, 2};
    const auto on = static_cast<float>(share);
    record.values = {on, 1 - on, 1 - on, on};
    record.module = module;
    record.part = Part::Weights;
    trace->append(std::move(record));
    HeadsFrame frame{.step = step, .trace = trace, .spread = {1}};
    for (const double probability : words)
        frame.said.push_back({QStringLiteral("w%1").arg(frame.said.size()), probability});
    return frame;
}

/// The probability of each word of the film's sentence, from the model alone.
std::vector<double> saidBy(const TrainedModel& model, const HeadsFrame& frame) {
    const Trace trace = traceSentence(model, frame.source.toStdString(), frame.reference.toStdString());
    const TraceRecord& logProbs = trace.at("log_probs");
    const std::vector<int> fed = trace.at("target.ids").ids();
    std::vector<double> said;
    for (size_t row = 0; row < fed.size(); ++row) {
        const int next = row + 1 < fed.size() ? fed[row + 1] : model.network->config().eosId;
        said.push_back(std::exp(static_cast<double>(
            logProbs.values[row * static_cast<size_t>(logProbs.dim(1)) + static_cast<size_t>(next)])));
    }
    return said;
}

}  // namespace

class TestLearnt : public QObject {
    Q_OBJECT
private slots:
    void theMomentBeginsTheLastStretchAboveTheLevel() {
        HeadsStory story;
        Learnt learnt(&story);
        story.append({wordFrame(0, {0.1, 0.9}), wordFrame(10, {0.6, 0.9}), wordFrame(20, {0.4, 0.8}),
                      wordFrame(50, {0.7, 0.7}), wordFrame(100, {0.9, 0.49})});
        QVERIFY(!learnt.moment());
        learnt.setWord(0);
        QCOMPARE(learnt.points().size(), size_t{5});
        QCOMPARE(learnt.points()[3].value, 0.7);
        QCOMPARE(learnt.moment()->after, 20);
        QCOMPARE(learnt.moment()->step, 50);
        QVERIFY(!learnt.moment()->isExact());
        QVERIFY(learnt.sentence().contains("between step 20 (0.400) and step 50 (0.700)"));
        learnt.setWord(1);
        QVERIFY(!learnt.moment());
        QVERIFY(!learnt.canReplay());
        QVERIFY(learnt.sentence().contains("0.490 at step 100"));
        story.cutBack(50);
        QCOMPARE(learnt.moment()->step, 0);
        QVERIFY(learnt.sentence().contains("from the first step"));
        learnt.setWord(7);
        QVERIFY(learnt.points().empty());
        QVERIFY(!learnt.sentence().isEmpty());
    }

    void aRoleIsThatOfTheNewestFrameAndItsShareIsFollowed() {
        HeadsStory story;
        Learnt learnt(&story);
        std::vector<HeadsFrame> frames{wordFrame(0, {}, 0.2), wordFrame(10, {}, 0.3), wordFrame(20, {}, 0.9)};
        for (HeadsFrame& frame : frames)
            frame.gold = {{0, 0}, {1, 1}};
        story.append(frames);
        learnt.setRole();
        QCOMPARE(learnt.role(), HeadHabit::Alignment);
        QCOMPARE(learnt.points().front().value, 0.0);  // of an alignment: of the words that are looked at most
        QCOMPARE(learnt.points().back().value, 1.0);
        QCOMPARE(learnt.level(), habitShare);
        QCOMPARE(learnt.moment()->after, 10);
        QCOMPARE(learnt.moment()->step, 20);
    }

    void stepsThatAreGoneThroughAgainNarrowTheStretchToAStep() {
        HeadsStory story;
        Learnt learnt(&story);
        story.append({wordFrame(0, {0.1}), wordFrame(10, {0.2}), wordFrame(15, {0.9})});
        learnt.setWord(0);
        QSignalSpy wanted(&learnt, &Learnt::replayWanted);
        QVERIFY(learnt.canReplay());
        learnt.replay();
        QCOMPARE(wanted.front(), (QVariantList{10, 14}));
        QCOMPARE(learnt.left(), 4);
        learnt.add({wordFrame(11, {0.3}), wordFrame(12, {0.6})}, 2);
        learnt.add({wordFrame(13, {0.4}), wordFrame(14, {0.8})}, 0);
        QVERIFY(!learnt.isReplaying());
        QCOMPARE(learnt.moment()->after, 13);
        QCOMPARE(learnt.moment()->step, 14);
        QVERIFY(learnt.moment()->isExact());
        QVERIFY(!learnt.canReplay());
        QVERIFY(learnt.sentence().contains("since step 14: 0.800 there, 0.400 one step before"));
        learnt.forgetReplayed();
        QVERIFY(learnt.canReplay());
        QSignalSpy stopped(&learnt, &Learnt::replayStopped);
        learnt.replay();
        learnt.setRole();
        QCOMPARE(stopped.count(), 1);
        learnt.add({wordFrame(11, {0.3})}, 3);  // of what was asked before
        QVERIFY(!learnt.isReplaying());
    }

    /// Every probability of the replay is that of the model of that step, and the run goes on as if nothing had been.
    void aRunFindsTheStepAndStandsWhereItStood() {
        const TrainingSetup setup = smallSetup(60);
        SmallRun watched, plain;
        HeadsStory story;
        Learnt learnt(&story);
        connect(&watched.run, &TrainingRun::headsAdded, &story, &HeadsStory::append);
        connect(&watched.run, &TrainingRun::replayed, &learnt, &Learnt::add);
        connect(&learnt, &Learnt::replayWanted, &watched.run, &TrainingRun::replay);
        for (SmallRun* const each : {&watched, &plain}) {
            each->run.reset(setup);
            QVERIFY(each->trainTo(57));
        }
        std::vector<HeadsFrame> readings;
        connect(&watched.run, &TrainingRun::replayed, [&](const std::vector<HeadsFrame>& told) {
            readings.insert(readings.end(), told.begin(), told.end());
        });
        int left = -1;
        connect(&watched.run, &TrainingRun::replayed, [&](const std::vector<HeadsFrame>&, int steps) { left = steps; });
        watched.run.replay(40, 50);
        QVERIFY(QTest::qWaitFor([&] { return left == 0; }, fixture::kLongPatienceMs));
        QCOMPARE(readings.size(), size_t{10});
        for (size_t i = 0; i < readings.size(); ++i) {
            const HeadsFrame& reading = readings[i];
            QCOMPARE(reading.step, 41 + static_cast<int>(i));
            const std::vector<double> said = saidBy(*plain.model(reading.step).model, reading);
            QCOMPARE(reading.said.size(), said.size());
            for (size_t word = 0; word < said.size(); ++word)
                QCOMPARE(reading.said[word].probability, said[word]);
        }
        QCOMPARE(watched.run.step(), 57);
        QVERIFY(watched.trainTo(60));
        QVERIFY(plain.trainTo(60));
        QVERIFY(watched.weights() == plain.weights());
    }
};

QTEST_GUILESS_MAIN(TestLearnt)
#include "test_learnt.moc"
