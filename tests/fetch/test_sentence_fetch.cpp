// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of sentences are fetched whole or not at all, and every failure is one line. The server is the test's own.
#include <QCryptographicHash>
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/fetch/file_server.h"
#include "tests/fetch/zips.h"
#include "ui/fetch/sentence_fetch.h"
#include "ui/session/format/byte_count.h"

using namespace headlight;
using fixture::ServedFile;
using fixture::zipOf;
using State = SentenceFetch::State;

namespace {

/// Lines that pack to about a half, so that a download has some length.
QByteArray tableOf(int lines) {
    QByteArray table;
    for (int i = 0; i < lines; ++i) {
        const QByteArray words = QCryptographicHash::hash(QByteArray::number(i), QCryptographicHash::Sha1).toHex();
        table += words.left(20) + '\t' + words.mid(20) + "\tCC BY\n";
    }
    return table;
}

const QByteArray kTag = "\"one\"";

}  // namespace

class TestSentenceFetch : public QObject {
    Q_OBJECT

    const QByteArray m_table = tableOf(6000);
    const QByteArray m_zip = zipOf({{"_about.txt", "About this file"}, {"fra.txt", m_table}});

    std::unique_ptr<fixture::FileServer> m_server;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<SentenceFetch> m_fetch;

    SentenceSet set(SentenceSet::Packing packing = SentenceSet::Packing::Zip) const {
        return {.file = QStringLiteral("english-french.tsv"),
                .name = QStringLiteral("English, French"),
                .what = {},
                .url = m_server->url(QStringLiteral("fra-eng.zip")),
                .about = m_zip.size(),
                .title = {},
                .credit = {},
                .packing = packing};
    }
    SentenceFetch& fetch(const SentenceSet& set, FetchLimits limits = {}) {
        if (int& silence = limits.download.silenceMs; silence == DownloadLimits{}.silenceMs)
            silence = fixture::kPatienceMs;
        m_fetch = std::make_unique<SentenceFetch>(set, nullptr, limits);
        m_fetch->setFolder(m_folder->filePath(QStringLiteral("sentences")));
        return *m_fetch;
    }
    void serve(const ServedFile& file) { m_server->serve(QStringLiteral("fra-eng.zip"), file); }
    QStringList files() const {
        return QDir(m_folder->filePath(QStringLiteral("sentences")))
            .entryList(QDir::Files | QDir::Hidden | QDir::System, QDir::Name);
    }
    static QByteArray contents(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// Qt may drop what arrives together with the end of a connection, so the end comes when that much is there.
    void breakOffAfter(qint64 bytes) {
        QTRY_COMPARE(m_fetch->received(), bytes);
        m_server->hangUp();
        end();
    }
    /// Waits for the end of what was started.
    void end() { QTRY_VERIFY(!m_fetch->isBusy()); }
    void arrives() {
        end();
        QCOMPARE(m_fetch->failure(), QString());
        QCOMPARE(m_fetch->state(), State::Here);
        QCOMPARE(contents(m_fetch->path()), m_table);
        QCOMPARE(files(), QStringList{m_fetch->set().file});
    }
    /// In one line, and no file that could be taken for the set.
    void failsWith(const QString& line) {
        end();
        QCOMPARE(m_fetch->failure(), line);
        QVERIFY(!line.contains(u'\n') && line.endsWith(u'.'));
        QCOMPARE(m_fetch->state(), State::Absent);
        QVERIFY(!files().contains(m_fetch->set().file));
    }
    QByteArray lastRequest() const { return m_server->requests().last(); }

private slots:
    void init() {
        m_server = std::make_unique<fixture::FileServer>();
        m_folder = std::make_unique<QTemporaryDir>();
        serve({.body = m_zip, .etag = kTag});
    }
    void cleanup() { m_fetch.reset(); }

    void aZipBecomesTheTextThatIsInIt() {
        SentenceFetch& fetch = this->fetch(set());
        QCOMPARE(fetch.state(), State::Absent);
        QVERIFY(m_server->requests().isEmpty());  // until it is asked for
        QSignalSpy fetched(&fetch, &SentenceFetch::fetched), changed(&fetch, &SentenceFetch::changed);
        fetch.start();
        QCOMPARE(fetch.state(), State::Fetching);
        arrives();
        QCOMPARE(fetched.size(), 1);
        QCOMPARE(fetched[0][0].toString(), fetch.path());
        QVERIFY(changed.size() >= 3);
        QCOMPARE(m_server->requests().size(), 1);
        // The next window finds it.
        QCOMPARE(this->fetch(set()).state(), State::Here);
        m_fetch->remove();
        QCOMPARE(m_fetch->state(), State::Absent);
        QCOMPARE(files(), QStringList());
    }

    /// More than is read ahead, so that the connection waits for the disk in between.
    void aLargeDownloadComesWhole() {
        const QByteArray text = tableOf(150'000);
        QVERIFY(text.size() > 5'000'000);
        serve({.body = text, .etag = kTag, .waitsAfter = text.size() / 2});
        fetch(set(SentenceSet::Packing::Text)).start();
        breakOffAfter(text.size() / 2);
        serve({.body = text, .etag = kTag});
        m_fetch->start();
        end();
        QCOMPARE(m_fetch->failure(), QString());
        QVERIFY(contents(m_fetch->path()) == text);
    }

    void aRedirectIsFollowed() {
        m_server->serve(QStringLiteral("elsewhere"), {.body = m_zip});
        serve({.status = 302, .location = m_server->url(QStringLiteral("elsewhere")).toEncoded()});
        fetch(set()).start();
        arrives();
        QCOMPARE(m_server->requests().size(), 2);
    }
    void aCircleOfRedirectsEnds() {
        serve({.status = 302, .location = m_server->url(QStringLiteral("fra-eng.zip")).toEncoded()});
        fetch(set()).start();
        failsWith(QStringLiteral("127.0.0.1 sends the download round in circles. Try again later."));
        QCOMPARE(files(), QStringList());
    }

    void whatBrokeOffGoesOnWhereItStopped() {
        const qint64 half = m_zip.size() / 2;
        serve({.body = m_zip, .etag = kTag, .waitsAfter = half});
        fetch(set()).start();
        breakOffAfter(half);
        failsWith(QStringLiteral("The download broke off after %1. Go on when the network is back.")
                      .arg(formatBytesOf(half, m_zip.size())));
        QVERIFY(m_fetch->canGoOn());
        QCOMPARE(m_fetch->received(), half);
        QCOMPARE(m_fetch->total(), m_zip.size());
        // In another window too.
        serve({.body = m_zip, .etag = kTag});
        QVERIFY(fetch(set()).canGoOn());
        QCOMPARE(m_fetch->received(), half);
        m_fetch->start();
        arrives();
        QVERIFY(lastRequest().contains("\r\nRange: bytes=" + QByteArray::number(half) + "-\r\n"));
        QVERIFY(lastRequest().contains("\r\nIf-Range: " + kTag + "\r\n"));
    }
    /// Half of one file and half of another would be neither.
    void aFileThatIsAnotherByNowIsFetchedFromItsBeginning() {
        serve({.body = QByteArray(m_zip.size(), 'x'), .etag = "\"old\"", .waitsAfter = m_zip.size() / 2});
        fetch(set()).start();
        breakOffAfter(m_zip.size() / 2);
        QVERIFY(m_fetch->canGoOn());
        serve({.body = m_zip, .etag = kTag});
        m_fetch->start();
        arrives();
    }
    void aServerWithoutPartsSendsAllAgain() {
        serve({.body = m_zip, .etag = kTag, .handsOutParts = false, .waitsAfter = 1000});
        fetch(set()).start();
        breakOffAfter(1000);
        QVERIFY(m_fetch->canGoOn());
        serve({.body = m_zip, .etag = kTag, .handsOutParts = false});
        m_fetch->start();
        arrives();
    }
    void whatCannotBeGoneOnWithIsNotKept() {
        serve({.body = m_zip, .waitsAfter = 1000});
        fetch(set()).start();
        breakOffAfter(1000);
        failsWith(QStringLiteral("The download broke off after %1, and 127.0.0.1 sends whole files only. Start again "
                                 "when the network is back.")
                      .arg(formatBytesOf(1000, m_zip.size())));
        QVERIFY(!m_fetch->canGoOn());
        QCOMPARE(files(), QStringList());
        serve({.body = m_zip});
        m_fetch->start();
        arrives();
        QVERIFY(!lastRequest().contains("Range"));
    }

    void stopKeepsWhatCanBeGoneOnWith() {
        serve({.body = m_zip, .etag = kTag, .waitsAfter = 1000});
        fetch(set()).start();
        QTRY_COMPARE(m_fetch->received(), 1000);
        QVERIFY(m_fetch->isBusy());
        m_fetch->stop();
        QCOMPARE(m_fetch->state(), State::Absent);
        QCOMPARE(m_fetch->failure(), QString());
        QVERIFY(m_fetch->canGoOn());
        serve({.body = m_zip, .etag = kTag});
        m_fetch->start();
        arrives();
        QVERIFY(lastRequest().contains("\r\nRange: bytes=1000-\r\n"));
        // Without a tag there is nothing to go on with.
        m_fetch->remove();
        serve({.body = m_zip, .waitsAfter = 1000});
        m_fetch->start();
        QTRY_COMPARE(m_fetch->received(), 1000);
        m_fetch->stop();
        QCOMPARE(files(), QStringList());
    }
    void aWindowThatIsClosedEndsIt() {
        serve({.body = m_zip, .etag = kTag, .waitsAfter = 1000});
        fetch(set()).start();
        QTRY_COMPARE(m_fetch->received(), 1000);
        m_fetch.reset();
        QVERIFY(!files().contains(set().file));
    }

    void aChecksumIsHeldTo() {
        SentenceSet wrong = set();
        wrong.sha256 = QString(64, u'0');
        fetch(wrong).start();
        failsWith(
            QStringLiteral("What 127.0.0.1 sent isn't the file that was announced (wrong checksum), so it was "
                           "deleted. Try again later."));
        QCOMPARE(files(), QStringList());
        SentenceSet right = set();
        right.sha256 = QString::fromLatin1(QCryptographicHash::hash(m_zip, QCryptographicHash::Sha256).toHex());
        fetch(right).start();
        arrives();
    }

    void whatIsWrongIsSaidInOneLine_data() {
        QTest::addColumn<ServedFile>("served");
        QTest::addColumn<QString>("line");
        QTest::newRow("404") << ServedFile{.body = "Not here", .status = 404}
                             << QStringLiteral(
                                    "The file is no longer at 127.0.0.1 (404). Look for it with a browser, "
                                    "then drop it here.");
        QTest::newRow("503") << ServedFile{.body = "Later", .status = 503}
                             << QStringLiteral("127.0.0.1 refuses to send the file (503). Try again later.");
        QTest::newRow("web page") << ServedFile{.body = "\n<!DOCTYPE html>\n<html><body>Sign in</body></html>"}
                                  << QStringLiteral(
                                         "127.0.0.1 sent a web page instead of the file. If this network asks you to "
                                         "sign in, do so in a browser, then try again.");
        QTest::newRow("not a zip") << ServedFile{.body = "neither a page nor a zip"}
                                   << QStringLiteral(
                                          "The archive from 127.0.0.1 is damaged, so it was deleted. Try again.");
        QByteArray flipped = m_zip;
        flipped[flipped.size() / 2] = static_cast<char>(~flipped[flipped.size() / 2]);
        QTest::newRow("damaged zip") << ServedFile{.body = flipped, .etag = kTag}
                                     << QStringLiteral(
                                            "The archive from 127.0.0.1 is damaged, so it was deleted. Try again.");
        QTest::newRow("zip cut short") << ServedFile{.body = m_zip.left(m_zip.size() - 40), .etag = kTag}
                                       << QStringLiteral(
                                              "The archive from 127.0.0.1 is damaged, so it was deleted. Try again.");
        const QString noText =
            QStringLiteral("There is no text in what 127.0.0.1 sent, so it was deleted. Try again later.");
        QTest::newRow("no text") << ServedFile{.body = zipOf({{"picture.png", "bytes"}})} << noText;
        QTest::newRow("text that is none") << ServedFile{.body = zipOf({{"a.txt", QByteArray("a\0b", 3)}})} << noText;
        QTest::newRow("nothing in it") << ServedFile{.body = zipOf({})} << noText;
        const QString tooMuch = QStringLiteral(
            "The archive from 127.0.0.1 unpacks to far more than sentences take, so it was deleted. Choose another "
            "set.");
        constexpr std::uint64_t hundredGigabytes = 100'000'000'000;
        const QByteArray blanks(20 << 20, ' ');
        QTest::newRow("says 100 GB") << ServedFile{.body = zipOf({{"a.txt", blanks, hundredGigabytes}})} << tooMuch;
        QTest::newRow("a thousand times as much") << ServedFile{.body = zipOf({{"a.txt", blanks}})} << tooMuch;
        QTest::newRow("more than announced") << ServedFile{.body = m_zip, .announced = 100'000'000'000}
                                             << QStringLiteral(
                                                    "127.0.0.1 sends 100 GB, far more than was announced, so nothing "
                                                    "was kept. Try again later.");
    }
    void whatIsWrongIsSaidInOneLine() {
        QFETCH(ServedFile, served);
        QFETCH(QString, line);
        serve(served);
        fetch(set()).start();
        failsWith(line);
        QCOMPARE(files(), QStringList());
        // And the next attempt is a fresh one.
        serve({.body = m_zip, .etag = kTag});
        m_fetch->start();
        arrives();
    }

    /// What it says of itself is little; what comes out of it does not stop.
    void aZipThatLiesIsStoppedWhileItUnpacks() {
        const QByteArray blanks(20 << 20, ' ');
        serve({.body = zipOf({{"a.txt", blanks, 1000}})});
        fetch(set()).start();
        end();
        QVERIFY2(m_fetch->failure().startsWith(QStringLiteral("The archive from 127.0.0.1 ")),
                 qPrintable(m_fetch->failure()));
        QCOMPARE(m_fetch->state(), State::Absent);
        QCOMPARE(files(), QStringList());
    }

    void aServerThatIsNotThere() {
        m_server->close();
        fetch(set()).start();
        failsWith(QStringLiteral("127.0.0.1 refuses the connection. Try again later."));
        QCOMPARE(files(), QStringList());
    }
    void aNameThatNobodyHas() {
        SentenceSet nowhere = set();
        nowhere.url = QUrl(QStringLiteral("http://nowhere.invalid/fra-eng.zip"));  // RFC 2606
        fetch(nowhere).start();
        end();
        QVERIFY2(m_fetch->failure().startsWith(QStringLiteral("nowhere.invalid ")) ||
                     m_fetch->failure().startsWith(QStringLiteral("The proxy of this network ")),
                 qPrintable(m_fetch->failure()));
        QCOMPARE(files(), QStringList());
    }
    void aServerThatSaysNothing() {
        serve({.isMute = true});
        fetch(set(), {.download = {.silenceMs = 50}}).start();
        failsWith(QStringLiteral("127.0.0.1 doesn't answer. Check the connection to the internet, then try again."));
        // Or stops in the middle.
        serve({.body = m_zip, .etag = kTag, .waitsAfter = 1000});
        m_fetch->start();
        end();
        QVERIFY2(!m_fetch->failure().isEmpty(), "it does not wait for ever");
        QVERIFY(!files().contains(set().file));
    }

    void aFolderThatCannotBeWrittenTo() {
        // A file stands where the folder would: no right of any user helps.
        QFile inTheWay(m_folder->filePath(QStringLiteral("sentences")));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        fetch(set()).start();
        failsWith(QStringLiteral("Headlight can't write to %1. Check the folder and its permissions, then try again.")
                      .arg(m_folder->filePath(QStringLiteral("sentences"))));
        QVERIFY(m_server->requests().isEmpty());
    }
    void aFolderThatCannotBeWrittenToAnyMore() {
        SentenceFetch& fetch = this->fetch(set());
        fetch.start();
        // The place of the set is taken by a folder while it comes.
        QVERIFY(QDir().mkpath(fetch.path()));
        end();
        QVERIFY2(fetch.failure().startsWith(QStringLiteral("Headlight can't write to ")), qPrintable(fetch.failure()));
        QVERIFY(fetch.canGoOn());  // it need not be fetched again
        QVERIFY(QDir().rmdir(fetch.path()));
        fetch.start();
        arrives();
        QCOMPARE(m_server->requests().size(), 1);
    }
    void aDiskThatIsFull() {
        fetch(set(), {.download = {.room = [](const QString&) { return 1000; }}}).start();
        failsWith(
            QStringLiteral("The disk is full. Make room for %1 more, then try again.").arg(formatBytes(m_zip.size())));
        QCOMPARE(files(), QStringList());
    }
    void withoutAFolderNothingIsAskedFor() {
        SentenceFetch fetch(set());
        fetch.start();
        QCOMPARE(fetch.state(), State::Absent);
        QVERIFY(!fetch.failure().isEmpty() && m_server->requests().isEmpty());
    }

    void aBookIsKeptWithoutWhatStandsAroundIt() {
        SentenceSet book = set(SentenceSet::Packing::Text);
        book.startMark = QStringLiteral("*** START OF");
        book.endMark = QStringLiteral("*** END OF");
        serve(
            {.body = "\xEF\xBB\xBFTitle\n*** START OF THE BOOK ***\r\n\r\nAlice was beginning\n*** END OF IT\nRights"});
        fetch(book).start();
        end();
        QCOMPARE(m_fetch->state(), State::Here);
        QCOMPARE(contents(m_fetch->path()), QByteArray("Alice was beginning\n"));
        m_fetch->remove();
        serve({.body = "Without marks\n"});
        m_fetch->start();
        end();
        QCOMPARE(contents(m_fetch->path()), QByteArray("Without marks\n"));
    }

    void bytesAreCountedInTwoDigits() {
        QCOMPARE(formatBytes(0), QStringLiteral("0 B"));
        QCOMPARE(formatBytes(999), QStringLiteral("999 B"));
        QCOMPARE(formatBytes(170'000), QStringLiteral("170 kB"));
        QCOMPARE(formatBytes(8'640'000), QStringLiteral("8.6 MB"));
        QCOMPARE(formatBytes(9'960'000), QStringLiteral("10 MB"));
        QCOMPARE(formatBytes(999'999), QStringLiteral("1.0 MB"));
        QCOMPARE(formatBytesOf(7'300'000, 17'000'000), QStringLiteral("7.3 of 17 MB"));
        QCOMPARE(formatBytesOf(7'300'000, 0), QStringLiteral("7.3 MB"));
    }

    void everySetIsFreeAndSaysWhoseItIs() {
        QStringList names;
        for (const SentenceSet& each : sentenceSets()) {
            QVERIFY(each.url.isValid() && each.url.scheme() == QStringLiteral("https"));
            QVERIFY(each.credit.contains(QStringLiteral("CC BY")) ||
                    each.credit.contains(QStringLiteral("public domain")));
            QVERIFY(each.about > 0 && !each.title.isEmpty() && !each.what.isEmpty());
            QVERIFY(!each.file.contains(u'/') && !names.contains(each.file));
            names << each.file;
        }
        QVERIFY(names.size() >= 13);
    }
};

QTEST_GUILESS_MAIN(TestSentenceFetch)
#include "test_sentence_fetch.moc"
