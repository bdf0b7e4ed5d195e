// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QProcess>
#include <QTest>

namespace {

constexpr const char* asExample = "HEADLIGHT_TEST_RUN_EXAMPLES";

}  // namespace

/// What this program is when it is started by its own tests.
class Examples : public QObject {
    Q_OBJECT
private slots:
    void warns() { qWarning("nobody expects this"); }
    void warnsInAThread() {
        std::unique_ptr<QThread> thread(QThread::create([] { qWarning("nobody expects this"); }));
        thread->start();
        QVERIFY(thread->wait());
    }
    void warnsAsAnnounced() {
        QTest::ignoreMessage(QtWarningMsg, "this is announced");
        qWarning("this is announced");
    }
    void saysWhatThePlatformSays() { qWarning("This plugin does not support raise()"); }
    void saysNothing() {}
};

class TestWarnings : public QObject {
    Q_OBJECT
private slots:
    void onlyAWarningThatNobodyExpectsFailsATest_data();
    void onlyAWarningThatNobodyExpectsFailsATest();
};

void TestWarnings::onlyAWarningThatNobodyExpectsFailsATest_data() {
    QTest::addColumn<QStringList>("examples");
    QTest::addColumn<int>("failures");
    QTest::newRow("a warning") << QStringList{"warns"} << 1;
    QTest::newRow("in a thread") << QStringList{"warnsInAThread"} << 1;
    QTest::newRow("in every function again") << QStringList{"warns", "saysNothing", "warnsInAThread"} << 2;
    QTest::newRow("one that is ignored") << QStringList{"warnsAsAnnounced"} << 0;
    QTest::newRow("the platform's") << QStringList{"saysWhatThePlatformSays"} << 0;
    QTest::newRow("none") << QStringList{"saysNothing"} << 0;
}

void TestWarnings::onlyAWarningThatNobodyExpectsFailsATest() {
    QFETCH(QStringList, examples);
    QFETCH(int, failures);
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(asExample, "1");
    process.setProcessEnvironment(environment);
    process.start(QCoreApplication::applicationFilePath(), examples);
    QVERIFY(process.waitForFinished(headlight::fixture::kLongPatienceMs));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    const QByteArray said = process.readAll();
    QVERIFY2(process.exitCode() == failures, said);
    QVERIFY2(said.contains("Received a warning") == (failures > 0), said);
}

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    if (qEnvironmentVariableIsSet(asExample)) {
        Examples examples;
        return QTest::qExec(&examples, argc, argv);
    }
    TestWarnings tests;
    return QTest::qExec(&tests, argc, argv);
}

#include "test_warnings.moc"
