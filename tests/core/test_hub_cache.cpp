// SPDX-License-Identifier: GPL-3.0-or-later
// Models as Hugging Face's programs keep what they downloaded: names that are links to the files' contents.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "core/import/file_kind.h"
#include "core/import/import_model.h"
#include "tests/foreign_folder.h"

using namespace headlight;
namespace fs = std::filesystem;

namespace {

/// `models--some--tiny-llama` with a model, its tokenizer and its configuration, in a folder of its own.
class HubCache {
public:
    HubCache() {
        fixture::writeForeign(fixture::foreignWithWords("llama"), root() / "plain");
        for (const char* folder : {"blobs", "refs", "snapshots/abc123"})
            fs::create_directories(model() / folder);
        int number = 0;
        for (const auto& file : fs::directory_iterator(root() / "plain")) {
            const std::string hash = "hash" + std::to_string(number++);
            fs::copy_file(file.path(), model() / "blobs" / hash);
            fs::create_symlink("../../blobs/" + hash, snapshot() / file.path().filename());
        }
        write(model() / "refs" / "main", "abc123");
    }
    fs::path root() const { return m_folder.path().toStdString(); }
    fs::path model() const { return root() / "models--some--tiny-llama"; }
    fs::path snapshot() const { return model() / "snapshots" / "abc123"; }

    static void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
    /// `name` of the snapshot becomes a link to `to`.
    void lead(const char* name, const fs::path& to) const {
        fs::remove(snapshot() / name);
        fs::create_symlink(to, snapshot() / name);
    }
    /// What is said of it; empty where it opens.
    static QByteArray refusal(const fs::path& path) {
        try {
            openModel(path.string());
            return {};
        } catch (const Error& error) {
            return error.what();
        }
    }

private:
    QTemporaryDir m_folder;
};

}  // namespace

class TestHubCache : public QObject {
    Q_OBJECT
private slots:
    void aSnapshotOpensThroughItsLinks();
    void theModelsFolderOpensAtItsMainRevision();
    void aFileOfTheSnapshotOpensIt();
    void aLinkThatLeadsOutIsRefused_data();
    void aLinkThatLeadsOutIsRefused();
    void linksToBlobsAreFollowedInTheCacheAlone();
    void whatIsMissingIsNamedInOneLine();
};

void TestHubCache::aSnapshotOpensThroughItsLinks() {
    const HubCache cache;
    const TrainedModel plain = openModel((cache.root() / "plain").string()),
                       model = openModel(cache.snapshot().string());
    QVERIFY(std::ranges::equal(std::as_const(*model.network).parameters().flat(),
                               std::as_const(*plain.network).parameters().flat()));
    QCOMPARE(model.source->vocabulary().tokens(), plain.source->vocabulary().tokens());
    QVERIFY(model.source->vocabulary().size() > 100);
    QCOMPARE(model.training.json()["imported"]["from"].get<std::string>(), std::string("some/tiny-llama"));
}

void TestHubCache::theModelsFolderOpensAtItsMainRevision() {
    const HubCache cache;
    QVERIFY(isModelFolder(cache.model().string()));
    QCOMPARE(kindOfFile(cache.model().string()), FileKind::Model);
    const TrainedModel model = openModel(cache.model().string());
    QVERIFY(model.network->config() == openModel(cache.snapshot().string()).network->config());
    QVERIFY(readCardOf(cache.model().string() + "/").config == model.network->config());
    // Of two revisions that were downloaded the one that refs/main names.
    fs::create_directories(cache.model() / "snapshots" / "older");
    QVERIFY(HubCache::refusal(cache.model()).isEmpty());
    HubCache::write(cache.model() / "refs" / "main", "older\n");
    QVERIFY(HubCache::refusal(cache.model()).contains("snapshots/older"));
}

void TestHubCache::aFileOfTheSnapshotOpensIt() {
    const HubCache cache;
    for (const char* file : {"config.json", "model.safetensors"})
        QVERIFY(HubCache::refusal(cache.snapshot() / file).isEmpty());
}

void TestHubCache::aLinkThatLeadsOutIsRefused_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("to");
    for (const char* file : {"config.json", "model.safetensors", "tokenizer.model", "generation_config.json"}) {
        QTest::addRow("%s, out of the cache", file) << file << "../../../plain/config.json";
        QTest::addRow("%s, to another model's", file) << file << "../../../models--some--other/blobs/hash0";
        QTest::addRow("%s, beside the blobs", file) << file << "../../refs/main";
    }
}

void TestHubCache::aLinkThatLeadsOutIsRefused() {
    QFETCH(QString, file);
    QFETCH(QString, to);
    const HubCache cache;
    fs::create_directories(cache.root() / "models--some--other" / "blobs");
    HubCache::write(cache.root() / "models--some--other" / "blobs" / "hash0", "{}");
    cache.lead(file.toStdString().c_str(), to.toStdString());
    for (const fs::path& path : {cache.snapshot(), cache.model()}) {
        const QByteArray refusal = HubCache::refusal(path);
        QVERIFY2(refusal.contains("leads out of the folder") && refusal.contains(file.toUtf8()), refusal);
        QVERIFY(!refusal.contains('\n'));
    }
}

void TestHubCache::linksToBlobsAreFollowedInTheCacheAlone() {
    const HubCache cache;
    // The same layout under a name that is none of a model's.
    const fs::path renamed = cache.root() / "models";
    fs::copy(cache.model(), renamed, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    QVERIFY(HubCache::refusal(renamed / "snapshots" / "abc123").contains("leads out of the folder"));
    // Blobs that lie elsewhere are not the model's.
    fs::rename(cache.model() / "blobs", cache.root() / "elsewhere");
    fs::create_directory_symlink("../elsewhere", cache.model() / "blobs");
    QVERIFY(HubCache::refusal(cache.snapshot()).contains("leads out of the folder"));
}

void TestHubCache::whatIsMissingIsNamedInOneLine() {
    const HubCache cache;
    for (const char* name : {"", "..", "../snapshots/abc123", "/tmp", "abc123\nabc124"}) {
        HubCache::write(cache.model() / "refs" / "main", name);
        const QByteArray refusal = HubCache::refusal(cache.model());
        QVERIFY2(refusal.contains("refs/main names no snapshot") && !refusal.contains('\n'), refusal);
    }
    HubCache::write(cache.model() / "refs" / "main", "abc124");
    QVERIFY(HubCache::refusal(cache.model()).contains("has no snapshots/abc124"));
    fs::remove(cache.model() / "refs" / "main");
    const QByteArray refusal = HubCache::refusal(cache.model());
    QVERIFY2(refusal.contains("has no refs/main") && !refusal.contains('\n'), refusal);
    fs::remove_all(cache.model() / "snapshots");
    QVERIFY(HubCache::refusal(cache.model()).contains("has no refs/main"));
}

QTEST_APPLESS_MAIN(TestHubCache)
#include "test_hub_cache.moc"
