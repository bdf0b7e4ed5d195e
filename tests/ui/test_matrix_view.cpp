// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest>

#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "ui/widgets/matrix/arithmetic_lines.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/value_strips.h"
#include "ui/widgets/theme/theme.h"

using namespace headlight;

namespace {

MatrixData square(int n, ColorScale scale = ColorScale::weights()) {
    MatrixData data;
    data.rows = data.columns = n;
    for (int i = 0; i < n * n; ++i)
        data.values.push_back(static_cast<float>(i) / static_cast<float>(n * n));
    for (int i = 0; i < n; ++i) {
        data.rowLabels << QStringLiteral("row%1").arg(i);
        data.columnLabels << QStringLiteral("key%1").arg(i);
    }
    data.scale = scale;
    return data;
}

QColor cornerColor(MatrixView& view, MatrixView::Cell cell) {
    return view.viewport()->grab().toImage().pixelColor(view.cellRect(cell).topLeft().toPoint() + QPoint(3, 3));
}

void moveTo(MatrixView& view, MatrixView::Cell cell) {
    const QPointF at = view.cellRect(cell).center();
    QMouseEvent move(QEvent::MouseMove, at, view.viewport()->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(view.viewport(), &move);
}

}  // namespace

class TestMatrixView : public QObject {
    Q_OBJECT
private slots:
    void cellsHaveTheColourOfTheirValue() {
        for (const bool dark : {false, true}) {
            const Theme& theme = dark ? Theme::dark() : Theme::light();
            MatrixView view;
            view.setPalette(ThemeManager::palette(theme));
            view.resize(500, 480);
            view.setData(square(4));
            for (const int i : {0, 5, 10, 15})
                QCOMPARE(cornerColor(view, {i / 4, i % 4}), theme.sequential(i / 16.0));
            view.setData(square(4, {ColorScale::Kind::Diverging, 2}));
            QCOMPARE(cornerColor(view, {3, 3}), theme.diverging(15 / 16.0, 2));
        }
    }

    void maskedCellsAreHatchedNotColoured() {
        MatrixView view;
        view.resize(500, 480);
        MatrixData data = square(4);
        data.masked.assign(16, 0);
        data.masked[15] = 1;
        view.setData(data);
        const QImage image = view.viewport()->grab().toImage();
        const QRect cell = view.cellRect({3, 3}).toRect().adjusted(2, 2, -2, -2);
        QSet<QRgb> seen;
        for (int x = cell.left(); x < cell.right(); ++x)
            seen.insert(image.pixel(x, cell.top()));
        QVERIFY(seen.contains(Theme::light().hatchGround.rgb()));
        QVERIFY(seen.size() > 1);
        QVERIFY(!seen.contains(Theme::light().sequential(15 / 16.0).rgb()));
    }

    void thePointerHoversAndAClickLocks() {
        MatrixView view;
        view.resize(500, 480);
        view.setData(square(5));
        view.show();
        QSignalSpy hovered(&view, &MatrixView::cellHovered), clicked(&view, &MatrixView::cellClicked);
        moveTo(view, {1, 3});
        QCOMPARE(hovered.takeLast(), (QVariantList{1, 3}));
        QCOMPARE(view.shown(), (MatrixView::Cell{1, 3}));
        // It locks when the button goes down; here there is no window around it that takes the release.
        QTest::ignoreMessage(QtWarningMsg, "Mouse event \"MouseRelease\" not accepted by receiving widget");
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.cellRect({2, 4}).center().toPoint());
        QCOMPARE(clicked.takeLast(), (QVariantList{2, 4}));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(view.viewport(), &leave);
        QCOMPARE(hovered.takeLast(), (QVariantList{-1, -1}));
        QCOMPARE(view.shown(), (MatrixView::Cell{2, 4}));
    }

    void arrowKeysMoveAndStopAtTheEdgesAndEscapeUnlocks() {
        MatrixView view;
        view.resize(500, 480);
        view.setData(square(3));
        QSignalSpy unlocked(&view, &MatrixView::unlocked);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.locked(), (MatrixView::Cell{0, 0}));
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.locked(), (MatrixView::Cell{1, 1}));
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.locked(), (MatrixView::Cell{2, 1}));
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(!view.locked().valid());
        QCOMPARE(unlocked.count(), 1);
    }

    /// 0.97 stood beside 1.0 and −12.
    void allNumbersOfAMatrixHaveAsManyDecimals() {
        MatrixData data = square(5, ColorScale::scores({}));
        data.values[6] = -12.5F;
        MatrixView view;
        view.setData(std::move(data));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        QSet<qsizetype> seen;
        for (int width = 220; width < 600; width += 5) {
            view.resize(width, 400);
            QSet<qsizetype> decimals;
            for (int cell = 0; cell < 25; ++cell)
                if (const QString written = view.writtenIn({cell / 5, cell % 5}); !written.isEmpty())
                    decimals << written.section(u'.', 1).size();
            QVERIFY2(decimals.size() <= 1, qPrintable(QString::number(width)));
            seen += decimals;
        }
        QVERIFY2(seen.contains(2) && seen.contains(1), "with room for two decimals, and for one");
    }

    /// −21.00 was cut to "21.0".
    void aNumberThatDoesNotFitLosesDecimalsAndNothingElse() {
        MatrixData data = square(5, ColorScale::scores({}));
        std::ranges::fill(data.values, -21.0F);
        MatrixView view;
        view.setData(std::move(data));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        QStringList seen;
        for (int width = 200; width < 700; width += 5) {
            view.resize(width, 400);
            const QString written = view.writtenIn({1, 1});
            const double room = view.cellRect({1, 1}).width();
            const int size = written.isEmpty() ? 0 : QFontMetrics(monoFont(11)).horizontalAdvance(written);
            QVERIFY2(size <= room, qPrintable(QStringLiteral("%1 in %2").arg(written).arg(room)));
            if (!seen.contains(written)) seen << written;
        }
        seen.removeAll(QString());
        QCOMPARE(seen.last(), QStringLiteral("−21.00"));
        QVERIFY2(seen.size() > 1, "some widths had no room for all of it");
        for (const QString& written : seen)
            QVERIFY2(written.startsWith(QStringLiteral("−21")) || written == QStringLiteral("−2e1"),
                     qPrintable(written));
    }

    /// Rows are rather lower than that a few of them are out of sight.
    void aFewRowsTooManyAreLowerAndManyScroll() {
        MatrixView view;
        view.resize(500, 300);
        view.show();
        view.setData(square(14));
        const double spare = view.viewport()->height() - view.cellRect({0, 0}).top() - 44;
        const int low = static_cast<int>(spare / 11), many = static_cast<int>(spare / 7);
        view.setData(square(low));
        QVERIFY(view.verticalScrollBar()->maximum() == 0 && view.cellRect({0, 0}).height() >= 9);
        view.setData(square(many));
        QVERIFY(view.verticalScrollBar()->maximum() > 0);
        QVERIFY(view.cellRect({0, 0}).height() >= MatrixView::kSmallestCell - 1);
    }

    void longSentencesScrollInsteadOfVanishing() {
        MatrixView view;
        view.resize(500, 480);
        view.show();
        view.setData(square(60));
        QVERIFY(view.cellRect({0, 0}).width() >= MatrixView::kSmallestCell - 1);
        QVERIFY(view.horizontalScrollBar()->maximum() > 0);
        QTest::keyClick(&view, Qt::Key_Right);
        for (int i = 0; i < 59; ++i)
            QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.locked(), (MatrixView::Cell{0, 59}));
        QVERIFY(view.viewport()->rect().contains(view.cellRect({0, 59}).toRect()));
    }

    /// A state of 7×128 was a line of 170 pixels in a view of 900, and scrolled for its last five columns.
    void aStripUsesTheHeightAndIsRatherNarrowThanCut() {
        MatrixView view;
        MatrixData data;
        data.rows = 7;
        data.columns = 128;
        data.values.assign(7 * 128, 0.5F);
        for (int row = 0; row < data.rows; ++row)
            data.rowLabels << QStringLiteral("row%1").arg(row);
        for (int column = 0; column < data.columns; ++column)
            data.columnLabels << QString::number(column + 1);
        data.scale = ColorScale::weights();
        view.resize(1780, 900);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        view.setData(data);
        QCOMPARE(view.horizontalScrollBar()->maximum(), 0);
        QVERIFY(view.cellRect({6, 0}).bottom() - view.cellRect({0, 0}).top() > 350);
        // In a narrow one it scrolls, and no column stands there half.
        view.resize(707, 480);
        QVERIFY(view.horizontalScrollBar()->maximum() > 0);
        int seen = 0;
        for (int column = 0; column < data.columns; ++column) {
            const QRectF at = view.cellRect({0, column});
            const bool begins = view.cellAt(at.topLeft() + QPointF(1, 1)).valid();
            QCOMPARE(view.cellAt(at.topRight() + QPointF(-1, 1)).valid(), begins);
            seen += begins ? 1 : 0;
        }
        QVERIFY(seen > 20);
    }

    void whatTheReaderLeavesOutIsHatchedButNotZero() {
        MatrixView view;
        view.resize(500, 480);
        MatrixData data = square(4);
        data.leftOut.assign(16, 0);
        data.leftOut[15] = 1;
        view.setData(data);
        QVERIFY(view.writtenIn({3, 3}).isEmpty());
        QCOMPARE(view.describe({3, 3}), QStringLiteral("row3, key3: 0.9375, left out"));
        QVERIFY(cornerColor(view, {3, 3}) != Theme::light().sequential(15 / 16.0));
    }

    void aThousandWordsAreSeenAtOnceAndReadOneByOne() {
        MatrixView view;
        view.resize(700, 600);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        view.setData(square(1024));
        QVERIFY(view.isCrowded());
        const QSizeF readable = view.cellRect({0, 0}).size();
        view.setZoom(1);
        QCOMPARE(view.horizontalScrollBar()->maximum(), 0);
        QCOMPARE(view.verticalScrollBar()->maximum(), 0);
        QVERIFY(view.cellRect({0, 0}).width() < 1);
        QVERIFY(QRectF(view.viewport()->rect()).contains(view.cellRect({1023, 1023}).center()));
        const MatrixView::Cell at = view.cellAt(view.cellRect({700, 300}).center());
        QVERIFY(std::abs(at.row - 700) < 2 && std::abs(at.column - 300) < 2);
        QSignalSpy zoomed(&view, &MatrixView::zoomed);
        for (int i = 0; i < 20; ++i)
            QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY2(!view.writtenIn({5, 5}).isEmpty(), "large enough to read");
        QCOMPARE(zoomed.count(), 20);
        QTest::keyClick(&view, Qt::Key_0);
        QCOMPARE(view.cellRect({0, 0}).size(), readable);
        QCOMPARE(view.zoom(), 0.0);
    }

    /// One bright cell among a million is what attention is made of.
    void aSingleWeightIsSeenHoweverSmallTheCells() {
        MatrixView view;
        view.resize(500, 480);
        view.show();
        MatrixData data = square(1024);
        std::ranges::fill(data.values, 0.0F);
        data.values[500 * 1024 + 700] = 1;
        view.setData(std::move(data));
        view.setZoom(1);
        const QImage image = view.viewport()->grab().toImage();
        const QPoint at = view.cellRect({500, 700}).topLeft().toPoint();
        bool seen = false;
        for (int x = -2; x <= 2; ++x)
            for (int y = -2; y <= 2; ++y)
                seen |= image.pixelColor(at + QPoint(x, y)) == Theme::light().sequential(1);
        QVERIFY(seen);
        QCOMPARE(image.pixelColor(at + QPoint(20, 20)), Theme::light().sequential(0));
    }

    void theWheelKeepsTheCellUnderThePointer() {
        MatrixView view;
        view.resize(700, 600);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        view.setData(square(300));
        view.setZoom(4);
        view.horizontalScrollBar()->setValue(400);
        view.verticalScrollBar()->setValue(300);
        const QPointF at(400, 350);
        const MatrixView::Cell before = view.cellAt(at);
        QWheelEvent wheel(at, view.viewport()->mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::ControlModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(view.viewport(), &wheel);
        const MatrixView::Cell after = view.cellAt(at);
        QVERIFY2(view.zoom() > 8, qPrintable(QString::number(view.zoom())));
        QVERIFY(std::abs(after.row - before.row) < 2 && std::abs(after.column - before.column) < 2);
    }

    void fewCellsNeedNoScrollBars() {
        MatrixView view;
        view.show();
        for (int width = 300; width < 340; ++width) {
            view.resize(width, 480);
            view.setData(square(5));
            QCOMPARE(view.horizontalScrollBar()->maximum(), 0);
            QCOMPARE(view.verticalScrollBar()->maximum(), 0);
        }
    }

    /// q, k and their products had a scale each, so that 0.2 and 2 looked alike.
    void allStripsOfAnEquationHaveOneScaleThatIsPrinted() {
        for (const bool dark : {false, true}) {
            const Theme& theme = dark ? Theme::dark() : Theme::light();
            ArithmeticLines lines;
            lines.setPalette(ThemeManager::palette(theme));
            CellArithmetic arithmetic;
            arithmetic.vectors = {{"q", {0.2F, -0.4F}}, {"k", {2, 5.3F}}, {"×", {0.4F, -2.12F}}};
            arithmetic.steps = {{"sum", -1.72}};
            lines.setArithmetic(arithmetic);
            lines.resize(420, lines.sizeHint().height());
            QCOMPARE(lines.scale().max, 5.5);
            const QImage image = lines.grab().toImage();
            for (size_t vector = 0; vector < 3; ++vector)
                for (int entry = 0; entry < 2; ++entry) {
                    const QPointF at = lines.cellRect(vector, entry).topLeft() + QPointF(4, 4);
                    const double value =
                        static_cast<double>(arithmetic.vectors[vector].values[static_cast<size_t>(entry)]);
                    QCOMPARE(image.pixelColor((at * image.devicePixelRatio()).toPoint()), theme.diverging(value, 5.5));
                }
            QVERIFY(fixture::drawn(lines).writes({QStringLiteral("−5.5"), "0", "+5.5"}));
        }
    }

    /// A cell's state on ±4 and the state on ±1 stood below one another in the same strength.
    void signedStripsHaveOneRangeAndSayIt() {
        const std::vector<float> gate = {0.1F, 0.9F}, cell = {3.7F, -1}, state = {0.5F, -0.5F};
        ValueStrips strips;
        strips.setStrips({{"gate", gate, true}, {"cell", cell}, {"state", state}});
        strips.resize(700, strips.sizeHint().height());
        QCOMPARE(strips.most(), 4.0);
        const QImage image = strips.grab().toImage();
        const auto colour = [&](int strip, int entry) {
            return image.pixelColor((strips.cellRect(strip, entry).center() * image.devicePixelRatio()).toPoint());
        };
        const auto near = [](const QColor& a, const QColor& b) {
            return std::abs(a.red() - b.red()) < 4 && std::abs(a.blue() - b.blue()) < 4;
        };
        const Theme& theme = Theme::of(&strips);
        QVERIFY(near(colour(1, 0), theme.diverging(3.7, 4)));
        QVERIFY(near(colour(2, 0), theme.diverging(0.5, 4)));
        const QStringList texts = fixture::drawn(strips).texts();
        QCOMPARE(texts.count(QStringLiteral("0 … 1")), 1);
        QCOMPARE(texts.count(QStringLiteral("−4.0 … +4.0")), 2);
    }

    void aScreenReaderFindsATable() {
        MatrixView view;
        view.setData(square(3));
        QAccessibleInterface* table = QAccessible::queryAccessibleInterface(&view);
        QCOMPARE(table->role(), QAccessible::Table);
        QCOMPARE(table->tableInterface()->rowCount(), 3);
        QAccessibleInterface* cell = table->tableInterface()->cellAt(1, 2);
        QCOMPARE(cell->text(QAccessible::Name), QStringLiteral("row1, key2: 0.555556"));
        QCOMPARE(table->tableInterface()->cellAt(9, 9), nullptr);
    }
};

QTEST_MAIN(TestMatrixView)
#include "test_matrix_view.moc"
