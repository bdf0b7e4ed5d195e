// SPDX-License-Identifier: GPL-3.0-or-later
// The residual stream: its sublayers are found in traces of every kind, norms come out as the engine made them, and
// what a corpus does to lengths and columns is what reading its sentences one by one gives.
#include <QTest>
#include <cmath>

#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/residual_stream.h"
#include "core/import/import_model.h"
#include "core/io/model_file.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

using SublayerKind = StreamSublayer::Kind;

/// The same few words whatever the model, by their ids.
Trace readStream(const TrainedModel& model) {
    const ModelConfig& config = model.network->config();
    const auto ids = [](int vocabulary) {
        std::vector<int> all;
        for (int i = 0; i < 4; ++i)
            all.push_back(4 + i * 3 % (vocabulary - 4));
        return all;
    };
    if (!config.encoderDecoder()) return traceIds(model, ids(config.sourceVocabSize));
    std::vector<int> target = ids(config.targetVocabSize);
    target.insert(target.begin(), config.decoderStart());
    return traceIds(model, ids(config.sourceVocabSize), target);
}

double at(const Trace& trace, const std::string& name, int row, int column) {
    const TraceRecord& record = trace.at(name);
    return static_cast<double>(record.values[static_cast<size_t>(row) * static_cast<size_t>(record.dim(1)) + column]);
}

}  // namespace

class TestResidualStream : public QObject {
    Q_OBJECT
private slots:
    void aTranslatorsSublayersStandInTheirOrder() {
        const TrainedModel model = fixture::loadByName("vi-en-transformer");
        const Trace trace = readStream(model);
        const auto encoder = streamSublayers(trace, Stack::Encoder, NormOrder::Post);
        const auto decoder = streamSublayers(trace, Stack::Decoder, NormOrder::Post);
        QCOMPARE(encoder.size(), size_t(4));
        QCOMPARE(decoder.size(), size_t(6));
        QVERIFY(streamSublayers(trace, Stack::Only, NormOrder::Post).empty());
        const SublayerKind kinds[] = {SublayerKind::SelfAttention, SublayerKind::CrossAttention,
                                      SublayerKind::FeedForward};
        for (size_t i = 0; i < 6; ++i) {
            QCOMPARE(decoder[i].kind, kinds[i % 3]);
            QCOMPARE(decoder[i].layer, int(i / 3));
        }
        QCOMPARE(decoder[0].x, std::string("decoder.input"));
        QCOMPARE(decoder[4].x, std::string("decoder.layers.1.norm1"));
        QCOMPARE(decoder[4].f, std::string("decoder.layers.1.cross_attn.output"));
        QCOMPARE(decoder[4].sum, std::string("decoder.layers.1.residual2"));
        QCOMPARE(decoder[4].norm, std::string("decoder.layers.1.norm2"));
    }

    void whereTheNormComesFirstItReadsTheStream() {
        const TrainedModel model = fixture::loadByName("fr-en-transformer");
        const Trace trace = readStream(model);
        const auto decoder = streamSublayers(trace, Stack::Decoder, NormOrder::Pre);
        QCOMPARE(decoder.size(), size_t(6));
        QCOMPARE(decoder[0].x, std::string("decoder.input"));
        QCOMPARE(decoder[0].norm, std::string("decoder.layers.0.norm1"));
        QCOMPARE(decoder[1].x, std::string("decoder.layers.0.residual1"));
        QCOMPARE(decoder[1].normed(NormOrder::Pre), decoder[1].x);
        QCOMPARE(decoder[1].handedOn(NormOrder::Pre), std::string("decoder.layers.0.residual2"));
    }

    void withoutResidualsThereIsNoSum() {
        const TrainedModel model = fixture::loadByName("vi-en-no-residuals");
        QVERIFY(!model.network->config().residuals);
        const Trace trace = readStream(model);
        const auto decoder = streamSublayers(trace, Stack::Decoder, NormOrder::Post);
        QCOMPARE(decoder.size(), size_t(6));
        for (const StreamSublayer& each : decoder) {
            QVERIFY(each.sum.empty());
            QCOMPARE(trace.at(each.norm).inputs.front(), each.f);
        }
        QCOMPARE(decoder[1].x, decoder[0].norm);
    }

    void aPreNormModelMayLeaveThemOutToo() {
        ModelConfig config;
        config.residuals = false;
        config.normOrder = NormOrder::Pre;
        config.sourceVocabSize = config.targetVocabSize = 20;
        TrainedModel model;
        model.network = Model::make(config);
        model.network->initialize(3);
        model.source = model.target = fixture::loadByName("vi-en-transformer").source;
        const Trace trace = traceIds(model, {5, 6}, {1, 7});
        const auto encoder = streamSublayers(trace, Stack::Encoder, NormOrder::Pre);
        QCOMPARE(encoder.size(), size_t(4));
        for (size_t i = 0; i < 4; ++i) {
            QVERIFY(encoder[i].sum.empty());
            QCOMPARE(encoder[i].x, i == 0 ? std::string("encoder.input") : encoder[i - 1].f);
            QCOMPARE(trace.at(encoder[i].norm).inputs.front(), encoder[i].x);
        }
    }

    void everyRowAddsUpAndIsNormedAsTheEngineDid_data() {
        QTest::addColumn<bool>("rms");
        for (const char* name : {"vi-en-transformer", "vi-en-pre-norm", "vi-en-no-residuals", "stories-transformer",
                                 "sentiment-transformer", "bert", "gpt2", "bart", "marian"})
            QTest::newRow(name) << false;
        for (const char* name : {"llama", "t5", "flan_t5"})
            QTest::newRow(name) << true;
    }
    void everyRowAddsUpAndIsNormedAsTheEngineDid() {
        QFETCH(bool, rms);
        const TrainedModel model = fixture::loadByName(QTest::currentDataTag());
        const ModelConfig& config = model.network->config();
        const Trace trace = readStream(model);
        int seen = 0;
        for (const Stack stack : {Stack::Encoder, Stack::Decoder, Stack::Only})
            for (const StreamSublayer& each : streamSublayers(trace, stack, config.normOrder)) {
                const int width = trace.at(each.x).dim(1), rows = trace.at(each.x).dim(0);
                for (int row = 0; row < rows; ++row) {
                    const NormedRow normed = normRow(model, trace, each.norm, row);
                    QCOMPARE(normed.takesMean, !rms);
                    for (int d = 0; d < width; ++d) {
                        if (!each.sum.empty())
                            QVERIFY(std::abs(at(trace, each.x, row, d) + at(trace, each.f, row, d) -
                                             at(trace, each.sum, row, d)) < 1e-4);
                        QCOMPARE(normed.in[size_t(d)], at(trace, each.normed(config.normOrder), row, d));
                        const double made = at(trace, each.norm, row, d);
                        QVERIFY(std::abs(normed.out[size_t(d)] - made) < 1e-4 * std::max(1.0, std::abs(made)));
                    }
                    const RowMoments z = momentsOf(normed.z);
                    if (!rms) QVERIFY(std::abs(z.mean) < 1e-9);
                    QVERIFY(std::abs(z.length / std::sqrt(width) - std::sqrt(normed.variance) / normed.divisor) < 1e-9);
                }
                ++seen;
            }
        QVERIFY(seen >= 2);
    }

    /// With n: not with n − 1, and ε inside of the root.
    void theDeviationIsOverN() {
        const std::vector<double> row{1, 2, 3, 6};
        const RowMoments found = momentsOf(std::span<const double>(row));
        QCOMPARE(found.mean, 3.0);
        QCOMPARE(found.deviation, std::sqrt(14.0 / 4));
        QCOMPARE(found.length, std::sqrt(50.0));
    }

    void aColumnIsNormedOverAllWordsOfTheBatch() {
        // Two sentences of two and one words, width 2: the columns are (1, 3, 5) and (2, 2, 8).
        const std::vector<std::vector<float>> batch{{1, 2, 3, 2}, {5, 8}};
        QCOMPARE(batchNormed(5, 0, batch, 2, 0), 2 / std::sqrt(8.0 / 3));
        QCOMPARE(batchNormed(2, 1, batch, 2, 1), -2 / std::sqrt(9.0));  // variance 8, ε 1
        // A word alone is its column's mean, whatever it is.
        QCOMPARE(batchNormed(7, 0, std::vector<std::vector<float>>{{7, 1}}, 2, 1e-5), 0.0);
    }

    void aSurveyIsWhatTheSentencesSayOneByOne() {
        const TrainedModel model = fixture::loadByName("vi-en-transformer");
        Corpus corpus = findTask("vi-en").corpus().test;
        corpus.resize(5);
        const StreamSurvey survey = surveyStream(model, corpus, 3);
        QCOMPARE(survey.sentences, 5);
        QCOMPARE(survey.sources.size(), size_t(3));
        QVERIFY(!survey.of(Stack::Only));
        const StreamSurvey::OfStack& decoder = *survey.of(Stack::Decoder);
        QCOMPARE(decoder.lengths.size(), size_t(7));
        double input = 0, last = 0;
        long words = 0;
        for (const SentencePair& pair : corpus) {
            const Trace trace = traceSentence(model, pair.source, pair.target);
            for (int row = 0; row < trace.at("decoder.input").dim(0); ++row, ++words) {
                const auto length = [&](const char* name) {
                    double sum = 0;
                    for (int d = 0; d < 64; ++d)
                        sum += std::pow(at(trace, name, row, d), 2);
                    return std::sqrt(sum);
                };
                input += length("decoder.input");
                last += length("decoder.layers.1.norm3");
            }
        }
        QCOMPARE(decoder.words, words);
        QVERIFY(std::abs(decoder.lengths[0] - input / double(words)) < 1e-6);
        QVERIFY(std::abs(decoder.lengths[6] - last / double(words)) < 1e-6);
        QCOMPARE(decoder.normed[2].size(), size_t(3));
        const Trace second = traceSentence(model, corpus[1].source, corpus[1].target);
        QVERIFY(decoder.normed[2][1] == second.at("decoder.layers.0.residual3").values);
    }

    void aReadingAloneIsASurveyOfItself() {
        const TrainedModel model = fixture::loadByName("vi-en-pre-norm");
        const SentencePair pair = findTask("vi-en").corpus().test.front();
        const StreamSurvey one = surveyStream(model, {pair}, 1);
        const StreamSurvey same = streamOf(traceSentence(model, pair.source, pair.target), model.network->config());
        for (const Stack stack : {Stack::Encoder, Stack::Decoder}) {
            QVERIFY(one.of(stack)->lengths == same.of(stack)->lengths);
            QVERIFY(one.of(stack)->normed == same.of(stack)->normed);
        }
    }

    /// What the picture of lengths by depth tells, and what the lessons say of the pair.
    void aPreNormStreamGrowsAndAPostNormOneDoesNot() {
        Corpus corpus = findTask("vi-en").corpus().test;
        corpus.resize(40);
        const TrainedModel post = fixture::loadByName("vi-en-transformer"), pre = fixture::loadByName("vi-en-pre-norm");
        QVERIFY(differInNormOrderOnly(post.network->config(), pre.network->config()));
        const auto lengths = [&](const TrainedModel& model) {
            return surveyStream(model, corpus, 0).of(Stack::Decoder)->lengths;
        };
        const std::vector<double> of = lengths(post), grown = lengths(pre);
        for (size_t i = 1; i < of.size(); ++i)
            QVERIFY(of[i] < 2 * of[1]);
        QVERIFY(grown.back() > 3 * grown.front());
    }

    void aPairDiffersInNothingElse() {
        const ModelConfig post = fixture::loadByName("vi-en-transformer").network->config();
        QVERIFY(!differInNormOrderOnly(post, post));
        QVERIFY(!differInNormOrderOnly(post, fixture::loadByName("fr-en-transformer").network->config()));
        QVERIFY(!differInNormOrderOnly(post, fixture::loadByName("vi-en-gru").network->config()));
        const ModelConfig without = fixture::loadByName("vi-en-no-residuals").network->config();
        QVERIFY(differInResidualsOnly(post, without) && differInResidualsOnly(without, post));
        QVERIFY(!differInResidualsOnly(post, post) && !differInNormOrderOnly(post, without));
        QVERIFY(!differInResidualsOnly(without, fixture::loadByName("vi-en-pre-norm").network->config()));
    }

    void aRecurrentModelHasNoSuchStream() {
        const TrainedModel model = fixture::loadByName("vi-en-gru");
        QVERIFY_THROWS_EXCEPTION(Error, surveyStream(model, {}, 1));
        QVERIFY(streamSublayers(readStream(model), Stack::Decoder, NormOrder::Post).empty());
    }

    void whatIsNoLongerWantedEnds() {
        const TrainedModel model = fixture::loadByName("vi-en-transformer");
        const Corpus corpus = findTask("vi-en").corpus().test;
        int asked = 0;
        QCOMPARE(surveyStream(model, corpus, 1, [&] { return ++asked <= 3; }).sentences, 3);
    }
};

QTEST_APPLESS_MAIN(TestResidualStream)
#include "test_residual_stream.moc"
