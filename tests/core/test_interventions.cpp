// SPDX-License-Identifier: GPL-3.0-or-later
// Values changed on their way through a model: against PyTorch, against the trace, and against decoding.
#include <QTest>
#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/data/evaluation.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/interventions.h"
#include "core/io/model_file.h"
#include "core/io/safetensors.h"
#include "core/models/language_model.h"
#include "core/models/seq2seq.h"

using namespace headlight;

namespace {

std::string goldenPath(const std::string& name) {
    return HEADLIGHT_SOURCE_DIR "/tests/golden/" + name;
}

nlohmann::json goldenLists() {
    std::ifstream file(goldenPath("interventions.json"));
    return nlohmann::json::parse(file);
}

std::vector<int> idRow(const safetensors::File& file, const std::string& name) {
    const std::vector<int64_t> ids = file.integers(name);
    return {ids.begin(), ids.end()};
}

/// A golden model, and the words that its expectation reads.
struct Case {
    TrainedModel model;
    std::vector<int> source, target;

    explicit Case(const std::string& name) : model(loadModel(goldenPath(name + ".safetensors"))) {
        const auto expected = safetensors::File::read(goldenPath(name + ".expected.safetensors"));
        const bool pair = expected.contains("trace.source.ids");
        source = idRow(expected, pair ? "trace.source.ids" : "trace.ids");
        if (pair) target = idRow(expected, "trace.target.ids");
    }
    bool pair() const { return !target.empty(); }
    Trace trace(std::span<const Intervention> changes = {}) const { return traceOf(source, changes); }
    Trace traceOf(std::vector<int> words, std::span<const Intervention> changes = {}) const {
        if (pair()) return traceIds(model, words, target, {}, nullptr, changes);
        const ModelConfig& config = model.network->config();
        if (config.corpusKind() == CorpusKind::Labels && config.startsAtBos) words.erase(words.begin());
        return traceIds(model, words, {}, nullptr, changes);
    }
    /// Every value, put in its own place.
    static std::vector<Intervention> everythingOf(const Trace& from) {
        std::vector<Intervention> list;
        for (const TraceRecord& record : from.records())
            if (record.shape.size() > 1 && record.part != Part::LogProbs)
                list.push_back(takenFrom(from, {record.name}));
        return list;
    }
};

double largestGap(std::span<const float> a, std::span<const float> b) {
    if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
    double worst = 0;
    for (size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i])  // infinities among them
            worst = std::max(worst, static_cast<double>(std::abs(a[i] - b[i]) / (1 + std::abs(b[i]))));
    return worst;
}

std::vector<float> flat(const nlohmann::json& rows) {
    std::vector<float> numbers;
    for (const nlohmann::json& row : rows)
        for (const nlohmann::json& number : row)
            numbers.push_back(number.get<float>());
    return numbers;
}

/// The logits of each word, fed one after the other with what is kept between two steps.
std::vector<float> decodedLogits(const Case& each, std::span<const Intervention> changes) {
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext context(tape, each.model.network->parameters());
    context.interventions = changes;
    std::vector<float> all;
    const auto keep = [&](const Tensor<float>& logits) {
        all.insert(all.end(), logits.data, logits.data + logits.cols());
    };
    if (!each.pair()) {
        const auto state = each.model.languageModel().begin(context, 12);
        for (const int word : each.source)
            keep(each.model.languageModel().step(context, word, *state));
        return all;
    }
    // Two hypotheses that write the same: their rows stand at one place.
    const TokenBatch source = TokenBatch::pad(std::span(&each.source, 1), 0);
    const auto state = each.model.seq2seq().beginDecoding(context, source, 2, 12);
    state->select(std::vector<int>{0, 0});
    for (const int word : each.target) {
        const std::vector<int> words{word, word};
        const Tensor<float> logits = each.model.seq2seq().decodeStep(context, words, *state);
        if (!std::equal(logits.row(0), logits.row(0) + logits.cols(), logits.row(1))) return {};
        keep(logits);
    }
    return all;
}

}  // namespace

class TestInterventions : public QObject {
    Q_OBJECT
private slots:
    void changedModelsComputeWhatPyTorchComputes_data() { goldenCases(); }
    void changedModelsComputeWhatPyTorchComputes();
    void cachedDecodingIsTheWholePassUnderTheSameChanges_data() { writingCases(); }
    void cachedDecodingIsTheWholePassUnderTheSameChanges();
    void turnedQueriesAndKeysAreChangedWhileDecodingToo();
    void everyValuePutInItsOwnPlaceChangesNothing_data() { allKinds(); }
    void everyValuePutInItsOwnPlaceChangesNothing();
    void everythingOfAnotherReadingGivesItsAnswer_data() { allKinds(); }
    void everythingOfAnotherReadingGivesItsAnswer();
    void noChangeLeavesEveryBit_data() { allKinds(); }
    void noChangeLeavesEveryBit();
    void aMutedHeadIsOneOfThem();
    void theLossOfABatchIsThatOfItsSentencesOneByOne();
    void theMeanOverACorpusIsTheMeanOfItsRows();
    void listsComeBackFromTheirText();
    void whatCannotBeChangedIsRefusedInOneLine_data();
    void whatCannotBeChangedIsRefusedInOneLine();

private:
    static void goldenCases(bool (*isOne)(const Case&) = nullptr) {
        QTest::addColumn<QString>("name");
        const nlohmann::json lists = goldenLists();
        for (const auto& [name, each] : lists.items())
            if (!isOne || isOne(Case(name))) QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    /// Those that write word by word.
    static void writingCases() {
        goldenCases([](const Case& each) {
            const ModelConfig& config = each.model.network->config();
            return each.pair() || (!config.masked() && config.continuesTexts());
        });
    }
    static void allKinds() {
        goldenCases();
        for (const char* name : {"kind_t5", "kind_llama", "kind_gemma", "kind_neox", "kind_phi", "kind_bart",
                                 "kind_bert_classifier", "kind_gpt2"})
            QTest::newRow(name) << QString(name);
    }
};

void TestInterventions::changedModelsComputeWhatPyTorchComputes() {
    QFETCH(QString, name);
    const Case each(name.toStdString());
    const nlohmann::json lists = goldenLists().at(name.toStdString());
    QVERIFY(!lists.empty());
    for (const nlohmann::json& list : lists) {
        const std::vector<Intervention> changes = interventionsFromJson(list.at("changes"));
        checkInterventions(changes, each.trace());
        const Trace changed = each.trace(changes);
        const double worst = largestGap(changed.at("logits").values, flat(list.at("logits")));
        QVERIFY2(worst < 1e-5, qPrintable(QString("%1 by %2").arg(worst).arg(list.at("changes").dump().c_str())));
    }
}

void TestInterventions::cachedDecodingIsTheWholePassUnderTheSameChanges() {
    QFETCH(QString, name);
    const Case each(name.toStdString());
    const nlohmann::json lists = goldenLists().at(name.toStdString());
    for (const nlohmann::json& list : lists) {
        const std::vector<Intervention> changes = interventionsFromJson(list.at("changes"));
        const double worst = largestGap(decodedLogits(each, changes), each.trace(changes).at("logits").values);
        QVERIFY2(worst < 1e-5, qPrintable(QString("%1 by %2").arg(worst).arg(list.at("changes").dump().c_str())));
    }
}

/// With rotary positions each is there twice, before its turn and after it. A change of one number of one key, and of a
/// whole head, is in decoding what it is in the whole pass; and it changes something.
void TestInterventions::turnedQueriesAndKeysAreChangedWhileDecodingToo() {
    const Case each("kind_llama");
    const Trace plain = each.trace();
    const std::span<const float> before = plain.at("logits").values;
    const size_t row = before.size() / each.source.size();
    const int head = each.model.network->config().keyHeads() - 1;
    QVERIFY(each.source.size() > 3);
    for (const char* part : {"q", "k", "v", "q_rotated", "k_rotated"})
        for (const char* layer : {"layers.0.self_attn.", "layers.1.self_attn."})
            for (const bool one : {true, false}) {
                Intervention change{.place = std::string(layer) + part, .head = head};
                if (one) {
                    change.rows = {1};
                    change.columns = {2};
                }
                change.act = one ? Intervention::Act::Add : Intervention::Act::Scale;
                change.values = {one ? 2.5f : -0.5f};
                checkInterventions({change}, plain);
                const std::vector<Intervention> changes{change};
                const std::vector<float> decoded = decodedLogits(each, changes);
                QVERIFY(largestGap(decoded, each.trace(changes).at("logits").values) < 1e-5);
                QVERIFY2(largestGap(decoded, before) > 1e-4, change.place.c_str());
                if (one) QVERIFY(largestGap(std::span(decoded).first(row), before.first(row)) < 1e-5);
            }
}

void TestInterventions::everyValuePutInItsOwnPlaceChangesNothing() {
    QFETCH(QString, name);
    const Case each(name.toStdString());
    const Trace plain = each.trace();
    for (const Intervention& change : Case::everythingOf(plain)) {
        const Trace changed = each.trace(std::span(&change, 1));
        QCOMPARE(changed.records().size(), plain.records().size());
        for (const TraceRecord& record : plain.records()) {
            const double worst = largestGap(changed.at(record.name).values, record.values);
            QVERIFY2(
                worst < 1e-6,
                qPrintable(QString("%1 moves %2 by %3").arg(change.place.c_str(), record.name.c_str()).arg(worst)));
        }
    }
}

void TestInterventions::everythingOfAnotherReadingGivesItsAnswer() {
    QFETCH(QString, name);
    const Case each(name.toStdString());
    std::vector<int> others = each.source;
    others.back() = 8;
    others[others.size() - 2] = 6;
    const Trace a = each.trace(), b = each.traceOf(others);
    QVERIFY(largestGap(a.at("logits").values, b.at("logits").values) > 1e-3);
    const std::vector<Intervention> everything = Case::everythingOf(b);
    const Trace changed = each.trace(everything);
    for (const TraceRecord& record : b.records())
        if (record.shape.size() > 1)
            QVERIFY2(largestGap(changed.at(record.name).values, record.values) < 1e-6, record.name.c_str());
    // The last value but the logits alone decides as much: what stands before the head.
    const auto& logits = b.at("logits");
    const Intervention last = takenFrom(b, {logits.inputs.front()});
    QVERIFY(largestGap(each.trace(std::span(&last, 1)).at("logits").values, logits.values) < 1e-6);
}

void TestInterventions::noChangeLeavesEveryBit() {
    QFETCH(QString, name);
    const Case each(name.toStdString());
    const Trace plain = each.trace();
    // A change of what no pass has lets every value through the changeable way.
    const Intervention elsewhere{.place = "nowhere"};
    const Trace through = each.trace(std::span(&elsewhere, 1));
    for (const TraceRecord& record : plain.records())
        QCOMPARE(through.at(record.name).values, record.values);
}

void TestInterventions::aMutedHeadIsOneOfThem() {
    for (const char* name : {"post_relu_sinusoidal", "gru_general_two_ways"}) {
        const Case each(name);
        const std::string block = each.model.network->attentionBlocks().back();
        const MutedHead head{block, 0};
        const Intervention change = muted(head, *each.model.network);
        const Trace byList = each.trace(std::span(&change, 1));
        const Trace byHead = traceIds(each.model, each.source, each.target, {head});
        QVERIFY(byList.at("logits").values != each.trace().at("logits").values);
        for (const TraceRecord& record : byHead.records())
            QCOMPARE(byList.at(record.name).values, record.values);
    }
}

void TestInterventions::theLossOfABatchIsThatOfItsSentencesOneByOne() {
    for (const char* name : {"pre_gelu_learned", "lstm_additive_every_input"}) {
        const Case each(name);
        const std::vector<Example> pairs{{{4, 9, 12, 5}, {6, 4, 10}}, {{7, 4, 4, 11, 3, 8}, {5, 9}}, {{10, 6}, {8}}};
        const Intervention change{
            .place = "encoder.embedding", .rows = {1}, .act = Intervention::Act::Scale, .values = {-1}};
        const LossReport together = lossOn(each.model, pairs, {}, std::span(&change, 1));
        double sum = 0;
        long tokens = 0;
        for (const Example& pair : pairs) {
            std::vector<int> read{1};
            read.insert(read.end(), pair.target.begin(), pair.target.end());
            const Trace trace = traceIds(each.model, pair.source, read, {}, nullptr, std::span(&change, 1));
            const TraceRecord& logProbs = trace.at("log_probs");
            for (size_t t = 0; t < read.size(); ++t, ++tokens) {
                const int word = t + 1 < read.size() ? read[t + 1] : 2;
                sum -= static_cast<double>(
                    logProbs.values[t * static_cast<size_t>(logProbs.dim(1)) + static_cast<size_t>(word)]);
            }
        }
        QCOMPARE(together.tokens, tokens);
        QVERIFY(std::abs(together.loss - sum / static_cast<double>(tokens)) < 1e-5);
        QVERIFY(std::abs(together.loss - lossOn(each.model, pairs).loss) > 1e-4);
    }
}

void TestInterventions::theMeanOverACorpusIsTheMeanOfItsRows() {
    const TrainedModel model = loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors");
    const Corpus corpus{{"tôi đang học tiếng anh", "i am learning english"}, {"tôi đang ngủ", "i am sleeping"}};
    const std::string place = "decoder.layers.0.cross_attn.heads";
    const Intervention mean = replacedByMean(model, corpus, {place, 1});
    double sum = 0;
    int rows = 0;
    for (const SentencePair& pair : corpus) {
        const Trace trace = traceSentence(model, pair.source, pair.target);
        const TraceRecord& heads = trace.at(place);
        for (int row = 0; row < heads.dim(1); ++row, ++rows)
            sum += static_cast<double>(heads.head(1)[static_cast<size_t>(row) * static_cast<size_t>(heads.dim(2)) + 2]);
    }
    QCOMPARE(rows, 9);
    QVERIFY(std::abs(static_cast<double>(mean.values[2]) - sum / rows) < 1e-6);
    const Trace changed = traceSentence(model, corpus[0].source, corpus[0].target, {}, nullptr, std::span(&mean, 1));
    QCOMPARE(changed.at(place).head(1)[2], mean.values[2]);
}

void TestInterventions::listsComeBackFromTheirText() {
    const Case each("post_relu_sinusoidal");
    std::vector<Intervention> list{takenFrom(each.trace(), {"encoder.layers.0.self_attn.weights", 1, {0, 2}}),
                                   scaled({"decoder.input", -1, {}, {3}}, 0.5F), replacedByZero({"encoder.embedding"})};
    // A masked cell too, for which JSON has no number.
    list.push_back(replacedByZero({"decoder.layers.0.cross_attn.mask", -1, {1}, {2}}));
    list.back().values = {-std::numeric_limits<float>::infinity()};
    QVERIFY(interventionsFromJson(nlohmann::json::parse(toJson(list).dump())) == list);
    checkInterventions(list, each.trace());
}

void TestInterventions::whatCannotBeChangedIsRefusedInOneLine_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("says");
    QTest::newRow("name") << R"([{"place": "encoder.layers.7.norm1"}])"
                          << "encoder.layers.7.norm1";
    QTest::newRow("ids") << R"([{"place": "source.ids"}])"
                         << "another sentence";
    QTest::newRow("log_probs") << R"([{"place": "log_probs"}])"
                               << "logits";
    QTest::newRow("head") << R"([{"place": "encoder.layers.0.self_attn.q", "head": 2}])"
                          << "0 to 1";
    QTest::newRow("no heads") << R"([{"place": "encoder.output", "head": 0}])"
                              << "no heads";
    QTest::newRow("row") << R"([{"place": "encoder.output", "rows": [4]}])"
                         << "0 to 3";
    QTest::newRow("column") << R"([{"place": "encoder.output", "columns": [-1]}])"
                            << "0 to 15";
    QTest::newRow("values") << R"([{"place": "encoder.output", "values": [1, 2]}])"
                            << "2 values";
    QTest::newRow("act") << R"([{"place": "encoder.output", "act": "drop"}])"
                         << "scale";
    QTest::newRow("infinite") << R"([{"place": "encoder.output", "values": ["-inf"]}])"
                              << "masks alone";
    QTest::newRow("scaled by it")
        << R"([{"place": "encoder.layers.0.self_attn.scores", "act": "scale", "values": ["-inf"]}])"
        << "masks alone";
    QTest::newRow("no number") << R"([{"place": "encoder.output", "values": ["inf"]}])"
                               << "no changes";
    QTest::newRow("json") << R"([7])"
                          << "no changes";
}

void TestInterventions::whatCannotBeChangedIsRefusedInOneLine() {
    QFETCH(QString, json);
    QFETCH(QString, says);
    const Case each("post_relu_sinusoidal");
    try {
        checkInterventions(interventionsFromJson(nlohmann::json::parse(json.toStdString())), each.trace());
        QFAIL("it was taken");
    } catch (const Error& error) {
        QVERIFY2(QString(error.what()).contains(says), error.what());
    }
}

QTEST_APPLESS_MAIN(TestInterventions)
#include "test_interventions.moc"
