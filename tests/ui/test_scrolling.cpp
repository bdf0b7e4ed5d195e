// SPDX-License-Identifier: GPL-3.0-or-later
// What scrolls is laid out alike with a bar and without.
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QVBoxLayout>
#include <memory>

#include "tests/ui/fixture.h"
#include "ui/widgets/controls/panel.h"

using namespace headlight;

namespace {

constexpr int kTurn = 395, kHigh = 220, kLow = 180;

/// As a map whose long titles take a line more, and which has no room for them where it is narrow.
class LowerWhereNarrow : public QWidget {
protected:
    void resizeEvent(QResizeEvent* event) override {
        QWidget::resizeEvent(event);
        setMinimumHeight(width() > kTurn ? kHigh : kLow);
    }
};

/// With lines that wrap, so that the height of the page hangs on its width.
std::unique_ptr<QScrollArea> pageOf(QWidget* part, int margin) {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, margin, 0);
    column->setSpacing(0);
    column->addWidget(part);
    auto* words = new QLabel(QStringLiteral("a"));
    words->setWordWrap(true);
    words->setMaximumHeight(1);
    column->addWidget(words);
    return std::unique_ptr<QScrollArea>(scrolling(content));
}

/// The one that is seen.
QScrollBar* barOf(const QScrollArea& area) {
    return area.findChild<QScrollBar*>({}, Qt::FindDirectChildrenOnly);
}

}  // namespace

class TestScrolling : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme = std::make_unique<fixture::LightTheme>(); }
    void cleanupTestCase() { m_theme.reset(); }

    /// The bar came and went within one resize, until the stack was full.
    void whatIsLowerWhereItIsNarrowHasABarOrHasNone() {
        constexpr int kRoom = 200;
        auto* part = new LowerWhereNarrow;
        const auto area = pageOf(part, 0);
        area->show();
        for (int wide = kTurn - 20; wide <= kTurn + 20; ++wide) {
            area->resize(wide, kRoom);
            QTRY_COMPARE(barOf(*area)->isVisible(), wide > kTurn);
            QCOMPARE(part->width(), wide);
        }
    }

    void whatPaintsUpToItsEdgeHasTheBarBesideIt() {
        auto* part = new QWidget;
        const std::unique_ptr<QScrollArea> area(scrolling(part, BarPlace::Beside));
        area->resize(300, 200);
        area->show();
        const QScrollBar* const bar = barOf(*area);
        QTRY_COMPARE(part->width(), 300 - bar->width());
        part->setMinimumHeight(400);
        QTRY_VERIFY(bar->isVisible());
        QCOMPARE(part->width(), 300 - bar->width());
        QCOMPARE(bar->geometry().left(), part->width());
    }

    void theBarMovesThePageAndThePageTheBar() {
        auto* part = new QWidget;
        const auto area = pageOf(part, 16);
        area->resize(300, 200);
        area->show();
        QTRY_COMPARE(part->width(), 300 - 16);
        const QScrollBar* const bar = barOf(*area);
        QVERIFY(!bar->isVisible());
        part->setMinimumHeight(400);
        QTRY_VERIFY(bar->isVisible());
        QCOMPARE(part->width(), 300 - 16);
        QCOMPARE(bar->pageStep(), 200);
        QVERIFY(bar->geometry().left() >= 300 - 16);
        QTest::keyClick(barOf(*area), Qt::Key_End);
        QCOMPARE(area->widget()->y(), 200 - area->widget()->height());
        area->verticalScrollBar()->setValue(30);
        QCOMPARE(bar->value(), 30);
        area->resize(300, 500);
        QTRY_VERIFY(!bar->isVisible());
    }

private:
    std::unique_ptr<fixture::LightTheme> m_theme;
};

QTEST_MAIN(TestScrolling)
#include "test_scrolling.moc"
