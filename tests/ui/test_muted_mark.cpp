// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever a model does without some of its heads is marked as that, wherever it is seen.
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

#include "tests/ui/fixture.h"
#include "tests/ui/painted.h"
#include "ui/session/format/plural.h"
#include "ui/shell/compare_room.h"
#include "ui/shell/decode_room.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/views/architecture/architecture_stage.h"
#include "ui/views/architecture/architecture_view.h"
#include "ui/views/compare/compare_view.h"
#include "ui/views/decode/decode_view.h"
#include "ui/widgets/heads/muted_mark.h"

using namespace headlight;

class TestMutedMark : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_theme->setMode(ThemeManager::Mode::Light);
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->resize(1440, 900);
        m_window->show();
        m_window->openModel(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors"));
        QTRY_VERIFY(session().reading());
    }
    void cleanup() {
        m_window.reset();
        m_theme.reset();
    }

    void everyRoomMarksMutedHeadsAndTurnsThemOnAgain_data() {
        QTest::addColumn<QString>("view");
        for (const char* view : {"architecture", "decode", "compare"})
            QTest::newRow(view) << QString::fromLatin1(view);
    }
    void everyRoomMarksMutedHeadsAndTurnsThemOnAgain() {
        QFETCH(QString, view);
        m_window->rooms().showView(*viewNamed(view.toStdString()));
        QVERIFY(marks().isEmpty());
        session().setMutedHeads(
            {QStringLiteral("decoder.layers.1.cross_attn.3"), QStringLiteral("encoder.layers.0.self_attn.0")});
        QTRY_COMPARE(marks().size(), 2);
        QStringList texts;
        for (const MutedMark* mark : marks())
            texts << mark->text();
        texts.sort();
        QCOMPARE(texts, (QStringList{QStringLiteral("2"), QStringLiteral("2 heads muted")}));
        for (const MutedMark* mark : marks())
            QVERIFY2(mark->width() >= mark->sizeHint().width(), "it is whole");
        QTest::mouseClick(marks().front(), Qt::LeftButton);
        QVERIFY(session().mutedHeads().isEmpty());
        QTRY_VERIFY(marks().isEmpty());
    }

    void theArchitectureStrikesThroughTheHeadsOfTheOpenBlock() {
        m_window->rooms().showView(ViewName::Architecture);
        auto* stage = m_window->rooms().find<ExploreRoom>()->architecture()->stage();
        m_window->workbench().selection.setValue(QStringLiteral("decoder.layers.1.cross_attn.scores"));
        session().setMutedHeads({QStringLiteral("decoder.layers.1.cross_attn.3")});
        QTRY_VERIFY(session().reading()->muted);
        for (int head = 0; head < 8; ++head)
            QCOMPARE(stage->isStruckThrough(head), head == 3);
        m_window->workbench().selection.setValue(QStringLiteral("encoder.layers.1.self_attn.scores"));
        QVERIFY2(!stage->isStruckThrough(3), "of another block it is on");
    }

    void oneIsOneHead() {
        MutedMark mark(MutedMark::Size::Full);
        mark.setHeads({QStringLiteral("decoder.layers.1.cross_attn.3")});
        QCOMPARE(mark.text(), QStringLiteral("1 head muted"));
        QVERIFY(mark.toolTip().contains(QLatin1String("head 4")));
        QCOMPARE(plural(QStringLiteral("3 branch(es) of 3 tree(s)"), 3), QStringLiteral("3 branches of 3 trees"));
        QCOMPARE(plural(QStringLiteral("1 branch(es)"), 1), QStringLiteral("1 branch"));
        QCOMPARE(plural(QStringLiteral("5 голов"), 5), QStringLiteral("5 голов"));
    }

    /// "No model is open" stood there while one was.
    void anEmptiedSentenceAsksForASentence() {
        const auto texts = [this] {
            QStringList all;
            for (const QLabel* label : m_window->findChildren<QLabel*>())
                if (label->isVisible()) all << label->text();
            return all.join(u'\n');
        };
        session().setSource({});
        for (const ViewName view : {ViewName::Architecture, ViewName::Attention}) {
            m_window->rooms().showView(view);
            QTRY_VERIFY(texts().contains(QLatin1String("Type a sentence above")));
            QVERIFY(!texts().contains(QLatin1String("No model is open")));
        }
    }

    /// It pushed everything down, and the next click missed.
    void aNoticeMovesNothing() {
        m_window->rooms().showView(ViewName::Attention);
        QWidget* const room = m_window->rooms().find<ExploreRoom>();
        const QRect before(room->mapTo(m_window.get(), QPoint()), room->size());
        m_window->openModel(QStringLiteral("/nowhere/at/all.safetensors"));
        QTRY_VERIFY(!m_window->noticeText().isEmpty());
        QVERIFY(fixture::painted(*m_window));
        QCOMPARE(QRect(room->mapTo(m_window.get(), QPoint()), room->size()), before);
        const auto labels = m_window->findChildren<QLabel*>();
        const auto notice = std::ranges::find_if(
            labels, [this](const QLabel* label) { return label->text() == m_window->noticeText(); });
        QVERIFY(notice != labels.end() && (*notice)->isVisible());
        const QRect shown((*notice)->mapTo(m_window.get(), QPoint()), (*notice)->size());
        QVERIFY2(m_window->rect().contains(shown), "it is whole, inside of the window");
    }

private:
    Session& session() { return m_window->workbench().session; }
    QList<MutedMark*> marks() {
        QList<MutedMark*> shown;
        for (MutedMark* mark : m_window->findChildren<MutedMark*>())
            if (mark->isVisible()) shown << mark;
        return shown;
    }

    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestMutedMark)
#include "test_muted_mark.moc"
