// SPDX-License-Identifier: GPL-3.0-or-later
// Which weights are drawn as lines, and how the lines of many heads are told apart.
#include <QTest>
#include <numeric>
#include <set>

#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "ui/widgets/heads/attention_lines.h"
#include "ui/widgets/heads/line_mark.h"

using namespace headlight;

namespace {

using Columns = std::vector<int>;

Columns columnsOf(const std::vector<AttentionLine>& lines) {
    Columns columns;
    for (const AttentionLine& line : lines)
        columns.push_back(line.column);
    return columns;
}

QStringList words(int count) {
    QStringList all;
    for (int i = 0; i < count; ++i)
        all << QStringLiteral("w%1").arg(i);
    return all;
}

/// Each row looks mostly at its own word and a little at all before it.
std::vector<float> longText(int n) {
    std::vector<float> weights(static_cast<size_t>(n) * static_cast<size_t>(n));
    for (int row = 0; row < n; ++row)
        for (int column = 0; column <= row; ++column)
            weights[cellIndex(row, column, n)] = (column == row ? 0.5F : 0.5F / static_cast<float>(row));
    return weights;
}

}  // namespace

class TestAttentionLines : public QObject {
    Q_OBJECT
    std::unique_ptr<fixture::LightTheme> m_theme;

private slots:
    void initTestCase() { m_theme = std::make_unique<fixture::LightTheme>(); }
    void cleanupTestCase() { m_theme.reset(); }

    void theStrongestLinesHoldTheShareAndTheLargestStaysInAnyCase() {
        const std::vector<float> row = {0.1F, 0.5F, 0.25F, 0.15F};
        const LineWeights weights{row, 1, 1, 4};
        QCOMPARE(columnsOf(linesOfRow(weights, 0, 0, 1)), (Columns{1, 2, 3, 0}));
        QCOMPARE(columnsOf(linesOfRow(weights, 0, 0, 0.74)), (Columns{1, 2}));
        QCOMPARE(columnsOf(linesOfRow(weights, 0, 0, 0.76)), (Columns{1, 2, 3}));
        QCOMPARE(columnsOf(linesOfRow(weights, 0, 0, 0)), (Columns{1}));
        const std::vector<float> haze(100, 0.01F);
        QCOMPARE(linesOfRow({haze, 1, 1, 100}, 0, 0, 1).size(), size_t{1});
    }

    void whatIsDrawnIsCountedAgainstAllThatIsThere() {
        // The second row may look at its first two words only; what is left out is no line.
        const std::vector<float> values = {0.5F, 0.25F, 0.25F, 0.75F, 0.25F, 0};
        const std::vector<char> leftOut = {0, 0, 1, 0, 0, 0};
        const LineChoice all = chooseLines({values, 1, 2, 3}, 1);
        QCOMPARE(all.possible, size_t{5});
        QCOMPARE(all.lines.size(), size_t{5});
        QCOMPARE(all.share, 1.0);
        QCOMPARE(all.faint, size_t{0});
        const LineChoice some = chooseLines({values, 1, 2, 3, leftOut}, 0.5);
        QCOMPARE(some.possible, size_t{4});
        QCOMPARE(some.lines, (std::vector<AttentionLine>{{0, 0, 0, 0.5F}, {0, 1, 0, 0.75F}}));
        QCOMPARE(some.share, 1.25 / 1.75);
    }

    /// Of a row that has nothing else the strongest is a line even so.
    void whatIsTooFaintToBeDrawnIsCounted() {
        const std::vector<float> values = {0.97F, 0.015F, 0.015F, 0.01F, 0.012F, 0};
        const LineChoice all = chooseLines({values, 1, 2, 3}, 1);
        QCOMPARE(all.possible, size_t{5});
        QCOMPARE(all.lines.size(), size_t{2});
        QCOMPARE(all.faint, size_t{3});
    }

    void aWidthSaysWhatItStandsFor() {
        AttentionLines lines;
        lines.resize(440, 300);
        LinesData data{.weights = {1, 0.5F, 0.1F, 0}, .rowLabels = words(2), .columnLabels = words(2)};
        data.columnTitle = QStringLiteral("Source");
        data.rowTitle = QStringLiteral("Being written");
        lines.setData(data);
        const fixture::Drawn drawn = fixture::drawn(lines);
        QVERIFY(drawn.writes({QStringLiteral("0.1"), QStringLiteral("0.5"), QStringLiteral("1")}));
        lines.resize(200, 300);  // no room between the titles
        QVERIFY(!fixture::drawn(lines).mentions(QStringLiteral("0.5")));
    }

    /// A weight of 0.1 was a line of the ground's colour, and of nine lines seven were to be seen.
    void aFaintLineIsSeen() {
        for (const Theme& theme : {Theme::light(), Theme::dark()}) {
            AttentionLines lines;
            lines.setPalette(ThemeManager::palette(theme));
            lines.resize(440, 120);
            lines.setData({.weights = {0.1F, 0.9F}, .rowLabels = words(1), .columnLabels = words(2)});
            const QImage drawn = lines.grab().toImage();
            const double ratio = drawn.devicePixelRatio();
            double most = 1;  // along a column through the middle of the line of 0.1, which is level
            for (int y = 33; y < 60; ++y)
                most = std::max(most,
                                contrast(drawn.pixelColor(QPointF(150 * ratio, y * ratio).toPoint()), theme.surface));
            QVERIFY2(most > 1.15, qPrintable(QString::number(most)));
        }
    }

    void aThousandWordsAreAFewThousandLinesAtMost() {
        const std::vector<float> values = longText(1024);
        const LineChoice choice = chooseLines({values, 1, 1024, 1024}, 1);
        QCOMPARE(choice.possible, size_t{1024 * 1025 / 2});
        QVERIFY(choice.lines.size() <= 2048);
        for (size_t i = 1; i < choice.lines.size(); ++i)
            QVERIFY(choice.lines[i - 1].row <= choice.lines[i].row);
    }

    /// The row in question is drawn with all of its share, were there ever so many lines.
    void thePointedAtRowKeepsItsStrongestLine() {
        constexpr int n = 100;
        std::vector<float> values(n * n);
        for (int row = 0; row < n; ++row)
            for (int column = 0; column < n; ++column)
                values[cellIndex(row, column, n)] = row == 7 ? 0.01F : column % 25 == 0 ? 0.25F : 0;
        AttentionLines lines;
        lines.resize(400, n * 20 + 40);
        lines.setData({.weights = values, .rowLabels = words(n), .columnLabels = words(n)});
        const auto isSeven = [](const AttentionLine& line) { return line.row == 7; };
        QVERIFY2(std::ranges::none_of(lines.choice().lines, isSeven), "it is too faint for the choice");
        const QImage before = lines.grab().toImage();
        lines.setShown(7, 0);
        const QImage after = lines.grab().toImage();
        int amber = 0;
        const QColor ground = before.pixelColor(200, 300);
        for (int y = 40; y < after.height(); ++y)
            amber += after.pixel(200, y) != before.pixel(200, y) ? 1 : 0;
        QVERIFY2(amber > 0, qPrintable(ground.name()));
    }

    void twentyHeadsHaveTwentyMarks() {
        for (const Theme& theme : {Theme::light(), Theme::dark()}) {
            std::set<QString> seen;
            for (int mark = 0; mark < 20; ++mark) {
                const QPen pen = linePen(mark, 2, 1, theme);
                QString looks = pen.color().name();
                for (const double length : pen.dashPattern())
                    looks += QStringLiteral(" %1").arg(length);
                seen.insert(looks + (pen.style() == Qt::SolidLine ? "" : " dashed"));
                QVERIFY(contrast(pen.color(), theme.surface) >= 3);
            }
            QCOMPARE(seen.size(), size_t{20});
        }
    }

    void severalHeadsAreNamedAboveTheWords() {
        AttentionLines one, several;
        const std::vector<float> values = {1, 0, 0.5F, 0.5F};
        std::vector<float> twice = values;
        twice.insert(twice.end(), values.begin(), values.end());
        one.setData({.weights = values, .rowLabels = words(2), .columnLabels = words(2)});
        several.setData({.weights = twice, .headNames = {"1", "3"}, .rowLabels = words(2), .columnLabels = words(2)});
        QVERIFY(several.minimumSizeHint().height() > one.minimumSizeHint().height());
        QCOMPARE(several.choice().lines.size(), 2 * one.choice().lines.size());
    }
};

QTEST_MAIN(TestAttentionLines)
#include "test_attention_lines.moc"
