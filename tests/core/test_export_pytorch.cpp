// SPDX-License-Identifier: GPL-3.0-or-later
// Folders for PyTorch: what stands in them. What their Python computes tests/export/check_export.py holds to the
// program.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/export/python_files.h"
#include "core/export/pytorch_folder.h"
#include "core/import/import_model.h"

using namespace headlight;

namespace {

const QString exportPytorchShipped = QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/");
const QStringList shared{"README.md",           "command_line.py",       "config.json",     "data.py",
                         "decoding.py",         "model.safetensors",     "modeling.py",     "recurrent.py",
                         "safetensors_file.py", "source_tokenizer.json", "tokenization.py", "train.py",
                         "training.json"};

QByteArray exportedFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestExportPytorch : public QObject {
    Q_OBJECT
private slots:
    void theProgramsAreThoseOfTheFolderResourcesExport();
    void eachModelGetsTheProgramThatFitsIt_data();
    void eachModelGetsTheProgramThatFitsIt();
    void whatHasNoHeadHasNoPrograms();
    void theFolderIsAModelOfOursAndTheSameToTheBit();
    void aFolderThatIsTakenIsLeftAlone();
};

void TestExportPytorch::theProgramsAreThoseOfTheFolderResourcesExport() {
    const QDir folder(HEADLIGHT_SOURCE_DIR "/resources/export");
    QCOMPARE(static_cast<qsizetype>(pythonFiles().size()), folder.entryList(QDir::Files).size());
    for (const PythonFile& file : pythonFiles())
        QCOMPARE(QByteArray(file.text.data(), static_cast<qsizetype>(file.text.size())),
                 exportedFile(
                     folder.filePath(QString::fromUtf8(file.name.data(), static_cast<qsizetype>(file.name.size())))));
}

void TestExportPytorch::eachModelGetsTheProgramThatFitsIt_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QStringList>("more");
    QTest::newRow("transformer") << exportPytorchShipped + "vi-en-transformer.safetensors"
                                 << QStringList{"target_tokenizer.json", "translate.py"};
    QTest::newRow("rnn") << exportPytorchShipped + "chat-gru-attention.safetensors"
                         << QStringList{"target_tokenizer.json", "translate.py"};
    QTest::newRow("language model") << exportPytorchShipped + "stories-lstm.safetensors" << QStringList{"generate.py"};
    QTest::newRow("classifier") << exportPytorchShipped + "sentiment-transformer.safetensors"
                                << QStringList{"classify.py", "target_tokenizer.json"};
    QTest::newRow("masked") << QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign/bert")
                            << QStringList{"fill.py"};
    QTest::newRow("another program's classifier")
        << QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign/distilbert_classifier")
        << QStringList{"classify.py", "target_tokenizer.json"};
}

void TestExportPytorch::eachModelGetsTheProgramThatFitsIt() {
    QFETCH(QString, model);
    QFETCH(QStringList, more);
    const QTemporaryDir folder;
    const QDir out(folder.filePath("out"));
    writePyTorchFolder(openModel(model.toStdString()), out.path().toStdString());
    QStringList expected = shared + more;
    expected.sort();
    QStringList found = out.entryList(QDir::Files | QDir::Hidden);
    found.sort();
    QCOMPARE(found, expected);
    const QByteArray readme = exportedFile(out.filePath("README.md"));
    QVERIFY(!readme.contains("{{"));
    QVERIFY(readme.contains(more.filter(".py").front().toUtf8()));
}

void TestExportPytorch::whatHasNoHeadHasNoPrograms() {
    const QTemporaryDir folder;
    const TrainedModel model = openModel(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign/bert_model");
    try {
        writePyTorchFolder(model, folder.filePath("out").toStdString());
        QFAIL("it was written");
    } catch (const Error& error) {
        QVERIFY2(std::string(error.what()).starts_with("this model has no head"), error.what());
    }
    QVERIFY(!QDir(folder.path()).exists("out"));
}

void TestExportPytorch::theFolderIsAModelOfOursAndTheSameToTheBit() {
    const QTemporaryDir folder;
    const QString model = exportPytorchShipped + "vi-en-transformer.safetensors", out = folder.filePath("out");
    writePyTorchFolder(openModel(model.toStdString()), out.toStdString());
    QVERIFY(isModelFolder(out.toStdString()));
    const TrainedModel opened = openModel(out.toStdString()), before = openModel(model.toStdString());
    QCOMPARE(readCardOf(out.toStdString()).config, before.network->config());
    QVERIFY(std::ranges::equal(opened.network->parameters().flat(), before.network->parameters().flat()));
    QVERIFY(nlohmann::json::parse(exportedFile(out + "/config.json").toStdString()) ==
            before.network->config().toJson());
    QVERIFY(nlohmann::json::parse(exportedFile(out + "/target_tokenizer.json").toStdString()) ==
            before.target->toJson());
}

void TestExportPytorch::aFolderThatIsTakenIsLeftAlone() {
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir("empty"));
    const TrainedModel model = openModel((exportPytorchShipped + "stories-lstm.safetensors").toStdString());
    writePyTorchFolder(model, folder.filePath("empty/").toStdString());
    const QByteArray before = exportedFile(folder.filePath("empty/config.json"));
    QVERIFY(!before.isEmpty());
    QVERIFY_THROWS_EXCEPTION(Error, writePyTorchFolder(model, folder.filePath("empty").toStdString()));
    QCOMPARE(exportedFile(folder.filePath("empty/config.json")), before);
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList{"empty"});
}

QTEST_APPLESS_MAIN(TestExportPytorch)
#include "test_export_pytorch.moc"
