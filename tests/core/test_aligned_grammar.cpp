// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>

#include <QtTest/QtTest>

#include "core/data/aligned_grammar.h"
#include "core/data/task_corpus.h"
#include "core/error.h"

using namespace headlight;
using Alignment = std::vector<std::pair<int, int>>;

class TestAlignedGrammar : public QObject {
    Q_OBJECT

    static SentencePair only(std::string_view rules) {
        SeededRandom random(1);
        return AlignedGrammar(rules).sample("S", random).toPair();
    }

    static std::set<std::string> many(std::string_view rules) {
        const AlignedGrammar grammar(rules);
        SeededRandom random(1);
        std::set<std::string> seen;
        for (int i = 0; i < 200; ++i) {
            const SentencePair pair = grammar.sample("S", random).toPair();
            seen.insert(pair.source + " = " + pair.target);
        }
        return seen;
    }

    template <typename Action>
    static QString messageOf(Action action) {
        try {
            action();
        } catch (const Error& error) {
            return QString::fromStdString(error.what());
        }
        return "no error";
    }

private slots:
    void reorderingMovesTheAlignmentAlong() {
        const SentencePair pair = only(R"(
            S -> <N> <A> | the <A> <N>
            N -> con mèo | cat
            A -> đen | black)");
        QCOMPARE(pair.source, std::string("con mèo đen"));
        QCOMPARE(pair.target, std::string("the black cat"));
        QCOMPARE(pair.alignment, (Alignment{{0, 2}, {1, 2}, {2, 1}}));
    }

    void labelsReachIntoNonterminals() {
        const SentencePair pair = only(R"(
            S -> tôi~1 đã~2 <V> | i~1 <V ~2>
            V -> nghe~1 nhạc~2 | listened~1 to~1 music~2)");
        QCOMPARE(pair.alignment, (Alignment{{0, 0}, {1, 1}, {2, 1}, {2, 2}, {3, 3}}));
    }

    void withoutABarBothSidesAreTheTextAndLabelsMarkWords() {
        const SentencePair pair = only(R"(
            S -> the <N> is <A ~1>
            N -> old film
            A -> good)");
        QCOMPARE(pair.source, std::string("the old film is good"));
        QCOMPARE(pair.target, pair.source);
        QCOMPARE(pair.alignment, (Alignment{{4, 4}}));
    }

    void featuresAgree() {
        const auto seen = many(R"(
            S -> <D g=?g> <N g=?g> | <D> <N>
            D[g=m] -> un | a
            D[g=f] -> une | a
            D[g=m/f] -> l' | the
            N[g=m] -> chat | cat
            N[g=f] -> vache | cow)");
        QCOMPARE(seen, (std::set<std::string>{"l' chat = the cat", "l' vache = the cow", "un chat = a cat",
                                              "une vache = a cow"}));
    }

    void variablesPassThroughARuleHead() {
        const auto seen = many(R"(
            S -> <P n=?n> <V n=?n> | <P> <V>
            P[n=?n] -> <Q n=?n> | <Q>
            Q[n=sg] -> il | he
            Q[n=pl] -> ils | they
            V[n=sg] -> va | goes
            V[n=pl] -> vont | go)");
        QCOMPARE(seen, (std::set<std::string>{"il va = he goes", "ils vont = they go"}));
    }

    void aHeadMayNarrowAndNameAFeature() {
        const auto seen = many(R"(
            S -> <P k=?k> <Q k=?k> | <P> <Q>
            P[k=a/b k=?k] -> <N k=?k> | <N>
            N[k=a] -> x | X
            N[k=b] -> y | Y
            N[k=c] -> z | Z
            Q[k=b/c] -> q | Q)");
        QCOMPARE(seen, (std::set<std::string>{"y q = Y Q"}));
    }

    void twoOfAKindAreToldApart() {
        const SentencePair pair = only(R"(
            S -> <N.1 k=a> <N.2 k=b> | <N.2> <N.1>
            N[k=a] -> x | X
            N[k=b] -> y | Y)");
        QCOMPARE(pair.target, std::string("Y X"));
    }

    void weightsCount() {
        const AlignedGrammar grammar("S *9 -> a | a\n S -> b | b");
        SeededRandom random(7);
        int count = 0;
        for (int i = 0; i < 1000; ++i)
            count += grammar.sample("S", random).source.front() == "a" ? 1 : 0;
        QVERIFY2(count > 850 && count < 950, qPrintable(QString::number(count)));
    }

    void tablesFillTemplates() {
        AlignedGrammar grammar;
        grammar.addTable("S -> $2 | $1", "\n cat; mèo\n # not a row\n");
        SeededRandom random(1);
        QCOMPARE(grammar.sample("S", random).toPair().source, std::string("mèo"));
        QVERIFY(messageOf([&] { grammar.addTable("S -> $3 | $1", "cat; mèo"); }).contains("too few columns"));
    }

    void wrongRulesAreRefusedWithTheirText_data() {
        QTest::addColumn<QString>("rule");
        QTest::newRow("no arrow") << "S a | b";
        QTest::newRow("missing on the target") << "S -> <N> | a";
        QTest::newRow("missing on the source") << "S -> a | <N>";
        QTest::newRow("twice") << "S -> <N> <N> | <N> <N>";
        QTest::newRow("open nonterminal") << "S -> <N | <N>";
        QTest::newRow("open features") << "S[n=1 -> a | b";
        QTest::newRow("feature without a value") << "S[n] -> a | b";
        QTest::newRow("label") << "S -> a~x | b";
        QTest::newRow("weight") << "S *x -> a | b";
    }
    void wrongRulesAreRefusedWithTheirText() {
        QFETCH(QString, rule);
        const QString message = messageOf([&] { AlignedGrammar(rule.toStdString()); });
        QVERIFY2(message.contains(rule), qPrintable(message));
    }

    void deadEndsAreSaidSo() {
        QVERIFY(messageOf([] { only("S -> <N> | <N>"); }).contains("no rule for 'N'"));
        QVERIFY(messageOf([] { only("X -> a | b"); }).contains("'S'"));
        QVERIFY(messageOf([] { only("S -> <N k=1> | <N>\n N[k=2] -> a | b"); }).contains("leads nowhere"));
    }

    void theSeedDecides() {
        const AlignedGrammar grammar("S -> a | a\n S -> b | b\n S -> <S.1> <S.2> | <S.2> <S.1>");
        SeededRandom one(5);
        SeededRandom two(5);
        for (int i = 0; i < 20; ++i)
            QCOMPARE(grammar.sample("S", one).toPair().target, grammar.sample("S", two).toPair().target);
    }

    void heldOutPairsAreWholeWordsInAnyForm() {
        const HeldOutPairs pairs("eat/ate + red cake");
        QVERIFY(pairs.standIn("he ate a red cake"));
        QVERIFY(!pairs.standIn("he hates a red cake"));
        QVERIFY(!pairs.standIn("he ate a cake"));
        QVERIFY(messageOf([] { HeldOutPairs("eat cake"); }).contains("first + second"));
    }

    void tooSmallATaskIsSaidSo() {
        const TaskCorpusPlan plan{.next =
                                      [](SeededRandom&) {
                                          return SentencePair{"a", "b"};
                                      },
                                  .isHeldOut = [](const SentencePair&) { return false; },
                                  .train = 2};
        QVERIFY(messageOf([&] { writeTaskCorpus(plan); }).contains("too few sentences"));
    }

    void articlesFollowTheSound() {
        std::vector<std::string> words = {"a", "apple", "a", "cat", "a", "university", "a"};
        chooseIndefiniteArticles(words);
        QCOMPARE(words, (std::vector<std::string>{"an", "apple", "a", "cat", "a", "university", "a"}));
    }
};

QTEST_APPLESS_MAIN(TestAlignedGrammar)
#include "test_aligned_grammar.moc"
