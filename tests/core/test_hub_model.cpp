// SPDX-License-Identifier: GPL-3.0-or-later
// What the hub says of a model: which files are fetched, and what is known before they are.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/import/hub_cache.h"
#include "core/import/hub_model.h"
#include "core/import/import_model.h"

using namespace headlight;
namespace fs = std::filesystem;

namespace {

using nlohmann::json;

const std::string kCommit(40, 'c'), kGit(40, '1'), kLarge(64, '2');

json file(const char* name, std::int64_t size = 100) {
    return {{"rfilename", name}, {"size", size}, {"blobId", kGit}};
}

json largeFile(const char* name, std::int64_t size) {
    json listed = file(name, 130);
    listed["lfs"] = {{"sha256", kLarge}, {"size", size}, {"pointerSize", 130}};
    return listed;
}

json answer(json files) {
    return {{"id", "EleutherAI/pythia-70m"}, {"sha", kCommit}, {"gated", false}, {"siblings", std::move(files)}};
}

HubModel model(const json& told) {
    return hubModelFromJson(told.dump(), "pythia");
}

QStringList names(const std::vector<HubFile>& files) {
    QStringList all;
    for (const HubFile& each : files)
        all << QString::fromStdString(each.name);
    all.sort();
    return all;
}

template <class Call>
QByteArray refusal(const Call& call) {
    try {
        call();
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

std::string configOf(const char* golden) {
    std::ifstream file(std::string(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign/") + golden + "/config.json");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace

class TestHubModel : public QObject {
    Q_OBJECT
private slots:
    void onlyWhatAModelIsOpenedFromIsFetched() {
        const HubModel one =
            model(answer({file(".gitattributes"), file("README.md"), file("config.json"),
                          largeFile("model.safetensors", 166'029'852), largeFile("pytorch_model.bin", 9),
                          file("tokenizer.json"), file("modeling_evil.py"), file("onnx/config.json"),
                          largeFile("tf_model.h5", 9), file("special_tokens_map.json")}));
        QCOMPARE(one.name, std::string("EleutherAI/pythia-70m"));
        QCOMPARE(one.commit, kCommit);
        QVERIFY(!one.isGated);
        const std::vector<HubFile> needed = neededFiles(one);
        QCOMPARE(names(needed),
                 (QStringList{"config.json", "model.safetensors", "special_tokens_map.json", "tokenizer.json"}));
        QCOMPARE(bytesOf(needed), 166'029'852 + 300);
        QCOMPARE(one.file("model.safetensors")->hash, kLarge);
        QCOMPARE(one.file("config.json")->hash, kGit);
        QVERIFY(one.file("missing") == nullptr);
    }
    void shardsComeWithTheirList() {
        const json shards = {file("config.json"), file("model.safetensors.index.json"),
                             largeFile("model-00001-of-00002.safetensors", 5),
                             largeFile("model-00002-of-00002.safetensors", 6), largeFile("model-fp16.safetensors", 7)};
        QCOMPARE(names(neededFiles(model(answer(shards)))),
                 (QStringList{"config.json", "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors",
                              "model.safetensors.index.json"}));
        // Where both are there, the whole file is enough.
        json both = shards;
        both.push_back(largeFile("model.safetensors", 11));
        QCOMPARE(names(neededFiles(model(answer(both)))), (QStringList{"config.json", "model.safetensors"}));
    }
    void whatCannotBeOpenedIsOneLine_data() {
        QTest::addColumn<QByteArray>("files");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* name, const json& files, const char* said) {
            QTest::newRow(name) << QByteArray::fromStdString(files.dump()) << QByteArray(said);
        };
        row("no configuration", json::array({largeFile("model.safetensors", 5)}), "has no config.json");
        row("a pickle", {file("config.json"), largeFile("pytorch_model.bin", 5)}, "only as a pickle");
        row("no weights", {file("config.json"), file("README.md")}, "no weights as safetensors");
        json unknown = file("config.json");
        unknown["blobId"] = "../../etc/passwd";
        row("a hash that is none", {unknown, largeFile("model.safetensors", 5)}, "does not say what is in config.json");
        row("no size", {file("config.json", 0), largeFile("model.safetensors", 5)}, "does not say what is in");
    }
    void whatCannotBeOpenedIsOneLine() {
        QFETCH(QByteArray, files);
        QFETCH(QByteArray, said);
        const HubModel told = model(answer(json::parse(files.toStdString())));
        const QByteArray what = refusal([&] { neededFiles(told); });
        QVERIFY2(what.startsWith("EleutherAI/pythia-70m") && what.contains(said) && !what.contains('\n'), what);
    }
    void anAnswerThatIsNoneIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArray("<html>Sign in</html>");
        QTest::newRow("a list") << QByteArray("[]");
        const auto row = [](const char* name, const char* key, const json& value) {
            json told = answer(json::array({file("config.json")}));
            told[key] = value;
            QTest::newRow(name) << QByteArray::fromStdString(told.dump());
        };
        row("a name that leads out", "id", "../../home");
        row("no name", "id", 7);
        row("a commit that leads out", "sha", "../../../home");
        row("no commit", "sha", nullptr);
        row("no files", "siblings", "all");
    }
    void anAnswerThatIsNoneIsRefused() {
        QFETCH(QByteArray, text);
        const QByteArray what = refusal([&] { hubModelFromJson(text.toStdString(), "pythia"); });
        QVERIFY2(what.startsWith("pythia") && !what.contains('\n'), what);
    }
    void aGatedModelIsKnownAsOne() {
        json told = answer(json::array({file("config.json")}));
        told["gated"] = "manual";
        QVERIFY(model(told).isGated);
    }

    void aSearchKeepsWhatMayBeOpened() {
        const json found = {
            {{"id", "EleutherAI/pythia-70m"}, {"tags", {"transformers", "safetensors", "gpt_neox"}}},
            {{"modelId", "gpt2"}, {"tags", {"pytorch", "safetensors", "gpt2"}}},
            {{"id", "some/diffusion"}, {"tags", {"diffusers", "safetensors"}}},
            {{"id", "old/bert"}, {"tags", {"pytorch", "bert"}}},
            {{"id", "says/nothing"}},
            {{"id", "../evil"}, {"tags", {"safetensors", "bert"}}},
            7,
        };
        const HubSearch search = hubSearchFromJson(found.dump());
        QCOMPARE(search.found, 7);
        QCOMPARE(search.names, (std::vector<std::string>{"EleutherAI/pythia-70m", "gpt2", "says/nothing"}));
        QVERIFY(!refusal([] { hubSearchFromJson("{}"); }).isEmpty());
        QVERIFY(!refusal([] { hubSearchFromJson("<html>"); }).isEmpty());
    }

    void kindAndSizesAreSaidOfEveryKind() {
        int seen = 0;
        for (const auto& folder : fs::directory_iterator(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign")) {
            const std::string name = folder.path().filename().string();
            if (!fs::exists(folder.path() / "config.json")) continue;
            const json config = json::parse(configOf(name.c_str()));
            if (config.value("model_type", "") == "pytorch") continue;
            HubModel told{.name = name, .commit = kCommit};
            const ModelOutline outline = outlineOf(told, config.dump());
            QVERIFY2(!outline.kind.empty() && outline.config.numLayers > 0 && outline.config.numHeads > 0,
                     name.c_str());
            QVERIFY2(outline.parameters > 0 && outline.memory == 4 * outline.parameters, name.c_str());
            QCOMPARE(outlineOf(readCardOf(folder.path().string())).kind, outline.kind);
            // What its publisher counted is what is said.
            told.parameters = 1'000'000'000;
            QCOMPARE(outlineOf(told, config.dump()).parameters, 1'000'000'000);
            QCOMPARE(outlineOf(told, config.dump()).memory, 4'000'000'000);
            ++seen;
        }
        QVERIFY2(seen >= 20, qPrintable(QString::number(seen)));
        const HubModel strange{.name = "some/mamba", .commit = kCommit};
        const QByteArray said = refusal([&] { outlineOf(strange, R"({"model_type": "mamba"})"); });
        QVERIFY2(said.startsWith("some/mamba/config.json") && said.contains("mamba"), said);
    }

    void aSnapshotIsMadeAsOtherProgramsMakeIt() {
        QTemporaryDir root;
        const fs::path folder = fs::path(root.path().toStdString()) / "models--some--model";
        fs::create_directories(folder / "blobs");
        for (const std::string& hash : {kGit, kLarge})
            std::ofstream(hubBlob(folder.string(), hash)) << hash;
        const std::vector<SnapshotFile> files{{"config.json", kGit}, {"model.safetensors", kLarge}};
        for (const char* revision : {"main", "refs-like/v1"}) {
            makeSnapshot(folder.string(), kCommit, revision, files);
            makeSnapshot(folder.string(), kCommit, revision, files);  // what is there is replaced
            QCOMPARE(hubSnapshot(folder.string(), revision), (folder / "snapshots" / kCommit).string());
        }
        QCOMPARE(fs::read_symlink(folder / "snapshots" / kCommit / "model.safetensors").string(),
                 "../../blobs/" + kLarge);
        QCOMPARE(std::distance(fs::directory_iterator(folder / "snapshots" / kCommit), fs::directory_iterator()), 2);
        makeSnapshot(folder.string(), kCommit, kCommit, files);
        QVERIFY(!fs::exists(folder / "refs" / kCommit));
        // Where nothing can be written, the system's reason is said.
        std::ofstream(fs::path(root.path().toStdString()) / "file") << "in the way";
        QVERIFY(refusal([&] {
                    makeSnapshot(root.path().toStdString() + "/file", kCommit, "main", files);
                }).contains("cannot be written"));
    }
};

QTEST_GUILESS_MAIN(TestHubModel)
#include "test_hub_model.moc"
