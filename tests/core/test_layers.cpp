// SPDX-License-Identifier: GPL-3.0-or-later
// The order of layers of ARCHITECTURE.md, read off the #include lines.
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace {

const QString layersRoot = QStringLiteral(HEADLIGHT_SOURCE_DIR "/");

/// Folders from the bottom up; a file may include its own folder and those before it.
const QStringList coreOrder{"platform", "tensor", "trace",  "autograd", "nn",   "models",     "text",  "train",
                            "decode",   "io",     "import", "export",   "data", "experiment", "views", "lessons"};
const QStringList uiOrder{"session", "fetch", "widgets", "views", "lessons", "export", "shell"};

QStringList includesOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    static const QRegularExpression line(QStringLiteral("^#include [<\"]([^>\"]+)[>\"]"),
                                         QRegularExpression::MultilineOption);
    QStringList result;
    for (auto it = line.globalMatch(QString::fromUtf8(file.readAll())); it.hasNext();)
        result << it.next().captured(1);
    return result;
}

QStringList sourcesBelow(const QString& folder) {
    QStringList files;
    for (QDirIterator it(layersRoot + folder, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
         it.hasNext();)
        files << it.next();
    return files;
}

}  // namespace

class TestLayers : public QObject {
    Q_OBJECT
private slots:
    void noIncludeClimbs_data();
    void noIncludeClimbs();
    void coreKnowsNoQtAndNothingAboveIt();
    void onlyOneFileCallsBlas();
    void onlyOneFolderAsksANetwork();
    void aTrainedModelNeedsNeitherJsonNorTheTrainer();
    void everyFileSaysItsLicense();
};

void TestLayers::noIncludeClimbs_data() {
    QTest::addColumn<QString>("area");
    QTest::addColumn<QStringList>("order");
    QTest::newRow("core") << "core" << coreOrder;
    QTest::newRow("ui") << "ui" << uiOrder;
}

void TestLayers::noIncludeClimbs() {
    QFETCH(QString, area);
    QFETCH(QStringList, order);
    int checked = 0;
    for (const QString& file : sourcesBelow(area)) {
        const QString inside = file.mid((layersRoot + area + "/").size());
        if (!inside.contains('/')) continue;
        const qsizetype own = order.indexOf(inside.section('/', 0, 0));
        QVERIFY2(own >= 0, qPrintable(file + " is in a folder that has no place in the order"));
        for (const QString& included : includesOf(file)) {
            if (!included.startsWith(area + "/") || included.count('/') < 2) continue;
            const qsizetype other = order.indexOf(included.section('/', 1, 1));
            QVERIFY2(other >= 0 && other <= own,
                     qPrintable(file + " includes " + included + ", which stands above it"));
            ++checked;
        }
    }
    QVERIFY(checked > 40);
}

void TestLayers::coreKnowsNoQtAndNothingAboveIt() {
    static const QRegularExpression qt(QStringLiteral("^(Q[A-Z]|Qt)"));
    for (const QString& file : sourcesBelow("core"))
        for (const QString& included : includesOf(file))
            QVERIFY2(!qt.match(included).hasMatch() && !included.startsWith("ui/") && !included.startsWith("app/"),
                     qPrintable(file + " includes " + included));
    for (const QString& file : sourcesBelow("ui"))
        for (const QString& included : includesOf(file))
            QVERIFY2(!included.startsWith("app/"), qPrintable(file + " includes " + included));
}

void TestLayers::onlyOneFolderAsksANetwork() {
    static const QRegularExpression network(
        QStringLiteral("^(QtNetwork|QNetwork|QTcp|QUdp|QSsl|QLocalSocket|QAbstractSocket|QDns|QHost|sys/socket)"));
    QSet<QString> folders;
    for (const QString& file : sourcesBelow("core") + sourcesBelow("ui") + sourcesBelow("app"))
        for (const QString& included : includesOf(file))
            if (network.match(included).hasMatch()) folders << file.mid(layersRoot.size()).section('/', 0, -2);
    QCOMPARE(folders, QSet<QString>{"ui/fetch"});
}

void TestLayers::onlyOneFileCallsBlas() {
    QStringList callers;
    for (const QString& file : sourcesBelow("core") + sourcesBelow("ui") + sourcesBelow("app"))
        if (includesOf(file).contains("cblas.h")) callers << file.mid(layersRoot.size());
    QCOMPARE(callers, QStringList{"core/tensor/blas.cpp"});
}

/// All that it includes, and what that includes.
void TestLayers::aTrainedModelNeedsNeitherJsonNorTheTrainer() {
    QStringList reached{"core/io/trained_model.h"};
    for (qsizetype i = 0; i < reached.size(); ++i)
        for (const QString& included : includesOf(layersRoot + reached[i]))
            if (!reached.contains(included)) reached << included;
    QVERIFY(reached.contains("core/models/model.h") && reached.contains("core/text/tokenizer.h"));
    for (const QString& each : reached)
        QVERIFY2(each != "nlohmann/json.hpp" && !each.startsWith("core/train/") && each != "core/io/model_file.h",
                 qPrintable(each));
}

void TestLayers::everyFileSaysItsLicense() {
    for (const char* area : {"core", "ui", "app", "tests"})
        for (const QString& path : sourcesBelow(QString::fromLatin1(area))) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(file.readLine().contains("SPDX-License-Identifier: GPL-3.0-or-later"), qPrintable(path));
        }
}

QTEST_APPLESS_MAIN(TestLayers)
#include "test_layers.moc"
