// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <set>

#include <QtTest/QtTest>
#include <zlib.h>

#include "core/data/corpus_readers.h"
#include "core/error.h"
#include "core/text/entities.h"
#include "tests/core/written_file.h"

using namespace headlight;

class TestCorpusReaders : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string write(const QString& name, const QByteArray& bytes) {
        return fixture::writtenFile(m_folder, name, bytes);
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

    /// What gzip would write.
    static QByteArray gzip(const QByteArray& text) {
        z_stream stream = {};
        deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
        QByteArray input = text,
                   packed(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(text.size()))), '\0');
        stream.next_in = reinterpret_cast<Bytef*>(input.data());
        stream.avail_in = static_cast<uInt>(input.size());
        stream.next_out = reinterpret_cast<Bytef*>(packed.data());
        stream.avail_out = static_cast<uInt>(packed.size());
        deflate(&stream, Z_FINISH);
        packed.resize(static_cast<qsizetype>(stream.total_out));
        deflateEnd(&stream);
        return packed;
    }

    static Corpus numbered(int pairs) {
        Corpus corpus;
        for (int i = 0; i < pairs; ++i)
            corpus.push_back({std::string("s").append(std::to_string(i)), std::string("t").append(std::to_string(i))});
        return corpus;
    }

private slots:
    void pairsAreReadHoweverTheFileWasSaved_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("plain") << QByteArray("tôi yêu bạn\ti love you\nđi\tgo\n");
        QTest::newRow("no last newline") << QByteArray("tôi yêu bạn\ti love you\nđi\tgo");
        QTest::newRow("CRLF") << QByteArray("tôi yêu bạn\ti love you\r\nđi\tgo\r\n");
        QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbftôi yêu bạn\ti love you\nđi\tgo\n");
        QTest::newRow("blank lines") << QByteArray("\ntôi yêu bạn\ti love you\n  \n\nđi\tgo\n\n");
        QTest::newRow("third column") << QByteArray("tôi yêu bạn\ti love you\tCC-BY 2.0 (x)\nđi\tgo\ta\tb\n");
        QTest::newRow("spaces around") << QByteArray(" tôi yêu bạn \t i love you\nđi\tgo\n");
        QTest::newRow("decomposed") << QByteArray("to\u0302i yêu ba\u0323n\ti love you\nđi\tgo\n");
    }
    void pairsAreReadHoweverTheFileWasSaved() {
        QFETCH(QByteArray, bytes);
        const Corpus corpus = readPairs(write("pairs.tsv", bytes));
        QCOMPARE(corpus.size(), std::size_t(2));
        QCOMPARE(corpus[0].source, std::string("tôi yêu bạn"));
        QCOMPARE(corpus[0].target, std::string("i love you"));
        QCOMPARE(corpus[1].source, std::string("đi"));
        QCOMPARE(corpus[1].target, std::string("go"));
    }

    void brokenPairFilesAreRefusedWithTheirLine_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        QTest::newRow("empty") << QByteArray() << "is empty";
        QTest::newRow("blank only") << QByteArray("\n \n\r\n") << "is empty";
        QTest::newRow("NUL") << QByteArray("a\tb\nc\td\0e\n", 10) << "line 2 holds a NUL";
        QTest::newRow("binary junk") << QByteArray(
                                            "\x7f"
                                            "ELF\x02\x01\x01\x00\x00\xff",
                                            10)
                                     << "line 1 holds a NUL";
        QTest::newRow("not UTF-8") << QByteArray("\xc3\xa9\tb\n\nc\td\xe9\n") << "line 3 is not valid UTF-8 (byte 4)";
        QTest::newRow("UTF-16") << QByteArray("\xff\xfe\x41\x42\n") << "is not valid UTF-16LE (byte ";
        QTest::newRow("no tab") << QByteArray("a\tb\nonly one side\n") << "line 2 has no tab";
        QTest::newRow("halves only") << QByteArray(" \tc\na\t\n") << "is empty";
    }
    void brokenPairFilesAreRefusedWithTheirLine() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, expected);
        const std::string path = write("broken.tsv", bytes);
        const QString message = messageOf([&] { readPairs(path); });
        QVERIFY2(message.contains(expected), qPrintable(message));
        QVERIFY2(message.contains("broken.tsv"), qPrintable(message));
        QVERIFY2(!message.contains('\n'), qPrintable(message));
    }

    void missingFilesAndFoldersAreNamed() {
        QVERIFY(messageOf([] { readPairs("/nowhere/pairs.tsv"); }).contains("/nowhere/pairs.tsv"));
        QVERIFY(messageOf([this] { readPairs(m_folder.path().toStdString()); }).contains("is a folder"));
        QVERIFY(messageOf([] { readLines("/nowhere/text"); }).contains("cannot open"));
    }

    void endlessDevicesEndAtOnce() {
        QVERIFY(messageOf([] { readPairs("/dev/zero"); }).contains("NUL"));
    }

    void linesKeepTheirBlanks() {
        const auto lines = readLines(write("lines", "\xef\xbb\xbfone\r\n\ntwo"));
        QCOMPARE(lines, (std::vector<std::string>{"one", "", "two"}));
        QVERIFY(messageOf([this] { readLines(write("lines", "")); }).contains("is empty"));
    }

    void parallelFilesGoLineByLine() {
        const std::string source = write("source", "tôi\r\nbạn\r\n");
        const Corpus corpus = readParallelText(source, write("target", "i\nyou"));
        QCOMPARE(corpus.size(), std::size_t(2));
        QCOMPARE(corpus[1].source, std::string("bạn"));
        QCOMPARE(corpus[1].target, std::string("you"));
    }

    void parallelFilesOfUnequalLengthAreRefused() {
        const std::string source = write("source", "a\nb\nc\n");
        const std::string target = write("target", "a\nb\n");
        const QString message = messageOf([&] { readParallelText(source, target); });
        QVERIFY2(message.contains("source has 3") && message.contains("target has 2"), qPrintable(message));
    }

    void halfPairsAreLeftOutCountedAndTheFirstIsNamed() {
        const std::string full = write("full", "a\nb\nc\n"), gap = write("gap", "a\n \nc\n");
        for (const bool first : {true, false}) {
            ReadingNotes notes;
            const Corpus corpus = readParallelText(first ? gap : full, first ? full : gap, {}, &notes);
            QCOMPARE(corpus.size(), std::size_t(2));
            QCOMPARE(corpus[1].source, std::string("c"));
            QCOMPARE(notes.halfPairs, 1L);
            QCOMPARE(notes.firstHalfPair, gap + ", line 2");
        }
        ReadingNotes notes;
        QCOMPARE(readPairs(write("pairs.tsv", "a\tb\n \tc\nc\t\tnote\nd\te\n"), {}, &notes).size(), std::size_t(2));
        QCOMPARE(notes.halfPairs, 2L);
        QVERIFY(notes.firstHalfPair.ends_with("pairs.tsv, line 2"));
        const std::string blank = write("blank", "\n \nc\n"), other = write("other", "a\nb\n\n");
        QVERIFY(messageOf([&] { readParallelText(blank, other); }).contains("no line of"));
    }

    void entitiesAreUndoneOnceAndCounted_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("undone");
        QTest::addColumn<int>("count");
        QTest::newRow("Moses' own") << "l &apos; homme &quot; a &amp; b &quot; &lt; &gt; &#124; &#91; &#93;"
                                    << "l ' homme \" a & b \" < > | [ ]" << 9;
        QTest::newRow("by number") << "don&#39;t caf&#233; &#x27; &#X1F600;"
                                   << "don't café ' 😀" << 4;
        QTest::newRow("once") << "&amp;lt; &amp;amp;"
                              << "&lt; &amp;" << 2;
        QTest::newRow("none") << "R&D AT&T; & &; &unknown; &# &#; &#x; &#39 &amp"
                              << "R&D AT&T; & &; &unknown; &# &#; &#x; &#39 &amp" << 0;
        QTest::newRow("that would tear the line") << "&#10;&#9;&#0;&#xd800;&#x110000;&#99999999999;"
                                                  << "&#10;&#9;&#0;&#xd800;&#x110000;&#99999999999;" << 0;
        QTest::newRow("at both ends") << "&lt;a&gt;"
                                      << "<a>" << 2;
        QTest::newRow("no-break space") << "a&nbsp;b"
                                        << "a\u00a0b" << 1;
    }
    void entitiesAreUndoneOnceAndCounted() {
        QFETCH(QString, text);
        QFETCH(QString, undone);
        QFETCH(int, count);
        std::string bytes = text.toStdString();
        QCOMPARE(undoEntities(bytes), long(count));
        QCOMPARE(QString::fromStdString(bytes), undone);
    }

    void entitiesOfFilesAreUndoneOnRequestAlone() {
        const std::string path = write("pairs.tsv", "l &apos; eau\tthe water\nR&amp;D\tR&#38;D\n");
        QCOMPARE(readPairs(path)[0].source, std::string("l &apos; eau"));
        ReadingNotes notes;
        const Corpus corpus = readPairs(path, {.undoEntities = true}, &notes);
        QCOMPARE(corpus[0].source, std::string("l ' eau"));
        QCOMPARE(corpus[1].source, std::string("R&D"));
        QCOMPARE(corpus[1].target, std::string("R&D"));
        QCOMPARE(notes.entities, 3L);
    }

    void alignmentsGoWithTheirPairs() {
        const std::string pairs = write("pairs.tsv", "a b\tx y\n\n \tz\nc d e\tv w\n");
        const Corpus corpus = readPairs(pairs, {.alignments = write("gold", "1-0 0-1 1-0\n0-0\n2-1  0-0\n")});
        using Links = std::vector<std::pair<int, int>>;
        QCOMPARE(corpus[0].alignment, (Links{{0, 1}, {1, 0}}));  // sorted, none twice
        QCOMPARE(corpus[1].alignment, (Links{{0, 0}, {2, 1}}));  // behind the one of the half pair
        const auto refusal = [&](const char* gold) {
            return messageOf([&] { readPairs(pairs, {.alignments = write("gold", gold)}); });
        };
        QVERIFY(refusal("0-0\n0-0\n").contains("gold ends before"));
        QVERIFY(refusal("0-0\n0-0\n0-0\n0-0\n").contains("line 4 has no pair"));
        for (const char* wrong : {"0-0\n0-0\n0\n", "0-0\n0-0\n0-1-2\n", "0-0\n0-0\n-1-0\n", "0-0\n0-0\n0?0\n"})
            QVERIFY2(refusal(wrong).contains("gold, line 3 has \""), qPrintable(refusal(wrong)));
        QVERIFY2(refusal("0-0\n0-0\n3-1\n").contains("3-1 of pair 2"), qPrintable(refusal("0-0\n0-0\n3-1\n")));
        QVERIFY(refusal("0-2\n0-0\n0-0\n").contains("0-2 of pair 1"));
    }

    void readingTellsHowFarItIsAndCanBeStopped() {
        QByteArray bytes;
        for (int i = 0; i < 20000; ++i)
            bytes += "word " + QByteArray::number(i) + "\tmot " + QByteArray::number(i) + "\n";
        const std::string path = write("many.tsv", bytes);
        std::vector<double> shares;
        const auto listen = [&](double share) {
            shares.push_back(share);
            return true;
        };
        QCOMPARE(readPairs(path, {.progress = listen}).size(), std::size_t(20000));
        QCOMPARE(shares.size(), std::size_t(4));
        QVERIFY(std::is_sorted(shares.begin(), shares.end()));
        QVERIFY(shares.front() > 0.1 && shares.back() > 0.7 && shares.back() <= 1);
        QVERIFY_EXCEPTION_THROWN(readPairs(path, {.progress = [](double) { return false; }}), WorkStopped);
    }

    void gzippedFilesReadAsWhatIsInThem() {
        const QByteArray text = QByteArray("tôi\ti\n").repeated(50000);
        const QByteArray packed = gzip(text);
        QVERIFY(packed.size() < text.size() / 100);
        const std::string path = write("pairs.tsv", packed);  // its name says nothing
        QCOMPARE(readPairs(path).size(), std::size_t(50000));
        QCOMPARE(readPairs(path)[49999].source, std::string("tôi"));
        // Files behind one another are one text, wherever the first ends.
        const auto lines = readLines(write("two.gz", gzip("one\ntw") + gzip("o\nthree")));
        QCOMPARE(lines, (std::vector<std::string>{"one", "two", "three"}));
    }

    void brokenGzipFilesAreRefusedInALine_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        const QByteArray packed = gzip(QByteArray("a\tb\n").repeated(1000));
        QTest::newRow("cut off") << packed.left(packed.size() - 9) << "breaks off";
        QTest::newRow("cut off in its last bytes") << packed.left(packed.size() - 1) << "breaks off";
        QTest::newRow("only the beginning") << packed.left(2) << "breaks off";
        QByteArray other = packed;
        other[packed.size() / 2] = static_cast<char>(~other[packed.size() / 2]);
        other[packed.size() / 2 + 1] = static_cast<char>(~other[packed.size() / 2 + 1]);
        QTest::newRow("damaged in the middle") << other << "damaged";
        QByteArray sum = packed;
        sum[packed.size() - 6] = static_cast<char>(~sum[packed.size() - 6]);
        QTest::newRow("another sum") << sum << "damaged";
        QTest::newRow("junk behind it") << packed + "junk"
                                        << "damaged";
        QTest::newRow("packed zeros") << gzip(QByteArray(1 << 20, '\0')) << "line 1 holds a NUL";
    }
    void brokenGzipFilesAreRefusedInALine() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, expected);
        const std::string path = write("broken.gz", bytes);
        const QString message = messageOf([&] { readPairs(path); });
        QVERIFY2(message.contains(expected) && message.contains("broken.gz"), qPrintable(message));
        QVERIFY(!message.contains('\n'));
    }

    /// Some kilobytes that unpack to more than a line may have: told before they fill the memory.
    void aLineWithoutEndIsToldBeforeItFillsTheMemory() {
        QByteArray packed;
        const QByteArray part = gzip(QByteArray(1 << 20, 'a'));
        for (int i = 0; i < 40; ++i)
            packed += part;
        QVERIFY(packed.size() < 1 << 16);
        const std::string path = write("bomb.gz", packed);
        const QString message = messageOf([&] { readLines(path); });
        QVERIFY2(message.contains("line 1 is longer than 32 MiB"), qPrintable(message));
    }

    void splittingKeepsThePartsApart() {
        const CorpusSplits splits = splitCorpus(numbered(400), 1);
        QCOMPARE(splits.validation.size(), std::size_t(20));
        QCOMPARE(splits.test.size(), std::size_t(20));
        QCOMPARE(splits.train.size(), std::size_t(360));
        QVERIFY(splits.unseen.empty());
    }

    void allTranslationsOfASourceStandInOnePart() {
        Corpus corpus = numbered(400);
        for (int i = 0; i < 400; i += 2)
            corpus.push_back({"s" + std::to_string(i), "another target"});
        const CorpusSplits splits = splitCorpus(corpus, 1, {.validation = 100, .test = 50});
        std::map<std::string, const Corpus*> partOf;
        for (const Corpus* part : {&splits.train, &splits.validation, &splits.test})
            for (const SentencePair& pair : *part)
                QCOMPARE(partOf.emplace(pair.source, part).first->second, part);
        QCOMPARE(splits.train.size() + splits.validation.size() + splits.test.size(), corpus.size());
        QVERIFY(splits.validation.size() == 100 || splits.validation.size() == 101);
        QVERIFY(splits.test.size() == 50 || splits.test.size() == 51);
        // One source, however often translated, is learned from.
        QCOMPARE(splitCorpus(Corpus(9, {"a", "b"}), 1).train.size(), std::size_t(9));
    }

    void splittingFollowsTheSeedAndItsLimits() {
        const auto firstTest = [](unsigned seed) { return splitCorpus(numbered(400), seed).test.front().source; };
        QCOMPARE(firstTest(3), firstTest(3));
        std::set<std::string> chosen;
        for (unsigned seed = 0; seed < 8; ++seed)
            chosen.insert(firstTest(seed));
        QVERIFY(chosen.size() > 1);
        QCOMPARE(splitCorpus(numbered(2), 1).train.size(), std::size_t(2));
        QCOMPARE(splitCorpus(numbered(3), 1).test.size(), std::size_t(1));
        QCOMPARE(splitCorpus(numbered(3), 1).train.size(), std::size_t(1));
        QCOMPARE(splitCorpus(numbered(50000), 1).validation.size(), std::size_t(2000));
    }
};

QTEST_APPLESS_MAIN(TestCorpusReaders)
#include "test_corpus_readers.moc"
