// SPDX-License-Identifier: GPL-3.0-or-later
// What a trace goes without where it would take too much memory, and that nothing of a pass is lost between two layers.
#include <QTest>
#include <algorithm>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/io/model_file.h"
#include "core/models/seq2seq.h"

using namespace headlight;

namespace {

const TrainedModel& model() {
    static const TrainedModel shipped =
        loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors");
    return shipped;
}

constexpr const char* sentence = "tôi đang học tiếng anh";

size_t bytesOf(const Trace& trace) {
    size_t bytes = 0;
    for (const TraceRecord& record : trace.records())
        bytes += record.values.size() * sizeof(float);
    return bytes;
}

bool has(const Trace& trace, Part part) {
    return std::ranges::any_of(trace.records(), [&](const TraceRecord& record) { return record.part == part; });
}

}  // namespace

class TestTraceBound : public QObject {
    Q_OBJECT
private slots:
    void whatFitsIsKeptWhole();
    void scoresGoFirstAndOfEveryBlock();
    void whatIsLeftIsWhatItWas();
    void whereEvenTheRestIsTooMuchItIsSaid();
};

void TestTraceBound::whatFitsIsKeptWhole() {
    TraceBound bound;
    const Trace trace = traceSentence(model(), sentence, {}, {}, &bound);
    QVERIFY(bound.leftOut.empty());
    bound.mostBytes = bytesOf(trace);
    QCOMPARE(traceSentence(model(), sentence, {}, {}, &bound).records().size(), trace.records().size());
    QVERIFY(bound.leftOut.empty());
}

void TestTraceBound::scoresGoFirstAndOfEveryBlock() {
    const size_t all = bytesOf(traceSentence(model(), sentence));
    TraceBound bound{.mostBytes = all - 1};
    const Trace trace = traceSentence(model(), sentence, {}, {}, &bound);
    QCOMPARE(bound.leftOut, std::vector{Part::Scores});
    QVERIFY(!has(trace, Part::Scores));
    QVERIFY(has(trace, Part::Weights) && has(trace, Part::Mask));
    QVERIFY(bytesOf(trace) <= bound.mostBytes);
}

void TestTraceBound::whatIsLeftIsWhatItWas() {
    const Trace whole = traceSentence(model(), sentence);
    TraceBound bound{.mostBytes = bytesOf(whole) - 1};
    const Trace less = traceSentence(model(), sentence, {}, {}, &bound);
    for (const TraceRecord& record : less.records())
        QVERIFY2(record.values == whole.at(record.name).values, record.name.c_str());
    const auto kept =
        std::ranges::count_if(whole.records(), [](const TraceRecord& r) { return r.part != Part::Scores; });
    QCOMPARE(static_cast<std::ptrdiff_t>(less.records().size()), static_cast<std::ptrdiff_t>(kept));
}

void TestTraceBound::whereEvenTheRestIsTooMuchItIsSaid() {
    TraceBound bound{.mostBytes = 1000};
    try {
        traceSentence(model(), sentence, {}, {}, &bound);
        QFAIL("no error");
    } catch (const Error& error) {
        QVERIFY2(QByteArray(error.what()).contains("shorten it"), error.what());
    }
}

QTEST_APPLESS_MAIN(TestTraceBound)
#include "test_trace_bound.moc"
