// SPDX-License-Identifier: GPL-3.0-or-later
// The same decoder fed the truth and fed its own words, held against translating, evaluating, and the trace.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/free_running.h"
#include "core/io/model_file.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

Corpus someOf(const TrainedModel& model, size_t count) {
    Corpus test = taskOf(model.training)->corpus().test;
    test.resize(count);
    return test;
}

int words(const std::vector<int>& ids, int eos) {
    return static_cast<int>(ids.size()) - (!ids.empty() && ids.back() == eos);
}

}  // namespace

class TestFreeRunning : public QObject {
    Q_OBJECT
private slots:
    void forcedIsTheTraceOfTheTruth_data() { models(); }
    void forcedIsTheTraceOfTheTruth();
    void freeIsTheTranslation_data() { models(); }
    void freeIsTheTranslation();
    void theTruthIsHandedInOnce_data() { models(); }
    void theTruthIsHandedInOnce();
    void statesAreAsFarApartAsTheyAre();
    void placesAddUpToWhatEvaluatingSays_data() { models(); }
    void placesAddUpToWhatEvaluatingSays();
    void stopsWhereNobodyWaits();
    void modelsThatDoNotTranslateAreRefused();

private:
    static void models() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"vi-en-rnn", "vi-en-gru", "vi-en-long-lstm-attention", "vi-en-transformer"})
            QTest::newRow(name) << name;
    }
};

void TestFreeRunning::forcedIsTheTraceOfTheTruth() {
    QFETCH(QString, name);
    const TrainedModel model = fixture::loadShipped(name);
    const SentencePair pair = someOf(model, 3).back();
    const TwoWays ways = runTwoWays(model, pair.source, pair.target);
    const Trace trace = traceSentence(model, pair.source, pair.target);
    const TraceRecord& logProbs = trace.at("log_probs");
    QCOMPARE(ways.forced.steps(), ways.truth.size());
    double sum = 0;
    for (size_t t = 0; t < ways.truth.size(); ++t) {
        const std::vector<float>& row = ways.forced.logProbs[t];
        QCOMPARE(row.size(), size_t(logProbs.dim(1)));
        for (size_t word = 0; word < row.size(); ++word)
            QVERIFY(std::abs(row[word] - logProbs.values[t * row.size() + word]) < 1e-4F);
        QCOMPARE(ways.forced.writes[t], int(std::ranges::max_element(row) - row.begin()));
        sum += double(row[size_t(ways.truth[t])]);
    }
    QVERIFY(std::abs(ways.forced.logProb - sum) < 1e-6);
    QCOMPARE(ways.forced.states.size(), ways.truth.size());
}

void TestFreeRunning::freeIsTheTranslation() {
    QFETCH(QString, name);
    const TrainedModel model = fixture::loadShipped(name);
    for (const SentencePair& pair : someOf(model, 4)) {
        const TwoWays ways = runTwoWays(model, pair.source, pair.target);
        const Written greedy = translate(model, {pair.source}).front().best();
        QCOMPARE(ways.free.writes.size(), greedy.tokens.size());
        for (size_t t = 0; t < ways.free.writes.size(); ++t)
            QCOMPARE(model.target->vocabulary().token(ways.free.writes[t]), greedy.tokens[t]);
        // It reads what it wrote before.
        for (size_t t = 1; t < ways.free.steps(); ++t)
            QCOMPARE(ways.free.reads[t], ways.free.writes[t - 1]);
        QVERIFY(std::abs(ways.free.logProb - greedy.logProb) < 1e-3);
        // As long as it writes the truth, both are one decoder.
        for (size_t t = 0; t < std::min(ways.free.steps(), ways.forced.steps()); ++t) {
            QVERIFY(statesApart(ways.forced.states[t], ways.free.states[t]) < 1e-5);
            if (ways.free.writes[t] != ways.truth[t]) break;
        }
    }
}

void TestFreeRunning::theTruthIsHandedInOnce() {
    QFETCH(QString, name);
    const TrainedModel model = fixture::loadShipped(name);
    const SentencePair pair = someOf(model, 2).back();
    // Another truth than the model's: its first word is never what it would write.
    const Written own = translate(model, {pair.source}).front().best();
    const std::string first =
        model.target->vocabulary().token(own.tokens.front() == model.target->vocabulary().token(10) ? 11 : 10);
    const std::string target = first + " " + pair.target;
    const int place = 1;
    const TwoWays ways = runTwoWays(model, pair.source, target, {&place, 1});
    QCOMPARE(ways.handedIn, std::vector<int>{1});
    QCOMPARE(ways.free.reads[1], ways.truth[0]);
    QVERIFY(ways.free.writes[0] != ways.truth[0]);
    for (size_t t = 2; t < ways.free.steps(); ++t)
        QCOMPARE(ways.free.reads[t], ways.free.writes[t - 1]);
    QVERIFY(statesApart(ways.forced.states[1], ways.free.states[1]) < 1e-5);
    // A place that the truth does not have, and the one of <eos>, are nobody's.
    const std::vector<int> nowhere = {0, 90, int(ways.truth.size())};
    QVERIFY(runTwoWays(model, pair.source, target, nowhere).handedIn.empty());
}

void TestFreeRunning::statesAreAsFarApartAsTheyAre() {
    const std::vector<float> a = {3, 4}, b = {-3, -4}, c = {4, 3}, none = {0, 0};
    QCOMPARE(statesApart(a, a), 0.0);
    QCOMPARE(statesApart(a, b), 1.0);
    QCOMPARE(statesApart(a, none), 1.0);
    QCOMPARE(statesApart(none, none), 0.0);
    QVERIFY(std::abs(statesApart(a, c) - std::sqrt(2.0) / 10) < 1e-9);
}

void TestFreeRunning::placesAddUpToWhatEvaluatingSays() {
    QFETCH(QString, name);
    const TrainedModel model = fixture::loadShipped(name);
    const Corpus corpus = someOf(model, 40);
    const ForcingReport report = measureForcing(model, corpus);
    const Evaluation evaluation = evaluate(model, corpus);
    QCOMPARE(report.sentences, evaluation.sentences);
    QCOMPARE(report.places.front().sentences, report.sentences);
    // The first word is written before any other was read.
    QCOMPARE(report.places.front().forced, report.places.front().free);
    long all = 0;
    for (const PlaceCounts& place : report.places)
        all += place.sentences;
    QCOMPARE(report.all.sentences, all);
    QVERIFY(std::abs(double(report.all.forced) / double(all) - evaluation.tokenAccuracy) < 1e-9);
    QVERIFY(std::abs(report.bleu.score - *evaluation.bleu) < 1e-9);
    long free = 0;
    for (const SentencePair& pair : corpus) {
        const TwoWays ways = runTwoWays(model, pair.source, pair.target);
        for (size_t t = 0; t < std::min(ways.truth.size(), ways.free.writes.size()); ++t)
            free += ways.free.writes[t] == ways.truth[t];
        QVERIFY(words(ways.truth, model.network->config().eosId) > 0);
    }
    QCOMPARE(report.all.free, free);
    QVERIFY(std::abs(report.gap() - double(report.all.forced - free) / double(all)) < 1e-12);
}

void TestFreeRunning::stopsWhereNobodyWaits() {
    const TrainedModel model = fixture::loadShipped(QStringLiteral("vi-en-rnn"));
    QVERIFY_THROWS_EXCEPTION(WorkStopped,
                             measureForcing(model, someOf(model, 80), {}, [](double share) { return share < 0.3; }));
}

void TestFreeRunning::modelsThatDoNotTranslateAreRefused() {
    const TrainedModel model = fixture::loadShipped(QStringLiteral("stories-lstm"));
    QVERIFY_THROWS_EXCEPTION(Error, runTwoWays(model, "a", "b"));
    QVERIFY_THROWS_EXCEPTION(Error, measureForcing(model, {{"a", "b"}}));
    QVERIFY_THROWS_EXCEPTION(Error, runTwoWays(fixture::loadShipped(QStringLiteral("vi-en-rnn")), "tôi yêu bạn", " "));
}

QTEST_APPLESS_MAIN(TestFreeRunning)
#include "test_free_running.moc"
