// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <set>

#include <QtTest/QtTest>
#include <nlohmann/json.hpp>

#include "core/data/corpus_survey.h"
#include "core/data/new_model.h"
#include "core/data/seeded_random.h"
#include "core/error.h"
#include "core/platform/pace.h"
#include "core/text/bpe_tokenizer.h"
#include "tests/core/written_file.h"

using namespace headlight;

/// The survey says beforehand what a training does with the same files.
class TestCorpusSurvey : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string write(const QString& name, const QByteArray& bytes) {
        return fixture::writtenFile(m_folder, name, bytes);
    }

    /// Pairs of words from a few hundred, some blank on a side, some long, some unequal, some twice.
    std::string pairsFile() {
        SeededRandom random(7);
        QByteArray text;
        const auto sentence = [&](size_t words) {
            QByteArray line;
            for (size_t i = 0; i < words; ++i)
                line +=
                    (i ? " w" : "w") + QByteArray::number(static_cast<qulonglong>(random.below(1 + random.below(400))));
            return line;
        };
        for (int i = 0; i < 900; ++i) {
            const size_t words = 1 + random.below(12);
            const QByteArray source = i % 97 == 5   ? QByteArray(" ")
                                      : i % 50 == 3 ? QByteArray("again and again")
                                                    : sentence(words);
            const QByteArray target = i % 101 == 9 ? QByteArray()
                                                   : sentence(i % 31 == 0   ? 40
                                                              : i % 37 == 0 ? 4 * words
                                                                            : words);
            text += source + '\t' + target + '\n';
            if (i % 40 == 0) text += "\n";
        }
        return write("pairs.tsv", text);
    }

    static std::set<std::string> sourcesOf(const Corpus& corpus) {
        std::set<std::string> sources;
        for (const SentencePair& pair : corpus)
            sources.insert(pair.source + "\t" + pair.target);
        return sources;
    }

private slots:
    void pairsAreDealtOutAsTheTrainingDoes() {
        TrainingData data{.files = {.pairs = pairsFile()}};
        data.rules = {.longest = 30, .mostRatio = 2};
        data.sizes = {.validation = 37, .test = 21};
        const CorpusSplits splits = data.splits(5);
        const CorpusSurvey survey(data.files, data.tokenizer);
        const CorpusDeal dealt = deal(survey, data, 5);
        QCOMPARE(dealt.size(CorpusPart::Training), static_cast<long>(splits.train.size()));
        QCOMPARE(dealt.size(CorpusPart::Validation), static_cast<long>(splits.validation.size()));
        QCOMPARE(dealt.size(CorpusPart::Test), static_cast<long>(splits.test.size()));
        QVERIFY(splits.validation.size() >= 37 && splits.test.size() >= 21);
        for (const LeftOut why : {LeftOut::Blank, LeftOut::TooLong, LeftOut::TooUnequal})
            QVERIFY(dealt.reason(why).count > 0);
        const std::set<std::string> parts[] = {sourcesOf(splits.train), sourcesOf(splits.validation),
                                               sourcesOf(splits.test)};
        int seen = 0;
        for (const CorpusSurvey::Sample& sample : survey.samples()) {
            if (dealt.leftOut[sample.entry] != LeftOut::No) continue;
            const auto part = static_cast<size_t>(dealt.parts[sample.entry]);
            QVERIFY(parts[part].contains(sample.pair.source + "\t" + sample.pair.target));
            ++seen;
        }
        QVERIFY(seen > 200);
        // The lines that are told are those of the file.
        PairStream stream(data.files);
        std::map<size_t, SentencePair> byLine;
        while (stream.next())
            byLine[stream.line()] = stream.pair();
        for (const size_t line : dealt.reason(LeftOut::Blank).lines)
            QVERIFY(byLine.at(line).source.empty() || byLine.at(line).target.empty());
    }

    void aTextIsDealtOutInItsOrder() {
        QByteArray text;
        for (int i = 0; i < 100; ++i)
            text += "line " + QByteArray::number(i) + "\n\n";
        const TrainingData data{.files = {.textFile = write("text", text)}};
        const CorpusSplits splits = data.splits(1);
        const CorpusSurvey survey(data.files, {});
        const CorpusDeal dealt = deal(survey, TrainingData(), 1);
        QCOMPARE(dealt.size(CorpusPart::Training), static_cast<long>(splits.train.size()));
        QCOMPARE(dealt.size(CorpusPart::Test), static_cast<long>(splits.test.size()));
        QCOMPARE(dealt.parts.front(), CorpusPart::Training);
        QCOMPARE(dealt.parts[dealt.parts.size() - 6], CorpusPart::Validation);
        QCOMPARE(dealt.parts.back(), CorpusPart::Test);
    }

    void whatStandsTwiceIsCountedAndUsed() {
        const TrainingData data{
            .files = {.pairs = write("twice.tsv", "a b\tc\nd e\tf\na b\tg\n\nd e\tf\nd\tf\nd e\tf\n\tx\n\tx\n")}};
        const CorpusSurvey survey(data.files, {});
        QCOMPARE(survey.repeats().count, 2);
        QCOMPARE(survey.repeats().lines, (std::vector<size_t>{5, 7}));
        QCOMPARE(deal(survey, data, 1).used(), 6);
        const QByteArray lines = "one\n\ntwo\n\none\n";
        QCOMPARE(CorpusSurvey({.textFile = write("twice", lines)}, {}).repeats().lines, (std::vector<size_t>{5}));
        const CorpusFiles running{.textFile = write("twice", lines), .reading = TextReading::Breaks};
        QCOMPARE(CorpusSurvey(running, {}).repeats().count, 0);
    }

    void theCurveSaysWhatAVocabularyOfThatSizeKnows() {
        const TrainingData data{.files = {.pairs = pairsFile()}};
        const CorpusSurvey survey(data.files, {});
        const CorpusDeal dealt = deal(survey, TrainingData(), 1);
        std::vector<signed char> groups(survey.entries().size(), CorpusSurvey::noGroup);
        for (size_t i = 0; i < groups.size(); ++i)
            if (dealt.leftOut[i] == LeftOut::No && dealt.parts[i] != CorpusPart::Validation)
                groups[i] = dealt.parts[i] == CorpusPart::Training ? 0 : 1;
        const std::vector<CorpusSurvey::SideCounts> counts = survey.countsOf(groups, 2);
        const CoverageCurve curve(counts[0][1], counts[1][1]);
        const CorpusSplits splits = data.splits(1);
        std::vector<std::string> lines;
        for (const SentencePair& pair : splits.train)
            lines.push_back(pair.target);
        for (const int size : {10, 60, 200}) {
            const auto tokenizer = trainTokenizer(lines, {.maxVocabulary = size + 4});
            const auto known = [&](const Corpus& corpus) {
                long all = 0, unknown = 0;
                for (const SentencePair& pair : corpus)
                    for (const int id : tokenizer->encode(pair.target)) {
                        ++all;
                        unknown += id == SpecialIds::unk;
                    }
                return 1 - static_cast<double>(unknown) / static_cast<double>(all);
            };
            QVERIFY(std::abs(curve.learned(static_cast<size_t>(size)) - known(splits.train)) < 1e-12);
            QVERIFY(std::abs(curve.other(static_cast<size_t>(size)) - known(splits.test)) < 1e-12);
            QVERIFY(tokenizer->vocabulary().contains(curve.word(static_cast<size_t>(size) - 1)));
            QVERIFY(!tokenizer->vocabulary().contains(curve.word(static_cast<size_t>(size))));
        }
        QCOMPARE(curve.rank("never seen"), curve.words());
        QVERIFY(curve.wordsSeen(2) < curve.words() && curve.wordsSeen(1) == curve.words());
    }

    void piecesAreThoseOfTheLearntMerges() {
        const TrainingData data{.files = {.pairs = pairsFile()}};
        const CorpusSurvey survey(data.files, {});
        const PieceCurve curve(survey.counts(1), 100);
        QVERIFY(curve.canSpell("w07") && !curve.canSpell("v07"));
        std::vector<std::string> lines;
        for (const SentencePair& pair : data.files.read())
            lines.push_back(pair.target);
        for (const size_t merges : {size_t{0}, size_t{20}, curve.merges().size()}) {
            const Bpe bpe({curve.merges().begin(), curve.merges().begin() + static_cast<std::ptrdiff_t>(merges)});
            long words = 0, pieces = 0;
            for (const auto& [word, count] : survey.counts(1)) {
                words += count;
                pieces += count * static_cast<long>(bpe.split(word).size());
            }
            QCOMPARE(curve.piecesPerWord(merges), static_cast<double>(pieces) / static_cast<double>(words));
            const TokenizerOptions options{.kind = TokenizerOptions::Kind::Bpe, .merges = static_cast<int>(merges)};
            const auto tokenizer = trainTokenizer(lines, options);
            QCOMPARE(curve.vocabularySize(merges), static_cast<size_t>(tokenizer->vocabulary().size()));
        }
    }

    void filesOfTheirOwnTakeThePlaceOfWhatIsSetAside() {
        TrainingData data{.files = {.pairs = pairsFile()}};
        data.rules = {.longest = 30};
        data.validation = {.sourceFile = write("v.a", "one\ntwo words\n"), .targetFile = write("v.b", "1\n2 w\n")};
        const auto isDealtAlike = [&] {
            const CorpusSplits splits = data.splits(5);
            const CorpusDeal dealt = deal(CorpusSurvey(data.files, data.tokenizer), data, 5);
            return dealt.size(CorpusPart::Training) == static_cast<long>(splits.train.size()) &&
                   (!data.validation.isEmpty() ||
                    dealt.size(CorpusPart::Validation) == static_cast<long>(splits.validation.size())) &&
                   (!data.test.isEmpty() || dealt.size(CorpusPart::Test) == static_cast<long>(splits.test.size()));
        };
        // All of the rest is learned from, what stands twice too: nothing is kept apart from it.
        QVERIFY(isDealtAlike());
        QCOMPARE(data.splits(5).train.size(), data.read().size());
        QCOMPARE(data.splits(5).validation.size(), size_t{2});
        QCOMPARE(data.splits(5).validation.back().target, std::string("2 w"));
        QVERIFY(data.splits(5).test.empty());
        data.sizes.test = 30;
        QVERIFY(isDealtAlike());
        QCOMPARE(data.splits(5).test.size(), size_t{30});
        data.test = {.pairs = write("t.tsv", "a\tb\n")};
        QVERIFY(isDealtAlike());
        QCOMPARE(data.splits(5).test.size(), size_t{1});
        data.validation = {};
        QVERIFY(isDealtAlike());
        QVERIFY(data.splits(5).validation.size() > 1);
    }

    void filesOfAnotherKindAreRefused() {
        const auto refusal = [](const TrainingData& data, const char* architecture) {
            try {
                data.check({.architecture = architecture});
            } catch (const Error& error) {
                return std::string(error.what());
            }
            return std::string();
        };
        const TrainingData text{.files = {.textFile = "t"}, .validation = {.pairs = "v"}};
        QVERIFY(refusal(text, "language-model").starts_with("files for validation must be"));
        const TrainingData half{.files = {.pairs = "p"}, .test = {.sourceFile = "s"}};
        QVERIFY(refusal(half, "transformer").starts_with("--test-source-file and --test-target-file"));
        const TrainingData two{.files = {.pairs = "p"}, .test = {.pairs = "q", .textFile = "t"}};
        QVERIFY(refusal(two, "transformer").starts_with("give one of --test-pairs"));
        const TrainingData right{.files = {.pairs = "p"}, .validation = {.pairs = "v"}, .test = {.pairs = "t"}};
        QCOMPARE(refusal(right, "transformer"), std::string());
    }

    void piecesOfBothSidesTogetherAreThoseThatTheModelLearns() {
        const TrainingData data{.files = {.pairs = pairsFile()}};
        const CorpusSurvey survey(data.files, {});
        CorpusSurvey::Counts both = survey.counts(0);
        for (const auto& [word, count] : survey.counts(1))
            both[word] += count;
        const PieceCurve joint(both, 300);
        const Corpus corpus = data.files.read();
        for (const int merges : {1, 30, 250}) {
            const TrainedModel model =
                newModel(nlohmann::json::object(),
                         {.kind = TokenizerOptions::Kind::Bpe, .merges = merges, .jointBpe = true}, corpus, 1);
            for (const int side : {0, 1}) {
                const PieceCurve curve(survey.counts(side), joint.merges());
                const Tokenizer& tokenizer = side == 0 ? *model.source : *model.target;
                const auto place = static_cast<size_t>(merges);
                QCOMPARE(curve.vocabularySize(place), static_cast<size_t>(tokenizer.vocabulary().size()));
                long words = 0, pieces = 0;
                for (const auto& [word, count] : survey.counts(side)) {
                    words += count;
                    pieces += count * static_cast<long>(tokenizer.split(word).size());
                }
                QCOMPARE(curve.piecesPerWord(place), static_cast<double>(pieces) / static_cast<double>(words));
            }
        }
    }

    void whatIsReadIsShownOnTheWay() {
        const platform::ScopedPace atOnce(platform::Pace::AtOnce);
        const CorpusFiles files{.pairs = pairsFile()};
        std::vector<size_t> seen;
        const CorpusSurvey survey(files, {}, {}, [&](const CorpusSurvey& soFar) {
            seen.push_back(soFar.entries().size());
            QVERIFY(!soFar.samples().empty());
            QVERIFY(soFar.words(1) > 0);
        });
        QVERIFY(seen.size() > 2);
        QVERIFY(std::ranges::is_sorted(seen));
        QVERIFY(seen.front() < survey.entries().size());
    }

    void whatIsReadSoonIsNotShownOnTheWay() {
        const platform::ScopedPace hourly(platform::Pace::Hourly);
        int shown = 0;
        const CorpusSurvey survey({.pairs = pairsFile()}, {}, {}, [&](const CorpusSurvey&) { ++shown; });
        QCOMPARE(shown, 0);
        QVERIFY(survey.wholePairs() > 0);
    }

    void whoeverNoLongerWaitsIsNotKeptWaiting() {
        QByteArray many;
        for (int i = 0; i < 20000; ++i)
            many += "a\tb\n";
        int asked = 0;
        const auto give = [&] {
            CorpusSurvey({.pairs = write("many.tsv", many)}, {}, [&](double) { return ++asked < 2; });
        };
        QVERIFY_EXCEPTION_THROWN(give(), WorkStopped);
        QCOMPARE(asked, 2);
    }

    void faultsOfTheFileAreTold() {
        QVERIFY_EXCEPTION_THROWN(CorpusSurvey({.pairs = write("none.tsv", "")}, {}), Error);
        QVERIFY_EXCEPTION_THROWN(CorpusSurvey({.pairs = write("halves.tsv", "a\t\n\tb\n")}, {}), Error);
    }
};

QTEST_GUILESS_MAIN(TestCorpusSurvey)
#include "test_corpus_survey.moc"
