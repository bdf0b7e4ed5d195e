// SPDX-License-Identifier: GPL-3.0-or-later
// What each word that is read has to do with one that is written.
#include <QTest>
#include <cmath>

#include "core/data/evaluation.h"
#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/attribution.h"
#include "core/experiment/interventions.h"
#include "core/io/model_file.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

/// A reading, and a word that it writes.
struct Reading {
    TrainedModel model;
    Trace trace;
    int row, word;

    Reading(const QString& name, const std::string& source, int at)
        : model(fixture::loadShipped(name)), trace(traceSentence(model, source)), row(at) {
        const TraceRecord& logits = trace.at("logits");
        if (row < 0) row = answerRow(model, Prompt::of(trace));
        const auto width = static_cast<size_t>(logits.dim(1));
        word =
            wordOfColumn(model, likeliest(std::span(logits.values).subspan(static_cast<size_t>(row) * width, width)));
    }
    Attribution by(AttributionMethod method) const { return attribute(model, trace, row, word, method); }
    double logProbUnder(const Intervention& change) const {
        const std::vector<float> logits = logitsOf(model, Prompt::of(trace), std::span(&change, 1));
        const auto width = static_cast<size_t>(trace.at("logits").dim(1));
        double sum = 0;
        const float* const at = logits.data() + static_cast<size_t>(row) * width;
        for (size_t i = 0; i < width; ++i)
            sum += std::exp(static_cast<double>(at[i]));
        const int column = word - wordOfColumn(model, 0);
        return static_cast<double>(at[column]) - std::log(sum);
    }
};

}  // namespace

class TestAttribution : public QObject {
    Q_OBJECT
private slots:
    void theGradientIsTheSlope_data() { readings(); }
    void theGradientIsTheSlope();
    void integratedGradientsAddUp_data() { readings(); }
    void integratedGradientsAddUp();
    void occlusionIsWhatIsLost();
    void valuesOfNothingCountNothing();
    void methodsAreHeldAgainstTrueAlignments();
    void whatIsSaidIsWhatFollows();
    void whoWantsNoMoreIsNotKept();
    void whatIsNotThereIsRefused();

private:
    static void readings() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("source");
        QTest::addColumn<int>("row");
        QTest::newRow("post-norm") << "vi-en-transformer"
                                   << "tôi đang học tiếng anh" << 2;
        QTest::newRow("pre-norm") << "fr-en-transformer"
                                  << "je suis fatigué" << 2;
        QTest::newRow("gru") << "vi-en-gru"
                             << "tôi yêu bạn" << 1;
        QTest::newRow("lstm with attention") << "vi-en-long-lstm-attention"
                                             << "tôi yêu bạn" << 1;
        QTest::newRow("language model") << "stories-transformer"
                                        << "the cat" << -1;
        QTest::newRow("recurrent language model") << "stories-lstm"
                                                  << "the cat" << -1;
        QTest::newRow("labels") << "sentiment-transformer"
                                << "a boring film" << 0;
    }
};

void TestAttribution::theGradientIsTheSlope() {
    QFETCH(QString, name);
    QFETCH(QString, source);
    QFETCH(int, row);
    const Reading reading(name, source.toStdString(), row);
    const Attribution found = reading.by(AttributionMethod::Gradient);
    const bool pair = reading.model.network->config().encoderDecoder();
    const std::string place = pair ? "encoder.embedding" : "embedding";
    constexpr float step = 0.0005F;  // few units of a ReLU change sides on so short a way
    for (size_t word = 0; word < found.source.size(); ++word) {
        const TracePlace at{place, -1, {static_cast<int>(word)}};
        const double up = reading.logProbUnder(scaled(at, 1 + step));
        const double down = reading.logProbUnder(scaled(at, 1 - step));
        const double slope = (up - down) / (2 * static_cast<double>(step));
        QVERIFY2(std::abs(found.source[word] - slope) < 2e-3 + 0.02 * std::abs(slope),
                 qPrintable(QString("%1 %2").arg(found.source[word]).arg(slope)));
    }
    QCOMPARE(found.target.empty(), !pair);
}

void TestAttribution::integratedGradientsAddUp() {
    QFETCH(QString, name);
    QFETCH(QString, source);
    QFETCH(int, row);
    const Reading reading(name, source.toStdString(), row);
    const Attribution found = reading.by(AttributionMethod::Integrated);
    qInfo("%d steps, %.2f %% off %.3f", found.steps, 100 * (found.sum() / found.whole - 1), found.whole);
    QVERIFY(std::abs(found.whole) > 0.1);
    QVERIFY(std::abs(found.sum() - found.whole) < 0.01 * std::abs(found.whole));
}

void TestAttribution::occlusionIsWhatIsLost() {
    const Reading reading("vi-en-transformer", "tôi đang học tiếng anh", 2);
    const Attribution found = reading.by(AttributionMethod::Occlusion);
    QCOMPARE(found.source.size(), size_t{5});
    QCOMPARE(found.target.size(), size_t{5});
    const double without = reading.logProbUnder(replacedByZero({"encoder.embedding", -1, {3}}));
    QVERIFY(std::abs(found.source[3] - (found.logProb - without)) < 1e-5);
    QCOMPARE(found.target[4], 0.0);  // it comes after the word
}

void TestAttribution::valuesOfNothingCountNothing() {
    const Reading reading("vi-en-transformer", "tôi đang học tiếng anh", 2);
    const Attribution plain = reading.by(AttributionMethod::Attention), taken = reading.by(AttributionMethod::Values);
    for (const Attribution* each : {&plain, &taken})
        QVERIFY(std::abs(each->sum() - 1) < 1e-5);
    std::vector<Intervention> nothing;
    for (const char* layer : {"0", "1"})
        nothing.push_back(replacedByZero({std::string("decoder.layers.") + layer + ".cross_attn.v", -1, {3}}));
    const Trace changed =
        traceSentence(reading.model, "tôi đang học tiếng anh", "i am learning english", {}, nullptr, nothing);
    const auto of = [&](AttributionMethod method) {
        return attribute(reading.model, changed, 2, reading.word, method).source[3];
    };
    QCOMPARE(of(AttributionMethod::Values), 0.0);
    QVERIFY(of(AttributionMethod::Attention) > 0.1);
}

void TestAttribution::methodsAreHeldAgainstTrueAlignments() {
    const TrainedModel model = fixture::loadShipped("vi-en-long-lstm-attention");
    Corpus corpus = findTask(model.training.task()).corpus().test;
    corpus.resize(3);
    const AlignmentError byAttention = attributionError(model, corpus, AttributionMethod::Attention);
    const AlignmentError same = alignmentErrors(model, corpus).front();
    QCOMPARE(byAttention.common, same.common);
    QCOMPARE(byAttention.proposed, same.proposed);
    QVERIFY(attributionError(model, corpus, AttributionMethod::Occlusion).rate() < 1);
}

void TestAttribution::whatIsSaidIsWhatFollows() {
    const TrainedModel model = fixture::loadShipped("vi-en-transformer");
    const Trace forced = traceSentence(model, "tôi đang học tiếng anh", "you love me");
    std::string said;
    for (int row = 0; row < forced.at("logits").dim(0); ++row)
        said += model.target->displayOne(saidAt(model, forced, row)) + " ";
    QVERIFY2(said.starts_with("you love me "), said.c_str());
    const TrainedModel writes = fixture::loadShipped("stories-transformer");
    const Trace text = traceSentence(writes, "the cat");
    QCOMPARE(writes.target->displayOne(saidAt(writes, text, 1)), std::string("cat"));
    const Reading last("stories-transformer", "the cat", -1);
    QCOMPARE(saidAt(writes, text, last.row), last.word);
    QVERIFY_THROWS_EXCEPTION(Error, saidAt(writes, text, 99));
}

void TestAttribution::whoWantsNoMoreIsNotKept() {
    const Reading reading("vi-en-transformer", "tôi đang học tiếng anh", 2);
    int asked = 0;
    const Attribution none = attribute(reading.model, reading.trace, 2, reading.word, AttributionMethod::Occlusion,
                                       [&asked] { return ++asked < 3; });
    QCOMPARE(none.source.size(), size_t{2});
    asked = 0;
    attribute(reading.model, reading.trace, 2, reading.word, AttributionMethod::Integrated,
              [&asked] { return ++asked < 3; });
    QVERIFY(asked < 6);
}

void TestAttribution::whatIsNotThereIsRefused() {
    const Reading reading("vi-en-gru", "tôi yêu bạn", 1);
    QVERIFY_THROWS_EXCEPTION(Error, reading.by(AttributionMethod::Attention));
    QVERIFY_THROWS_EXCEPTION(Error, attribute(reading.model, reading.trace, 9, 5, AttributionMethod::Gradient));
    QVERIFY_THROWS_EXCEPTION(Error, attribute(reading.model, reading.trace, 0, 5000, AttributionMethod::Gradient));
    QVERIFY_THROWS_EXCEPTION(
        Error, attributionError(fixture::loadShipped("stories-lstm"), {{"", "a b"}}, AttributionMethod::Gradient));
}

QTEST_APPLESS_MAIN(TestAttribution)
#include "test_attribution.moc"
