// SPDX-License-Identifier: GPL-3.0-or-later
// The three matrices of the chosen value are seen whole, below the map of all modules.
#include <QLabel>
#include <QScrollArea>
#include <QTest>

#include "tests/ui/calm_window.h"
#include "tests/ui/painted.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/views/compare/compare_view.h"
#include "ui/views/compare/divergence_map.h"
#include "ui/widgets/matrix/matrix_view.h"

using namespace headlight;

class TestCompareFold : public QObject {
    Q_OBJECT
private slots:
    void matricesOfTheChosenValueAreSeenWhole_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("link");
        for (const QSize& size : {QSize(1440, 900), QSize(1280, 800)}) {
            const auto row = [&size](const char* what, const char* link) {
                QTest::addRow("%s, %d wide", what, size.width()) << size << QString::fromLatin1(link);
            };
            row("another model", "headlight:compare?model=vi-en-transformer");
            row("without positions", "headlight:compare?model=vi-en-transformer&with=positions");
            row("without heads", "headlight:compare?model=vi-en-transformer&with=heads");
            row("a value of many columns",
                "headlight:compare?model=vi-en-transformer&focus=decoder.layers.1.ffn.output");
            row("a language model", "headlight:compare?model=stories-transformer&with=heads");
        }
    }
    void matricesOfTheChosenValueAreSeenWhole() {
        QFETCH(QSize, size);
        QFETCH(QString, link);
        const fixture::CalmWindow calm(size);
        Stage& stage = calm.window->stage();
        stage.apply(stageFromLink(link.toStdString()));
        QTRY_VERIFY(stage.isSettled());
        QVERIFY(fixture::painted(*calm.window));
        const auto* view = calm.window->findChild<CompareView*>();
        const QScrollArea* page = nullptr;
        for (const auto* area : view->findChildren<QScrollArea*>())
            if (area->isAncestorOf(view->matrix(CompareView::First))) page = area;
        QVERIFY(page);
        for (const CompareView::Side side : {CompareView::First, CompareView::Second, CompareView::Difference}) {
            const MatrixView* matrix = view->matrix(side);
            const QPoint end = matrix->mapTo(page->viewport(), QPoint(matrix->width(), matrix->height()));
            QVERIFY2(end.y() <= page->viewport()->height(),
                     qPrintable(QStringLiteral("%1 px below the fold").arg(end.y() - page->viewport()->height())));
            QVERIFY(matrix->data().rows > 0);
            // Not by cells that cannot be read any more.
            QVERIFY(matrix->cellRect({0, 0}).height() >= MatrixView::kSmallestWithNumber.height() - 1);
            const MatrixView::Cell last{matrix->data().rows - 1, 0};
            QVERIFY(matrix->viewport()->rect().contains(matrix->cellRect(last).bottomLeft().toPoint()));
        }
    }

    /// It was thirty pixels of headings: its words were given a second line, and the least height was asked of nobody.
    void theMapIsNoLowerThanItMayBe() {
        const fixture::CalmWindow calm(QSize(1024, 700));
        Stage& stage = calm.window->stage();
        stage.apply(stageFromLink("headlight:compare?model=vi-en-transformer"));
        QTRY_VERIFY(stage.isSettled());
        QVERIFY(fixture::painted(*calm.window));
        const auto* map = calm.window->findChild<DivergenceMap*>();
        QVERIFY2(map->parentWidget()->height() >= map->minimumHeight() && map->height() >= map->minimumHeight(),
                 qPrintable(QString::number(map->parentWidget()->height())));
        const QRect seen = map->visibleRegion().boundingRect();
        QVERIFY2(seen.height() >= map->minimumHeight() / 2, qPrintable(QString::number(seen.height())));
    }
};

QTEST_MAIN(TestCompareFold)
#include "test_compare_fold.moc"
