// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/time/plain_chart.h"

#include <QAreaSeries>
#include <QCategoryAxis>
#include <QEvent>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/chart_accessible.h"

namespace headlight {

PlainChart::PlainChart(QWidget* parent)
    : QChartView(new QChart, parent), m_chart(chart()), m_x(new QCategoryAxis), m_y(new QCategoryAxis) {
    installChartAccessibility();
    m_chart->legend()->hide();
    m_chart->setBackgroundVisible(false);
    m_chart->layout()->setContentsMargins(0, 0, 0, 0);
    m_chart->setMargins({0, 8, 18, 0});  // half of the last number of each axis stands beyond the plot
    setFrameShape(QFrame::NoFrame);
    setBackgroundBrush(Qt::NoBrush);
    setRenderHint(QPainter::Antialiasing);
    // The line of what is now stands in the foreground: Qt paints that anew only where something else moved.
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setMinimumSize(160, 112);  // lower, Qt writes every number of the axes as “…”
    viewport()->setAutoFillBackground(false);
    m_chart->addAxis(m_x, Qt::AlignBottom);
    m_chart->addAxis(m_y, Qt::AlignLeft);
    // Qt draws lines at both ends of a range too, where no number stands.
    for (QCategoryAxis* axis : {m_x, m_y}) {
        axis->setGridLineVisible(false);
        axis->setLineVisible(false);
    }
}

void PlainChart::setLines(std::vector<Line> lines, const Range& range, double now) {
    m_lines = std::move(lines);
    m_bars.clear();
    m_range = range;
    m_now = now;
    rebuild();
}

void PlainChart::setBars(std::vector<double> heights, int first, int marked) {
    m_bars = std::move(heights);
    m_lines.clear();
    m_firstBar = first;
    m_marked = marked;
    double lowest = 0, highest = 1;
    for (const double height : m_bars) {
        lowest = std::min(lowest, std::floor(height * 2) / 2);
        highest = std::max(highest, height);
    }
    m_range = {first - 0.6, first + static_cast<double>(m_bars.size()) - 0.4, lowest, highest};
    rebuild();
}

void PlainChart::styleAxes() {
    const Theme& t = Theme::of(this);
    // Labels at round numbers, some four of them; fewer where they would not stand clear of one another.
    const auto interval = [](double span, double most) {
        const double rough = span / std::clamp(most, 1.0, 4.0), power = std::pow(10, std::floor(std::log10(rough)));
        const double steps = rough / power;
        // Where there is room for fewer than four, a step may not be rounded down to more of them.
        if (most < 4) return power * (steps <= 1 ? 1 : steps <= 2 ? 2 : steps <= 5 ? 5 : 10);
        return power * (steps < 1.5 ? 1 : steps < 3.5 ? 2 : steps < 7.5 ? 5 : 10);
    };
    const auto style = [&](QCategoryAxis* axis, double from, double to, double most) {
        const double step = interval(to - from, most);
        for (const QString& label : axis->categoriesLabels())
            axis->remove(label);
        if (!(step > 0) || !std::isfinite(step)) return;
        axis->setRange(from, to);
        axis->setStartValue(from);
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        // As many decimals as the step has: 1, 2 or 5 times a power of ten has one digit.
        const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
        const double slack = step * 1e-6;
        for (double at = std::ceil((from - slack) / step); at * step <= to + slack; ++at)
            axis->append(decimals > 0 ? formatNumber(at * step, decimals) : formatCount(std::lround(at * step)),
                         at * step);
        axis->setLabelsFont(uiFont(11));
        axis->setLabelsColor(t.text3);
        axis->setTitleFont(uiFont(11));
        axis->setTitleBrush(t.text3);
        axis->setVisible(m_empty.isEmpty() || !isEmpty());
    };
    constexpr double kBesidePlot = 40, kLabelApart = 28;
    style(m_x, m_range.left, m_range.right, 4);
    style(m_y, m_range.bottom, m_range.top, (height() - kBesidePlot) / kLabelApart);
}

QStringList PlainChart::labelsBeside() const {
    return m_y->categoriesLabels();
}

QStringList PlainChart::labelsBelow() const {
    return m_x->categoriesLabels();
}

void PlainChart::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    if (!m_lines.empty() || !m_bars.empty()) styleAxes();
}

QColor PlainChart::colorOf(const Theme& theme, size_t line) {
    const QColor colors[] = {theme.query, theme.key, theme.value, theme.decoder};
    return colors[line % std::size(colors)];
}

void PlainChart::rebuild() {
    const Theme& t = Theme::of(this);
    m_chart->removeAllSeries();
    const auto add = [this](QAbstractSeries* series) {
        m_chart->addSeries(series);
        series->attachAxis(m_x);
        series->attachAxis(m_y);
    };
    for (size_t i = 0; i < m_lines.size(); ++i) {
        auto* series = new QLineSeries;
        series->replace(QList<QPointF>(m_lines[i].begin(), m_lines[i].end()));
        series->setPen(QPen(colorOf(t, i), 2));
        series->setName(m_names.value(static_cast<qsizetype>(i)));
        add(series);
    }
    for (size_t i = 0; i < m_bars.size(); ++i) {
        // Qt's bar series counts categories; here bars stand at numbers.
        const double x = m_firstBar + static_cast<double>(i), half = 0.38;
        auto* top = new QLineSeries;
        top->replace({{x - half, m_bars[i]}, {x + half, m_bars[i]}});
        auto* foot = new QLineSeries;
        foot->replace({{x - half, 0}, {x + half, 0}});
        auto* area = new QAreaSeries(top, foot);
        top->setParent(area);
        foot->setParent(area);
        area->setPen(Qt::NoPen);
        area->setBrush(static_cast<int>(i) == m_marked ? t.now : t.sequential(0.6));
        add(area);
    }
    styleAxes();
    m_chart->legend()->setVisible(!m_names.isEmpty());
    m_chart->legend()->setAlignment(Qt::AlignTop);
    m_chart->legend()->setFont(uiFont(11));
    m_chart->legend()->setLabelColor(t.text2);
}

void PlainChart::setNames(const QStringList& names) {
    m_names = names;
}

void PlainChart::setAxisTitle(const QString& title) {
    m_x->setTitleText(title);
}

QString PlainChart::axisTitle() const {
    return m_x->titleText();
}

void PlainChart::setEmptyText(const QString& text) {
    m_empty = text;
    rebuild();
}

bool PlainChart::isEmpty() const {
    return m_bars.empty() && std::ranges::all_of(m_lines, [](const Line& line) { return line.empty(); });
}

void PlainChart::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) rebuild();
}

/// The axes, a tick at each of their numbers, and a line across at those beside.
void PlainChart::drawBackground(QPainter* painter, const QRectF& rect) {
    QChartView::drawBackground(painter, rect);
    if (!m_y->isVisible()) return;
    constexpr double kTick = 3;
    const Theme& t = Theme::of(this);
    const QRectF plot = m_chart->plotArea();
    for (const QString& label : m_y->categoriesLabels()) {
        const double share = (m_y->endValue(label) - m_range.bottom) / (m_range.top - m_range.bottom);
        const double y = plot.bottom() - share * plot.height();
        painter->setPen(QPen(t.line, 1, Qt::DashLine));
        painter->drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter->setPen(QPen(t.line2, 1));
        painter->drawLine(QPointF(plot.left() - kTick, y), QPointF(plot.left(), y));
    }
    for (const QString& label : m_x->categoriesLabels()) {
        const double share = (m_x->endValue(label) - m_range.left) / (m_range.right - m_range.left);
        const double x = plot.left() + share * plot.width();
        painter->drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + kTick));
    }
    painter->drawLine(plot.bottomLeft(), plot.topLeft());
    painter->drawLine(plot.bottomLeft(), plot.bottomRight());
}

void PlainChart::drawForeground(QPainter* painter, const QRectF&) {
    if (isEmpty() && !m_empty.isEmpty())
        return paint::centredText(*painter, QRectF(rect()).center(), m_empty, uiFont(12), Theme::of(this).text3,
                                  Anchor::Middle);
    if (m_lines.empty() || m_now < m_range.left || m_now > m_range.right) return;
    const QRectF plot = m_chart->plotArea();
    const double place = plot.left() + (m_now - m_range.left) / (m_range.right - m_range.left) * plot.width();
    const double x = std::floor(place) + 0.5;  // between two pixels the line would have none of its colour
    painter->setPen(QPen(Theme::of(this).nowLine, 1.5));
    painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
}

}  // namespace headlight

#include "moc_plain_chart.cpp"
