// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of sets on the page Data: a click fetches one, and the page reads it.
#include <QDir>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/data/task.h"
#include "core/io/model_file.h"
#include "core/platform/pace.h"
#include "tests/fetch/file_server.h"
#include "tests/fetch/zips.h"
#include "tests/ui/calm_theme.h"
#include "tests/ui/painted.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/train_room.h"
#include "ui/views/train/data/data_view.h"
#include "ui/views/train/data/get_sentences.h"
#include "ui/views/train/training_settings.h"
#include "ui/widgets/controls/controls.h"

using namespace headlight;
using fixture::ServedFile;

class TestGetSentences : public QObject {
    Q_OBJECT

    const platform::ScopedPace m_atOnce{platform::Pace::AtOnce};
    const QByteArray kTag = "\"one\"";

    QTemporaryDir m_settings;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<fixture::FileServer> m_server;
    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;
    QByteArray m_zip;

    TrainRoom* room() { return m_window->findChild<TrainRoom*>(); }
    DataView* view() { return room()->data(); }
    const CorpusFiles& files() { return room()->choice().data().files; }
    SentenceSetRow* row(size_t which) { return view()->sets()->rows().at(which); }
    SentenceSet set(const QString& file) {
        return {.file = file + QStringLiteral(".tsv"),
                .name = file,
                .what = QStringLiteral("300 pairs"),
                .url = m_server->url(file),
                .about = m_zip.size(),
                .title = QStringLiteral("Vietnamese to English"),
                .credit = QStringLiteral("Sentences by %1, CC BY 2.0 FR").arg(file)};
    }
    void keepPicture(const char* name) { fixture::keepPicture(*m_window, name); }

private slots:
    void initTestCase() {
        const CorpusSplits& splits = findTask("vi-en").corpus();
        QByteArray table;
        for (size_t i = 0; i < 300; ++i)
            table += QByteArray::fromStdString(splits.train[i].source) + '\t' +
                     QByteArray::fromStdString(splits.train[i].target) + "\tCC-BY 2.0 (France) Attribution: somebody\n";
        m_zip = fixture::zipOf({{"_about.txt", "About"}, {"vie.txt", table}});
    }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_server = std::make_unique<fixture::FileServer>();
        m_theme = fixture::calmTheme(m_settings);
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->keepIn(m_folder->path());
        view()->sets()->offer({set(QStringLiteral("one")), set(QStringLiteral("two"))},
                              {.download = {.silenceMs = fixture::kPatienceMs}});
        m_window->resize(1280, 800);
        m_window->show();
        m_window->rooms().showView(ViewName::TrainingData);
    }
    void cleanup() {
        m_window.reset();
        m_theme.reset();
    }

    void whatIsFetchedIsOpenedWithItsCredit() {
        m_server->serve(QStringLiteral("one"), {.body = m_zip, .etag = kTag});
        QVERIFY(view()->sets()->isVisible());
        QCOMPARE(row(0)->button()->text(), QStringLiteral("Get"));
        QVERIFY(!row(0)->progress()->isVisible() && !row(0)->failure()->isVisible());
        // Looking at all that there is asks nothing of anybody.
        for (const auto& page : room()->views())
            m_window->rooms().showView(page.name);
        m_window->rooms().showView(ViewName::TrainingData);
        QCoreApplication::processEvents();
        QVERIFY(m_server->requests().isEmpty());

        QTest::mouseClick(row(0)->button(), Qt::LeftButton);
        QCOMPARE(row(0)->button()->text(), QStringLiteral("Stop"));
        QTRY_COMPARE(row(0)->button()->text(), QStringLiteral("Open"));
        QTRY_VERIFY(room()->choice().picture() && !room()->choice().isBusy());
        QCOMPARE(QString::fromStdString(files().pairs), row(0)->fetch().path());
        QVERIFY(row(0)->fetch().path().startsWith(m_folder->path()));
        QCOMPARE(room()->choice().picture()->survey->entries().size(), size_t{300});
        // What a model that learns from it will say of it.
        const nlohmann::json story = files().description();
        QCOMPARE(story.at("credit"), "Sentences by one, CC BY 2.0 FR");
        QCOMPARE(story.at("title"), "Vietnamese to English");
        TrainingSetup setup;
        room()->choice().applyTo(setup);
        QCOMPARE(setup.data.files.credit, "Sentences by one, CC BY 2.0 FR");
        QVERIFY(!view()->sets()->isVisible() && view()->start()->isVisible());
        keepPicture("opened");

        // Without it, the next set is a click away; with it, it need not come again.
        view()->aside()->setCurrentIndex(0);
        keepPicture("here");
        QVERIFY(row(0)->removeButton()->isVisible());
        room()->choice().clear();
        QVERIFY(view()->sets()->isVisible());
        QTest::mouseClick(row(0)->button(), Qt::LeftButton);
        QCOMPARE(QString::fromStdString(files().pairs), row(0)->fetch().path());
        QCOMPARE(m_server->requests().size(), 1);
        room()->choice().clear();
        QTest::mouseClick(row(0)->removeButton(), Qt::LeftButton);
        QCOMPARE(row(0)->button()->text(), QStringLiteral("Get"));
        QVERIFY(!QFileInfo::exists(row(0)->fetch().path()));
    }

    /// From the click to the model that is kept: whose sentences it learned from stands in its story.
    void theModelThatLearnedFromItTellsItsCredit() {
        m_server->serve(QStringLiteral("one"), {.body = m_zip, .etag = kTag});
        QTest::mouseClick(row(0)->button(), Qt::LeftButton);
        QTRY_VERIFY(room()->choice().picture() && !room()->choice().isBusy());
        room()->settings()->setSteps(1);
        QTest::mouseClick(view()->start(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->workbench().training.state(), TrainingState::Finished,
                                  fixture::kLongPatienceMs);
        room()->save();
        const QDir models(QDir(m_folder->path()).filePath(QStringLiteral("models")));
        const auto files = [&] { return models.entryList({QStringLiteral("*.safetensors")}, QDir::Files); };
        QTRY_VERIFY(files().size() == 1 && !room()->keeper().isBusy());
        const TrainingStory story = readModelCard(models.filePath(files().first()).toStdString()).training;
        QCOMPARE(story.ofData("credit"), "Sentences by one, CC BY 2.0 FR");
        QCOMPARE(story.ofData("title"), "Vietnamese to English");
    }

    void whatIsOnItsWayShowsHowFarItIsAndStops() {
        const qint64 half = m_zip.size() / 2;
        m_server->serve(QStringLiteral("one"), {.body = m_zip, .etag = kTag, .waitsAfter = half});
        QTest::mouseClick(row(0)->button(), Qt::LeftButton);
        QTRY_COMPARE(row(0)->fetch().received(), half);
        QVERIFY(row(0)->progress()->isVisible());
        QVERIFY2(row(0)->progress()->text().contains(QStringLiteral(" of ")), qPrintable(row(0)->progress()->text()));
        // The page is alive meanwhile, and another set too.
        QCOMPARE(row(1)->button()->text(), QStringLiteral("Get"));
        keepPicture("half");
        QTest::mouseClick(row(0)->button(), Qt::LeftButton);
        QCOMPARE(row(0)->button()->text(), QStringLiteral("Go on"));
        QVERIFY(!room()->choice().hasFiles());
        m_server->serve(QStringLiteral("one"), {.body = m_zip, .etag = kTag});
        QTest::mouseClick(row(0)->button(), Qt::LeftButton);
        QTRY_VERIFY(room()->choice().hasFiles());
        QVERIFY(m_server->requests().last().contains("\r\nRange: bytes="));
    }

    void whatGoesWrongIsSaidInItsRow() {
        m_server->serve(QStringLiteral("one"), {.body = m_zip, .etag = kTag, .waitsAfter = 1000});
        for (const size_t which : {0, 1}) {  // of the second the server knows nothing
            QTest::mouseClick(row(which)->button(), Qt::LeftButton);
            if (which == 0) {
                QTRY_COMPARE(row(0)->fetch().received(), 1000);
                m_server->hangUp();
            }
            QTRY_VERIFY(row(which)->failure()->isVisible());
            QVERIFY(!row(which)->failure()->text().contains(u'\n'));
            QVERIFY(fixture::painted(*m_window));
            const QLabel* why = row(which)->failure();
            QVERIFY2(why->height() >= why->heightForWidth(why->width()), "all of it is to be read");
        }
        QCOMPARE(row(0)->button()->text(), QStringLiteral("Go on"));
        QCOMPARE(row(1)->button()->text(), QStringLiteral("Try again"));
        QVERIFY(!room()->choice().hasFiles());
        keepPicture("failed");
    }

    void ofTwoTheOneThatWasAskedForLastIsOpened() {
        const qint64 half = m_zip.size() / 2;
        m_server->serve(QStringLiteral("one"), {.body = m_zip});
        m_server->serve(QStringLiteral("two"), {.body = m_zip, .waitsAfter = half});
        QTest::mouseClick(row(0)->button(), Qt::LeftButton);
        QTest::mouseClick(row(1)->button(), Qt::LeftButton);
        QTRY_COMPARE(row(0)->button()->text(), QStringLiteral("Open"));
        QTRY_COMPARE(row(1)->fetch().received(), half);
        QVERIFY(!room()->choice().hasFiles());
    }

    void itIsLegibleInASmallWindow() {
        view()->sets()->offer(sentenceSets());
        for (const QSize size : {QSize(1024, 700), QSize(1280, 800), QSize(1920, 1080)}) {
            m_window->resize(size);
            QVERIFY(fixture::painted(*m_window));
            for (const SentenceSetRow* each : view()->sets()->rows())
                for (const QLabel* label : each->findChildren<QLabel*>())
                    if (label->isVisible() && !label->wordWrap())
                        QVERIFY2(label->fontMetrics().horizontalAdvance(label->text()) <= label->width(),
                                 qPrintable(label->text()));
        }
    }
};

QTEST_MAIN(TestGetSentences)
#include "test_get_sentences.moc"
