// SPDX-License-Identifier: GPL-3.0-or-later
// Models against PyTorch's: forward values name by name, loss, every gradient. tests/golden/make_golden.py and its
// companions made the files.
#include <QTest>
#include <cmath>

#include "core/data/translate.h"
#include "core/io/model_file.h"
#include "core/io/safetensors.h"
#include "core/models/seq2seq.h"

using namespace headlight;

namespace {

constexpr double goldenTolerance = 1e-4;

std::string goldenPath(const QString& name, const char* ending) {
    return (QString(HEADLIGHT_SOURCE_DIR "/tests/golden/") + name + ending).toStdString();
}

/// Largest |a − b| / (1 + |b|); infinities must agree.
double difference(std::span<const float> found, const std::vector<float>& expected) {
    if (found.size() != expected.size()) return std::numeric_limits<double>::infinity();
    double worst = 0;
    for (size_t i = 0; i < found.size(); ++i) {
        if (std::isinf(expected[i]) && found[i] == expected[i]) continue;
        const double error = std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i])) /
                             (1 + std::abs(static_cast<double>(expected[i])));
        worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(worst, error);
    }
    return worst;
}

/// Rows of a padded [rows, length] tensor as they stand, with the number of ids before the padding.
TokenBatch batchOf(const safetensors::File& file, const std::string& name) {
    TokenBatch batch;
    const auto& shape = file.entry(name).shape;
    batch.batch = static_cast<int>(shape[0]);
    batch.length = static_cast<int>(shape[1]);
    for (int64_t id : file.integers(name))
        batch.ids.push_back(static_cast<int>(id));
    for (int b = 0; b < batch.batch; ++b) {
        int length = 0;
        while (length < batch.length && batch.ids[static_cast<size_t>(b * batch.length + length)] != 0)
            ++length;
        batch.lengths.push_back(length);
    }
    return batch;
}

std::vector<std::vector<int>> rowsOf(const safetensors::File& file, const std::string& name) {
    const TokenBatch batch = batchOf(file, name);
    std::vector<std::vector<int>> rows;
    for (int b = 0; b < batch.batch; ++b) {
        const auto first = batch.ids.begin() + b * batch.length;
        rows.emplace_back(first, first + batch.lengths[static_cast<size_t>(b)]);
    }
    return rows;
}

/// What the file's batch was trained on. Of pairs the target is kept as the decoder is to say it, <eos> at its end.
std::vector<Example> examplesOf(const safetensors::File& file) {
    const bool pairs = file.contains("batch.source");
    const std::string sourceName = pairs ? "batch.source" : "examples.source";
    const auto targets = rowsOf(file, pairs ? "batch.target_output" : "examples.target");
    const auto sources = file.contains(sourceName) ? rowsOf(file, sourceName) : std::vector<std::vector<int>>();
    std::vector<Example> examples(targets.size());
    for (size_t i = 0; i < examples.size(); ++i) {
        if (!sources.empty()) examples[i].source = sources[i];
        examples[i].target = targets[i];
        if (pairs) examples[i].target.pop_back();
    }
    return examples;
}

std::string joined(const std::vector<int>& ids, const Vocabulary& vocabulary) {
    std::string text;
    for (int id : ids)
        text += (text.empty() ? "" : " ") + vocabulary.token(id);
    return text;
}

}  // namespace

class TestGolden : public QObject {
    Q_OBJECT
private slots:
    void everyTracedValueIsPyTorchs_data() { cases(); }
    void everyTracedValueIsPyTorchs();
    void lossAndEveryGradientArePyTorchs_data() { cases(); }
    void lossAndEveryGradientArePyTorchs();
    void decodingWithACacheGivesTheSameLogits_data() { encoderDecoders(); }
    void decodingWithACacheGivesTheSameLogits();

private:
    static void encoderDecoders() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"post_relu_sinusoidal", "pre_gelu_learned", "post_gelu_tanh_tied", "post_relu_concat",
                                 "pre_gelu_learned_concat", "rnn_dot", "gru_general_two_ways",
                                 "lstm_additive_every_input", "lstm_scaled_dot_two_ways", "lstm_none_deep",
                                 "gru_none_every_input", "kind_marian", "kind_bart", "kind_t5"})
            QTest::newRow(name) << QString(name);
    }
    static void cases() {
        encoderDecoders();
        for (const char* name :
             {"language_model", "rnn_language_model", "classifier", "kind_gpt2", "kind_gpt2_without_biases",
              "kind_llama", "kind_gemma", "kind_neox", "kind_phi", "kind_bert", "kind_bert_classifier",
              "kind_distilbert_classifier", "kind_electra", "kind_modernbert_classifier"})
            QTest::newRow(name) << QString(name);
    }
};

void TestGolden::everyTracedValueIsPyTorchs() {
    QFETCH(QString, name);
    const TrainedModel model = loadModel(goldenPath(name, ".safetensors"));
    const auto expected = safetensors::File::read(goldenPath(name, ".expected.safetensors"));
    std::vector<int> source, target;
    const bool pair = expected.contains("trace.source.ids");
    for (int64_t id : expected.integers(pair ? "trace.source.ids" : "trace.ids"))
        source.push_back(static_cast<int>(id));
    const ModelConfig& config = model.network->config();
    const bool putsOneBefore =
        config.corpusKind() == CorpusKind::Labels ? config.startsAtBos : config.startsAtEnd && !config.masked();
    if (!pair && putsOneBefore) source.erase(source.begin());  // <bos> or <eos>, which the program puts there itself
    std::optional<std::string> written;
    if (pair) {
        for (int64_t id : expected.integers("trace.target.ids"))
            target.push_back(static_cast<int>(id));
        target.erase(target.begin());  // what the decoder starts with
        written = joined(target, model.target->vocabulary());
    }
    const Trace trace = traceSentence(model, joined(source, model.source->vocabulary()), written);

    size_t compared = 0;
    for (const auto& [key, entry] : expected.entries()) {
        if (!key.starts_with("trace.")) continue;
        const TraceRecord* record = trace.find(key.substr(6));
        QVERIFY2(record, qPrintable(QString::fromStdString(key + " is not traced")));
        QCOMPARE(std::vector<int64_t>(record->shape.begin(), record->shape.end()), entry.shape);
        const double worst = difference(record->values, expected.floats(key));
        QVERIFY2(worst < goldenTolerance,
                 qPrintable(QString("%1 differs by %2").arg(QString::fromStdString(key)).arg(worst)));
        ++compared;
    }
    QCOMPARE(compared, trace.records().size());
}

void TestGolden::lossAndEveryGradientArePyTorchs() {
    QFETCH(QString, name);
    const TrainedModel model = loadModel(goldenPath(name, ".safetensors"));
    const auto expected = safetensors::File::read(goldenPath(name, ".expected.safetensors"));
    const ParameterSet& parameters = std::as_const(*model.network).parameters();
    const std::vector<Example> examples = examplesOf(expected);
    std::vector<const Example*> batch;
    long tokens = 0;
    for (const Example& example : examples) {
        batch.push_back(&example);
        tokens += model.network->targetTokens(example);
    }

    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Training);
    std::vector<float> gradients(parameters.flatSize());
    ForwardContext context(tape, parameters);
    context.gradients = gradients.data();
    const auto loss =
        model.network->loss(context, batch, {.labelSmoothing = 0.1, .lossScale = 1.0 / static_cast<double>(tokens)});
    tape.backward();

    QCOMPARE(loss.tokens, tokens);
    QVERIFY(std::abs(loss.smoothed / static_cast<double>(tokens) - static_cast<double>(expected.floats("loss")[0])) <
            goldenTolerance);
    QVERIFY(std::abs(loss.plain / static_cast<double>(tokens) -
                     static_cast<double>(expected.floats("loss_unsmoothed")[0])) < goldenTolerance);
    for (const auto& entry : parameters.entries()) {
        const std::vector<float> wanted = expected.floats("gradient." + entry.name);
        const double worst = difference(std::span(gradients.data() + entry.offset, entry.shape.count()), wanted);
        QVERIFY2(
            worst < goldenTolerance,
            qPrintable(QString("the gradient of %1 differs by %2").arg(QString::fromStdString(entry.name)).arg(worst)));
    }
}

void TestGolden::decodingWithACacheGivesTheSameLogits() {
    QFETCH(QString, name);
    const TrainedModel model = loadModel(goldenPath(name, ".safetensors"));
    const auto expected = safetensors::File::read(goldenPath(name, ".expected.safetensors"));
    const Seq2Seq& network = model.seq2seq();
    const TokenBatch source = batchOf(expected, "batch.source"), input = batchOf(expected, "batch.target_input");

    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext context(tape, network.parameters());
    const Tensor<float> whole = network.forward(context, source, input).variable.value;
    const std::unique_ptr<Seq2Seq::DecoderState> state = network.beginDecoding(context, source, 1, input.length);
    for (int t = 0; t < input.length; ++t) {
        std::vector<int> words;
        for (int b = 0; b < input.batch; ++b)
            words.push_back(input.ids[static_cast<size_t>(b * input.length + t)]);
        const Tensor<float> step = network.decodeStep(context, words, *state);
        for (int b = 0; b < input.batch; ++b) {
            if (t >= input.lengths[static_cast<size_t>(b)]) continue;
            const std::span<const float> found(step.row(b), static_cast<size_t>(step.cols()));
            const float* row = whole.row(b * input.length + t);
            QVERIFY(difference(found, std::vector<float>(row, row + whole.cols())) < 1e-5);
        }
    }
}

QTEST_APPLESS_MAIN(TestGolden)
#include "test_golden.moc"
