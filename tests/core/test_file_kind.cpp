// SPDX-License-Identifier: GPL-3.0-or-later
// What a file is, by its name and its first bytes.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/error.h"
#include "core/import/file_kind.h"
#include "core/import/import_model.h"

using namespace headlight;

class TestFileKind : public QObject {
    Q_OBJECT
private slots:
    void aFileIsWhatItBeginsWith_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("kind");
        const auto add = [](const char* name, const QByteArray& bytes, FileKind kind) {
            QTest::newRow(name) << bytes << static_cast<int>(kind);
        };
        add("pairs.tsv", "I know.\tJe sais.\n", FileKind::Text);
        add("book", "Once upon a time", FileKind::Text);
        add("LETTERS.TXT",
            "\xef\xbb\xbf"
            "A letter",
            FileKind::Text);
        add("pairs.tsv.gz", QByteArray("\x1f\x8b\x08\0\0\0\0\0", 8), FileKind::Text);
        add("excel.txt",
            QByteArray("\xff\xfe"
                       "I\0 \0",
                       6),
            FileKind::Text);
        add("latin.csv", "caf\xe9;coffee\n", FileKind::Text);
        add("pairs.jsonl", "{\"en\": \"a\"}\n", FileKind::Text);
        add("train.json", "{\"en\": \"a\"}\n{\"en\": \"b\"}\n", FileKind::Text);
        add("list.json", "[{\"en\": \"a\"}]", FileKind::Text);
        add("laid out.json", "\xef\xbb\xbf[\r\n  {\r\n    \"en\": \"a\"", FileKind::Text);
        add("excel.json", QByteArray("\xff\xfe[\0{\0", 6), FileKind::Text);
        add("merges.json", "[[\"a\", \"b\"]]", FileKind::Model);
        add("marked.csv", QByteArray("I\0,\0J\0", 6), FileKind::Text);
        add("one.safetensors", QByteArray("\x10\0\0\0\0\0\0\0{}", 10), FileKind::Model);
        add("model.bin", QByteArray("PK\x03\x04\0\0", 6), FileKind::Model);
        add("config.json", "{\"model_type\": \"bert\"}", FileKind::Model);
        add("vocab.txt", "[PAD]\n[UNK]\n", FileKind::Model);
        add("served.json", "{\"features\": [{\"name\": \"en\"}], \"rows\": []}", FileKind::Text);
        add("squad.json", "{\"version\": \"1.1\", \"data\": [\n{\"title\"", FileKind::Text);
        add("tokenizer.json", "{\"version\": \"1.0\", \"rows\": [{\"id\": 0}]}", FileKind::Model);
        add("renamed.json", "{\"version\": \"1.0\", \"added_tokens\": [{\"id\": 0}]}", FileKind::Model);
        add("empty.txt", "", FileKind::Text);
        add("empty", "", FileKind::Model);
        add("table.xlsx", "PK\x03\x04", FileKind::Text);
        add("table.parquet", QByteArray("PAR1\0", 5), FileKind::Text);
        add("table.tsv.xz", QByteArray("\xfd\x37zXZ\0", 6), FileKind::Text);
        add("fra-eng.zip",
            QByteArray("PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0"
                       "fra.txt",
                       37),
            FileKind::Text);
        add("lesson.md", "---\ntitle: x\n", FileKind::Lessons);
        add("pack.ZIP", "PK", FileKind::Lessons);
    }
    void aFileIsWhatItBeginsWith() {
        QFETCH(QByteArray, bytes);
        QFETCH(int, kind);
        const QString path = write(QString::fromLatin1(QTest::currentDataTag()), bytes);
        QCOMPARE(static_cast<int>(kindOfFile(path.toStdString())), kind);
    }

    void foldersAreOfModelsOrOfLessons() {
        QVERIFY(QDir(m_folder.path()).mkdir(QStringLiteral("lessons")));
        QVERIFY(kindOfFile(m_folder.filePath(QStringLiteral("lessons")).toStdString()) == FileKind::Lessons);
        QVERIFY(kindOfFile(m_folder.filePath(QStringLiteral("nowhere")).toStdString()) == FileKind::Model);
    }

    /// Whoever opens it as a model is told what it is, and not how long its header would be.
    void aTextIsNoModel() {
        const QString path = write(QStringLiteral("fra.txt"), "Go.\tVa !\nRun!\tCours !\n");
        try {
            openModel(path.toStdString());
            QFAIL("a text was opened as a model");
        } catch (const Error& error) {
            const QString said = QString::fromUtf8(error.what());
            QVERIFY2(said.contains("this is a text, and no model") && said.contains("Train"), qPrintable(said));
        }
    }

private:
    QString write(const QString& name, const QByteArray& bytes) {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly)) qFatal("no file can be written");
        file.write(bytes);
        return file.fileName();
    }

    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestFileKind)
#include "test_file_kind.moc"
