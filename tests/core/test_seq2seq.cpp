// SPDX-License-Identifier: GPL-3.0-or-later
// What every encoder-decoder promises: a sentence is read the same alone and in a batch, hypotheses that are exchanged
// go on as what they have become, and the words that a decoder is fed are the truth only as often as asked.
#include <QTest>
#include <cmath>

#include "core/io/model_file.h"
#include "core/models/seq2seq.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

const std::vector<std::vector<int>> sentences{{4, 9, 12, 5}, {7, 4, 4, 11, 6, 8}, {10, 6}, {5}};

struct Pass {
    Arena arena;
    Tape<float> tape{arena, Tape<float>::Mode::Inference};
    ForwardContext context;
    explicit Pass(const Seq2Seq& model) : context(tape, model.parameters()) {}
};

float worst(const float* a, const float* b, int n) {
    float result = 0;
    for (int i = 0; i < n; ++i)
        result = std::max(result, std::abs(a[i] - b[i]));
    return result;
}

}  // namespace

class TestSeq2Seq : public QObject {
    Q_OBJECT
private slots:
    void paddingChangesNothing_data() { models(); }
    void paddingChangesNothing();
    void exchangedHypothesesGoOnAsWhatTheyBecame_data() { models(); }
    void exchangedHypothesesGoOnAsWhatTheyBecame();
    void teacherForcingIsAShareOfTheTruth_data() { models(); }
    void teacherForcingIsAShareOfTheTruth();

private:
    static void models() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"pre_gelu_learned", "rnn_dot", "gru_general_two_ways", "lstm_additive_every_input",
                                 "lstm_scaled_dot_two_ways", "lstm_none_deep"})
            QTest::newRow(name) << QString(name);
    }
};

void TestSeq2Seq::paddingChangesNothing() {
    QFETCH(QString, name);
    const TrainedModel model = fixture::loadGolden(name);
    const Seq2Seq& network = model.seq2seq();
    const std::vector<std::vector<int>> targets{{1, 6}, {1, 5, 9, 4}, {1, 8, 8, 4, 7}, {1}};
    Pass together(network);
    const TokenBatch input = TokenBatch::pad(targets, 0);
    const Tensor<float> all = network.forward(together.context, TokenBatch::pad(sentences, 0), input).variable.value;
    for (size_t b = 0; b < sentences.size(); ++b) {
        Pass alone(network);
        const Tensor<float> one = network
                                      .forward(alone.context, TokenBatch::pad(std::span(&sentences[b], 1), 0),
                                               TokenBatch::pad(std::span(&targets[b], 1), 0))
                                      .variable.value;
        for (int t = 0; t < one.rows(); ++t)
            QVERIFY(worst(one.row(t), all.row(static_cast<int>(b) * input.length + t), one.cols()) < 1e-5f);
    }
}

void TestSeq2Seq::exchangedHypothesesGoOnAsWhatTheyBecame() {
    QFETCH(QString, name);
    const TrainedModel model = fixture::loadGolden(name);
    const Seq2Seq& network = model.seq2seq();
    const std::span<const std::vector<int>> two(sentences.data(), 2);
    Pass beams(network), plain(network);
    const auto state = network.beginDecoding(beams.context, TokenBatch::pad(two, 0), 2, 4);
    network.decodeStep(beams.context, std::vector<int>{1, 1}, *state);
    state->select(std::vector<int>{0, 0, 1, 1});
    network.decodeStep(beams.context, std::vector<int>{4, 5, 6, 7}, *state);
    // Sentence 0: both rows become the one that read 5; sentence 1: the rows change places.
    state->select(std::vector<int>{1, 1, 3, 2});
    const Tensor<float> found = network.decodeStep(beams.context, std::vector<int>{8, 9, 8, 9}, *state);

    const std::vector<std::vector<int>> histories{{1, 5, 8}, {1, 5, 9}, {1, 7, 8}, {1, 6, 9}};
    const std::vector<std::vector<int>> read{sentences[0], sentences[0], sentences[1], sentences[1]};
    const Tensor<float> wanted =
        network.forward(plain.context, TokenBatch::pad(read, 0), TokenBatch::pad(histories, 0)).variable.value;
    for (int row = 0; row < 4; ++row)
        QVERIFY(worst(found.row(row), wanted.row(row * 3 + 2), found.cols()) < 1e-5f);
}

void TestSeq2Seq::teacherForcingIsAShareOfTheTruth() {
    QFETCH(QString, name);
    const TrainedModel model = fixture::loadGolden(name);
    const Seq2Seq& network = model.seq2seq();
    std::vector<Example> examples;
    for (int i = 0; i < 20; ++i)
        examples.push_back({sentences[static_cast<size_t>(i) % sentences.size()], {4, 5 + i % 3, 6, 9, 4 + i % 5}});
    std::vector<const Example*> batch;
    for (const Example& example : examples)
        batch.push_back(&example);
    const auto lossAt = [&](double share) {
        Pass pass(network);
        pass.context.teacherForcing = share;
        return network.loss(pass.context, batch, {}).plain;
    };
    const double truth = lossAt(1), half = lossAt(0.5), own = lossAt(0);
    QCOMPARE(lossAt(0.5), half);  // the same seed, the same words
    QVERIFY(truth != half && half != own && truth != own);
    QVERIFY(std::isfinite(half) && std::isfinite(own));
}

QTEST_GUILESS_MAIN(TestSeq2Seq)
#include "test_seq2seq.moc"
