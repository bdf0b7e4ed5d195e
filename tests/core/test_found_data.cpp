// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a model learned from are found again, or it is said which is not.
#include <QCryptographicHash>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/data/found_data.h"
#include "core/data/training_recipe.h"
#include "core/platform/file_hash.h"
#include "tests/core/opened.h"

using namespace headlight;
namespace fs = std::filesystem;

class TestFoundData : public QObject {
    Q_OBJECT
private slots:
    void theHashIsThatOfTheStandard_data();
    void theHashIsThatOfTheStandard();
    void filesAreFoundWhereTheyWereAndWhereTheyWent();
    void aModelOfATaskNeedsNoFile();
    void aModelThatSaysNothingIsToldSo();
};

void TestFoundData::theHashIsThatOfTheStandard_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("digits");
    QTest::newRow("nothing") << QByteArray() << "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    QTest::newRow("abc") << QByteArray("abc") << "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
}

void TestFoundData::theHashIsThatOfTheStandard() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, digits);
    QCOMPARE(QString::fromStdString(platform::sha256(std::span(bytes.data(), static_cast<size_t>(bytes.size())))),
             digits);
    // Of every length about a block, and of files larger than what is read at once.
    for (const int length : {55, 56, 63, 64, 65, 119, 120, 3'000'001}) {
        const QByteArray many(length, 'q');
        const QByteArray wanted = QCryptographicHash::hash(many, QCryptographicHash::Sha256).toHex();
        QTemporaryDir folder;
        const std::string path = folder.filePath("f").toStdString();
        std::ofstream(path, std::ios::binary) << many.toStdString();
        QCOMPARE(QByteArray::fromStdString(platform::sha256OfFile(path)), wanted);
        QVERIFY(platform::sha256OfFile(folder.path().toStdString()).empty());
    }
}

void TestFoundData::filesAreFoundWhereTheyWereAndWhereTheyWent() {
    using Missing = FoundData::Missing;
    QTemporaryDir folder;
    const fs::path root = folder.path().toStdString(), texts = root / "texts", models = root / "models",
                   elsewhere = root / "elsewhere";
    for (const fs::path& each : {texts, models, elsewhere})
        fs::create_directory(each);
    const auto write = [](const fs::path& path, const char* more) {
        std::ofstream file(path);
        for (int i = 0; i < 60; ++i)
            file << "source " << i << more << "\ttarget " << i << "\n";
    };
    const fs::path data = texts / "a.tsv";
    write(data, "");
    TrainingRecipe recipe;
    recipe.data.files = {.pairs = data.string()};
    recipe.data.sizes = {.validation = 5, .test = 7};
    recipe.options.seed = 3;
    TrainedModel model = fixture::loadShipped("vi-en-transformer");
    model.training = TrainingStory(nlohmann::json{{"data", recipe.data.files.description()}, {"seed", 3}});
    QVERIFY(model.training.json()["data"]["sha256"].contains("pairs"));
    QVERIFY(model.training.json().dump().find(folder.path().toStdString()) == std::string::npos);
    const std::string saved = (models / "m.safetensors").string();
    saveModel(model, saved);
    const TrainedModel opened = loadModel(saved);
    QCOMPARE(opened.file, saved);

    // Nothing says where it was.
    FoundData found = findData(opened);
    QVERIFY(!found.data && found.missing == Missing::Gone);
    QCOMPARE(found.file, std::string("a.tsv"));
    writeSettings(settingsFileOf(saved), settingsOf(recipe), "how");
    found = findData(opened);
    QVERIFY(found.data.has_value());
    QCOMPARE(found.data->files.pairs, data.string());
    QCOMPARE(found.seed, uint64_t{3});
    QCOMPARE(found.data->splits(found.seed).test.size(), size_t{7});

    write(data, " changed");
    found = findData(opened);
    QVERIFY(!found.data && found.missing == Missing::Changed);
    QCOMPARE(found.folder, texts.string());
    fs::remove(data);
    found = findData(opened);
    QVERIFY(!found.data && found.missing == Missing::Gone);
    QCOMPARE(found.folder, texts.string());

    // Beside the model, with the right contents and no others.
    write(models / "a.tsv", " changed");
    QVERIFY(findData(opened).missing == Missing::Changed);
    write(models / "a.tsv", "");
    QVERIFY(findData(opened).data.has_value());
    fs::remove(models / "a.tsv");
    // Wherever it was read since.
    write(elsewhere / "a.tsv", "");
    rememberDataFile((elsewhere / "a.tsv").string());
    found = findData(opened);
    QVERIFY(found.data.has_value());
    QCOMPARE(found.data->files.pairs, (elsewhere / "a.tsv").string());
}

void TestFoundData::aModelOfATaskNeedsNoFile() {
    const FoundData found = findData(fixture::loadShipped("vi-en-transformer"));
    QVERIFY(found.data.has_value());
    QCOMPARE(found.data->files.task, std::string("vi-en"));
}

void TestFoundData::aModelThatSaysNothingIsToldSo() {
    for (const auto& story :
         {nlohmann::json::object(), nlohmann::json{{"data", 7}}, nlohmann::json{{"data", {{"pairs", 5}}}},
          nlohmann::json{{"imported", {{"kind", "gpt2"}}}}}) {
        TrainedModel model = fixture::loadShipped("vi-en-transformer");
        model.training = TrainingStory(story);
        QVERIFY(!findData(model).data);
    }
}

QTEST_GUILESS_MAIN(TestFoundData)
#include "test_found_data.moc"
