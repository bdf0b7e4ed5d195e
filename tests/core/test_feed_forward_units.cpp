// SPDX-License-Identifier: GPL-3.0-or-later
// The units of a feed-forward network: their weights make what the trace has, what they say of words is arithmetic over
// the model's own matrices, and a unit that is held at zero changes what its row of W₂ adds and nothing before.
#include <QTest>
#include <cmath>

#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/feed_forward_units.h"
#include "core/import/import_model.h"
#include "core/io/model_file.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

using ops::Activation;

const TrainedModel& shippedUnits() {
    static const TrainedModel model = fixture::loadShipped("vi-en-transformer");
    return model;
}

Trace example() {
    return traceSentence(shippedUnits(), "tôi đang học tiếng anh");
}

Trace readUnits(const TrainedModel& model) {
    if (!model.network->config().encoderDecoder()) return traceIds(model, {4, 5, 6, 7});
    return traceIds(model, {4, 5, 6}, {model.network->config().decoderStart(), 4, 5});
}

std::span<const float> unitRow(const TraceRecord& record, int row) {
    const auto width = static_cast<size_t>(record.dim(1));
    return std::span(record.values).subspan(static_cast<size_t>(row) * width, width);
}

/// A weight by its name in the file.
Tensor<const float> weightCalled(const TrainedModel& model, const char* name) {
    return std::as_const(*model.network).parameters().value(std::string_view(name));
}

/// Holds what a unit says of the words to (row ⊙ scale) · W_out, less its mean.
void holdWords(const std::vector<double>& words, const std::vector<double>& row, const Tensor<const float>& out) {
    QCOMPARE(words.size(), size_t(out.rows()));
    std::vector<double> wanted;
    double mean = 0;
    for (int word = 0; word < out.rows(); ++word) {
        double sum = 0;
        for (size_t d = 0; d < row.size(); ++d)
            sum += row[d] * double(out.row(word)[d]);
        wanted.push_back(sum);
        mean += sum / out.rows();
    }
    for (size_t word = 0; word < words.size(); ++word)
        QVERIFY(std::abs(wanted[word] - mean - words[word]) < 1e-9);
}

}  // namespace

class TestFeedForwardUnits : public QObject {
    Q_OBJECT
private slots:
    void layersAreFound() {
        const std::vector<FeedForwardLayer> layers = feedForwardLayers(example());
        QCOMPARE(layers.size(), size_t(4));
        QCOMPARE(layers[3].stack, Stack::Decoder);
        QCOMPARE(layers[3].layer, 1);
        QCOMPARE(layers[3].units, 256);
        QVERIFY(!layers[3].gated);
        QCOMPARE(layers[3].x, std::string("decoder.layers.1.norm2"));
        QCOMPARE(layers[3].hidden, std::string("decoder.layers.1.ffn.hidden"));
        QVERIFY(feedForwardLayers(readUnits(fixture::loadByName("llama"))).front().gated);
        QVERIFY(feedForwardLayers(readUnits(fixture::loadByName("vi-en-gru"))).empty());
    }

    void weightsMakeWhatTheTraceHas_data() {
        QTest::addColumn<int>("units");
        for (const char* name : {"vi-en-transformer", "fr-en-transformer", "stories-transformer",
                                 "sentiment-transformer", "gpt2", "bert", "bart", "marian", "t5"})
            QTest::newRow(name) << 7;
    }
    void weightsMakeWhatTheTraceHas() {
        const TrainedModel model = fixture::loadByName(QTest::currentDataTag());
        const Activation kind = model.network->config().activation;
        const Trace trace = readUnits(model);
        for (const FeedForwardLayer& layer : feedForwardLayers(trace)) {
            const TraceRecord &hidden = trace.at(layer.hidden), &active = trace.at(layer.activation);
            for (int row = 0; row < hidden.dim(0); ++row) {
                const auto x = unitRow(trace.at(layer.x), row);
                std::vector<double> sum(x.size());
                for (int unit = 0; unit < layer.units; ++unit) {
                    const UnitWeights of = unitWeights(model, trace, layer, unit);
                    double h = of.bias;
                    for (size_t d = 0; d < x.size(); ++d)
                        h += double(of.in[d]) * double(x[d]);
                    QVERIFY(std::abs(h - double(unitRow(hidden, row)[size_t(unit)])) < 1e-3);
                    const double a = double(unitRow(active, row)[size_t(unit)]);
                    QVERIFY(std::abs(activated(kind, double(unitRow(hidden, row)[size_t(unit)])) - a) < 1e-4);
                    for (size_t d = 0; d < x.size(); ++d)
                        sum[d] += a * double(of.out[d]);
                }
                const std::vector<double> output = outputWith(model, trace, layer, row, kind);
                const auto bias = trace.at(layer.output).weight(UsedWeight::As::Bias);
                for (size_t d = 0; d < x.size(); ++d) {
                    const double made = double(unitRow(trace.at(layer.output), row)[d]);
                    QVERIFY(std::abs(output[d] - made) < 1e-3);
                    if (!bias) QVERIFY(std::abs(sum[d] - made) < 1e-3);
                }
            }
        }
    }

    void activationsAreTheirFormulas() {
        QCOMPARE(activated(Activation::Relu, -2), 0.0);
        QCOMPARE(activated(Activation::Relu, 2), 2.0);
        QVERIFY(std::abs(activated(Activation::Gelu, 1) - 0.8413447460685429) < 1e-12);
        QVERIFY(std::abs(activated(Activation::Gelu, -1) + 0.15865525393145707) < 1e-12);
        QVERIFY(std::abs(activated(Activation::Silu, 1) - 0.7310585786300049) < 1e-12);
    }

    void anotherActivationChangesWhatIsAdded() {
        const Trace trace = example();
        const FeedForwardLayer layer = feedForwardLayers(trace)[3];
        const auto relu = outputWith(shippedUnits(), trace, layer, 2, Activation::Relu);
        const auto gelu = outputWith(shippedUnits(), trace, layer, 2, Activation::Gelu);
        double apart = 0;
        for (size_t d = 0; d < relu.size(); ++d)
            apart += std::abs(relu[d] - gelu[d]);
        QVERIFY(apart > 0.1);
    }

    /// (W₂[u] ⊙ γ) · W_out, from the file's own matrices.
    void aUnitsWordsAreItsRowThroughTheNormAgainstTheOutputLayer() {
        const Trace trace = example();
        const std::vector<FeedForwardLayer> layers = feedForwardLayers(trace);
        const Tensor<const float> w2 = weightCalled(shippedUnits(), "transformer.decoder.layers.1.linear2.weight"),
                                  gamma = weightCalled(shippedUnits(), "transformer.decoder.layers.1.norm3.weight"),
                                  out = weightCalled(shippedUnits(), "generator.weight");
        QVERIFY(w2 && gamma && out);
        std::vector<double> row;
        for (int d = 0; d < 64; ++d)
            row.push_back(double(w2.at(d, 82)) * double(gamma.data[d]));
        holdWords(unitWords(shippedUnits(), trace, layers[3], 82), row, out);
    }

    void normsOnTheWayAreAllPassed() {
        const Trace trace = example();
        const FeedForwardLayer layer = feedForwardLayers(trace)[2];  // the decoder's first
        const Tensor<const float> w2 = weightCalled(shippedUnits(), "transformer.decoder.layers.0.linear2.weight"),
                                  out = weightCalled(shippedUnits(), "generator.weight");
        std::vector<double> row;
        for (int d = 0; d < 64; ++d) {
            row.push_back(double(w2.at(d, 5)));
            for (const char* norm :
                 {"transformer.decoder.layers.0.norm3.weight", "transformer.decoder.layers.1.norm1.weight",
                  "transformer.decoder.layers.1.norm2.weight", "transformer.decoder.layers.1.norm3.weight"})
                row.back() *= double(weightCalled(shippedUnits(), norm).data[d]);
        }
        holdWords(unitWords(shippedUnits(), trace, layer, 5), row, out);
    }

    void aPreNormModelHasItsFinalNormAlone() {
        const TrainedModel model = fixture::loadByName("vi-en-pre-norm");
        const Trace trace = readUnits(model);
        const FeedForwardLayer layer = feedForwardLayers(trace)[2];
        const Tensor<const float> w2 = weightCalled(model, "transformer.decoder.layers.0.linear2.weight"),
                                  gamma = weightCalled(model, "transformer.decoder.norm.weight"),
                                  out = weightCalled(model, "generator.weight");
        QVERIFY(w2 && gamma && out);
        std::vector<double> row;
        for (int d = 0; d < w2.rows(); ++d)
            row.push_back(double(w2.at(d, 3)) * double(gamma.data[d]));
        holdWords(unitWords(model, trace, layer, 3), row, out);
    }

    void whereThereIsNoStraightWayNoWordsAreNamed() {
        const Trace trace = example();
        QVERIFY(unitWords(shippedUnits(), trace, feedForwardLayers(trace)[0], 1).empty());  // the encoder's
        for (const char* name : {"bert", "bert_classifier", "bert_model", "llama"}) {
            const TrainedModel model = fixture::loadByName(name);
            const Trace of = readUnits(model);
            QVERIFY2(unitWords(model, of, feedForwardLayers(of).back(), 1).empty(), name);
        }
        const TrainedModel labels = fixture::loadByName("sentiment-transformer");
        const Trace of = readUnits(labels);
        QCOMPARE(unitWords(labels, of, feedForwardLayers(of).back(), 1).size(), size_t(of.at("logits").dim(1)));
    }

    void aSurveyHasEveryWordOfEverySentence() {
        Corpus corpus = findTask("vi-en").corpus().test;
        corpus.resize(30);
        const FiringSurvey survey = surveyFiring(shippedUnits(), corpus, 3);
        QCOMPARE(survey.sentences.size(), size_t(30));
        QCOMPARE(survey.units, 256);
        size_t word = 0;
        for (size_t i = 0; i < corpus.size(); ++i) {
            const Trace trace = traceSentence(shippedUnits(), corpus[i].source, corpus[i].target);
            QVERIFY(survey.sentences[i].words == trace.targetTokens);
            QCOMPARE(survey.sentences[i].written.back(), trace.written(trace.targetTokens.size() - 1));
            const TraceRecord& active = trace.at("decoder.layers.1.ffn.activation");
            for (int row = 0; row < active.dim(0); ++row, ++word) {
                QCOMPARE(survey.words[word].sentence, int(i));
                QCOMPARE(survey.words[word].position, row);
                QCOMPARE(survey.at(word, 17), unitRow(active, row)[17]);
            }
        }
        QCOMPARE(survey.words.size(), word);
        for (const int unit : {0, 17, 200}) {
            long fired = 0;
            float most = 0;
            for (size_t i = 0; i < word; ++i) {
                fired += survey.at(i, unit) > 0;
                most = std::max(most, survey.at(i, unit));
            }
            QCOMPARE(survey.fired(unit), fired);
            const std::vector<size_t> best = survey.strongest(unit, 4);
            QVERIFY(best.size() <= 4);
            if (fired) QCOMPARE(survey.at(best.front(), unit), most);
            for (size_t i = 1; i < best.size(); ++i) {
                QVERIFY(survey.at(best[i - 1], unit) >= survey.at(best[i], unit));
                QVERIFY(survey.words[best[i - 1]].sentence != survey.words[best[i]].sentence);
            }
        }
    }

    void aSurveyIsBounded() {
        const Corpus corpus = findTask("vi-en").corpus().test;
        const FiringSurvey survey = surveyFiring(shippedUnits(), corpus, 3, {}, 256 * 20);
        QVERIFY(survey.words.size() >= 20 && survey.words.size() < 40);
        int asked = 0;
        QCOMPARE(surveyFiring(shippedUnits(), corpus, 0, [&] { return ++asked <= 2; }).sentences.size(), size_t(2));
    }

    void aTextsAndALabelsWordsAreReadToo() {
        for (const char* name : {"stories-transformer", "sentiment-transformer"}) {
            const TrainedModel model = fixture::loadByName(name);
            Corpus corpus = findTask(model.training.task()).corpus().test;
            corpus.resize(4);
            const FiringSurvey survey = surveyFiring(model, corpus, 1);
            QCOMPARE(survey.sentences.size(), size_t(4));
            QCOMPARE(survey.sentences[0].written.empty(), !model.network->config().continuesTexts());
        }
    }

    void aMutedUnitAddsNothing_data() {
        QTest::addColumn<int>("layer");
        QTest::newRow("vi-en-transformer") << 3;
        QTest::newRow("fr-en-transformer") << 2;
        QTest::newRow("stories-transformer") << 1;
        QTest::newRow("sentiment-transformer") << 0;
        QTest::newRow("gpt2") << 0;
        QTest::newRow("bert") << 0;
        QTest::newRow("llama") << 0;
    }
    void aMutedUnitAddsNothing() {
        QFETCH(int, layer);
        const TrainedModel model = fixture::loadByName(QTest::currentDataTag());
        const Trace trace = readUnits(model);
        const FeedForwardLayer of = feedForwardLayers(trace)[size_t(layer)];
        const int unit = 3;
        const Trace without = traceWithoutUnit(model, trace, of, unit);
        QVERIFY(without.sourceTokens == trace.sourceTokens);
        QVERIFY(without.at(of.activation).values == trace.at(of.activation).values);
        const std::string made = of.gated ? trace.at(of.output).inputs.front() : of.activation;
        const UnitWeights weights = unitWeights(model, trace, of, unit);
        for (int row = 0; row < trace.at(of.output).dim(0); ++row) {
            const double a = double(unitRow(trace.at(made), row)[unit]);
            for (size_t d = 0; d < weights.out.size(); ++d)
                QVERIFY(std::abs(double(unitRow(trace.at(of.output), row)[d] - unitRow(without.at(of.output), row)[d]) -
                                 a * double(weights.out[d])) < 1e-4);
        }
        // The model itself is as it was.
        QVERIFY(readUnits(model).at(of.output).values == trace.at(of.output).values);
    }

    void unitsThatAreNotThereAreRefused() {
        const Trace trace = example();
        const FeedForwardLayer layer = feedForwardLayers(trace)[3];
        QVERIFY_THROWS_EXCEPTION(Error, unitWeights(shippedUnits(), trace, layer, 256));
        QVERIFY_THROWS_EXCEPTION(Error, traceWithoutUnit(shippedUnits(), trace, layer, -1));
    }
};

QTEST_APPLESS_MAIN(TestFeedForwardUnits)
#include "test_feed_forward_units.moc"
