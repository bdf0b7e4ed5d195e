// SPDX-License-Identifier: GPL-3.0-or-later
// What a lecture needs of the window: pictures alone, without the controls around them, and figures for slides.
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMimeData>
#include <QTest>

#include "tests/ui/calm_window.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/bare_bar.h"
#include "ui/shell/decode_room.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/figure_desk.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/sentence_bar.h"
#include "ui/shell/stage.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/heads/muted_mark.h"

using namespace headlight;

class TestLecture : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_calm = std::make_unique<fixture::CalmWindow>(QSize(1440, 900));
        apply("headlight:attention?model=vi-en-transformer");
    }
    void cleanup() { m_calm.reset(); }

    void withoutControlsTheStageHasTheWindow() {
        const auto* explore = rooms().find<ExploreRoom>();
        const QSize before = rooms().size();
        QVERIFY(rooms().width() < window().width());
        rooms().showControls(false);
        QApplication::processEvents();
        const auto* bar = window().findChild<BareBar*>();
        QCOMPARE(rooms().size(), window().size() - QSize(0, bar->height()));
        QVERIFY(bar->height() <= 36);
        QVERIFY(!explore->sentenceBar()->isVisible());
        for (const auto* rail : window().findChildren<RailButton*>())
            QVERIFY(!rail->isVisible());
        rooms().showControls(true);
        QApplication::processEvents();
        QCOMPARE(rooms().size(), before);
        QVERIFY(explore->sentenceBar()->isVisible());
    }

    void theyAreAPartOfTheStateAndComeBackByAButton() {
        QVERIFY(!window().link().contains(QStringLiteral("controls")));
        rooms().showControls(false);
        const QString link = window().link();
        QVERIFY2(link.contains(QStringLiteral("controls=hidden")), qPrintable(link));
        auto* bar = window().findChild<BareBar*>();
        QVERIFY(bar->isVisible());
        QTest::mouseClick(bar->findChild<Button*>(), Qt::LeftButton);
        QVERIFY(rooms().hasControls());
        QVERIFY(!bar->isVisible());
        apply(link.toStdString());
        QVERIFY(!rooms().hasControls());
    }

    void mutedHeadsAreMarkedWithoutControlsToo() {
        rooms().showControls(false);
        const auto* mark = window().findChild<BareBar*>()->findChild<MutedMark*>();
        QVERIFY(!mark->isVisible());
        apply("headlight:attention?model=vi-en-transformer&controls=hidden&mute=decoder.layers.1.cross_attn.0");
        QVERIFY(mark->isVisible());
        QVERIFY(window().centralWidget()->rect().contains(mark->geometry()));
    }

    void whatHidesItselfStaysHidden() {
        apply("headlight:decode?model=stories-transformer");
        auto* decode = rooms().find<DecodeRoom>();
        const auto visible = [&] {
            std::vector<bool> all;
            for (const auto* panel : decode->findChildren<Panel*>())
                all.push_back(panel->isVisible());
            return all;
        };
        const std::vector<bool> before = visible();
        rooms().showControls(false);
        apply("headlight:decode?model=vi-en-transformer&controls=hidden");
        apply("headlight:decode?model=stories-transformer&controls=hidden");
        QVERIFY(!decode->findChild<SentenceBar*>()->isVisible());
        rooms().showControls(true);
        QCOMPARE(visible(), before);
    }

    void aFigureIsCopiedAsPictureAndAsVectors() {
        auto* desk = window().findChild<FigureDesk*>();
        desk->copy(*rooms().current().viewWidget());
        const QMimeData* data = QApplication::clipboard()->mimeData();
        QVERIFY(data->hasImage());
        QCOMPARE(qvariant_cast<QImage>(data->imageData()).width(), 2 * rooms().current().viewWidget()->width());
        QVERIFY(data->data(QStringLiteral("image/svg+xml")).contains("<svg"));
        QVERIFY(data->data(QStringLiteral("application/pdf")).startsWith("%PDF"));
    }

    void aCardOffersItselfWhereThePointerIs() {
        apply("headlight:positions?model=vi-en-transformer");
        auto* view = rooms().current().viewWidget();
        Card* card = nullptr;
        for (Card* each : view->findChildren<Card*>())
            if (each->isVisible() && !each->title().isEmpty()) card = each;
        QVERIFY(card);
        auto* corner = card->findChild<QAbstractButton*>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY(!corner->isVisible());
        QEnterEvent enter({5, 5}, {5, 5}, {5, 5});
        QApplication::sendEvent(card, &enter);
        QVERIFY(corner->isVisible());
        // Over nothing that the card holds.
        for (const QWidget* other : card->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            QVERIFY(other == corner || !other->isVisible() || !other->geometry().intersects(corner->geometry()));
        QApplication::clipboard()->clear();
        QTest::mouseClick(corner, Qt::LeftButton);
        auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        menu->setActiveAction(menu->actions().first());
        QTest::keyClick(menu, Qt::Key_Return);
        QTRY_VERIFY(QApplication::clipboard()->mimeData()->hasImage());
        QCOMPARE(qvariant_cast<QImage>(QApplication::clipboard()->mimeData()->imageData()).size(), 2 * card->size());
        const QString name = window().findChild<FigureDesk*>()->fileNameOf(*card);
        QVERIFY2(name.endsWith(QStringLiteral(".svg")) && !name.contains(u' ') && name != QStringLiteral("figure.svg"),
                 qPrintable(name));
    }

private:
    MainWindow& window() const { return *m_calm->window; }
    RoomStack& rooms() const { return window().rooms(); }
    void apply(const std::string& link) {
        window().stage().apply(stageFromLink(link));
        QTRY_VERIFY(window().stage().isSettled());
        QApplication::processEvents();
    }

    std::unique_ptr<fixture::CalmWindow> m_calm;
};

QTEST_MAIN(TestLecture)
#include "test_lecture.moc"
