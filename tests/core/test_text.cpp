// SPDX-License-Identifier: GPL-3.0-or-later
#include <functional>

#include <QtTest/QtTest>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/learn_tokenizer.h"
#include "core/text/unicode.h"
#include "tests/core/opened.h"

using namespace headlight;
using Words = std::vector<std::string>;

namespace {

std::shared_ptr<const Tokenizer> learn(const Words& lines, TokenizerOptions options = {}) {
    return trainTokenizer(lines, options);
}

std::shared_ptr<const Tokenizer> learnCharacters(const Words& lines) {
    return trainTokenizer(lines, {.kind = TokenizerOptions::Kind::Char});
}

std::string shown(const Words& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : "|") + word;
    return text;
}

}  // namespace

class TestText : public QObject {
    Q_OBJECT

private slots:
    void composedAndDecomposedVietnameseReadTheSame() {
        const std::string composed = "tiếng Việt";
        const std::string decomposed = "tie\u0302\u0301ng Vie\u0323\u0302t";
        QVERIFY(composed != decomposed);
        QCOMPARE(toNfc(decomposed), composed);
        const auto tokenizer = learn({composed});
        QCOMPARE(tokenizer->encode(decomposed), tokenizer->encode(composed));
        QCOMPARE(tokenizer->encode(decomposed).size(), std::size_t(2));
        QVERIFY(!tokenizer->encode(decomposed).empty() && tokenizer->encode(decomposed)[0] != SpecialIds::unk);
    }

    void brokenUtf8IsRefusedWithItsPlace() {
        QVERIFY(fixture::messageOf([] { toNfc("ab\xff"); }).contains("byte 3"));
        QVERIFY(fixture::messageOf([] { toLowercase("\xc3"); }).contains("UTF-8"));
        QVERIFY(fixture::messageOf([] { learn({"ok", "\xed\xa0\x80"}); }).contains("UTF-8"));
        QVERIFY(!findInvalidUtf8("đủ dấu"));
    }

    void lowercaseKnowsVietnameseAndCanBeSwitchedOn() {
        QCOMPARE(toLowercase("ĐÃ HỌC Ở ÂU"), std::string("đã học ở âu"));
        QCOMPARE(shown(learn({}, {.lowercase = true})->split("Tôi ĐANG")), std::string("tôi|đang"));
        QCOMPARE(shown(learn({})->split("Tôi ĐANG")), std::string("Tôi|ĐANG"));
    }

    void wordsAndPunctuationAreCutApart_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("tokens");
        QTest::newRow("punctuation") << "Hello, world!"
                                     << "Hello|,|world|!";
        QTest::newRow("apostrophe") << "don't l’homme 'so'"
                                    << "don't|l’homme|'|so|'";
        QTest::newRow("hyphen") << "vingt-deux - a- -b"
                                << "vingt-deux|-|a|-|-|b";
        QTest::newRow("numbers") << "3.14 1,000 10:30 5. 7, x.y"
                                 << "3.14|1,000|10:30|5|.|7|,|x|.|y";
        QTest::newRow("segmented words") << "học_sinh"
                                         << "học_sinh";
        QTest::newRow("all kinds of space") << "a\u00a0b\u3000c\t d\r\n"
                                            << "a|b|c|d";
        QTest::newRow("unk") << "a <unk> b<unk>. <pad>"
                             << "a|<unk>|b|<unk>|.|<|pad|>";
        QTest::newRow("dots") << "well..."
                              << "well|.|.|.";
        QTest::newRow("symbols") << "$5 + 👍🏽"
                                 << "$|5|+|👍🏽";
        QTest::newRow("empty") << " "
                               << "";
    }
    void wordsAndPunctuationAreCutApart() {
        QFETCH(QString, text);
        QFETCH(QString, tokens);
        QCOMPARE(QString::fromStdString(shown(learn({})->split(text.toStdString()))), tokens);
    }

    void joiningRestoresWellSetText() {
        const auto tokenizer = learn({});
        for (const std::string text : {"Hello, world!", "(He said: \"yes, 3.5%\"; then left.)", "¿qué? [no]", "“so…”",
                                       "tôi <unk> bạn.", "nhà, cửa"})
            QCOMPARE(tokenizer->join(tokenizer->split(text)), text);
    }

    void charactersKeepTheirMarksAndSpacesAreSeen() {
        const auto tokenizer = learnCharacters({"tiếng Việt"});
        QCOMPARE(shown(tokenizer->split("  tie\u0302\u0301ng\t\nVi ")), std::string("t|i|ế|n|g|▁|V|i"));
        const std::string text = "tiếng Việt";
        QCOMPARE(tokenizer->decode(tokenizer->encode(text)), text);
        QCOMPARE(learnCharacters({"e\u0301 👍🏽"})->vocabulary().size(), 4 + 3);
    }

    void unknownWordsBecomeUnkAndSpecialsNeverComeFromText() {
        const auto tokenizer = learn({"a b <unk>"});
        QCOMPARE(tokenizer->encode("a z <unk>"), (std::vector<int>{4, SpecialIds::unk, SpecialIds::unk}));
        for (const std::string text : {"<pad>", "<bos>", "<eos>", "<eos> a"})
            for (const int id : tokenizer->encode(text))
                QVERIFY(id >= SpecialIds::unk);
        QCOMPARE(tokenizer->decode({SpecialIds::bos, 4, SpecialIds::unk, 5, SpecialIds::eos, SpecialIds::pad}),
                 std::string("a <unk> b"));
        QVERIFY(fixture::messageOf([&] { tokenizer->decode({99}); }).contains("99"));
        QVERIFY(fixture::messageOf([&] { tokenizer->decode({-1}); }).contains("-1"));
    }

    void vocabularyGoesByCountThenByCodeUnits() {
        const Vocabulary vocabulary = Vocabulary::fromCounts({{"b", 2}, {"a", 2}, {"đ", 3}, {"z", 1}, {"<eos>", 9}}, 0);
        QCOMPARE(shown(vocabulary.tokens()), std::string("<pad>|<bos>|<eos>|<unk>|đ|a|b|z"));
        QCOMPARE(Vocabulary::fromCounts({{"b", 2}, {"a", 2}, {"z", 1}}, 6).size(), 6);
        QVERIFY(!Vocabulary::fromCounts({{"b", 2}, {"a", 2}, {"z", 1}}, 6).contains("z"));
        QVERIFY(fixture::messageOf([] { Vocabulary::fromCounts({}, 4); }).contains("at least 5"));
        QCOMPARE(Vocabulary().id("nowhere"), SpecialIds::unk);
    }

    void vocabularyFromAListIsChecked() {
        QCOMPARE(Vocabulary::fromTokens({"<pad>", "<bos>", "<eos>", "<unk>", "x"}).id("x"), 4);
        QVERIFY(fixture::messageOf([] {
                    Vocabulary::fromTokens({"<bos>", "<pad>", "<eos>", "<unk>"});
                }).contains("begin"));
        QVERIFY(fixture::messageOf([] { Vocabulary::fromTokens({"x"}); }).contains("begin"));
        QVERIFY(fixture::messageOf([] {
                    Vocabulary::fromTokens({"<pad>", "<bos>", "<eos>", "<unk>", "x", "x"});
                }).contains("'x' twice"));
    }

    void tokenizersSurviveJson() {
        for (const char* kind : {"word", "char", "bpe:5"}) {
            TokenizerOptions options = parseTokenizer(kind);
            options.lowercase = true;
            const auto first = learn({"Tôi yêu bạn."}, options);
            const auto second = tokenizerFromJson(nlohmann::json::parse(first->toJson().dump()));
            QCOMPARE(second->toJson(), first->toJson());
            QCOMPARE(second->encode("TÔI yêu"), first->encode("tôi yêu"));
            QCOMPARE(second->decode(second->encode("tôi yêu bạn.")), std::string("tôi yêu bạn."));
        }
    }

    void wrongKindsAndWrongJsonAreRefused() {
        QVERIFY(fixture::messageOf([] { parseTokenizer("morse"); }).contains("'word', 'whitespace', 'char', 'bpe'"));
        QCOMPARE(parseTokenizer("bpe:8000").merges, 8000);
        for (const char* wrong : {"bpe", "bpe:", "bpe:0", "bpe:-1", "bpe:8k", "bpe:99999999999", "word:5", "char:"})
            QVERIFY2(fixture::messageOf([&] { parseTokenizer(wrong); }).contains("bpe:8000"), wrong);
        QVERIFY(fixture::messageOf([] { tokenizerFromJson(nlohmann::json::array()); }).contains("not a tokenizer's"));
        QVERIFY(fixture::messageOf([] { tokenizerFromJson({{"kind", "word"}}); }).contains("lowercase"));
        const nlohmann::json tokens = Vocabulary().tokens();
        nlohmann::json bpe = {{"kind", "bpe"}, {"lowercase", false}, {"tokens", tokens}};
        QVERIFY(fixture::messageOf([&] { tokenizerFromJson(bpe); }).contains("merges"));
        for (const char* wrong : {"a", "a b c", "a ", ""}) {
            bpe["merges"] = Words{wrong};
            QVERIFY2(fixture::messageOf([&] { tokenizerFromJson(bpe); }).contains("two symbols"), wrong);
        }
        QVERIFY(fixture::messageOf([] {
                    tokenizerFromJson({{"kind", "x"}, {"lowercase", true}, {"tokens", Words{}}});
                }).contains("'x'"));
    }
};

QTEST_APPLESS_MAIN(TestText)
#include "test_text.moc"
