// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/cost/growth_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kLeft = 44, kGrowthTop = 22, kGrowthBelow = 36, kKey = 176, kNarrowKey = 136, kKeyRow = 52,
                 kGrowthNarrow = 480, kBeforeKey = 32;
constexpr double kArrow = 1.1;  ///< words times so much at each key

}  // namespace

GrowthChart::GrowthChart(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::SizeHorCursor);
    setAccessibleName(tr("Operations as the words grow"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void GrowthChart::setLayers(int words, int width, int kernel, Layering layering) {
    m_words = words;
    m_width = width;
    m_kernel = kernel;
    m_layering = layering;
    m_costs = layerCosts(words, width, kernel, layering);
    double least = HUGE_VAL, most = 1;
    for (const int end : {kFewest, kMost})
        for (const LayerCost& cost : layerCosts(end, width, kernel, layering)) {
            least = std::min(least, cost.operations);
            most = std::max(most, cost.operations);
        }
    m_least = static_cast<int>(std::floor(std::log10(least)));
    m_greatest = static_cast<int>(std::ceil(std::log10(most)));
    QStringList told;
    for (const LayerCost& cost : m_costs)
        told << QStringLiteral("%1 %2").arg(cost.kind, formatTimesPowerOfTen(cost.operations));
    setAccessibleDescription(tr("At %1 words: %2").arg(formatCount(words), told.join(QStringLiteral(", "))));
    update();
}

double GrowthChart::keyWidth() const {
    return width() < kGrowthNarrow ? kNarrowKey : kKey;
}

QRectF GrowthChart::plot() const {
    return {kLeft, kGrowthTop, width() - kLeft - keyWidth() - kBeforeKey, height() - kGrowthTop - kGrowthBelow};
}

double GrowthChart::xOf(double words) const {
    const double share = std::log10(words / kFewest) / std::log10(static_cast<double>(kMost) / kFewest);
    return plot().left() + share * plot().width();
}

double GrowthChart::yOf(double operations) const {
    return plot().bottom() - (std::log10(operations) - m_least) / (m_greatest - m_least) * plot().height();
}

QColor GrowthChart::colorOf(size_t kind) const {
    const Theme& t = Theme::of(this);
    return kind == 0 ? t.text : kind == 1 ? t.text3 : t.query;
}

Qt::PenStyle GrowthChart::strokeOf(size_t kind) const {
    return kind == 1 ? Qt::DotLine : kind == 3 ? Qt::DashLine : Qt::SolidLine;
}

void GrowthChart::paintAxes(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const QRectF area = plot();
    const QFont digits = monoFont(11);
    const double wide = paint::textWidth(formatCount(kMost), digits) + 8;
    const int every = xOf(10 * kFewest) - xOf(kFewest) < wide ? 2 : 1;
    int decade = 0;
    for (int words = kFewest; words <= kMost; words *= 10, ++decade) {
        p.fillRect(QRectF(std::round(xOf(words)), area.top(), 1, area.height()), t.line);
        if (decade % every != 0) continue;
        paint::centredText(p, {xOf(words), area.bottom() + 12}, formatCount(words), digits, t.text3, Anchor::Middle);
    }
    const int apart = area.height() / (m_greatest - m_least) < 22 ? 2 : 1;
    for (int exponent = m_least; exponent <= m_greatest; exponent += apart) {
        const double y = yOf(std::pow(10.0, exponent));
        p.fillRect(QRectF(area.left(), std::round(y), area.width(), 1), t.line);
        paint::centredText(p, {area.left() - 8, y}, formatPowerOfTen(exponent), digits, t.text3, Anchor::End);
    }
    paint::centredText(p, {area.center().x(), height() - 8.0}, tr("n, words"), uiFont(11), t.text3, Anchor::Middle);
}

void GrowthChart::paintLines(QPainter& p) const {
    const Theme& t = Theme::of(this);
    constexpr int kPoints = 60;
    std::vector<QPolygonF> lines(m_costs.size());
    for (int i = 0; i <= kPoints; ++i) {
        const double words = kFewest * std::pow(static_cast<double>(kMost) / kFewest, i / static_cast<double>(kPoints));
        const std::vector<LayerCost> costs =
            layerCosts(static_cast<int>(std::lround(words)), m_width, m_kernel, m_layering);
        for (size_t kind = 0; kind < costs.size(); ++kind)
            lines[kind] << QPointF(xOf(std::round(words)), yOf(costs[kind].operations));
    }
    p.setBrush(Qt::NoBrush);
    for (size_t kind = 0; kind < lines.size(); ++kind) {
        p.setPen(QPen(colorOf(kind), 2, strokeOf(kind)));
        p.drawPolyline(lines[kind]);
    }
    if (m_words < kFewest || m_words > kMost) return;
    const double now = xOf(m_words);
    p.fillRect(QRectF(now - 1, kGrowthTop - 4, 2, plot().bottom() - kGrowthTop + 4), t.nowLine);
    const QString text = tr("n = %1").arg(formatCount(m_words));
    const QFont bold = uiFont(11, QFont::DemiBold);
    const double wide = paint::textWidth(text, bold) + 16;
    const double left = std::clamp(now - wide / 2, 0.0, width() - wide);
    paint::box(p, {left, 0, wide, 18}, t.nowTint, t.nowLine, 4);
    paint::centredText(p, {left + wide / 2, 9}, text, bold, t.nowText, Anchor::Middle);
    for (size_t kind = 0; kind < m_costs.size(); ++kind) {
        p.setPen(QPen(colorOf(kind), 2));
        p.setBrush(t.surface);
        p.drawEllipse(QPointF(now, yOf(m_costs[kind].operations)), 4, 4);
    }
}

/// Where attention alone takes as much as recurrence: at as many words as a word has numbers.
void GrowthChart::paintCrossing(QPainter& p) const {
    if (m_width < kFewest || m_width > kMost) return;
    const Theme& t = Theme::of(this);
    const QPointF at(xOf(m_width), yOf(std::pow(static_cast<double>(m_width), 3)));
    p.setPen(QPen(t.text, 2));
    p.setBrush(Qt::NoBrush);
    p.drawEllipse(at, 6, 6);
    constexpr double kRoomForWords = 240;
    if (plot().width() < kRoomForWords) return;
    const QFont small = uiFont(11, QFont::Medium);
    const QStringList lines{tr("n = d: attention alone"), tr("takes what the RNN takes")};
    double wide = 0;
    for (const QString& line : lines)
        wide = std::max(wide, paint::textWidth(line, small));
    const QRectF area = plot();
    const double left = std::clamp(at.x() + 24, area.left() + 4, std::max(area.left() + 4, area.right() - wide));
    const double top = std::min(at.y() + 40, area.bottom() - 34);
    p.setPen(QPen(t.text2, 1));
    p.drawLine(at + QPointF(5, 5), QPointF(left + 8, top - 2));
    p.fillRect(QRectF(left - 4, top - 2, wide + 8, 34), t.surface);
    for (int i = 0; i < 2; ++i)
        paint::centredText(p, {left, top + 8 + 15.0 * i}, lines[i], small, t.text);
}

void GrowthChart::paintKey(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const double left = width() - keyWidth(), row = std::min(kKeyRow, height() / static_cast<double>(m_costs.size()));
    const QFont bold = uiFont(12, QFont::DemiBold), formula = monoFont(11), number = monoFont(12, QFont::DemiBold);
    for (size_t kind = 0; kind < m_costs.size(); ++kind) {
        const LayerCost& cost = m_costs[kind];
        const double y = row * static_cast<double>(kind) + 9;
        p.setPen(QPen(colorOf(kind), 2, strokeOf(kind)));
        p.drawLine(QPointF(left, y), QPointF(left + 20, y));
        const QString name = kind == 3 ? tr("with projections") : cost.kind;
        paint::centredText(p, {left + 28, y}, name, bold, t.text);
        const QString text = QStringLiteral("= ") + formatTimesPowerOfTen(cost.operations);
        const bool both = row >= 48 && keyWidth() == kKey;
        if (both) paint::centredText(p, {left, y + 16}, cost.inNumbers, formula, t.text2);
        paint::centredText(p, {left, y + (both ? 32 : 16)}, text, number, t.text);
    }
}

void GrowthChart::paintEvent(QPaintEvent*) {
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintAxes(p);
    paintLines(p);
    paintCrossing(p);
    paintKey(p);
}

void GrowthChart::choose(double words) {
    const int chosen = static_cast<int>(std::lround(std::clamp<double>(words, kFewest, kMost)));
    if (chosen != m_words) emit wordsChosen(chosen);
}

void GrowthChart::mousePressEvent(QMouseEvent* event) {
    mouseMoveEvent(event);
}

void GrowthChart::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) return;
    const double share = (event->position().x() - plot().left()) / plot().width();
    choose(kFewest * std::pow(static_cast<double>(kMost) / kFewest, share));
}

void GrowthChart::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Right)
        choose(std::ceil(m_words * kArrow));
    else if (event->key() == Qt::Key_Left)
        choose(std::floor(m_words / kArrow));
    else
        QWidget::keyPressEvent(event);
}

}  // namespace headlight

#include "moc_growth_chart.cpp"
