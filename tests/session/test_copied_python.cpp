// SPDX-License-Identifier: GPL-3.0-or-later
// "Copy as Python", run as it is copied: Python holds the numbers that the window shows. It takes python3-numpy.
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>

#include "ui/session/open/python_text.h"
#include "ui/session/open/selection.h"
#include "ui/session/open/session.h"
#include "ui/session/open/shipped.h"

using namespace headlight;

namespace {

const QString foreignModels = QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign/");

struct Run {
    int status = -1;
    QString out, error;
    std::vector<float> value;  ///< what `value` holds behind the last line
};

/// In a folder of its own, with the tested headlight-cli at hand.
Run runCopied(const QString& text) {
    const QTemporaryDir folder;
    QFile copied(folder.filePath(QStringLiteral("copied.py")));
    if (!copied.open(QIODevice::WriteOnly)) return {};
    copied.write(text.toUtf8());
    copied.close();
    QProcess python;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"), QFileInfo(QStringLiteral(HEADLIGHT_CLI)).path() + u':' +
                                                   environment.value(QStringLiteral("PATH")));
    environment.insert(QStringLiteral("PYTHONIOENCODING"), QStringLiteral("utf-8"));
    python.setProcessEnvironment(environment);
    python.setWorkingDirectory(folder.path());
    python.start(QStringLiteral("/usr/bin/python3"),
                 {QStringLiteral("-c"), QStringLiteral("exec(open('copied.py', encoding='utf-8').read())\n"
                                                       "value.astype('<f4').tofile('value')")});
    if (!python.waitForFinished(fixture::kLongPatienceMs)) return {};
    Run run{python.exitCode(),
            QString::fromUtf8(python.readAllStandardOutput()),
            QString::fromUtf8(python.readAllStandardError()),
            {}};
    QFile value(folder.filePath(QStringLiteral("value")));
    if (!value.open(QIODevice::ReadOnly)) return run;
    const QByteArray bytes = value.readAll();
    run.value.resize(static_cast<size_t>(bytes.size()) / sizeof(float));
    std::memcpy(run.value.data(), bytes.data(), run.value.size() * sizeof(float));
    return run;
}

/// What the window shows of it: a head of a value that has heads, else all of it.
std::vector<float> shown(const TraceRecord& record, const PythonValue& value) {
    if (value.head < 0) return record.values;
    const size_t each = record.values.size() / static_cast<size_t>(value.heads);
    const auto first = record.values.begin() + static_cast<std::ptrdiff_t>(each * static_cast<size_t>(value.head));
    return {first, first + static_cast<std::ptrdiff_t>(each)};
}

}  // namespace

class TestCopiedPython : public QObject {
    Q_OBJECT
private slots:
    void itHoldsWhatTheWindowShows_data();
    void itHoldsWhatTheWindowShows();
};

void TestCopiedPython::itHoldsWhatTheWindowShows_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("target");
    QTest::addColumn<QStringList>("muted");
    QTest::addColumn<QString>("value");
    QTest::addColumn<int>("head");
    QTest::newRow("a head of a translator, another muted")
        << shippedModel(QStringLiteral("vi-en-transformer")) << "tôi yêu bạn"
        << "i love you" << QStringList{"decoder.layers.0.cross_attn.2"} << "decoder.layers.1.cross_attn.weights" << 3;
    QTest::newRow("what the translator itself writes")
        << shippedModel(QStringLiteral("vi-en-transformer")) << "tôi yêu bạn"
        << "" << QStringList() << "logits" << 0;
    QTest::newRow("quotation marks, a dash in front")
        << shippedModel(QStringLiteral("vi-en-transformer")) << "-\"tôi\" 'yêu' \\ bạn"
        << "" << QStringList() << "encoder.output" << 0;
    QTest::newRow("a network's values in a folder of BERT's") << foreignModels + "bert"
                                                              << "5 9 11"
                                                              << "" << QStringList() << "layers.1.ffn.activation" << 0;
    QTest::newRow("a head of Llama's") << foreignModels + "llama"
                                       << "5 9 11"
                                       << "" << QStringList{"layers.0.self_attn.1"} << "layers.1.self_attn.weights"
                                       << 2;
}

void TestCopiedPython::itHoldsWhatTheWindowShows() {
    QFETCH(QString, model);
    QFETCH(QString, source);
    QFETCH(QString, target);
    QFETCH(QStringList, muted);
    QFETCH(QString, value);
    QFETCH(int, head);
    Session session;
    session.openModel(model);
    QTRY_VERIFY_WITH_TIMEOUT(session.model(), fixture::kLongPatienceMs);
    session.setInput(source, target, muted);
    QTRY_VERIFY_WITH_TIMEOUT(session.isSettled() && session.reading() && session.reading()->source == source,
                             fixture::kLongPatienceMs);
    Selection selection;
    selection.setTrace(session.reading()->trace);
    selection.setValue(value);
    selection.setHead(head);
    const auto copied = pythonValueOf(session, selection);
    QVERIFY(copied);
    QCOMPARE(copied->name, value);
    const Run run = runCopied(pythonFor(*copied));
    QVERIFY2(run.status == 0, qPrintable(run.error));
    const TraceRecord& record = session.reading()->trace->at(value.toStdString());
    QCOMPARE(run.value, shown(record, *copied));  // the same engine: the same to the bit
    QString shape;
    for (size_t axis = copied->head < 0 ? 0 : 1; axis < record.shape.size(); ++axis)
        shape += (shape.isEmpty() ? QString() : QStringLiteral(", ")) + QString::number(record.shape[axis]);
    QVERIFY2(run.out.contains(u'(' + shape + u')'), qPrintable(run.out));
    for (const std::string& token : session.reading()->trace->sourceTokens)
        QVERIFY2(run.out.section(u'\n', 0, 0).contains(QString::fromStdString(token)) || token == "\\",
                 qPrintable(run.out));
}

QTEST_GUILESS_MAIN(TestCopiedPython)
#include "test_copied_python.moc"
