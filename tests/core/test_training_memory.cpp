// SPDX-License-Identifier: GPL-3.0-or-later
// What a training takes, held against what it is found to take, and what is refused before it begins.
#include <QTest>
#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>

#include "core/data/new_model.h"
#include "core/error.h"
#include "core/models/transformer.h"
#include "core/train/trainer.h"
#include "core/train/training_memory.h"

using namespace headlight;

namespace {

ModelConfig smallestConfig() {
    ModelConfig config;
    config.dModel = 16;
    config.numHeads = 2;
    config.numEncoderLayers = config.numDecoderLayers = 1;
    config.dFf = 32;
    config.maxLength = 16;
    config.sourceVocabSize = config.targetVocabSize = 12;
    return config;
}

}  // namespace

class TestTrainingMemory : public QObject {
    Q_OBJECT
private slots:
    void sizesThatMemoryCannotHoldAreRefusedWithWhatTheyTake();
    void leastTrainingBytesAreThoseOfWeightsGradientsAndMoments();
    void leastStepBytesAreNeverMoreThanAStepTakes_data();
    void leastStepBytesAreNeverMoreThanAStepTakes();
    void batchesThatMemoryCannotHoldAreRefusedBeforeTheFirstStep();
};

void TestTrainingMemory::sizesThatMemoryCannotHoldAreRefusedWithWhatTheyTake() {
    ModelConfig wide = smallestConfig();
    wide.dModel = 16384;
    wide.numEncoderLayers = 64;
    const auto refusal = [](auto&& act) {
        try {
            act();
        } catch (const Error& error) {
            return QString::fromUtf8(error.what());
        }
        return QString();
    };
    // 64 · 4 d² of the encoder, 8 d² of one decoder layer, and the feed-forward networks.
    QVERIFY(leastTrainingBytes(wide, {}) > 264.0 * 16384 * 16384 * 7 * 4);
    QVERIFY(refusal([&] { refuseWhatMemoryCannotHold(wide, {}); }).contains("GiB"));
    QVERIFY(refusal([&] { refuseWhateverTheWords(wide, {}); }).contains("GiB"));
    const Corpus corpus{{"a b", "c d"}, {"e f", "g h"}, {"i", "j"}};
    QVERIFY(refusal([&] {
                newModel({{"d_model", 16384}, {"num_encoder_layers", 64}}, {}, corpus, 1);
            }).contains("GiB"));
    QCOMPARE(refusal([&] { refuseWhatMemoryCannotHold(smallestConfig(), {}); }), QString());
    // Sizes that do not go together are told as that.
    QVERIFY(refusal([&] { refuseWhateverTheWords({.dModel = 65, .numHeads = 4}, {}); }).contains("num_heads"));
}

void TestTrainingMemory::leastTrainingBytesAreThoseOfWeightsGradientsAndMoments() {
    ModelConfig config = smallestConfig();
    config.positionalEncoding = PositionalKind::None;
    const double weights = static_cast<double>(config.weightCount()) * sizeof(float);
    QCOMPARE(leastTrainingBytes(config, {.batchSize = 64}), 7 * weights);
    QCOMPARE(leastTrainingBytes(config, {.batchSize = 8}), 4 * weights);
    QCOMPARE(leastTrainingBytes(config, {.batchSize = 8, .optimizer = OptimizerKind::Sgd}), 2 * weights);
    config.positionalEncoding = PositionalKind::Sinusoidal;
    QCOMPARE(leastTrainingBytes(config, {.batchSize = 8, .optimizer = OptimizerKind::Sgd}), 2 * weights + 16 * 16 * 4);
}

void TestTrainingMemory::leastStepBytesAreNeverMoreThanAStepTakes_data() {
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<int>("length");
    for (const std::string& name : architectures())
        if (!ModelConfig{.architecture = name}.headless())
            for (const int length : {3, 60})
                QTest::addRow("%s, %d words", name.c_str(), length) << QString::fromStdString(name) << length;
    QTest::newRow("two ways, additive attention") << "additive" << 30;
    QTest::newRow("gru") << "gru" << 30;
    QTest::newRow("elman") << "elman" << 30;
    QTest::newRow("norms before") << "pre" << 30;
    QTest::newRow("with dropout") << "dropout" << 30;
}

/// And never less than a quarter of it: a bound that counts nothing bounds nothing.
void TestTrainingMemory::leastStepBytesAreNeverMoreThanAStepTakes() {
    QFETCH(QString, architecture);
    QFETCH(int, length);
    ModelConfig config = smallestConfig();
    config.dModel = config.hiddenSize = config.embeddingSize = 64;
    config.dFf = 256;
    config.maxLength = 128;
    config.dropout = architecture == QLatin1String("dropout") ? 0.1 : 0;
    config.numLayers = 2;
    config.normOrder = architecture == QLatin1String("pre") ? NormOrder::Pre : NormOrder::Post;
    config.cell = architecture == QLatin1String("gru")     ? Cell::Gru
                  : architecture == QLatin1String("elman") ? Cell::Rnn
                                                           : Cell::Lstm;
    config.bidirectional = architecture == QLatin1String("additive");
    config.attention = config.bidirectional ? AttentionKind::Additive : AttentionKind::None;
    config.architecture = architecture.toStdString();
    if (std::ranges::find(architectures(), config.architecture) == architectures().end())
        config.architecture = config.cell == Cell::Lstm && !config.bidirectional ? "transformer" : "rnn";
    if (config.recurrent()) config.positionalEncoding = PositionalKind::None;
    Example pair;
    for (int i = 0; i < length; ++i) {
        pair.source.push_back(4 + i % 8);
        pair.target.push_back(4 + i % 7);
    }
    if (config.corpusKind() == CorpusKind::Text) pair.source.clear();
    if (config.corpusKind() == CorpusKind::Labels) pair.target = {4};
    const std::vector<Example> pairs(32, pair);
    const std::unique_ptr<Model> model = Model::make(config);
    model->initialize(1);
    const TrainOptions options{.batchSize = 32, .threads = 1};
    Trainer trainer(*model, pairs, options);
    QCOMPARE(trainer.stepMemory(), size_t{0});
    trainer.step();
    std::vector<const Example*> batch;
    for (const Example& each : pairs)
        batch.push_back(&each);
    const double least = leastStepBytes(config, options, batch), is = static_cast<double>(trainer.stepMemory());
    const QByteArray figures = QByteArray::number(least) + " of " + QByteArray::number(is);
    QVERIFY2(least <= is, figures.constData());
    QVERIFY2(least > is / 4, figures.constData());
}

/// Weights of a few kilobytes, and 64 sentences of 16,000 words: their weights of attention alone take terabytes.
void TestTrainingMemory::batchesThatMemoryCannotHoldAreRefusedBeforeTheFirstStep() {
    ModelConfig config = smallestConfig();
    config.maxLength = 16001;
    const std::vector<int> words(16000, 4);
    const std::vector<Example> pairs(64, Example{words, words});
    Transformer model(config);
    model.initialize(1);
    try {
        Trainer trainer(model, pairs, {.batchSize = 64});
        QFAIL("accepted");
    } catch (const Error& error) {
        const QString message = QString::fromUtf8(error.what());
        QVERIFY2(message.contains("GiB") && message.contains("a smaller batch"), error.what());
        QVERIFY(!message.contains(u'\n'));
    }
    // Of one such pair as of sixty-four: it is the batch that is looked at.
    QVERIFY_EXCEPTION_THROWN(Trainer(model, pairs, {.tokensPerBatch = 64 * 16001}), Error);
    const std::vector<Example> few{{{4, 5}, {5, 4}}};
    QVERIFY(Trainer(model, few, {.tokensPerBatch = 8}).step().loss > 0);
    QVERIFY(Trainer(model, few, {.batchSize = 64}).step().loss > 0);
}

QTEST_APPLESS_MAIN(TestTrainingMemory)
#include "test_training_memory.moc"
