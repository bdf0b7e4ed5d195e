// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/runs_chart.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kNames = 190;  ///< at the right of the lines
constexpr double kRunsRow = 15, kBead = 4, kReach = 9, kNumber = 56;

QFont nameFont() {
    return uiFont(11, QFont::DemiBold);
}

/// "1. vi-en, Transformer, seed 42" by its first parts: the list beside the chart has all of them.
QString nameWithin(QString name) {
    while (name.contains(u',') && paint::textWidth(name, nameFont()) > kNames - kNumber)
        name = name.section(u',', 0, -2);
    return paint::elided(name, nameFont(), kNames - kNumber);
}

}  // namespace

RunsChart::RunsChart(QWidget* parent) : PlainChart(parent) {
    setMouseTracking(true);
    chart()->setMargins({0, 0, kNames, 0});
}

void RunsChart::setRuns(std::vector<Run> runs, const Range& range, int decimals) {
    m_runs = std::move(runs);
    m_decimals = decimals;
    std::vector<Line> lines;
    lines.reserve(m_runs.size());
    for (const Run& run : m_runs)
        lines.push_back(run.line);
    setLines(std::move(lines), range, -1);
}

void RunsChart::setChosen(const std::optional<Bead>& bead) {
    m_chosen = bead;
    viewport()->update();
}

double RunsChart::valueAt(const Line& line, double step) const {
    const auto after = std::ranges::lower_bound(line, step, {}, &QPointF::x);
    if (after == line.end()) return line.back().y();
    if (after == line.begin()) return after->y();
    const QPointF &from = *(after - 1), &to = *after;
    return from.y() + (to.y() - from.y()) * (step - from.x()) / std::max(1e-9, to.x() - from.x());
}

QPointF RunsChart::placeOf(const Bead& bead) const {
    return chart()->mapToPosition({static_cast<double>(bead.step), valueAt(m_runs[bead.run].line, bead.step)});
}

/// From the topmost down, none nearer to the one above than a line of text.
std::vector<RunsChart::End> RunsChart::ends() const {
    std::vector<End> ends(m_runs.size());
    std::vector<size_t> order;
    for (size_t i = 0; i < m_runs.size(); ++i) {
        if (m_runs[i].line.empty()) continue;
        const QPointF& last = m_runs[i].line.back();
        ends[i] = {QStringLiteral("%1  %2").arg(formatNumber(last.y(), m_decimals), nameWithin(m_runs[i].name)),
                   {chart()->plotArea().right() + 10, chart()->mapToPosition(last).y()}};
        order.push_back(i);
    }
    std::ranges::sort(order, {}, [&](size_t i) { return ends[i].at.y(); });
    const double lowest = chart()->plotArea().bottom() - kRunsRow / 2;
    double free = chart()->plotArea().top();
    for (const size_t i : order) {
        ends[i].at.setY(std::max(ends[i].at.y(), free));
        free = ends[i].at.y() + kRunsRow;
    }
    double below = lowest + kRunsRow;
    for (auto i = order.rbegin(); i != order.rend(); ++i) {
        ends[*i].at.setY(std::min(ends[*i].at.y(), below - kRunsRow));
        below = ends[*i].at.y();
    }
    return ends;
}

void RunsChart::drawReading(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const QRectF plot = chart()->plotArea();
    const double x = chart()->mapToPosition({m_hovered, 0}).x();
    p.fillRect(QRectF(x, plot.top(), 1, plot.height()), t.line2);
    const QString step = tr("step %1").arg(formatCount(std::lround(m_hovered)));
    paint::centredText(p, {x, plot.top() + 6}, step, uiFont(11), t.text2,
                       x < plot.center().x() ? Anchor::Start : Anchor::End);
    for (size_t i = 0; i < m_runs.size(); ++i) {
        const Line& line = m_runs[i].line;
        if (line.empty() || m_hovered > line.back().x()) continue;
        const QPointF at(x, chart()->mapToPosition({m_hovered, valueAt(line, m_hovered)}).y());
        paint::box(p, {at.x() - 3, at.y() - 3, 6, 6}, colorOf(t, i), {}, 3);
        const QString text = formatNumber(valueAt(line, m_hovered), m_decimals);
        const double wide = paint::textWidth(text, monoFont(11)) + 6;
        const bool left = x > plot.center().x();
        const QRectF box(left ? at.x() - 6 - wide : at.x() + 6, at.y() - 8, wide, 16);
        paint::box(p, box, t.surface, {}, 2);
        paint::centredText(p, box.center(), text, monoFont(11), colorOf(t, i), Anchor::Middle);
    }
}

void RunsChart::drawForeground(QPainter* painter, const QRectF& rect) {
    PlainChart::drawForeground(painter, rect);
    if (isEmpty()) return;
    const Theme& t = Theme::of(this);
    painter->save();
    painter->resetTransform();
    painter->setRenderHint(QPainter::Antialiasing);
    const std::vector<End> names = ends();
    for (size_t i = 0; i < m_runs.size(); ++i) {
        if (m_runs[i].line.empty()) continue;
        paint::centredText(*painter, names[i].at, names[i].text, nameFont(), colorOf(t, i));
        for (const int step : m_runs[i].kept) {
            const QPointF at = placeOf({i, step});
            const bool chosen = m_chosen == Bead{i, step};
            // Kept after the last measurement: the line does not go as far.
            if (const QPointF end = chart()->mapToPosition(m_runs[i].line.back()); at.x() > end.x() + kBead) {
                painter->setPen(QPen(colorOf(t, i), 1.5, Qt::DotLine));
                painter->drawLine(end, at);
            }
            painter->setPen(QPen(chosen ? t.nowLine : colorOf(t, i), 2));
            painter->setBrush(chosen ? t.now : t.surface);
            painter->drawEllipse(at, chosen ? kBead + 1 : kBead, chosen ? kBead + 1 : kBead);
        }
    }
    if (m_hovered >= 0) drawReading(*painter);
    painter->restore();
}

std::optional<RunsChart::Bead> RunsChart::beadAt(QPointF at) const {
    std::optional<Bead> nearest;
    double distance = kReach;
    for (size_t i = 0; i < m_runs.size(); ++i)
        for (const int step : m_runs[i].line.empty() ? std::vector<int>() : m_runs[i].kept) {
            const QPointF away = placeOf({i, step}) - at;
            if (const double length = std::hypot(away.x(), away.y()); length < distance) {
                distance = length;
                nearest = Bead{i, step};
            }
        }
    return nearest;
}

void RunsChart::mouseMoveEvent(QMouseEvent* event) {
    const bool held = m_pressed && event->buttons() & Qt::LeftButton;
    if (held && (event->position() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance()) {
        const Bead bead = *std::exchange(m_pressed, std::nullopt);
        emit beadDragged(static_cast<int>(bead.run), bead.step);
        return;
    }
    const QRectF plot = chart()->plotArea();
    const double step = chart()->mapToValue(event->position()).x();
    m_hovered = !isEmpty() && plot.adjusted(-4, -8, 4, 8).contains(event->position()) ? std::max(0.0, step) : -1;
    setCursor(beadAt(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    viewport()->update();
}

void RunsChart::mousePressEvent(QMouseEvent* event) {
    m_pressed = beadAt(event->position());
    m_pressedAt = event->position();
    if (m_pressed) emit beadChosen(static_cast<int>(m_pressed->run), m_pressed->step);
}

void RunsChart::mouseDoubleClickEvent(QMouseEvent* event) {
    if (beadAt(event->position())) emit beadOpened();
}

void RunsChart::leaveEvent(QEvent* event) {
    PlainChart::leaveEvent(event);
    m_hovered = -1;
    viewport()->update();
}

}  // namespace headlight

#include "moc_runs_chart.cpp"
