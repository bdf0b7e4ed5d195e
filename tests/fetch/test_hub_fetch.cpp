// SPDX-License-Identifier: GPL-3.0-or-later
// Models come from a hub whole, checked, and where other programs find them; or not at all, with one line. The hub is
// the test's own.
#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>

#include "core/import/import_model.h"
#include "tests/fetch/hub_server.h"
#include "ui/fetch/hub_finder.h"
#include "ui/session/format/byte_count.h"

using namespace headlight;
using fixture::HubServer;

namespace {

const QString kHubName = QStringLiteral("EleutherAI/pythia-70m");
const QString kFolder = QStringLiteral("models--EleutherAI--pythia-70m");

QByteArray bytesOfFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray golden(const char* file) {
    return bytesOfFile(QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign/gpt_neox/") + QLatin1String(file));
}

}  // namespace

class TestHubFetch : public QObject {
    Q_OBJECT

    std::unique_ptr<HubServer> m_hub;
    std::unique_ptr<HubFetch> m_fetch;

    HubFetch& fetch(const QString& name = kHubName) { return fetch(name, m_hub->place()); }
    HubFetch& fetch(const QString& name, const HubPlace& place) {
        m_fetch = std::make_unique<HubFetch>(name, place);
        return *m_fetch;
    }
    QString weights() const { return HubServer::pathOf(kHubName, QStringLiteral("model.safetensors")); }
    QString storedWeights() const {
        return QStringLiteral("blobs/") + QString::fromLatin1(HubServer::sha256(golden("model.safetensors")));
    }
    QString blob(const char* file) const {
        return m_hub->cache(kFolder + QStringLiteral("/blobs/") +
                            QString::fromLatin1(HubServer::hashOf(QString::fromLatin1(file), golden(file))));
    }
    QStringList filesIn(const QString& path) const {
        return QDir(m_hub->cache(path)).entryList(QDir::Files | QDir::Hidden | QDir::System, QDir::Name);
    }
    void end() { QTRY_VERIFY(!m_fetch->isBusy()); }
    void arrives() {
        end();
        QCOMPARE(m_fetch->failure(), QString());
        QCOMPARE(m_fetch->state(), HubFetch::State::Here);
        QCOMPARE(m_fetch->path(),
                 m_hub->cache(kFolder + QStringLiteral("/snapshots/") + QLatin1String(HubServer::kCommit)));
        for (const char* file : {"config.json", "model.safetensors"})
            QCOMPARE(bytesOfFile(m_fetch->path() + u'/' + QLatin1String(file)), golden(file));
        for (const QString& left : filesIn(kFolder + QStringLiteral("/blobs")))
            QVERIFY2(!left.contains(u'.'), qPrintable(left));
        QVERIFY(!openModel(m_fetch->path().toStdString()).network->config().architecture.empty());
    }
    /// In one line, and no model that somebody could take for one.
    void failsWith(const QString& line) {
        end();
        QCOMPARE(m_fetch->failure(), line);
        QVERIFY(!line.contains(u'\n') && line.endsWith(u'.'));
        QVERIFY(m_fetch->state() != HubFetch::State::Here);
        QVERIFY(!QFileInfo::exists(m_hub->cache(kFolder + QStringLiteral("/refs/main"))));
        QVERIFY(!QFileInfo::exists(m_hub->cache(kFolder + QStringLiteral("/snapshots"))));
    }

private slots:
    void init() {
        m_hub = std::make_unique<HubServer>();
        m_hub->add(kHubName, "gpt_neox");
    }
    void cleanup() { m_fetch.reset(); }

    void whatItIsIsKnownBeforeItIsFetched() {
        HubFetch& fetch = this->fetch();
        QCOMPARE(fetch.state(), HubFetch::State::Unknown);
        QVERIFY(m_hub->server.requests().isEmpty());
        fetch.look();
        QCOMPARE(fetch.state(), HubFetch::State::Asking);
        end();
        QCOMPARE(fetch.failure(), QString());
        QCOMPARE(fetch.state(), HubFetch::State::Known);
        QCOMPARE(QString::fromStdString(fetch.outline()->kind), QStringLiteral("GPT-NeoX"));
        const ModelConfig config = readCardOf(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign/gpt_neox").config;
        QCOMPARE(fetch.outline()->config.numLayers, config.numLayers);
        QCOMPARE(fetch.outline()->config.numHeads, config.numHeads);
        QCOMPARE(fetch.outline()->parameters, static_cast<std::int64_t>(config.weightCount()));
        QVERIFY(fetch.total() > golden("model.safetensors").size() && fetch.received() == 0);
        QVERIFY(!fetch.canGoOn());
        QVERIFY(m_hub->store.requests().isEmpty());
        QVERIFY(!QFileInfo::exists(m_hub->cache()));
    }
    void itComesWhereOtherProgramsKeepTheirs() {
        HubFetch& fetch = this->fetch();
        QSignalSpy fetched(&fetch, &HubFetch::fetched);
        fetch.start();
        arrives();
        QCOMPARE(fetched.size(), 1);
        QCOMPARE(fetched[0][0].toString(), fetch.path());
        QCOMPARE(bytesOfFile(m_hub->cache(kFolder + QStringLiteral("/refs/main"))), QByteArray(HubServer::kCommit));
        QCOMPARE(QFile::symLinkTarget(fetch.path() + QStringLiteral("/model.safetensors")),
                 QFileInfo(blob("model.safetensors")).absoluteFilePath());
        // The next window finds it, and asks for no file.
        const qsizetype asked = m_hub->store.requests().size();
        this->fetch().look();
        end();
        QCOMPARE(m_fetch->state(), HubFetch::State::Here);
        QCOMPARE(m_hub->store.requests().size(), asked);
    }
    void aRevisionIsKeptUnderItsName() {
        const QString named = kHubName + QStringLiteral("@step1000");
        m_hub->server.serve(
            QStringLiteral("api/models/%1/revision/step1000?blobs=true").arg(kHubName),
            {.body = QJsonDocument(HubServer::description(
                                       kHubName, {{QStringLiteral("config.json"), golden("config.json")},
                                                  {QStringLiteral("model.safetensors"), golden("model.safetensors")}}))
                         .toJson()});
        fetch(named).start();
        arrives();
        QCOMPARE(bytesOfFile(m_hub->cache(kFolder + QStringLiteral("/refs/step1000"))), QByteArray(HubServer::kCommit));
        QVERIFY(!QFileInfo::exists(m_hub->cache(kFolder + QStringLiteral("/refs/main"))));
    }

    void whatBrokeOffGoesOnWhereItStopped() {
        const QByteArray all = golden("model.safetensors");
        m_hub->store.serve(storedWeights(), {.body = all, .waitsAfter = 1000});
        fetch().start();
        QTRY_COMPARE(m_fetch->received(), golden("config.json").size() + 1000);
        m_hub->store.hangUp();
        failsWith(QStringLiteral("The download broke off after %1. Go on when the network is back.")
                      .arg(formatBytesOf(1000, all.size())));
        QVERIFY(m_fetch->canGoOn());
        m_hub->store.serve(storedWeights(), {.body = all});
        // In another window, or another program, too.
        fetch().look();
        end();
        QVERIFY(m_fetch->canGoOn() && m_fetch->received() > 1000);
        m_fetch->start();
        arrives();
        QVERIFY(m_hub->store.requests().last().contains("\r\nRange: bytes=1000-\r\n"));
    }
    void stopKeepsWhatIsThere() {
        m_hub->store.serve(storedWeights(), {.body = golden("model.safetensors"), .waitsAfter = 1000});
        fetch().start();
        QTRY_COMPARE(m_fetch->received(), golden("config.json").size() + 1000);
        m_fetch->stop();
        QCOMPARE(m_fetch->state(), HubFetch::State::Known);
        QCOMPARE(m_fetch->failure(), QString());
        QVERIFY(m_fetch->canGoOn());
        m_hub->store.serve(storedWeights(), {.body = golden("model.safetensors")});
        m_fetch->start();
        arrives();
    }
    /// Another program may have left something else under that name.
    void aPartOfSomethingElseIsNotTheModel() {
        QVERIFY(QDir().mkpath(m_hub->cache(kFolder + QStringLiteral("/blobs"))));
        QFile part(blob("model.safetensors") + QStringLiteral(".incomplete"));
        QVERIFY(part.open(QIODevice::WriteOnly) && part.write(QByteArray(500, 'x')) == 500);
        part.close();
        fetch().start();
        failsWith(
            QStringLiteral("What 127.0.0.1 sent isn't the file that was announced (wrong checksum), so it was "
                           "deleted. Try again later."));
        m_fetch->start();
        arrives();
    }
    void aPartThatIsWholeIsNotAskedForAgain() {
        QVERIFY(QDir().mkpath(m_hub->cache(kFolder + QStringLiteral("/blobs"))));
        QFile part(blob("model.safetensors") + QStringLiteral(".incomplete"));
        QVERIFY(part.open(QIODevice::WriteOnly));
        part.write(golden("model.safetensors"));
        part.close();
        fetch().start();
        arrives();
        QVERIFY(m_hub->store.requests().isEmpty());
    }

    void theTokenIsForTheHubAlone() {
        HubPlace place = m_hub->place();
        place.token = "hf_secret";
        fetch(kHubName, place).start();
        arrives();
        for (const QByteArray& request : m_hub->server.requests())
            QVERIFY(request.contains("\r\nAuthorization: Bearer hf_secret\r\n"));
        QCOMPARE(m_hub->store.requests().size(), 1);
        for (const QByteArray& request : m_hub->store.requests())
            QVERIFY(!request.toLower().contains("authorization") && !request.contains("hf_secret"));
    }

    void whatTheHubRefusesIsOneLine_data() {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QString>("line");
        const QString missing = QStringLiteral(
            "127.0.0.1 has no model EleutherAI/pythia-70m, or it is private. Check the name; for a private one set "
            "HF_TOKEN.");
        QTest::newRow("missing") << 404 << QByteArray() << missing;
        QTest::newRow("private") << 401 << QByteArray("RepoNotFound") << missing;
        QTest::newRow("too often") << 429 << QByteArray()
                                   << QStringLiteral(
                                          "127.0.0.1 has been asked too often. Wait a few minutes, then try again.");
        QTest::newRow("broken") << 503 << QByteArray()
                                << QStringLiteral("127.0.0.1 refuses to send the file (503). Try again later.");
        QTest::newRow("no revision") << 404 << QByteArray("RevisionNotFound")
                                     << QStringLiteral(
                                            "127.0.0.1 has no revision  of EleutherAI/pythia-70m. Name another one.");
    }
    void whatTheHubRefusesIsOneLine() {
        QFETCH(int, status);
        QFETCH(QByteArray, code);
        QFETCH(QString, line);
        m_hub->server.serve(HubServer::infoOf(kHubName), {.body = "{}", .status = status, .code = code});
        fetch().start();
        failsWith(line);
        QCOMPARE(m_fetch->isMissing(), status == 404 || code == "RepoNotFound");
        QVERIFY(!QFileInfo::exists(m_hub->cache()));
    }
    void aGatedModelSaysHowItIsHad() {
        m_hub->server.serve(weights(), {.body = "Access restricted", .status = 403, .code = "GatedRepo"});
        fetch().start();
        failsWith(QStringLiteral("EleutherAI/pythia-70m is given to those who accept its licence. Accept it at %1 with "
                                 "a browser, set HF_TOKEN, then start Headlight again.")
                      .arg(m_hub->place().endpoint + u'/' + kHubName));
    }
    void whatCannotBeOpenedIsNotFetched_data() {
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<QString>("weights");
        QTest::addColumn<QString>("said");
        QTest::newRow("a pickle") << golden("config.json") << QStringLiteral("pytorch_model.bin")
                                  << QStringLiteral("only as a pickle");
        QTest::newRow("another kind") << QByteArray(R"({"model_type": "mamba"})") << QStringLiteral("model.safetensors")
                                      << QStringLiteral("\"mamba\"");
        QTest::newRow("no JSON") << QByteArray("<html>Sign in</html>") << QStringLiteral("model.safetensors")
                                 << QStringLiteral("config.json");
    }
    void whatCannotBeOpenedIsNotFetched() {
        QFETCH(QByteArray, config);
        QFETCH(QString, weights);
        QFETCH(QString, said);
        m_hub->add(kHubName, {{QStringLiteral("config.json"), config}, {weights, golden("model.safetensors")}});
        fetch().start();
        end();
        QVERIFY2(m_fetch->failure().contains(said), qPrintable(m_fetch->failure()));
        QVERIFY(!m_fetch->failure().contains(u'\n'));
        QCOMPARE(m_fetch->state(), HubFetch::State::Unknown);
        QVERIFY(m_hub->store.requests().isEmpty());
        QVERIFY(!QFileInfo::exists(m_hub->cache()));
    }
    void aModelThatIsTooLargeIsNotFetched() {
        HubPlace place = m_hub->place();
        place.memory = 1000;
        fetch(kHubName, place).look();
        end();
        QVERIFY(m_fetch->isTooLarge());
        m_fetch->start();
        QCOMPARE(m_fetch->failure(),
                 QStringLiteral("EleutherAI/pythia-70m takes %1 of memory when it is open, and this computer has 1.0 "
                                "kB. Choose a smaller model.")
                     .arg(formatBytes(m_fetch->outline()->memory)));
        QVERIFY(m_hub->store.requests().isEmpty());
    }
    void aDiskThatIsFull() {
        HubPlace place = m_hub->place();
        place.limits.room = [](const QString&) { return 100; };
        fetch(kHubName, place).start();
        end();
        QCOMPARE(m_fetch->failure(), QStringLiteral("The disk is full. Make room for %1 more, then try again.")
                                         .arg(formatBytes(m_fetch->total())));
        QVERIFY(m_hub->store.requests().isEmpty());
    }
    void aCacheThatCannotBeWrittenTo() {
        QFile inTheWay(m_hub->cache());
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        fetch().start();
        failsWith(QStringLiteral("Headlight can't write to %1. Check the folder and its permissions, then try again.")
                      .arg(m_hub->cache(kFolder + QStringLiteral("/blobs"))));
    }
    void aHubThatSendsOtherBytes() {
        QByteArray other = golden("model.safetensors");
        other[other.size() / 2] = static_cast<char>(~other[other.size() / 2]);
        m_hub->store.serve(storedWeights(), {.body = other});
        fetch().start();
        failsWith(
            QStringLiteral("What 127.0.0.1 sent isn't the file that was announced (wrong checksum), so it was "
                           "deleted. Try again later."));
        QVERIFY(!filesIn(kFolder + QStringLiteral("/blobs")).join(u' ').contains(QLatin1String("incomplete")));
        m_hub->store.serve(storedWeights(), {.body = golden("model.safetensors") + "more"});
        m_fetch->start();
        end();
        QVERIFY2(m_fetch->failure().contains(QStringLiteral("far more than was announced")),
                 qPrintable(m_fetch->failure()));
    }
    void settingsThatAreOthersAreNoticedToo() {
        m_hub->server.serve(HubServer::pathOf(kHubName, QStringLiteral("config.json")),
                            {.body = golden("config.json") + " "});
        fetch().start();
        end();
        QVERIFY(!m_fetch->failure().isEmpty() && m_fetch->state() == HubFetch::State::Known);
    }
    void offlineNothingIsAsked() {
        HubPlace place = m_hub->place();
        place.isOffline = true;
        fetch(kHubName, place).start();
        failsWith(QStringLiteral(
            "HF_HUB_OFFLINE is set, so nothing is asked of a network. Unset it and start Headlight again."));
        HubFinder finder(place);
        finder.find(QStringLiteral("pythia"));
        QVERIFY(finder.failure().startsWith(QLatin1String("HF_HUB_OFFLINE")));
        QVERIFY(m_hub->server.requests().isEmpty());
    }
    void aServerThatIsNotThere() {
        m_hub->server.close();
        fetch().start();
        failsWith(QStringLiteral("127.0.0.1 refuses the connection. Try again later."));
    }
    void aWindowThatIsClosedEndsIt() {
        m_hub->store.serve(storedWeights(), {.body = golden("model.safetensors"), .waitsAfter = 1000});
        fetch().start();
        QTRY_COMPARE(m_hub->store.requests().size(), 1);
        m_fetch.reset();
        QVERIFY(!QFileInfo::exists(m_hub->cache(kFolder + QStringLiteral("/refs/main"))));
    }

    void wordsFindModelsAndWhatTheyAre() {
        m_hub->add(QStringLiteral("google/tiny"), "bert");
        m_hub->finds(QStringLiteral("two%20words"),
                     {kHubName, QStringLiteral("google/tiny"), QStringLiteral("gone/model")});
        HubFinder finder(m_hub->place());
        QVERIFY(m_hub->server.requests().isEmpty());
        finder.find(QStringLiteral(" two words "));
        QTRY_COMPARE(finder.entries().size(), size_t{3});
        QCOMPARE(finder.found(), 3);
        const auto isAsking = [&] {
            return std::ranges::any_of(finder.entries(), [](const auto& each) { return each->isBusy(); });
        };
        QTRY_VERIFY(!isAsking());
        QCOMPARE(finder.entries()[0]->state(), HubFetch::State::Known);
        QCOMPARE(QString::fromStdString(finder.entries()[1]->outline()->kind), QStringLiteral("BERT"));
        QVERIFY(finder.entries()[2]->isMissing());
        // What is fetched goes on while something else is looked for.
        m_hub->store.serve(storedWeights(), {.body = golden("model.safetensors"), .waitsAfter = 1000});
        const auto coming = finder.entries()[0];
        coming->start();
        QTRY_COMPARE(m_hub->store.requests().size(), 1);
        m_hub->finds(QStringLiteral("bert"), {QStringLiteral("google/tiny"), kHubName});
        finder.find(QStringLiteral("bert"));
        QCOMPARE(finder.entries().size(), size_t{1});
        QTRY_COMPARE(finder.entries().size(), size_t{2});
        QCOMPARE(finder.entries()[0], coming);
        QCOMPARE(coming->state(), HubFetch::State::Fetching);
        QCOMPARE(finder.entries()[1]->name(), QStringLiteral("google/tiny"));
    }
    void aNameThatIsTypedWholeIsAskedAboutFirst() {
        m_hub->finds(QStringLiteral("EleutherAI%2Fpythia-70m"), {});
        HubFinder finder(m_hub->place());
        finder.find(kHubName);
        QTRY_COMPARE(finder.entries().size(), size_t{1});
        QTRY_COMPARE(finder.entries()[0]->state(), HubFetch::State::Known);
    }
    void aSearchThatFails() {
        HubFinder finder(m_hub->place());
        finder.find(QStringLiteral("pythia"));
        QTRY_VERIFY(!finder.failure().isEmpty());
        QVERIFY(!finder.failure().contains(u'\n') && finder.entries().empty());
        m_hub->finds(QStringLiteral("pythia"), {});
        finder.find(QStringLiteral("pythia"));
        QTRY_VERIFY(!finder.isBusy());
        QCOMPARE(finder.failure(), QString());
        QCOMPARE(finder.found(), 0);
        m_hub->server.serve(HubServer::searchOf(QStringLiteral("page")), {.body = "<html>Sign in</html>"});
        finder.find(QStringLiteral("page"));
        QTRY_VERIFY(!finder.failure().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestHubFetch)
#include "test_hub_fetch.moc"
