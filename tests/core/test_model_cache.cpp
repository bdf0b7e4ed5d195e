// SPDX-License-Identifier: GPL-3.0-or-later
// Models by the names that they have on Hugging Face, of those that its programs have downloaded already.
#include <QByteArray>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/import/hub_settings.h"
#include "core/import/import_model.h"
#include "core/import/model_cache.h"
#include "tests/cached_model.h"
#include "tests/gguf_folder.h"

using namespace headlight;
namespace fs = std::filesystem;

namespace {

constexpr const char* variables[] = {"HF_HUB_CACHE",
                                     "HUGGINGFACE_HUB_CACHE",
                                     "HF_HOME",
                                     "XDG_CACHE_HOME",
                                     "HOME",
                                     "HF_ENDPOINT",
                                     "HF_TOKEN",
                                     "HUGGING_FACE_HUB_TOKEN",
                                     "HF_TOKEN_PATH",
                                     "HF_HUB_OFFLINE",
                                     "TRANSFORMERS_OFFLINE"};
const std::string older = "1a2b3c4d5e6f", newer = "1a2b9f8e7d6c";

/// What is said of the name; empty where it opens.
QByteArray refusal(const std::string& name) {
    try {
        openModel(name);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

std::string snapshotName(const std::string& name) {
    return fs::path(cachedModel(name)).filename().string();
}

/// Is it refused in one line that says all of these?
bool says(const std::string& name, const QList<QByteArray>& parts) {
    const QByteArray what = refusal(name);
    const bool all = !what.isEmpty() && !what.contains('\n') &&
                     std::ranges::all_of(parts, [&](const QByteArray& part) { return what.contains(part); });
    if (!all) qWarning("%s: %s", name.c_str(), what.constData());
    return all;
}

}  // namespace

class TestModelCache : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void theVariablesAreAskedInTheirOrder();
    void whoAsksTheHubAndWhereItIs();
    void aModelOpensByItsName();
    void aNameWithoutItsOwnerMeansTheOnlyModelThatBearsIt();
    void aRevisionIsARefOrACommit();
    void aGgufFileOpensByTheNameOfItsModel();
    void whatStandsAtThePathComesFirst();
    void pathsAreNoNames_data();
    void pathsAreNoNames();
    void anUnknownNameIsToldWithThoseThatAreLikeIt();
    void whatIsNotWholeIsNamed();
    void linksThatLeadOutOfTheCacheAreRefused();

private:
    fs::path root() const { return m_folder->path().toStdString(); }
    fs::path cache() const { return root() / "cache"; }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::map<const char*, std::optional<QByteArray>> m_before;
    QString m_directory;
};

void TestModelCache::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    for (const char* name : variables) {
        m_before[name] = qEnvironmentVariableIsSet(name) ? std::optional(qgetenv(name)) : std::nullopt;
        qunsetenv(name);
    }
    qputenv("HF_HUB_CACHE", QByteArray::fromStdString(cache().string()));
    m_directory = QDir::currentPath();
    fs::create_directories(root() / "here");
    QDir::setCurrent(QString::fromStdString((root() / "here").string()));
}

void TestModelCache::cleanup() {
    QDir::setCurrent(m_directory);
    for (const auto& [name, value] : m_before)
        if (value)
            qputenv(name, *value);
        else
            qunsetenv(name);
}

void TestModelCache::theVariablesAreAskedInTheirOrder() {
    qputenv("HF_HUB_CACHE", "/first");
    qputenv("HUGGINGFACE_HUB_CACHE", "/second");
    qputenv("HF_HOME", "~/third");
    qputenv("XDG_CACHE_HOME", "/fourth");
    qputenv("HOME", "/fifth");
    QCOMPARE(hubCacheFolder(), std::string("/first"));
    qputenv("HF_HUB_CACHE", "");
    QCOMPARE(hubCacheFolder(), std::string("/second"));
    qunsetenv("HUGGINGFACE_HUB_CACHE");
    QCOMPARE(hubCacheFolder(), std::string("/fifth/third/hub"));
    qunsetenv("HF_HOME");
    QCOMPARE(hubCacheFolder(), std::string("/fourth/huggingface/hub"));
    qunsetenv("XDG_CACHE_HOME");
    QCOMPARE(hubCacheFolder(), std::string("/fifth/.cache/huggingface/hub"));
    qunsetenv("HOME");
    QCOMPARE(hubCacheFolder(), std::string());
    QVERIFY(refusal("gpt2").contains("gpt2"));
}

void TestModelCache::whoAsksTheHubAndWhereItIs() {
    for (const char* name : {"HF_ENDPOINT", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_TOKEN_PATH", "HF_HUB_OFFLINE",
                             "TRANSFORMERS_OFFLINE"})
        qunsetenv(name);
    QCOMPARE(hubEndpoint(), std::string("https://huggingface.co"));
    qputenv("HF_ENDPOINT", " https://mirror.example/hub// ");
    QCOMPARE(hubEndpoint(), std::string("https://mirror.example/hub"));
    QCOMPARE(hubToken(), std::string());
    qputenv("HF_HOME", root().c_str());
    std::ofstream(root() / "token") << "hf_kept \nmore\n";
    QCOMPARE(hubToken(), std::string("hf_kept"));
    std::ofstream(root() / "other") << "hf_elsewhere";
    qputenv("HF_TOKEN_PATH", (root() / "other").c_str());
    QCOMPARE(hubToken(), std::string("hf_elsewhere"));
    qputenv("HUGGING_FACE_HUB_TOKEN", "hf_old");
    QCOMPARE(hubToken(), std::string("hf_old"));
    qputenv("HF_TOKEN", "hf_set");
    QCOMPARE(hubToken(), std::string("hf_set"));
    for (const char* no : {"", "0", "false"}) {
        qputenv("HF_HUB_OFFLINE", no);
        QVERIFY(!hubIsOffline());
    }
    qputenv("HF_HUB_OFFLINE", "True");
    QVERIFY(hubIsOffline());
    qunsetenv("HF_HUB_OFFLINE");
    qputenv("TRANSFORMERS_OFFLINE", "1");
    QVERIFY(hubIsOffline());
}

void TestModelCache::aModelOpensByItsName() {
    fixture::cacheModel(cache(), "EleutherAI/pythia-70m", "gpt_neox", older);
    fixture::cacheModel(cache(), "gpt2", "gpt2", newer);
    const TrainedModel model = openModel("EleutherAI/pythia-70m"),
                       plain = openModel(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign/gpt_neox");
    QVERIFY(std::ranges::equal(std::as_const(*model.network).parameters().flat(),
                               std::as_const(*plain.network).parameters().flat()));
    QCOMPARE(model.training.json()["imported"]["from"].get<std::string>(), std::string("EleutherAI/pythia-70m"));
    QVERIFY(readCardOf("EleutherAI/pythia-70m").config == model.network->config());
    QCOMPARE(openModel("gpt2").training.json()["imported"]["kind"].get<std::string>(), std::string("gpt2"));
    QCOMPARE(cachedModel("EleutherAI/pythia"), std::string());
}

void TestModelCache::aNameWithoutItsOwnerMeansTheOnlyModelThatBearsIt() {
    fixture::cacheModel(cache(), "openai-community/gpt2", "gpt2", older);
    QCOMPARE(snapshotName("gpt2"), older);
    fixture::cacheModel(cache(), "somebody/gpt2", "gpt2", newer);
    QVERIFY(says("gpt2", {"openai-community/gpt2, somebody/gpt2", "with its owner"}));
    QCOMPARE(snapshotName("somebody/gpt2"), newer);
    // One that has no owner is meant itself.
    fixture::cacheModel(cache(), "gpt2", "gpt2", "0011223344");
    QCOMPARE(snapshotName("gpt2"), std::string("0011223344"));
}

void TestModelCache::aRevisionIsARefOrACommit() {
    const fs::path model = fixture::cacheModel(cache(), "some/tiny", "gpt2", older);
    fixture::cacheModel(cache(), "some/tiny", "gpt_neox", newer, "refs/pr/1");
    QCOMPARE(snapshotName("some/tiny"), older);
    QCOMPARE(snapshotName("some/tiny@main"), older);
    QCOMPARE(snapshotName("tiny@refs/pr/1"), newer);
    QCOMPARE(snapshotName("tiny@" + newer), newer);
    QCOMPARE(snapshotName("tiny@1a2b9"), newer);
    QVERIFY(says("tiny@1a2b", {"several revisions", older.c_str(), newer.c_str()}));
    // Fewer than four digits are as likely a name.
    QVERIFY(says("tiny@1a", {"no revision 1a", older.c_str(), "headlight --get some/tiny@1a"}));
    QVERIFY(says("tiny@v2.0", {"no revision v2.0", "some/tiny@v2.0"}));
    fs::remove_all(model / "refs");
    QVERIFY(says("tiny", {"no refs/main"}));
    QCOMPARE(snapshotName("tiny@" + older), older);
}

void TestModelCache::aGgufFileOpensByTheNameOfItsModel() {
    fixture::cacheModel(cache(), "some/packed", "llama", older);
    const fs::path snapshot = cache() / "models--some--packed/snapshots" / older;
    const fs::path golden = HEADLIGHT_SOURCE_DIR "/tests/golden/foreign/llama";
    for (const char* file : {"config.json", "model.safetensors"})
        fs::remove(snapshot / file);
    fixture::GgufConversion(fixture::configIn(golden), fixture::tensorsIn(golden))
        .file(fixture::GgufType::F32)
        .write((snapshot / "packed.gguf").string());
    QCOMPARE(openModel("some/packed").network->config().numKvHeads, 2);
    QCOMPARE(openModel("packed").network->config().numKvHeads, 2);
}

void TestModelCache::whatStandsAtThePathComesFirst() {
    fixture::cacheModel(cache(), "gpt2", "gpt2", older);
    QCOMPARE(modelOrCached("gpt2"), cachedModel("gpt2"));
    fs::create_directories("gpt2");
    QCOMPARE(modelOrCached("gpt2"), std::string("gpt2"));
    QVERIFY(says("gpt2", {"gpt2 has no config.json"}));
    fs::remove("gpt2");
    // A file that a link names and that is gone is not another model.
    fs::create_symlink("nowhere", "gpt2");
    QCOMPARE(modelOrCached("gpt2"), std::string("gpt2"));
}

void TestModelCache::pathsAreNoNames_data() {
    QTest::addColumn<QString>("path");
    for (const char* path : {"", "/gpt2", "./gpt2", "../gpt2", "a/b/c", "gpt2/", "gpt2.safetensors", "a/config.json",
                             "two words", "a--b", "gpt2@", "gpt2@../x", "gpt2@/x", "gpt2@x/", "@main", "a..b"})
        QTest::newRow(*path == '\0' ? "nothing" : path) << QString::fromLatin1(path);
}

void TestModelCache::pathsAreNoNames() {
    QFETCH(QString, path);
    fixture::cacheModel(cache(), "gpt2", "gpt2", older);
    QVERIFY(!isModelName(path.toStdString()));
    QCOMPARE(modelOrCached(path.toStdString()), path.toStdString());
    QCOMPARE(cachedModel(path.toStdString()), std::string());
}

void TestModelCache::anUnknownNameIsToldWithThoseThatAreLikeIt() {
    const QByteArray folder = QByteArray::fromStdString(cache().string());
    QVERIFY(says("EleutherAI/pythia-70m", {"no file EleutherAI/pythia-70m", "no model of that name in " + folder,
                                           "headlight --get EleutherAI/pythia-70m"}));
    fixture::cacheModel(cache(), "EleutherAI/pythia-160m", "gpt_neox", older);
    fixture::cacheModel(cache(), "other/GPT2-medium", "gpt2", older);
    QVERIFY(says("EleutherAI/pythia-70m", {"which has EleutherAI/pythia-160m"}));
    QVERIFY(!refusal("EleutherAI/pythia-70m").contains("GPT2"));
    QVERIFY(says("gpt2@v1", {"which has other/GPT2-medium", "headlight --get gpt2@v1"}));
}

void TestModelCache::whatIsNotWholeIsNamed() {
    const fs::path model = fixture::cacheModel(cache(), "some/tiny", "gpt_neox", older);
    const fs::path snapshot = model / "snapshots" / older;
    // What is left of another download does not matter.
    std::ofstream(model / "blobs" / "abc.incomplete") << "half";
    QVERIFY(refusal("tiny").isEmpty());
    const auto lacks = [&](const char* what) {
        return says("tiny", {QByteArray("the copy of some/tiny in ") + cache().c_str(), QByteArray("has no ") + what,
                             "as a download did not end", "headlight --get some/tiny"});
    };
    fs::remove(snapshot / "model.safetensors");
    QVERIFY(lacks("weights as safetensors"));
    std::ofstream(snapshot / "model.safetensors.index.json")
        << R"({"weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}})";
    std::ofstream(snapshot / "model-00001-of-00002.safetensors") << "first";
    QVERIFY(lacks("model-00002-of-00002.safetensors"));
    fs::remove(snapshot / "config.json");
    QVERIFY(lacks("config.json"));
    fs::remove(model / "blobs" / "abc.incomplete");
    QVERIFY(!refusal("tiny").contains("did not end"));
    fs::remove_all(snapshot);
    QVERIFY(says("tiny", {"has no snapshots", older.c_str(), "download the model again"}));
}

void TestModelCache::linksThatLeadOutOfTheCacheAreRefused() {
    const fs::path model = fixture::cacheModel(cache(), "some/tiny", "gpt2", older);
    // Within the cache one model may be another's link.
    fs::create_directory_symlink("models--some--tiny", cache() / "models--some--same");
    QVERIFY(refusal("some/same").isEmpty());
    fixture::cacheModel(root() / "elsewhere", "some/far", "gpt2", newer);
    fs::create_directory_symlink("../elsewhere/models--some--far", cache() / "models--some--far");
    QVERIFY(says("some/far", {"leads out of the cache"}));
    fs::create_directory_symlink(root() / "elsewhere/models--some--far/snapshots" / newer, model / "snapshots" / newer);
    QVERIFY(says("some/tiny@" + newer, {"leads out of the cache"}));
    fs::remove(model / "snapshots" / older / "config.json");
    fs::create_symlink(root() / "elsewhere/models--some--far/blobs" / (newer + "-config.json"),
                       model / "snapshots" / older / "config.json");
    QVERIFY(says("some/tiny", {"leads out of the folder"}));
    // The cache itself may lie where a link leads.
    fs::create_directory_symlink("elsewhere", root() / "linked");
    qputenv("HF_HUB_CACHE", QByteArray::fromStdString((root() / "linked").string()));
    QVERIFY(refusal("some/far").isEmpty());
}

QTEST_APPLESS_MAIN(TestModelCache)
#include "test_model_cache.moc"
