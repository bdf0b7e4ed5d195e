// SPDX-License-Identifier: GPL-3.0-or-later
// Linked into every test program: a warning of Qt's that no test expects fails the test that it comes in.
#include <QTest>
#include <algorithm>
#include <iterator>

namespace {

// What the platform without a screen, an account without a session and a machine without fonts of every script say of
// themselves, whatever the program does.
constexpr const char* allowed[] = {"This plugin does not support ", "QStandardPaths: XDG_RUNTIME_DIR not set",
                                   "  OpenType support missing for "};

QtMessageHandler ofTheTest = nullptr;

bool isAllowed(const QString& message) {
    return std::any_of(std::begin(allowed), std::end(allowed),
                       [&](const char* start) { return message.startsWith(QLatin1String(start)); });
}

/// QTest::failOnWarning() holds for one test function. Said here, when the warning is there, it holds in all of them;
/// QTest asks first whether the test told it to ignore the message.
void failOrHandOn(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (type == QtWarningMsg && !isAllowed(message)) QTest::failOnWarning(message.toUtf8().constData());
    ofTheTest(type, context, message);
}

}  // namespace

/// Stands in for QTest's own, which QTEST_MAIN and its like call: the same three steps, with a message handler around
/// the one that QTest installs in the first and takes back in the last.
int QTest::qExec(QObject* test, int argc, char** argv) {
    qInit(test, argc, argv);
    ofTheTest = qInstallMessageHandler(failOrHandOn);
    const int failures = qRun();
    qInstallMessageHandler(ofTheTest);
    qCleanup();
    return failures;
}
