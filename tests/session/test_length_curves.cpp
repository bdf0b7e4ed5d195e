// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <future>

#include <nlohmann/json.hpp>

#include "core/data/new_model.h"
#include "core/data/task.h"
#include "ui/session/open/length_curves.h"

using namespace headlight;

namespace {

std::shared_ptr<const TrainedModel> smallModel(uint64_t seed) {
    ModelConfig config;
    config.dModel = 16;
    config.numHeads = 2;
    config.numEncoderLayers = config.numDecoderLayers = 1;
    config.dFf = 32;
    auto model = std::make_shared<TrainedModel>(newModel(config.toJson(), {}, findTask("copy").corpus().train, seed));
    model->training = TrainingStory::ofTask("copy", seed);
    return model;
}

}  // namespace

class TestLengthCurves : public QObject {
    Q_OBJECT
private slots:
    void everyMeasurementThatWaitsIsMade();
    void measuredAgainACurveHasEachLengthOnce();
    void aFifthCurveTakesThePlaceOfTheOldest();
    void aJobThatThrowsEndsNeitherTheThreadNorTheProgram();
};

void TestLengthCurves::everyMeasurementThatWaitsIsMade() {
    LengthCurves curves;
    for (const char* name : {"first", "second", "third"})
        curves.measure(smallModel(1), QString::fromLatin1(name));
    size_t atTheEnd = 0;
    connect(&curves, &LengthCurves::changed, this, [&] {
        if (!curves.isMeasuring()) atTheEnd = curves.curves().back().points.size();
    });
    QVERIFY(curves.isMeasuring());
    QTRY_VERIFY_WITH_TIMEOUT(!curves.isMeasuring(), fixture::kLongPatienceMs);
    QCOMPARE(curves.curves().size(), size_t{3});
    QVERIFY(!curves.curves()[0].points.empty());
    for (const LengthCurves::Curve& curve : curves.curves()) {
        QCOMPARE(curve.points.size(), curves.curves()[0].points.size());
        for (size_t i = 0; i < curve.points.size(); ++i)
            QCOMPARE(curve.points[i].accuracy, curves.curves()[0].points[i].accuracy);
    }
    QCOMPARE(atTheEnd, curves.curves().back().points.size());
}

void TestLengthCurves::measuredAgainACurveHasEachLengthOnce() {
    LengthCurves curves;
    curves.measure(smallModel(1), QStringLiteral("model"));
    QTRY_VERIFY_WITH_TIMEOUT(!curves.isMeasuring(), fixture::kLongPatienceMs);
    const size_t lengths = curves.curves()[0].points.size();
    curves.measure(smallModel(2), QStringLiteral("model"));
    curves.measure(smallModel(3), QStringLiteral("model"));
    QTRY_VERIFY_WITH_TIMEOUT(!curves.isMeasuring(), fixture::kLongPatienceMs);
    QCOMPARE(curves.curves().size(), size_t{1});
    QCOMPARE(curves.curves()[0].points.size(), lengths);
}

void TestLengthCurves::aFifthCurveTakesThePlaceOfTheOldest() {
    LengthCurves curves;
    for (int number = 1; number <= 5; ++number)
        curves.measure(smallModel(1), QString::number(number));
    QTRY_VERIFY_WITH_TIMEOUT(!curves.isMeasuring(), fixture::kLongPatienceMs);
    QCOMPARE(curves.curves().size(), size_t{4});
    QCOMPARE(curves.curves().front().name, QStringLiteral("2"));
    for (const LengthCurves::Curve& curve : curves.curves())
        QVERIFY(!curve.points.empty());
}

void TestLengthCurves::aJobThatThrowsEndsNeitherTheThreadNorTheProgram() {
    QTest::ignoreMessage(QtCriticalMsg, "a job in the background failed: no more memory");
    std::promise<void> done;
    JobThread jobs;
    jobs.post(0, [] { throw std::runtime_error("no more memory"); });
    jobs.post(1, [&] { done.set_value(); });
    QCOMPARE(done.get_future().wait_for(std::chrono::milliseconds(fixture::kPatienceMs)), std::future_status::ready);
}

QTEST_GUILESS_MAIN(TestLengthCurves)
#include "test_length_curves.moc"
