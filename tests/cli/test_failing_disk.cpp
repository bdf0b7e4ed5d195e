// SPDX-License-Identifier: GPL-3.0-or-later
// A disk on which each call in turn fails: a line says so, and what stood there before stands there still.
#include <QDir>
#include <QDirIterator>
#include <QTest>

#include "tests/cli/command_line.h"

using namespace cli;

namespace {

/// What a folder holds, by path.
using Files = QMap<QString, QByteArray>;

Files filesIn(const QString& folder) {
    Files files;
    QDirIterator each(folder, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                      QDirIterator::Subdirectories);
    while (each.hasNext()) {
        const QString path = each.next();
        files.insert(QDir(folder).relativeFilePath(path),
                     each.fileInfo().isDir() ? QByteArray("folder") : cli::read(path));
    }
    return files;
}

}  // namespace

class TestCliFailingDisk : public cli::Test {
    Q_OBJECT
private slots:
    void nothingIsLostNorHalfWritten_data() {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("train") << QStringList{"train", "--task",        "copy",         "--steps", "2",
                                              "--out", "m.safetensors", "--checkpoint", "c",       "--checkpoint-every",
                                              "2"} +
                                      tinySizes;
        QTest::newRow("import") << QStringList{"import", recurrentModel, "--dtype", "f16", "--out", "m.safetensors"};
        QTest::newRow("export") << QStringList{"export", recurrentModel, "--format", "pytorch", "--out", "folder"};
        for (const char* name : {"t.json", "t.npz", "t.safetensors"})
            QTest::newRow(name) << QStringList{"trace", recurrentModel, "--source", "tôi học tiếng anh", "--out", name};
        QTest::newRow("tree") << QStringList{"translate", recurrentModel, "tôi học tiếng anh", "--beam", "2",
                                             "--tree",    "t.json"};
    }

    void nothingIsLostNorHalfWritten() {
        QFETCH(QStringList, command);
        makeFolder();
        const Result good = run(command);
        QVERIFY2(good.status == 0, good.error);
        const Files whole = filesIn(folder());
        QTemporaryDir elsewhere;
        const QString mark = elsewhere.filePath("failed");
        for (const QByteArray call : {"create", "write", "sync", "rename"}) {
            int failures = 0;
            for (int first = 1, second = 2;; second += std::exchange(first, second)) {  // 1, 2, 3, 5, 8, …
                makeFolder();
                for (const QString& name : whole.keys())
                    if (whole[name] != "folder" && !name.contains('/')) cli::write(path(name), "what was there before");
                const Files before = filesIn(folder());
                QFile::remove(mark);
                const Result failed = run(command, {},
                                          {{"LD_PRELOAD", HEADLIGHT_FAILING_CALLS},
                                           {"HEADLIGHT_FAILS", call + ':' + QByteArray::number(first)},
                                           {"HEADLIGHT_FAILED", mark}});
                if (!QFile::exists(mark)) {  // it has no more such calls
                    QVERIFY2(failed.status == 0, failed.error);
                    break;
                }
                ++failures;
                const QByteArray what = call + ' ' + QByteArray::number(first) + ": " + failed.error;
                QVERIFY2(failed.status == 1, what);
                QVERIFY2(failed.error.trimmed().split('\n').last().startsWith("headlight-cli: error: "), what);
                const Files after = filesIn(folder());
                for (const QString& name : after.keys())
                    QVERIFY2(after[name] == whole.value(name) || after[name] == before.value(name),
                             what + qPrintable(name));
                for (const QString& name : before.keys())
                    QVERIFY2(after.contains(name), what + qPrintable(name));
            }
            QVERIFY2(failures > 0, call);
        }
    }
};

QTEST_GUILESS_MAIN(TestCliFailingDisk)
#include "test_failing_disk.moc"
