// SPDX-License-Identifier: GPL-3.0-or-later
// The stage as a value: applied, told, linked, undone and restored.
#include <QClipboard>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/platform/pace.h"
#include "tests/session/jobs.h"
#include "tests/ui/calm_theme.h"
#include "tests/ui/fixture.h"
#include "tests/ui/stage_pictures.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/edit_history.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/sentence_bar.h"
#include "ui/shell/stage.h"

using namespace headlight;
using fixture::apply, fixture::picture;

namespace {

QString different(const StageSetting& a, const StageSetting& b) {
    QStringList all;
    const auto add = [&](const StageSetting& from, const StageSetting& in, const char* sign) {
        for (const auto& [key, value] : from)
            if (const auto at = in.find(key); at == in.end() || at->second != value)
                all << QString::fromStdString(sign + key + "=" + value);
    };
    add(a, b, "-");
    add(b, a, "+");
    return all.join(u' ');
}

}  // namespace

class TestStage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme = fixture::calmTheme(m_folder); }
    void init() {
        QSettings().clear();
        m_window = open();
        m_window->openModel(shippedModel(QStringLiteral("vi-en-transformer")));
        apply(*m_window, {});
    }
    void cleanup() { m_window.reset(); }
    void cleanupTestCase() { m_theme.reset(); }

    void everyViewStandsInOneRoomUnderItsName() {
        std::vector<std::string> seen;
        for (const Room* room : m_window->rooms().all())
            for (const Room::View& view : room->views()) {
                seen.emplace_back(nameOf(view.name));
                QVERIFY(!view.title.isEmpty());
            }
        std::ranges::sort(seen);
        std::vector<std::string> all(viewWords().begin(), viewWords().end());
        std::ranges::sort(all);
        QCOMPARE(seen, all);
    }

    void whatIsAppliedIsTold_data() {
        QTest::addColumn<QString>("link");
        for (const char* link :
             {"headlight:architecture?level=operation&focus=decoder.layers.0.cross_attn.weights&cell=2,3&head=2",
              "headlight:attention?block=encoder.layers.1.self_attn&head=4&cell=1,2&quantity=scores&picture=text",
              "headlight:attention?head=2&overlaid=3,%205&top=40&specials=hidden&first_word=hidden&zoom=1.5",
              "headlight:attention?pairs=within-second&picture=heads",
              "headlight:attention?mute=decoder.layers.1.cross_attn.2&source=t%C3%B4i%20y%C3%AAu%20b%E1%BA%A1n",
              "headlight:query-key-value?scaled=off&numbers=Q%5B1,2%5D%3D0.9&sharpness=2",
              "headlight:masks?masking=multiply&cells=1,3&stack=encoder&padding=2",
              "headlight:positions?length=5&width=5&base=100&cell=2,3",
              "headlight:recurrent?model=vi-en-gru&step=3&side=gradient",
              "headlight:values?focus=encoder.layers.1.self_attn.heads&cell=2,7&histogram=on&step=12&grain=layer",
              "headlight:decode?beam=4&scoring=average&max_length=9&fixed=you%20love",
              "headlight:compare?with=heads&without=decoder.layers.1.cross_attn.2",
              "headlight:training?task=fr-en&seed=7", "headlight:cost?cost_words=70&cost_width=64",
              "headlight:embeddings?embedding=target&nearest=loves"})
            QTest::newRow(link) << QString::fromLatin1(link);
    }
    void whatIsAppliedIsTold() {
        QFETCH(QString, link);
        const StageState wanted = stageFromLink(link.toStdString());
        apply(*m_window, wanted);
        const StageSetting is = settingOf(m_window->stage().state());
        for (const auto& [key, value] : settingOf(wanted)) {
            const auto at = is.find(key);
            QVERIFY2(at != is.end(), key.c_str());
            QCOMPARE(at->second, value);
        }
    }

    void aLinkOfAnyViewBringsTheSamePictureBack_data() {
        QTest::addColumn<QString>("model");
        // Of all of them, in programs just started, test_fresh_process makes sure.
        for (const char* model : {"vi-en-transformer", "stories-lstm"})
            QTest::newRow(model) << QString::fromLatin1(model);
    }
    void aLinkOfAnyViewBringsTheSamePictureBack() {
        QFETCH(QString, model);
        StageState state;
        state.model = model.toStdString();
        state.head = 2;
        state.cell = {2, 2};
        state.step = 9;
        for (const Room* room : m_window->rooms().all())
            for (const Room::View& view : room->views()) {
                state.view = view.name;
                apply(*m_window, state);
                const QString link = m_window->link();
                const auto fresh = open();
                fresh->open(link);
                QTRY_VERIFY(fresh->stage().isSettled());
                QCOMPARE(fresh->link(), link);
                const QImage one = picture(*m_window), other = picture(*fresh);
                fixture::keepWhereDifferent(one, other, model + QLatin1Char('-') + QLatin1String(nameOf(view.name)));
                QVERIFY2(one == other, nameOf(view.name));
            }
    }

    void aModelOfOnesOwnIsFoundByItsBytes() {
        const QString file = m_folder.filePath(QStringLiteral("mine.safetensors"));
        QVERIFY(QFile::copy(shippedModel(QStringLiteral("vi-en-gru")), file));
        m_window->openModel(file);
        QTRY_VERIFY(!m_window->workbench().session.modelHash().isEmpty());
        QTRY_VERIFY(m_window->stage().isSettled());
        const QString link = m_window->link();
        QVERIFY(link.contains(QLatin1String("model_hash=")));
        QVERIFY(QFile::remove(file));
        const auto fresh = open();
        fresh->open(link);
        QTRY_VERIFY(fresh->stage().isSettled());
        QCOMPARE(fresh->workbench().session.modelName(), QStringLiteral("vi-en-gru"));
    }

    void theModelThatIsComparedIsFoundByItsBytesToo() {
        const QString file = m_folder.filePath(QStringLiteral("other.safetensors"));
        QVERIFY(QFile::copy(shippedModel(QStringLiteral("vi-en-gru")), file));
        StageState state;
        state.view = ViewName::Compare;
        state.compare.against = file.toStdString();
        apply(*m_window, state);
        QTRY_VERIFY(m_window->link().contains(QLatin1String("against_hash=")));
        const QString link = m_window->link();
        QVERIFY(QFile::remove(file));
        const auto fresh = open();
        fresh->open(link);
        QTRY_VERIFY(fresh->stage().isSettled());
        QVERIFY2(fresh->noticeText().isEmpty(), qPrintable(fresh->noticeText()));
        QCOMPARE(fresh->stage().state().compare.against, std::string("vi-en-gru"));
    }

    void whatALinkLacksIsSaid() {
        m_window->open(QStringLiteral("headlight:attention?model=/nowhere/none.safetensors"));
        QTRY_VERIFY(m_window->noticeText().contains(QLatin1String("none.safetensors")));
        m_window->open(QStringLiteral("headlight:attention?lesson=no-such"));
        QTRY_VERIFY(m_window->noticeText().contains(QLatin1String("no-such")));
        m_window->open(QStringLiteral("headlight:atention"));
        QVERIFY(m_window->noticeText().contains(QLatin1String("atention")));
        QCOMPARE(m_window->workbench().session.modelName(), QStringLiteral("vi-en-transformer"));
    }

    /// It lay over the lower panels of wherever the reader went.
    void aNoticeStaysInTheViewItWasSaidIn() {
        m_window->open(QStringLiteral("headlight:attention?model=/nowhere/none.safetensors"));
        QTRY_VERIFY(m_window->noticeText().contains(QLatin1String("none.safetensors")));
        m_window->rooms().showView(ViewName::Attention);
        QVERIFY(!m_window->noticeText().isEmpty());  // the reader has gone nowhere
        m_window->rooms().showView(ViewName::Training);
        QVERIFY2(m_window->noticeText().isEmpty(), qPrintable(m_window->noticeText()));
    }

    void aStateReplacesTheOneThatIsStillBeingSet() {
        QSignalSpy settled(&m_window->stage(), &Stage::settled);
        StageState slow;
        slow.model = "vi-en-rnn";
        m_window->stage().apply(slow);
        StageState wanted;
        wanted.model = "vi-en-transformer";
        wanted.source = "tôi yêu bạn";
        const auto revision = m_window->stage().apply(wanted);
        QTRY_VERIFY(m_window->stage().isSettled());
        QVERIFY(fixture::allJobsAreDone());  // the other model is loaded too
        QCOMPARE(m_window->workbench().session.modelName(), QStringLiteral("vi-en-transformer"));
        QCOMPARE(m_window->workbench().session.source(), QStringLiteral("tôi yêu bạn"));
        QCOMPARE(settled.last().front().toULongLong(), revision);
    }

    void fieldAndStageSayTheSameSentenceWhoeverHasTheFocus() {
        QLineEdit* input = m_window->rooms().find<ExploreRoom>()->sentenceBar()->input();
        m_window->rooms().showView(ViewName::Attention);
        input->setFocus();
        StageState state;
        state.source = "mẹ tôi yêu bố tôi";
        apply(*m_window, state);
        QCOMPARE(input->text(), m_window->workbench().session.source());
    }

    void aTypedSentenceIsUndoneAndRedone() {
        QLineEdit* input = m_window->rooms().find<ExploreRoom>()->sentenceBar()->input();
        const QString before = m_window->workbench().session.source();
        input->setText(QStringLiteral("tôi yêu bạn"));
        emit input->textEdited(input->text());
        QTRY_VERIFY(m_window->stage().isSettled());
        m_window->rooms().showView(ViewName::Masks);
        m_window->history().stack().undo();
        QTRY_COMPARE(m_window->workbench().session.reading()->source, before);
        QVERIFY2(m_window->rooms().view() == ViewName::Masks, "the reader stays where he went");
        m_window->history().stack().redo();
        QTRY_COMPARE(m_window->workbench().session.reading()->source, QStringLiteral("tôi yêu bạn"));
    }

    void lettersThatFollowOneAnotherSwiftlyAreOneEdit() {
        QLineEdit* input = m_window->rooms().find<ExploreRoom>()->sentenceBar()->input();
        const auto type = [&](const char* text) {
            input->setText(QString::fromUtf8(text));
            emit input->textEdited(input->text());
            QTRY_VERIFY(m_window->stage().isSettled());
        };
        const int before = m_window->history().stack().count();
        {
            const platform::ScopedPace hourly(platform::Pace::Hourly);
            type("tôi yêu");
            type("tôi yêu bạn");
        }
        QCOMPARE(m_window->history().stack().count(), before + 1);
        const platform::ScopedPace atOnce(platform::Pace::AtOnce);
        type("tôi yêu mẹ");
        QCOMPARE(m_window->history().stack().count(), before + 2);
    }

    void everyKindOfEditIsUndone() {
        Workbench& bench = m_window->workbench();
        bench.decoding.setWatched(true);
        const StageState before = m_window->stage().state();
        bench.session.setMutedHeads({"decoder.layers.1.cross_attn.2"});
        QTRY_VERIFY(m_window->stage().isSettled());
        bench.decoding.setPrefix(bench.decoding.idsOf(QStringLiteral("you")));
        QTRY_VERIFY(m_window->stage().isSettled());
        bench.decoding.setBeam(5);
        QTRY_VERIFY(m_window->stage().isSettled());
        const StageState after = m_window->stage().state();
        QCOMPARE(m_window->history().stack().count(), 3);
        while (m_window->history().stack().canUndo()) {
            m_window->history().stack().undo();
            QTRY_VERIFY(m_window->stage().isSettled());
        }
        QVERIFY2(m_window->stage().state() == before,
                 qPrintable(different(settingOf(m_window->stage().state()), settingOf(before))));
        while (m_window->history().stack().canRedo()) {
            m_window->history().stack().redo();
            QTRY_VERIFY(m_window->stage().isSettled());
        }
        QVERIFY2(m_window->stage().state() == after,
                 qPrintable(different(settingOf(m_window->stage().state()), settingOf(after))));
    }

    void whatStoodOnTheStageComesBackAtTheNextStart() {
        const platform::ScopedPace atOnce(platform::Pace::AtOnce);
        StageState state;
        state.view = ViewName::Values;
        state.model = "vi-en-gru";
        state.source = "tôi yêu bạn";
        state.cell = {2, 2};
        apply(*m_window, state);
        const QString link = m_window->link();
        QTRY_COMPARE(QSettings().value(QStringLiteral("stage/link")).toString(), link);  // without closing: a crash
        const auto next = open();
        QVERIFY(next->restoreStage());
        QTRY_VERIFY(next->stage().isSettled());
        QCOMPARE(next->link(), link);
    }

    void aSentenceEmptiedWhileItIsReadStaysEmpty() {
        Session& session = m_window->workbench().session;
        session.setSource(QStringLiteral("tôi yêu bạn"));
        session.setSource({});
        QVERIFY(fixture::allJobsAreDone());
        QVERIFY(!session.reading());
        QVERIFY(m_window->stage().isSettled());
    }

    void theLinkIsCopiedAndPasted() {
        apply(*m_window, stageFrom({{"view", "values"}, {"source", "tôi yêu bạn"}}));
        trigger(Qt::CTRL | Qt::SHIFT | Qt::Key_C);
        const QString link = QGuiApplication::clipboard()->text();
        QVERIFY(link.startsWith(QLatin1String("headlight:values?")));
        apply(*m_window, {});
        trigger(Qt::CTRL | Qt::SHIFT | Qt::Key_V);
        QTRY_VERIFY(m_window->stage().isSettled());
        QCOMPARE(m_window->link(), link);
    }

    void whatIsPointedAtIsCopiedAsPython() {
        apply(*m_window, stageFrom({{"view", "values"}, {"source", "tôi yêu bạn"}, {"focus", "encoder.output"}}));
        trigger(Qt::CTRL | Qt::SHIFT | Qt::Key_P);
        const QString text = QGuiApplication::clipboard()->text();
        QVERIFY2(text.contains(QLatin1String("value = trace[\"encoder.output\"]")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("\"--source\", \"tôi yêu bạn\"")), qPrintable(text));
        QVERIFY2(m_window->statusText().contains(QLatin1String("encoder.output")), qPrintable(m_window->statusText()));
    }

private:
    std::unique_ptr<MainWindow> open() { return fixture::openWindow(*m_theme); }

    /// What the keys do: a window without a place on the screen gets none.
    void trigger(const QKeySequence& keys) {
        for (QAction* action : m_window->actions())
            if (action->shortcut() == keys) return action->trigger();
        QFAIL("no action has these keys");
    }

    QTemporaryDir m_folder;
    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestStage)
#include "test_stage.moc"
