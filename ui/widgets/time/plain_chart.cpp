// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/time/plain_chart.h"

#include <QAreaSeries>
#include <QEvent>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QPainter>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "ui/widgets/theme/theme.h"

namespace headlight {

PlainChart::PlainChart(QWidget* parent)
    : QChartView(new QChart, parent), m_chart(chart()), m_x(new QValueAxis), m_y(new QValueAxis) {
    m_chart->legend()->hide();
    m_chart->setBackgroundVisible(false);
    m_chart->layout()->setContentsMargins(0, 0, 0, 0);
    m_chart->setMargins({0, 4, 8, 0});
    setFrameShape(QFrame::NoFrame);
    setBackgroundBrush(Qt::NoBrush);
    setRenderHint(QPainter::Antialiasing);
    // The line of what is now stands in the foreground: Qt paints that anew only where something else moved.
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setMinimumSize(160, 90);
    viewport()->setAutoFillBackground(false);
    m_chart->addAxis(m_x, Qt::AlignBottom);
    m_chart->addAxis(m_y, Qt::AlignLeft);
    m_x->setGridLineVisible(false);
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
    // Labels at round numbers, some four of them.
    const auto interval = [](double span) {
        const double rough = span / 4, power = std::pow(10, std::floor(std::log10(rough)));
        const double steps = rough / power;
        return power * (steps < 1.5 ? 1 : steps < 3.5 ? 2 : steps < 7.5 ? 5 : 10);
    };
    const auto style = [&](QValueAxis* axis, double from, double to) {
        const double step = interval(to - from);
        axis->setRange(from, to);
        axis->setTickType(QValueAxis::TicksDynamic);
        axis->setTickAnchor(0);
        axis->setTickInterval(step);
        // As many decimals as the step has: 1, 2 or 5 times a power of ten has one digit.
        const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
        axis->setLabelFormat(QStringLiteral("%.%1f").arg(decimals));
        axis->setLabelsFont(uiFont(11));
        axis->setLabelsColor(t.text3);
        axis->setLinePen(QPen(t.line2, 1));
        axis->setGridLinePen(QPen(t.line, 1, Qt::DashLine));
    };
    style(m_x, m_range.left, m_range.right);
    style(m_y, m_range.bottom, m_range.top);
}

void PlainChart::rebuild() {
    const Theme& t = Theme::of(this);
    m_chart->removeAllSeries();
    const auto add = [this](QAbstractSeries* series) {
        m_chart->addSeries(series);
        series->attachAxis(m_x);
        series->attachAxis(m_y);
    };
    const QColor colors[] = {t.query, t.key, t.value, t.decoder};
    for (size_t i = 0; i < m_lines.size(); ++i) {
        auto* series = new QLineSeries;
        series->replace(QList<QPointF>(m_lines[i].begin(), m_lines[i].end()));
        series->setPen(QPen(colors[i % std::size(colors)], 2));
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
}

void PlainChart::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) rebuild();
}

void PlainChart::drawForeground(QPainter* painter, const QRectF&) {
    if (m_lines.empty() || m_now < m_range.left || m_now > m_range.right) return;
    const QRectF plot = m_chart->plotArea();
    const double x = plot.left() + (m_now - m_range.left) / (m_range.right - m_range.left) * plot.width();
    painter->setPen(QPen(Theme::of(this).nowLine, 1.5));
    painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
}

}  // namespace headlight
