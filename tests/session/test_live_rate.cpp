// SPDX-License-Identifier: GPL-3.0-or-later
// The learning rate turned while a run goes on: it is written down, and the run can be repeated, left and come back to.
#include <QTest>

#include "tests/session/small_run.h"

using namespace headlight;
using fixture::SmallRun;

class TestLiveRate : public QObject {
    Q_OBJECT
private slots:
    void itActsFromTheNextStepAndIsWrittenDown() {
        SmallRun live;
        live.run.reset(fixture::smallSetup(40));
        QVERIFY(live.trainTo(10));
        const std::vector<double> planned = live.run.facts().learningRates;
        QVERIFY(live.turnRate(0.25));
        QVERIFY(live.run.setup().options.rateChanges == (std::vector<RateChange>{{11, 0.25}}));
        QVERIFY(live.trainTo(12));
        QCOMPARE(live.curves.points[9].learningRate, planned[9]);
        QCOMPARE(live.curves.points[10].learningRate, planned[10] * 0.25);
        QCOMPARE(live.run.facts().learningRates[39], planned[39] * 0.25);
        QVERIFY(live.turnRate(0.25));  // the same again
        QCOMPARE(live.run.setup().options.rateChanges.size(), size_t{1});
        QVERIFY(live.turnRate(1));
        QVERIFY(live.run.setup().options.rateChanges == (std::vector<RateChange>{{11, 0.25}, {13, 1}}));
    }

    void theSameRunIsRepeatedFromWhatIsWrittenDown() {
        SmallRun live, again;
        live.run.reset(fixture::smallSetup(30));
        QVERIFY(live.trainTo(8));
        QVERIFY(live.turnRate(4));
        QVERIFY(live.trainTo(20));
        QVERIFY(live.turnRate(0.5));
        QVERIFY(live.trainTo(30));
        const std::vector<float> weights = live.weights();
        TrainingSetup setup = fixture::smallSetup(30);
        setup.options.rateChanges = live.run.setup().options.rateChanges;
        QCOMPARE(textOf(setup.options.rateChanges), std::string("9:4,21:0.5"));
        again.run.reset(setup);
        QVERIFY(again.trainTo(30));
        QVERIFY(again.weights() == weights);
        again.run.reset(fixture::smallSetup(30));  // which undoes them
        QVERIFY(again.trainTo(30));
        QVERIFY(again.weights() != weights);
        QVERIFY(again.run.setup().options.rateChanges.empty());
    }

    void whoGoesBackAndOnComesToTheSameModel() {
        SmallRun live;
        live.run.reset(fixture::smallSetup(30));
        QVERIFY(live.trainTo(12));
        QVERIFY(live.turnRate(3));
        QVERIFY(live.trainTo(25));
        const std::vector<float> weights = live.weights();
        const RunCurves curves = live.curves;
        QVERIFY(live.trainTo(5));
        QVERIFY(live.trainTo(25));
        QVERIFY(live.weights() == weights);
        QCOMPARE(live.curves.points.size(), curves.points.size());
        for (size_t i = 0; i < curves.points.size(); ++i) {
            QCOMPARE(live.curves.points[i].loss, curves.points[i].loss);
            QCOMPARE(live.curves.points[i].learningRate, curves.points[i].learningRate);
        }
        const std::vector<float> early = [&] {
            const ModelToSave model = live.model(12);
            const auto flat = std::as_const(*model.model->network).parameters().flat();
            return std::vector<float>(flat.begin(), flat.end());
        }();
        SmallRun straight;
        straight.run.reset(fixture::smallSetup(30));
        QVERIFY(straight.trainTo(12));
        QVERIFY(straight.weights() == early);
    }

    void turnedAfterGoingBackItMakesAnotherRunFromThere() {
        SmallRun live, straight;
        live.run.reset(fixture::smallSetup(30));
        QVERIFY(live.trainTo(10));
        QVERIFY(live.turnRate(3));
        QVERIFY(live.trainTo(20));
        QVERIFY(live.trainTo(6));
        QVERIFY(live.turnRate(0.5));
        QVERIFY(live.run.setup().options.rateChanges == (std::vector<RateChange>{{7, 0.5}}));
        QVERIFY(live.trainTo(20));
        TrainingSetup setup = fixture::smallSetup(30);
        setup.options.rateChanges = {{7, 0.5}};
        straight.run.reset(setup);
        QVERIFY(straight.trainTo(20));
        QVERIFY(live.weights() == straight.weights());
        QCOMPARE(live.curves.points.back().loss, straight.curves.points.back().loss);
    }

    /// The step that was on its way belongs to the rate before: whoever turns the rate goes on by hand.
    void turnedOnTheWayToAStepTheRunRestsWhereItIs() {
        constexpr int far = 1000000;
        SmallRun live;
        live.run.reset(fixture::smallSetup(far));
        QVERIFY(live.trainTo(2));
        live.arrivedAt = -1;
        live.run.trainTo(far);
        QVERIFY(live.turnRate(0.5));
        const std::vector<RateChange> changes = live.run.setup().options.rateChanges;
        QCOMPARE(changes.size(), size_t{1});
        QCOMPARE(changes.front().factor, 0.5);
        const int at = static_cast<int>(changes.front().step) - 1;  // it acts from the next step on, and none was done
        const auto rests = [&] { return live.run.isIdle() && live.run.isAllTold(); };
        QTRY_VERIFY_WITH_TIMEOUT(rests() || live.run.step() > at + 20, fixture::kLongPatienceMs);
        QVERIFY(rests());
        QCOMPARE(live.arrivedAt, -1);
        QVERIFY(at >= 2 && at < far);
        QCOMPARE(static_cast<int>(live.curves.points.size()), at);
        QVERIFY(live.trainTo(at + 1));
        QCOMPARE(live.curves.points.back().learningRate, live.run.facts().learningRates[static_cast<size_t>(at)]);
        QCOMPARE(live.arrivedAt, at + 1);
    }

    void aKeptModelGoesOnWithTheRatesOfItsStep() {
        SmallRun live;
        std::vector<TrainingCheckpoint> kept;
        connect(&live.run, &TrainingRun::checkpointsAdded,
                [&](const auto& added) { kept.insert(kept.end(), added.begin(), added.end()); });
        live.run.reset(fixture::smallSetup(24));
        QVERIFY(live.trainTo(3));
        QVERIFY(live.turnRate(2));
        QVERIFY(live.trainTo(24));
        const std::vector<float> weights = live.weights();
        const auto middle = std::ranges::find_if(kept, [](const auto& each) { return each.step > 10; });
        QVERIFY(middle != kept.end() && middle->step < 24);
        TrainingSetup setup = *middle->setup;
        QVERIFY(setup.options.rateChanges == (std::vector<RateChange>{{4, 2}}));
        setup.from = *middle;
        SmallRun resumed;
        resumed.run.reset(setup);
        QVERIFY(resumed.trainTo(24));
        QVERIFY(resumed.weights() == weights);
    }
};

QTEST_GUILESS_MAIN(TestLiveRate)
#include "test_live_rate.moc"
