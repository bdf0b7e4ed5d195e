// SPDX-License-Identifier: GPL-3.0-or-later
// The difference of two logits taken apart: every column adds up to the bar that it was opened from.
#include <QDirIterator>
#include <QTest>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/data/evaluation.h"
#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/why.h"
#include "core/io/model_file.h"

using namespace headlight;
using Kind = WhyPart::Kind;

namespace {

const QString shipped = HEADLIGHT_SOURCE_DIR "/resources/models/";
const QString whyGolden = HEADLIGHT_SOURCE_DIR "/tests/golden/";
/// Printed with three decimals a column closes to the last of them.
constexpr double lastDigit = 0.0005;

double sumOf(const std::vector<WhyPart>& parts) {
    double sum = 0;
    for (const WhyPart& part : parts)
        sum += part.amount;
    return sum;
}

/// The largest gap between a bar and what it opens into, over all that opens.
struct Gaps {
    double largest = 0;
    std::string where;
    long opened = 0;

    void add(double whole, const std::vector<WhyPart>& parts, const std::string& name) {
        ++opened;
        for (const WhyPart& part : parts)
            if (part.kind == Kind::Given) return note(1e9, name + " needs something put in from outside");
        note(std::abs(whole - sumOf(parts)), name);
    }
    void note(double gap, const std::string& name) {
        if (gap <= largest) return;
        largest = gap;
        where = name;
    }
    void openAll(const Why& why, const std::vector<WhyPart>& parts) {
        for (const WhyPart& part : parts) {
            if (!part.opens) continue;
            const std::vector<WhyPart> inside = why.open(part);
            const std::string name = part.value + " head " + std::to_string(part.head);
            if (inside.empty()) note(1e9, name + " opens into nothing");
            add(part.amount, inside, name);
            if (part.kind == Kind::Source) {
                if (std::abs(part.amount - part.factor * part.along) > 1e-9) note(1e9, name + " is no product");
                add(why.scoreOf(part), why.score(part), name + " score");
            }
            openAll(why, inside);
        }
    }
};

/// Of a reading its written words, each against what comes second to it.
Gaps gapsOf(const TrainedModel& model, const Trace& trace, size_t everyRow = 1) {
    Gaps gaps;
    const TraceRecord& logits = trace.at("logits");
    const bool labels = model.network->config().corpusKind() == CorpusKind::Labels;
    const int first = labels ? model.network->config().firstLabel() : 0;
    for (int row = 0; row < logits.dim(0); row += static_cast<int>(everyRow)) {
        const auto at = logits.values.begin() + row * logits.dim(1);
        std::vector<int> order(static_cast<size_t>(logits.dim(1)));
        std::iota(order.begin(), order.end(), 0);
        std::partial_sort(order.begin(), order.begin() + 2, order.end(), [&](int a, int b) { return at[a] > at[b]; });
        const Why why(model, trace, row, first + order[0], first + order[1]);
        if (why.difference() != static_cast<double>(at[order[0]]) - static_cast<double>(at[order[1]]))
            gaps.note(1e9, "the difference is none of the logits");
        gaps.add(why.difference(), why.parts(), "the difference");
        gaps.openAll(why, why.parts());
    }
    return gaps;
}

const WhyPart* find(const std::vector<WhyPart>& parts, Kind kind, const std::string& value = {}) {
    for (const WhyPart& part : parts)
        if (part.kind == kind && (value.empty() || part.value == value)) return &part;
    return nullptr;
}

int idOf(const TrainedModel& model, const char* word) {
    return model.target->encode(word).front();
}

}  // namespace

class TestWhy : public QObject {
    Q_OBJECT
private slots:
    void everySumOfEveryShippedModelCloses_data();
    void everySumOfEveryShippedModelCloses();
    void everySumOfOtherKindsCloses_data();
    void everySumOfOtherKindsCloses();
    void theMockUpsNumbersAreTheEngines();
    void aUnitIsWorthWhatTakingItAwayTakes();
    void whatIsPutInFromOutsideIsNamed();
    void wordsThatAreNotThereAreRefused();
};

void TestWhy::everySumOfEveryShippedModelCloses_data() {
    QTest::addColumn<QString>("path");
    int models = 0;
    for (QDirIterator it(shipped, {"*.safetensors"}); it.hasNext(); ++models) {
        const QString path = it.next();
        QTest::newRow(qPrintable(QFileInfo(path).completeBaseName())) << path;
    }
    QVERIFY(models > 15);
}

void TestWhy::everySumOfEveryShippedModelCloses() {
    QFETCH(QString, path);
    const TrainedModel model = loadModel(path.toStdString());
    const bool text = model.network->config().corpusKind() == CorpusKind::Text;
    // A model of real language brings one sentence.
    const std::string task = model.training.task();
    const std::string example = task.empty() ? model.training.json().at("example").get<std::string>() : std::string();
    const Corpus corpus = task.empty() ? Corpus{{example, example}} : findTask(task).corpus().test;
    // Fifty sentences where somebody asks for the figure; two tell a mistake as well.
    const size_t sentences = qEnvironmentVariableIsSet("HEADLIGHT_EVERYTHING") ? 50 : 2;
    Gaps all;
    for (size_t i = 0; i < sentences; ++i) {
        const SentencePair& pair = corpus[i * corpus.size() / sentences];
        const Gaps gaps = gapsOf(model, traceSentence(model, text ? pair.target : pair.source));
        all.opened += gaps.opened;
        all.note(gaps.largest, gaps.where);
    }
    qInfo("%ld sums, the largest gap %.2e: %s", all.opened, all.largest, all.where.c_str());
    QVERIFY2(all.largest < lastDigit, all.where.c_str());
}

void TestWhy::everySumOfOtherKindsCloses_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"pre_gelu_learned_concat", "kind_bart", "kind_t5", "kind_gpt2", "kind_llama", "kind_gemma",
                             "kind_neox", "kind_phi", "kind_bert", "kind_bert_classifier", "kind_distilbert_classifier",
                             "kind_electra", "kind_modernbert_classifier", "lstm_none_deep", "lstm_scaled_dot_two_ways",
                             "gru_general_two_ways", "rnn_dot", "rnn_language_model"})
        QTest::newRow(name) << QString(name);
}

void TestWhy::everySumOfOtherKindsCloses() {
    QFETCH(QString, name);
    const TrainedModel model = loadModel((whyGolden + name + ".safetensors").toStdString());
    const Trace trace = model.network->config().encoderDecoder() ? traceIds(model, {4, 9, 7, 5}, {1, 6, 4, 10})
                                                                 : traceIds(model, {4, 9, 7, 5});
    const Gaps gaps = gapsOf(model, trace);
    QVERIFY(gaps.opened > 10);
    QVERIFY2(gaps.largest < 1e-4, qPrintable(QString("%1 %2").arg(gaps.largest).arg(gaps.where.c_str())));
}

void TestWhy::theMockUpsNumbersAreTheEngines() {
    const TrainedModel model = loadModel((shipped + "vi-en-transformer.safetensors").toStdString());
    const Trace trace = traceSentence(model, "tôi đang học tiếng anh");
    const Why why(model, trace, 2, idOf(model, "learning"), idOf(model, "studying"));
    const auto closeTo = [](double found, double expected) { return std::abs(found - expected) < 0.00051; };
    QVERIFY2(closeTo(why.difference(), 6.054), qPrintable(QString::number(why.difference())));
    QCOMPARE(why.parts().size(), size_t{9});
    QVERIFY(closeTo(why.parts().front().amount, 0.001));
    const WhyPart* const cross = find(why.parts(), Kind::Attention, "decoder.layers.1.cross_attn.output");
    QVERIFY(cross && closeTo(cross->amount, 2.674));
    QVERIFY(closeTo(find(why.parts(), Kind::Shifts)->amount, -0.016));
    QVERIFY(closeTo(find(why.parts(), Kind::OutputBias)->amount, -0.111));
    const std::vector<WhyPart> heads = why.open(*cross);
    QCOMPARE(heads.size(), size_t{9});
    QVERIFY(closeTo(heads[1].amount, 0.964) && closeTo(heads.back().amount, 0.004));
    const std::vector<WhyPart> words = why.open(heads[1]);
    QVERIFY(closeTo(words[3].factor, 0.952) && closeTo(words[3].along, 1.020) && closeTo(words[3].amount, 0.971));
    const std::vector<WhyPart> numbers = why.open(words[3]);
    QVERIFY(closeTo(numbers[1].factor, 1.538) && closeTo(numbers[1].along, 0.124));
    std::vector<double> divisors;
    for (const WhyHeld& held : why.held())
        divisors.push_back(held.numbers.front());
    const std::vector<double> expected{1.544, 1.649, 2.240, 1.145, 1.733, 1.220};
    QVERIFY(std::ranges::equal(divisors, expected, closeTo));
}

void TestWhy::aUnitIsWorthWhatTakingItAwayTakes() {
    const TrainedModel model = loadModel((shipped + "vi-en-gru.safetensors").toStdString());
    const Trace trace = traceSentence(model, "tôi đang học tiếng anh", "i am learning english");
    const int learning = idOf(model, "learning"), studying = idOf(model, "studying");
    const Why why(model, trace, 2, learning, studying);
    // Only a linear map follows the state: what one unit adds is what taking it away takes.
    Intervention without{.place = "decoder.layers.0.hidden", .rows = {2}, .columns = {5}};
    const Trace changed =
        traceSentence(model, "tôi đang học tiếng anh", "i am learning english", {}, nullptr, std::span(&without, 1));
    const Why then(model, changed, 2, learning, studying);
    const TraceRecord& hidden = trace.at("decoder.layers.0.hidden");
    const auto generator = std::as_const(*model.network).parameters().value("generator.weight");
    const double unit = static_cast<double>(hidden.values[2 * static_cast<size_t>(hidden.dim(1)) + 5]) *
                        static_cast<double>(generator.at(learning, 5) - generator.at(studying, 5));
    QVERIFY(std::abs(why.difference() - then.difference() - unit) < 1e-4);
    QVERIFY(std::abs(why.parts().front().amount - then.parts().front().amount - unit) < 1e-4);
}

void TestWhy::whatIsPutInFromOutsideIsNamed() {
    const TrainedModel model = loadModel((shipped + "vi-en-pre-norm.safetensors").toStdString());
    const std::string place = "decoder.layers.1.residual2";
    const Intervention added{.place = place, .rows = {1}, .columns = {3}, .act = Intervention::Act::Add, .values = {4}};
    const Trace trace = traceSentence(model, "tôi yêu bạn", "i love you", {}, nullptr, std::span(&added, 1));
    const Why why(model, trace, 1, idOf(model, "love"), idOf(model, "you"));
    const WhyPart* const given = find(why.parts(), Kind::Given, place);
    QVERIFY(given && std::abs(given->amount) > 0.01);
    QVERIFY(std::abs(sumOf(why.parts()) - why.difference()) < lastDigit);
    // A muted head mixes nothing, whatever it read.
    const Trace muted = traceSentence(model, "tôi yêu bạn", "i love you", {{"decoder.layers.1.cross_attn", 2}});
    const Why without(model, muted, 1, idOf(model, "love"), idOf(model, "you"));
    const WhyPart head = without.open(*find(without.parts(), Kind::Attention, "decoder.layers.1.cross_attn.output"))[2];
    QCOMPARE(head.amount, 0.0);
    const std::vector<WhyPart> read = without.open(head);
    QVERIFY(find(read, Kind::Given) && std::abs(sumOf(read)) < lastDigit);
}

void TestWhy::wordsThatAreNotThereAreRefused() {
    const TrainedModel model = loadModel((shipped + "sentiment-transformer.safetensors").toStdString());
    const Trace trace = traceSentence(model, "a good film");
    QVERIFY_THROWS_EXCEPTION(Error, Why(model, trace, 1, 4, 5));
    QVERIFY_THROWS_EXCEPTION(Error, Why(model, trace, 0, 3, 5));
    QVERIFY_THROWS_EXCEPTION(Error, Why(model, trace, 0, 4, 6));
}

QTEST_APPLESS_MAIN(TestWhy)
#include "test_why.moc"
