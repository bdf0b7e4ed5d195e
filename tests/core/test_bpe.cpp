// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>

#include <QtTest/QtTest>

#include "core/error.h"
#include "core/tensor/random.h"
#include "core/text/bpe.h"
#include "core/text/bpe_tokenizer.h"
#include "core/text/learn_tokenizer.h"
#include "tests/core/opened.h"

using namespace headlight;
using Words = std::vector<std::string>;

namespace {

/// The words of the paper's figure 1, as often as there.
const WordCounts paperWords = {{"low", 5}, {"lower", 2}, {"newest", 6}, {"widest", 3}};

QString codesOf(const std::vector<Merge>& merges) {
    QStringList lines;
    for (const Merge& merge : merges)
        lines << QString::fromStdString(merge.left + " " + merge.right);
    return lines.join('|');
}

QString symbolsShown(const Words& symbols) {
    QStringList list;
    for (const std::string& symbol : symbols)
        list << QString::fromStdString(symbol);
    return list.join(' ');
}

/// The same by its definition: count every pair anew, merge the best, begin again.
std::vector<Merge> learnByDefinition(const WordCounts& counts, int wanted) {
    std::vector<std::pair<Words, long>> words;
    for (const auto& [text, count] : counts) {
        Words symbols;
        for (const char letter : text)
            symbols.emplace_back(1, letter);
        symbols.back() += "</w>";
        words.emplace_back(std::move(symbols), count);
    }
    std::vector<Merge> merges;
    for (int i = 0; i < wanted; ++i) {
        std::map<std::pair<std::string, std::string>, long> pairs;
        for (const auto& [symbols, count] : words)
            for (size_t s = 1; s < symbols.size(); ++s)
                pairs[{symbols[s - 1], symbols[s]}] += count;
        std::pair<std::string, std::string> best;
        long most = 1;
        for (const auto& [pair, count] : pairs) {
            if (count < most || (count == most && pair < best)) continue;
            best = pair;
            most = count;
        }
        if (most < 2) break;
        const std::string merged = best.first + best.second;
        merges.push_back({best.first, best.second, merged, most});
        for (auto& [symbols, count] : words)
            for (size_t s = 1; s < symbols.size(); ++s)
                if (symbols[s - 1] == best.first && symbols[s] == best.second) {
                    symbols[s - 1] = merged;
                    symbols.erase(symbols.begin() + static_cast<long>(s));
                }
    }
    return merges;
}

}  // namespace

class TestBpe : public QObject {
    Q_OBJECT

private slots:
    // 9 times e s and s t, then t with the end: among equals the greatest pair comes first.
    void thePapersWordsAreMergedInTheOrderOfTheirCounts() {
        const std::vector<Merge> merges = learnMerges(paperWords, 4);
        QCOMPARE(codesOf(merges), "s t</w>|e st</w>|l o|w est</w>");
        QCOMPARE(merges[0].frequency, 9L);
        QCOMPARE(merges[2].frequency, 7L);
        QCOMPARE(QString::fromStdString(writeCodes(merges)), "#version: 0.2\ns t</w>\ne st</w>\nl o\nw est</w>\n");
    }

    void learningStopsWhereNoPairStandsTwice() {
        QCOMPARE(codesOf(learnMerges({{"ab", 2}, {"cd", 1}}, 100)), "a b</w>");
        QVERIFY(learnMerges({{"a", 9}}, 5).empty());
    }

    void countingChangesOnlyLearnsWhatCountingAnewLearns() {
        Random random(7);
        for (int round = 0; round < 20; ++round) {
            WordCounts words;
            for (int i = 0; i < 300; ++i) {
                std::string letters = "abcdefghij";  // none twice in a word: no pair overlaps itself
                for (size_t k = letters.size(); k > 1; --k)
                    std::swap(letters[k - 1], letters[random.below(k)]);
                words[letters.substr(0, 2 + random.below(8))] += 1 + static_cast<long>(random.below(40));
            }
            QCOMPARE(codesOf(learnMerges(words, 200)), codesOf(learnByDefinition(words, 200)));
        }
    }

    void aWordIsCutByTheEarliestMergeThatFits() {
        const Bpe bpe(learnMerges(paperWords, 10));
        QCOMPARE(symbolsShown(bpe.split("lowest")), "lo west");
        QCOMPARE(symbolsShown(bpe.split("newest")), "newest");
        QCOMPARE(QString::fromStdString(bpe.apply("lowest  newer\n")), "lo@@ west ne@@ w@@ e@@ r\n");
    }

    void everyStepToThePiecesIsOneMerge() {
        const std::vector<Merge> merges = learnMerges(paperWords, 10);
        const std::vector<BpeStep> steps = Bpe(merges).steps("lowest");
        QVERIFY(!steps.front().merge);
        QCOMPARE(symbolsShown(steps.front().symbols), "l o w e s t</w>");
        for (size_t i = 1; i < steps.size(); ++i) {
            QVERIFY(steps[i].merge);
            const Words& now = steps[i].symbols;
            const std::string& merged = merges[static_cast<size_t>(*steps[i].merge)].merged;
            QVERIFY(std::find(now.begin(), now.end(), merged) != now.end());
            QCOMPARE(now.size(), steps[i - 1].symbols.size() - 1);
        }
        QCOMPARE(symbolsShown(steps.back().symbols), "lo west</w>");
    }

    void codesFilesOfBothVersionsAreRead() {
        const Bpe now = Bpe::fromCodes({"#version: 0.2", "a b", "ab c</w>"}, "codes");
        QCOMPARE(symbolsShown(now.split("abc")), "abc");
        const Bpe old = Bpe::fromCodes({"a b", "ab c", "abc </w>"}, "codes");
        QCOMPARE(symbolsShown(old.split("abc")), "abc");
        QCOMPARE(symbolsShown(old.split("abca")), "abc a");
    }

    void brokenCodesAreNamedWithTheirLine() {
        QVERIFY(fixture::messageOf([] {
                    Bpe::fromCodes({"#version: 0.3", "a b"}, "my.codes");
                }).startsWith("my.codes"));
        const QString line = fixture::messageOf([] { Bpe::fromCodes({"#version: 0.2", "a b", "abc"}, "my.codes"); });
        QVERIFY2(line.contains("line 3"), qPrintable(line));
        QVERIFY(!fixture::messageOf([] { Bpe::fromCodes({"#version: 0.2", "a \xff"}, "my.codes"); }).isEmpty());
    }

    void aTokenizerSpellsWordsThatItNeverSaw() {
        const auto tokenizer = trainTokenizer({"low low low lower newest newest widest"},
                                              {.kind = TokenizerOptions::Kind::Bpe, .merges = 8});
        for (const char* text : {"lowest", "widow newt", "slow", "low"}) {
            const std::vector<int> ids = tokenizer->encode(text);
            QVERIFY(std::find(ids.begin(), ids.end(), SpecialIds::unk) == ids.end());
            QCOMPARE(tokenizer->decode(ids), std::string(text));
        }
        const std::vector<int> foreign = tokenizer->encode("lox");
        QVERIFY(std::find(foreign.begin(), foreign.end(), SpecialIds::unk) != foreign.end());
    }

    void aLimitedVocabularyIsKept() {
        const Words lines = {"low low low lower newest newest widest"};
        TokenizerOptions options{.kind = TokenizerOptions::Kind::Bpe, .merges = 1000};
        options.maxVocabulary = 30;
        QVERIFY(trainTokenizer(lines, options)->vocabulary().size() <= 30);
        options.maxVocabulary = 6;
        QVERIFY(fixture::messageOf([&] { trainTokenizer(lines, options); }).contains("allow more"));
    }
};

QTEST_APPLESS_MAIN(TestBpe)
#include "test_bpe.moc"
