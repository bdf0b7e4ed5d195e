// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>

#include <QtTest/QtTest>

#include "core/data/corpus_readers.h"
#include "core/error.h"

using namespace headlight;

class TestCorpusReaders : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string write(const QString& name, const QByteArray& bytes) {
        QFile file(m_folder.filePath(name));
        [[maybe_unused]] const bool isOpen = file.open(QIODevice::WriteOnly);
        file.write(bytes);
        return file.fileName().toStdString();
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
        QTest::newRow("not UTF-8") << QByteArray("a\tb\n\nc\td\xe9\n") << "line 3 is not valid UTF-8 (byte 4)";
        QTest::newRow("UTF-16") << QByteArray("\xff\xfe\x41\x42\n") << "line 1 is not valid UTF-8";
        QTest::newRow("no tab") << QByteArray("a\tb\nonly one side\n") << "line 2 has no tab";
        QTest::newRow("no source") << QByteArray("a\tb\n \tc\n") << "line 2 has nothing before the tab";
        QTest::newRow("no target") << QByteArray("a\tb\nc\t\tnote\n") << "line 2 has nothing after the tab";
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

    void parallelFilesWithABlankSideAreRefusedWithTheLine() {
        const std::string full = write("full", "a\nb\nc\n");
        const std::string gap = write("gap", "a\n \nc\n");
        QVERIFY(messageOf([&] { readParallelText(full, gap); }).contains("gap, line 2 is blank"));
        QVERIFY(messageOf([&] { readParallelText(gap, full); }).contains("gap, line 2 is blank"));
    }

    void splittingKeepsThePartsApart() {
        Corpus corpus = numbered(400);
        corpus.push_back({"s7", "another target"});
        const CorpusSplits splits = splitCorpus(corpus, 1);
        QCOMPARE(splits.validation.size(), std::size_t(20));
        QCOMPARE(splits.test.size(), std::size_t(20));
        QCOMPARE(splits.train.size(), std::size_t(360));
        QVERIFY(splits.unseen.empty());
        std::set<std::string> sources;
        for (const Corpus* part : {&splits.train, &splits.validation, &splits.test})
            for (const SentencePair& pair : *part) {
                QVERIFY(sources.insert(pair.source).second);
                QVERIFY(pair.target != "another target");
            }
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
