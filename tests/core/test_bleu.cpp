// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "core/train/bleu.h"

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

QTEST_APPLESS_MAIN(TestBleu)
#include "test_bleu.moc"
