// SPDX-License-Identifier: GPL-3.0-or-later
// A second start of the program hands what it was asked to open to the window that is open.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <memory>

#include "core/platform/pace.h"
#include "tests/patience.h"
#include "ui/fetch/first_start.h"

using namespace headlight;

class TestFirstStart : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        // As short as a runtime folder is: a socket's path may have a hundred characters.
        QVERIFY(m_runtime.isValid());
        QVERIFY(QFile::setPermissions(m_runtime.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        qputenv("XDG_RUNTIME_DIR", m_runtime.path().toUtf8());
        qputenv("XDG_DATA_HOME", m_data.path().toUtf8());
        qputenv("XDG_CONFIG_HOME", m_data.path().toUtf8());
        qputenv("HEADLIGHT_PACE", "hourly");  // of the programs that are started, as of this one
        m_home = m_data.filePath(QStringLiteral("Headlight/Headlight"));
    }

    void nothingIsHandedOverWhereNobodyIs() { QVERIFY(!FirstStart::handOver(m_home, QStringLiteral("model"))); }

    void whatIsAskedForArrives_data() {
        QTest::addColumn<QString>("asked");
        QTest::newRow("a model's name") << QStringLiteral("vi-en-transformer");
        QTest::newRow("a link") << QStringLiteral("headlight:attention?source=tôi yêu bạn\nhôm nay");
    }
    void whatIsAskedForArrives() {
        QFETCH(QString, asked);
        const FirstStart first(m_home);
        QVERIFY(first.isFirst());
        const QSignalSpy arrived(&first, &FirstStart::asked);
        QVERIFY(handedOver(asked));
        QCOMPARE(arrived.size(), 1);
        QCOMPARE(arrived[0][0].toString(), asked);
    }

    void thereIsOneFirst() {
        const FirstStart first(m_home), second(m_home);
        QVERIFY(first.isFirst());
        QVERIFY(!second.isFirst());
        const FirstStart elsewhere(m_home + QStringLiteral("2"));
        QVERIFY(elsewhere.isFirst());
    }

    void whatIsNoFileNameIsNotTaken() {
        const FirstStart first(m_home);
        const QSignalSpy arrived(&first, &FirstStart::asked);
        QVERIFY(!handedOver(QString(FirstStart::kMostBytes, u'x')));
        QVERIFY(arrived.isEmpty());
        QVERIFY(handedOver(QStringLiteral("small")));
    }

    void aPathIsSeenFromWhereTheSecondStands() {
        const FirstStart first(m_home);
        const QSignalSpy arrived(&first, &FirstStart::asked);
        QFile file(m_data.filePath(QStringLiteral("lines.txt")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("one\n") > 0);
        file.close();
        QProcess second;
        second.setWorkingDirectory(m_data.path());
        second.start(QStringLiteral(HEADLIGHT_WINDOW), {QStringLiteral("lines.txt")});
        QTRY_COMPARE(second.state(), QProcess::NotRunning);
        QCOMPARE(second.exitCode(), 0);
        QVERIFY(second.readAllStandardOutput().startsWith("headlight: opened in the window that is open already"));
        QCOMPARE(arrived.size(), 1);
        QCOMPARE(arrived[0][0].toString(), file.fileName());
    }

    /// A window that was killed leaves its socket behind.
    void aPlaceThatWasLeftIsTaken() {
        QProcess window;
        window.start(QStringLiteral(HEADLIGHT_WINDOW), {QStringLiteral("--new-window"), QStringLiteral("nobody")});
        const QDir runtime(m_runtime.path());
        QVERIFY(QTest::qWaitFor(
            [&] { return !runtime.entryList({"headlight-*"}, QDir::System | QDir::AllEntries).isEmpty(); },
            fixture::kLongPatienceMs));
        window.kill();
        QVERIFY(window.waitForFinished(fixture::kLongPatienceMs));
        QVERIFY(!runtime.entryList({"headlight-*"}, QDir::System | QDir::AllEntries).isEmpty());
        QVERIFY(!FirstStart::handOver(m_home, QStringLiteral("model")));
        const FirstStart first(m_home);
        QVERIFY(first.isFirst());
        QVERIFY(handedOver(QStringLiteral("model")));
    }

private:
    /// Handed over by somebody else, while this thread answers.
    bool handedOver(const QString& asked) const {
        bool isTaken = false;
        const std::unique_ptr<QThread> second(QThread::create([&] { isTaken = FirstStart::handOver(m_home, asked); }));
        second->start();
        return QTest::qWaitFor([&] { return second->isFinished(); }, fixture::kLongPatienceMs) && isTaken;
    }

    const platform::ScopedPace m_hourly{platform::Pace::Hourly};  // whoever answers late is waited for
    QTemporaryDir m_runtime{QDir::tempPath() + QStringLiteral("/first-XXXXXX")}, m_data;
    QString m_home;
};

QTEST_MAIN(TestFirstStart)
#include "test_first_start.moc"
