// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/train/sentence_bleu.h"

using namespace headlight;

class TestBleu : public QObject {
    Q_OBJECT
private slots:
    void tokensAreThoseOf13a_data();
    void tokensAreThoseOf13a();
    void equalTextsScore100();
    void nothingInCommonScores0();
    void handComputedScore();
    void shortHypothesisPaysTheBrevityPenalty();
    void orderWithoutAMatchIsSmoothed();
    void emptyHypothesisScores0();
    void severalReferencesCountAsInPython();
    void anNgramSaysWhatStandsForIt();
    void ofTwoReferencesTheCloserLengthCounts();
    void underFourWordsThereAreNoFours();
    void withoutAReferenceNothingIsFound();
};

void TestBleu::tokensAreThoseOf13a_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("tokens");
    QTest::newRow("words") << "a plain  line" << QStringList{"a", "plain", "line"};
    QTest::newRow("punctuation") << "Hello, world!" << QStringList{"Hello", ",", "world", "!"};
    QTest::newRow("numbers stay whole") << "costs 1,234.5 now." << QStringList{"costs", "1,234.5", "now", "."};
    QTest::newRow("dash after a digit") << "10-year" << QStringList{"10", "-", "year"};
    QTest::newRow("dash inside a word") << "well-known" << QStringList{"well-known"};
    QTest::newRow("apostrophe") << "don't" << QStringList{"don't"};
    QTest::newRow("entities") << "&quot;a &amp; b&quot;" << QStringList{"\"", "a", "&", "b", "\""};
    QTest::newRow("brackets") << "(a)[b]" << QStringList{"(", "a", ")", "[", "b", "]"};
}

void TestBleu::tokensAreThoseOf13a() {
    QFETCH(QString, line);
    QFETCH(QStringList, tokens);
    QStringList found;
    for (const std::string& token : tokenize13a(line.toStdString()))
        found << QString::fromStdString(token);
    QCOMPARE(found, tokens);
}

void TestBleu::equalTextsScore100() {
    const Bleu bleu = corpusBleu({"the cat sat on the mat"}, {"the cat sat on the mat"});
    QVERIFY(std::abs(bleu.score - 100) < 1e-9);
    QCOMPARE(bleu.brevityPenalty, 1.0);
}

void TestBleu::nothingInCommonScores0() {
    QCOMPARE(corpusBleu({"a b c d"}, {"w x y z"}).score, 0.0);
}

void TestBleu::handComputedScore() {
    // hypothesis: the cat the cat sat down; reference: the cat sat down now there
    // 1-grams: the, cat, sat, down, each once in the reference: 4 of 6; 2-grams: the cat, cat sat, sat down: 3 of 5;
    // 3-grams: the cat sat, cat sat down: 2 of 4; 4-grams: the cat sat down: 1 of 3. Lengths 6 and 6.
    const Bleu bleu = corpusBleu({"the cat the cat sat down"}, {"the cat sat down now there"});
    QCOMPARE(bleu.matches, (std::array<long, 4>{4, 3, 2, 1}));
    QCOMPARE(bleu.totals, (std::array<long, 4>{6, 5, 4, 3}));
    const double expected = 100 * std::pow(4.0 / 6 * 3.0 / 5 * 2.0 / 4 * 1.0 / 3, 0.25);
    QVERIFY(std::abs(bleu.score - expected) < 1e-9);
}

void TestBleu::shortHypothesisPaysTheBrevityPenalty() {
    const Bleu bleu = corpusBleu({"a b c d"}, {"a b c d e f"});
    QVERIFY(std::abs(bleu.brevityPenalty - std::exp(1 - 6.0 / 4)) < 1e-12);
    QVERIFY(std::abs(bleu.score - 100 * std::exp(-0.5)) < 1e-9);
}

void TestBleu::orderWithoutAMatchIsSmoothed() {
    // 1-grams 4 of 4, 2-grams 2 of 3 (a b, c d), 3-grams 0 of 2 → 1/(2·2), 4-grams 0 of 1 → 1/(4·1)
    const Bleu bleu = corpusBleu({"a b c d"}, {"c d a b"});
    const double expected = 100 * std::pow(1.0 * 2.0 / 3 * 1.0 / 4 * 1.0 / 4, 0.25);
    QVERIFY2(std::abs(bleu.score - expected) < 1e-9, qPrintable(QString::number(bleu.score)));
}

void TestBleu::emptyHypothesisScores0() {
    QCOMPARE(corpusBleu({""}, {"a b c d"}).score, 0.0);
}

void TestBleu::severalReferencesCountAsInPython() {
    std::ifstream file(HEADLIGHT_SOURCE_DIR "/tests/golden/bleu.expected.json");
    const nlohmann::json expected = nlohmann::json::parse(file);
    std::vector<Bleu> all;
    for (const nlohmann::json& each : expected["cases"]) {
        const std::string translation = each["translation"];
        const std::vector<std::string> references = each["references"];
        for (size_t order = 1; order <= longestNgram; ++order) {
            const SentenceBleu found = sentenceBleu(translation, references, order);
            QCOMPARE(found.bleu.referenceLength, each["reference_length"].get<long>());
            const double score = each["scores"][order - 1];
            QVERIFY2(std::abs(found.bleu.score - score) < 1e-9, translation.c_str());
            for (size_t n = 0; n < longestNgram; ++n) {
                const auto ofKind = [&](NgramMatch::Kind kind) {
                    return std::ranges::count(found.ngrams[n], kind, &NgramMatch::kind);
                };
                QCOMPARE(found.bleu.matches[n], each["found"][n].get<long>());
                QCOMPARE(found.bleu.totals[n], each["totals"][n].get<long>());
                QCOMPARE(ofKind(NgramMatch::Kind::Found), each["found"][n].get<long>());
                QCOMPARE(ofKind(NgramMatch::Kind::Clipped), each["clipped"][n].get<long>());
                QCOMPARE(static_cast<long>(found.ngrams[n].size()), found.bleu.totals[n]);
            }
        }
        all.push_back(sentenceBleu(translation, references).bleu);
    }
    QVERIFY(all.size() >= 50);
    for (size_t order = 1; order <= longestNgram; ++order)
        QVERIFY(std::abs(summedBleu(all, order).score - expected["summed"][order - 1].get<double>()) < 1e-9);
}

void TestBleu::anNgramSaysWhatStandsForIt() {
    const SentenceBleu bleu = sentenceBleu("to go to the market to", {"he plans to go", "to the market to him"});
    const auto is = [&](size_t order, size_t place, NgramMatch::Kind kind, int reference, int there) {
        const NgramMatch& found = bleu.ngrams[order - 1][place];
        return found.kind == kind && found.reference == reference && found.place == there;
    };
    using Kind = NgramMatch::Kind;
    QVERIFY(is(1, 0, Kind::Found, 1, 0));
    QVERIFY(is(1, 2, Kind::Found, 1, 3));
    QVERIFY(is(1, 5, Kind::Clipped, 1, 0));  // three in the translation, two in the second reference
    QCOMPARE(bleu.ngrams[0][5].written, 3L);
    QCOMPARE(bleu.ngrams[0][5].held, 2L);
    QVERIFY(is(2, 0, Kind::Found, 0, 2));     // "to go" is the first reference's
    QVERIFY(is(2, 1, Kind::Absent, -1, -1));  // "go to" nobody's
    QVERIFY(is(3, 2, Kind::Found, 1, 0));
    // Counted in one reference each, not in both together.
    QCOMPARE(bleu.bleu.matches[0], 5L);
}

void TestBleu::ofTwoReferencesTheCloserLengthCounts() {
    QCOMPARE(sentenceBleu("a b c d", {"a b c d e f g", "a b c"}).closest, 1);
    const SentenceBleu tie = sentenceBleu("a b c d", {"a b c d e", "a b c"});  // one more, one fewer: the shorter
    QCOMPARE(tie.closest, 1);
    QCOMPARE(tie.bleu.referenceLength, 3L);
    QCOMPARE(tie.bleu.brevityPenalty, 1.0);
}

void TestBleu::underFourWordsThereAreNoFours() {
    QCOMPARE(sentenceBleu("good evening", {"good evening"}).bleu.score, 0.0);
    QVERIFY(std::abs(sentenceBleu("good evening", {"good evening"}, 2).bleu.score - 100) < 1e-9);
}

void TestBleu::withoutAReferenceNothingIsFound() {
    const SentenceBleu bleu = sentenceBleu("a b c d", {});
    QCOMPARE(bleu.closest, -1);
    QCOMPARE(bleu.bleu.score, 0.0);
    QCOMPARE(bleu.ngrams[0].size(), size_t(4));
}

QTEST_APPLESS_MAIN(TestBleu)
#include "test_bleu.moc"
