// SPDX-License-Identifier: GPL-3.0-or-later
// Models by their names, as a reader has them: found, looked at, fetched and opened; by the window, and without one.
#include <QDir>
#include <QLineEdit>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include "core/platform/pace.h"
#include "tests/cached_model.h"
#include "tests/fetch/hub_server.h"
#include "tests/ui/calm_theme.h"
#include "tests/ui/painted.h"
#include "ui/session/format/byte_count.h"
#include "ui/shell/main_window.h"
#include "ui/shell/models_room.h"
#include "ui/shell/room_stack.h"
#include "ui/views/models/by_name/by_name_view.h"
#include "ui/views/models/by_name/first_models.h"
#include "ui/views/models/by_name/model_row.h"
#include "ui/widgets/controls/controls.h"

using namespace headlight;
using fixture::HubServer;

class TestByName : public QObject {
    Q_OBJECT

    const platform::ScopedPace m_atOnce{platform::Pace::AtOnce};
    const QString m_name = QStringLiteral("EleutherAI/pythia-70m");

    QTemporaryDir m_settings;
    std::unique_ptr<HubServer> m_hub;
    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;

    ByNameView* view() { return m_window->findChild<ModelsRoom*>()->byName(); }
    ModelRow* hubRow(size_t which) { return view()->hubRows().at(which); }
    void keepPicture(const char* name) { fixture::keepPicture(*m_window, name); }
    void ask(const QString& words) {
        view()->input()->selectAll();
        QTest::keyClicks(view()->input(), words);
        QTest::keyClick(view()->input(), Qt::Key_Return);
    }
    QStringList localNames() {
        QStringList names;
        for (const ModelRow* row : view()->localRows())
            names << row->facts().name;
        return names;
    }

private slots:
    void init() {
        m_hub = std::make_unique<HubServer>();
        qputenv("HF_HUB_CACHE", m_hub->cache().toUtf8());
        m_hub->add(m_name, "gpt_neox");
        m_theme = fixture::calmTheme(m_settings);
        m_window = std::make_unique<MainWindow>(*m_theme);
        view()->setPlace(m_hub->place());
        m_window->resize(1280, 800);
        m_window->show();
        m_window->rooms().showView(ViewName::ByName);
    }
    void cleanup() {
        m_window.reset();
        m_theme.reset();
        qunsetenv("HF_HUB_CACHE");
    }

    void whatIsFoundIsFetchedAndOpened() {
        m_hub->add(QStringLiteral("google/tiny-bert"), "bert");
        m_hub->add(QStringLiteral("state-spaces/mamba"),
                   {{QStringLiteral("config.json"), R"({"model_type": "mamba"})"},
                    {QStringLiteral("model.safetensors"), QByteArray(1000, 'x')}});
        m_hub->finds(QStringLiteral("py"),
                     {m_name, QStringLiteral("google/tiny-bert"), QStringLiteral("state-spaces/mamba")});
        QVERIFY(view()->hubRows().empty() && view()->localRows().empty());
        // Neither looking nor typing asks anything of anybody.
        for (const auto& page : m_window->findChild<ModelsRoom*>()->views())
            m_window->rooms().showView(page.name);
        m_window->rooms().showView(ViewName::ByName);
        QTest::keyClicks(view()->input(), QStringLiteral("py"));
        QCoreApplication::processEvents();
        QVERIFY(m_hub->server.requests().isEmpty());

        QTest::keyClick(view()->input(), Qt::Key_Return);
        QTRY_COMPARE(view()->hubRows().size(), size_t{3});
        QTRY_COMPARE(hubRow(0)->facts().action, QStringLiteral("Get"));
        QCOMPARE(view()->found(), QStringLiteral("3 of 3 that 127.0.0.1 knows by “py” may be opened"));
        QVERIFY2(hubRow(0)->facts().what.startsWith(QStringLiteral("GPT-NeoX, 2 layers × ")),
                 qPrintable(hubRow(0)->facts().what));
        QVERIFY(hubRow(0)->facts().memory.startsWith(QStringLiteral("fits: ")));
        QTRY_VERIFY(hubRow(2)->facts().what.contains(QStringLiteral("\"mamba\"")));
        QVERIFY(hubRow(2)->facts().action.isEmpty() && hubRow(2)->facts().trouble.isEmpty());
        QVERIFY(m_hub->store.requests().isEmpty());
        keepPicture("by-name-found");

        QTest::mouseClick(hubRow(0)->button(), Qt::LeftButton);
        QCOMPARE(hubRow(0)->facts().action, QStringLiteral("Stop"));
        QTRY_COMPARE(m_window->workbench().session.modelName(), m_name);
        QVERIFY(m_window->rooms().view() != ViewName::ByName);  // the reader looks inside
        m_window->rooms().showView(ViewName::ByName);
        QCOMPARE(hubRow(0)->facts().action, QStringLiteral("Open"));
        QTRY_COMPARE(localNames(), QStringList{m_name});
        QVERIFY(view()->localRows()[0]->facts().what == hubRow(0)->facts().what);
        keepPicture("by-name-here");
    }
    void whatIsHereIsListedAndOpened() {
        const std::string cache = m_hub->cache().toStdString();
        fixture::cacheModel(cache, "google/tiny-bert", "bert", "1a2b3c4d");
        fixture::cacheModel(cache, "gpt2", "gpt2", "5e6f7a8b");
        std::filesystem::create_directories(cache + "/models--some--half/blobs");
        m_window->rooms().showView(ViewName::Models);
        m_window->rooms().showView(ViewName::ByName);
        QTRY_COMPARE(localNames(), (QStringList{QStringLiteral("google/tiny-bert"), QStringLiteral("gpt2"),
                                                QStringLiteral("some/half")}));
        QVERIFY(!view()->localRows()[2]->facts().trouble.isEmpty());
        QTest::keyClicks(view()->input(), QStringLiteral("GPT"));
        QCOMPARE(localNames(), QStringList{QStringLiteral("gpt2")});
        QTest::mouseClick(view()->localRows()[0]->button(), Qt::LeftButton);
        QTRY_COMPARE(m_window->workbench().session.modelName(), QStringLiteral("gpt2"));
        QVERIFY(m_hub->server.requests().isEmpty());
    }
    void stopAndGoOn() {
        m_hub->finds(QStringLiteral("py"), {m_name});
        const QByteArray weights = [] {
            QFile file(QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign/gpt_neox/model.safetensors"));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        }();
        const QString blob = QStringLiteral("blobs/") + QString::fromLatin1(HubServer::sha256(weights));
        m_hub->store.serve(blob, {.body = weights, .waitsAfter = weights.size() / 2});
        ask(QStringLiteral("py"));
        QTRY_COMPARE(view()->hubRows().size(), size_t{1});
        QTRY_COMPARE(hubRow(0)->facts().action, QStringLiteral("Get"));
        QTest::mouseClick(hubRow(0)->button(), Qt::LeftButton);
        QTRY_VERIFY(hubRow(0)->facts().share.value_or(0) > 0.5);
        keepPicture("by-name-coming");
        // Something else may be looked for meanwhile.
        m_hub->finds(QStringLiteral("nothing"), {});
        ask(QStringLiteral("nothing"));
        QTRY_VERIFY(!view()->finder().isBusy());
        QCOMPARE(view()->hubRows().size(), size_t{1});
        QCOMPARE(hubRow(0)->facts().action, QStringLiteral("Stop"));
        QTest::mouseClick(hubRow(0)->button(), Qt::LeftButton);
        QCOMPARE(hubRow(0)->facts().action, QStringLiteral("Go on"));
        QVERIFY(hubRow(0)->facts().trouble.isEmpty());
        m_hub->store.serve(blob, {.body = weights});
        QTest::mouseClick(hubRow(0)->button(), Qt::LeftButton);
        QTRY_COMPARE(m_window->workbench().session.modelName(), m_name);
    }
    void aModelThatIsTooLargeSaysWhy() {
        HubPlace place = m_hub->place();
        place.memory = 1000;
        view()->setPlace(place);
        m_hub->finds(QStringLiteral("py"), {m_name});
        ask(QStringLiteral("py"));
        QTRY_COMPARE(view()->hubRows().size(), size_t{1});
        QTRY_COMPARE(hubRow(0)->facts().action, QStringLiteral("Why?"));
        QVERIFY(hubRow(0)->facts().memory.startsWith(QStringLiteral("too large: ")));
        QTest::mouseClick(hubRow(0)->button(), Qt::LeftButton);
        QVERIFY2(hubRow(0)->facts().trouble.contains(QStringLiteral("Choose a smaller model")),
                 qPrintable(hubRow(0)->facts().trouble));
        QVERIFY(m_hub->store.requests().isEmpty());
    }
    void aModelToBeginWithComesAtAClick() {
        const QString name = QStringLiteral("distilbert/distilgpt2");
        m_hub->add(name, "gpt2");
        QTest::mouseClick(view()->firstModels()->buttons()[0], Qt::LeftButton);
        QCOMPARE(view()->input()->text(), name);
        QTRY_COMPARE(m_window->workbench().session.modelName(), name);
    }
    void aSearchThatFailsIsOneLine() {
        m_hub->server.close();
        ask(QStringLiteral("pythia"));
        QTRY_COMPARE(view()->found(), QStringLiteral("127.0.0.1 refuses the connection. Try again later."));
        m_hub = std::make_unique<HubServer>();
        view()->setPlace(m_hub->place());
        m_hub->finds(QStringLiteral("pythia"), {});
        ask(QStringLiteral("pythia"));
        QTRY_COMPARE(view()->found(), QStringLiteral("127.0.0.1 knows no model by “pythia”"));
    }
    /// `headlight NAME`: a model that is here opens; of another the reader is asked.
    void theProgramIsGivenAName() {
        fixture::cacheModel(m_hub->cache().toStdString(), "google/tiny-bert", "bert", "1a2b3c4d");
        m_window->open(QStringLiteral("tiny-bert"));
        QTRY_COMPARE(m_window->workbench().session.modelName(), QStringLiteral("google/tiny-bert"));
        m_window->open(m_name);
        QCOMPARE(m_window->rooms().view(), ViewName::ByName);
        QCOMPARE(view()->input()->text(), m_name);
        QVERIFY(m_hub->server.requests().isEmpty());
        m_hub->finds(QStringLiteral("EleutherAI%2Fpythia-70m"), {});
        QTest::keyClick(view()->input(), Qt::Key_Return);
        QTRY_COMPARE(view()->hubRows().size(), size_t{1});
        QTRY_COMPARE(hubRow(0)->facts().action, QStringLiteral("Get"));
    }

    void withoutAWindow_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("said");
        QTest::newRow("there") << m_name << QString();
        QTest::newRow("missing") << QStringLiteral("nobody/nothing") << QStringLiteral("has no model nobody/nothing");
        QTest::newRow("no name") << QStringLiteral("../x") << QStringLiteral("is not a model's name");
    }
    void withoutAWindow() {
        QFETCH(QString, name);
        QFETCH(QString, said);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HF_ENDPOINT"), m_hub->place().endpoint);
        environment.insert(QStringLiteral("HF_HUB_CACHE"), m_hub->cache());
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(HEADLIGHT_WINDOW), {QStringLiteral("--get"), name});
        QTRY_COMPARE(program.state(), QProcess::NotRunning);
        const QByteArray error = program.readAllStandardError(), out = program.readAllStandardOutput();
        if (said.isEmpty()) {
            QVERIFY2(program.exitCode() == 0, error);
            QVERIFY2(error.startsWith("EleutherAI/pythia-70m: GPT-NeoX, ") && error.count('\n') == 1, error);
            QCOMPARE(QString::fromUtf8(out).trimmed(),
                     m_hub->cache(QStringLiteral("models--EleutherAI--pythia-70m/snapshots/") +
                                  QLatin1String(HubServer::kCommit)));
            return;
        }
        QCOMPARE(program.exitCode(), 1);
        QVERIFY2(error.startsWith("headlight: error: ") && error.contains(said.toUtf8()) && error.count('\n') == 1,
                 error);
        QVERIFY(out.isEmpty());
    }
};

QTEST_MAIN(TestByName)
#include "test_by_name.moc"
