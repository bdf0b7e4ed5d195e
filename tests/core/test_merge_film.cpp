// SPDX-License-Identifier: GPL-3.0-or-later
// Merges as a film: counts before each of them, pieces, ladders; held to a script that counts everything anew
// (tests/golden/make_merges.py), and to what cuts words elsewhere in the program.
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/data/merge_corpus.h"
#include "core/error.h"
#include "core/text/merge_film.h"

using namespace headlight;

namespace {

nlohmann::json expectedMerges() {
    std::ifstream file(HEADLIGHT_SOURCE_DIR "/tests/golden/merges.json");
    return nlohmann::json::parse(file);
}

MergeFilm filmOf(const nlohmann::json& file, int merges) {
    WordCounts counts;
    for (const auto& [word, count] : file["counts"].items())
        counts.emplace(word, count.get<long>());
    return {counts, merges};
}

std::string pairText(const MergeFilm::Pair& pair) {
    return pair.left + " " + pair.right + " " + std::to_string(pair.count);
}

}  // namespace

class TestMergeFilm : public QObject {
    Q_OBJECT
private slots:
    void countsBeforeEachMerge() {
        const nlohmann::json file = expectedMerges();
        const int merges = int(file["merges"].size());
        const MergeFilm film = filmOf(file, merges);
        QCOMPARE(film.mergeCount(), merges);
        for (int k = 0; k < merges; ++k) {
            const nlohmann::json& wanted = file["merges"][size_t(k)];
            const Merge& merge = film.merges()[size_t(k)];
            QCOMPARE(merge.left, wanted["pair"][0].get<std::string>());
            QCOMPARE(merge.right, wanted["pair"][1].get<std::string>());
            QCOMPARE(merge.frequency, wanted["count"].get<long>());
            QCOMPARE(film.pieces(k), wanted["pieces"].get<long>());
            const MergeFilm::Frame frame = film.frame(k, 8, 1000);
            const nlohmann::json& first = wanted["first"];
            QCOMPARE(frame.pairs.size(), first.size());
            for (size_t i = 0; i < first.size(); ++i)
                QCOMPARE(pairText(frame.pairs[i]), first[i][0].get<std::string>() + " " +
                                                       first[i][1].get<std::string>() + " " +
                                                       std::to_string(first[i][2].get<long>()));
            long pieces = 0;
            for (const MergeFilm::Word& word : frame.words)
                pieces += word.count * long(word.symbols.size());
            QCOMPARE(pieces, film.pieces(k));
        }
        for (const MergeFilm::Word& word : film.frame(merges, 0, 1000).words)
            QCOMPARE(word.symbols, file["last"][word.text].get<std::vector<std::string>>());
    }

    void theSmallTextCutsNikitin() {
        const MergeFilm film(mergeCorpus("small").counts, 60);
        QCOMPARE(film.mergeCount(), 60);
        QCOMPARE(film.count("Nikitin"), 0L);
        QVERIFY(film.count("kite") > 0);
        const std::vector<BpeStep> ladder = film.ladder("Nikitin", 60);
        QCOMPARE(ladder.back().symbols, (std::vector<std::string>{"Ni", "ki", "tin</w>"}));
        QCOMPARE(ladder.front().symbols.size(), size_t(7));
        QVERIFY(!ladder.front().merge);
        // Before each of its merges it stands as it did after the one before.
        for (size_t step = 1; step < ladder.size(); ++step) {
            QCOMPARE(film.ladder("Nikitin", *ladder[step].merge).size(), step);
            QCOMPARE(film.ladder("Nikitin", *ladder[step].merge + 1).back().symbols, ladder[step].symbols);
        }
    }

    /// What is merged is always the first of the pairs that are counted, in the texts that the view offers.
    void theMergeIsTheFirstPair_data() {
        QTest::addColumn<QString>("corpus");
        QTest::addColumn<int>("merges");
        QTest::newRow("small") << "small" << 60;
        QTest::newRow("vi-en") << "vi-en" << 300;
        QTest::newRow("stories") << "stories" << 300;
    }
    void theMergeIsTheFirstPair() {
        QFETCH(QString, corpus);
        QFETCH(int, merges);
        const MergeFilm film(mergeCorpus(corpus.toStdString()).counts, merges);
        QVERIFY(film.mergeCount() > 50);
        for (int k = 0; k < film.mergeCount(); k += corpus == "small" ? 1 : 13) {
            const MergeFilm::Frame frame = film.frame(k, 1, 0);
            const Merge& merge = film.merges()[size_t(k)];
            QCOMPARE(pairText(frame.pairs.front()),
                     merge.left + " " + merge.right + " " + std::to_string(merge.frequency));
            const std::vector<std::string> with = film.wordsWith(merge.merged, k + 1, 3);
            QVERIFY(!with.empty());
            QVERIFY(film.wordsWith(merge.merged, k, 3).empty());
        }
        // Whole words are the least that there can be.
        QVERIFY(film.pieces(film.mergeCount()) >= film.tokens());
        const Bpe bpe(film.merges());
        for (const MergeFilm::Word& word : film.frame(film.mergeCount(), 0, 200).words)
            QCOMPARE(word.symbols, bpe.steps(word.text).back().symbols);
    }

    void textsOfOnesOwn() {
        const MergeCorpus typed = mergeCorpus("text:low lower low.");
        QCOMPARE(typed.counts, (WordCounts{{"low", 2}, {"lower", 1}, {".", 1}}));
        QTemporaryDir folder;
        const std::string path = folder.filePath("text.txt").toStdString();
        std::ofstream(path) << "low low\nlower\n";
        QCOMPARE(mergeCorpus(path).counts, (WordCounts{{"low", 2}, {"lower", 1}}));
        QVERIFY(!mergeCorpus(path).isBounded);
        const MergeCorpus part = mergeCorpus(path, {}, 10);
        QVERIFY(part.isBounded);
        QCOMPARE(part.counts, (WordCounts{{"low", 2}}));
        QVERIFY_THROWS_EXCEPTION(Error, mergeCorpus("text: "));
        QVERIFY_THROWS_EXCEPTION(Error, mergeCorpus(folder.filePath("none.txt").toStdString()));
        QVERIFY_THROWS_EXCEPTION(WorkStopped, mergeCorpus("vi-en", [](double) { return false; }));
    }

    void nothingToMerge() {
        const MergeFilm film({{"a", 1}}, 10);
        QCOMPARE(film.mergeCount(), 0);
        QCOMPARE(film.pieces(0), 1L);
        QVERIFY(film.frame(0, 5, 5).pairs.empty());
        QCOMPARE(film.ladder("ab", 0).back().symbols, (std::vector<std::string>{"a", "b</w>"}));
    }
};

QTEST_APPLESS_MAIN(TestMergeFilm)
#include "test_merge_film.moc"
