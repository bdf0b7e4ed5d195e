// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/heads/attention_lines.h"

#include <QMouseEvent>
#include <QPaintEngine>
#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/widgets/heads/line_mark.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/theme/undivided.h"

namespace headlight {
namespace {

constexpr double kTop = 32;  ///< the titles of the two sides
constexpr double kLinesLargestPitch = 104;
constexpr double kLinesSmallestPitch = 15;
constexpr double kLargestChip = 32;
constexpr double kLegendGap = 6;
constexpr double kMostKept = 4e6;  ///< pixels of a picture that is kept: 16 MB

}  // namespace

AttentionLines::AttentionLines(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setAccessibleName(tr("Lines"));
    setAccessibleDescription(tr("Which word looks at which, as lines"));
}

void AttentionLines::setData(LinesData lines) {
    m_data = std::move(lines);
    m_hovered = {};
    m_choice = chooseLines(lineWeights(), m_data.share);
    m_picture = {};
    placeLegend();
    updateGeometry();
    update();
}

LineWeights AttentionLines::lineWeights() const {
    return {m_data.weights, heads(), rows(), columns(), m_data.leftOut};
}

/// The names of the heads, where there are several, stand in as many lines as they need below the titles.
void AttentionLines::placeLegend() {
    const double legend = drawMarks(nullptr, QRectF(0, 0, width(), 0), m_data.headNames, Theme::of(this));
    m_top = kTop + (legend > 0 ? legend + kLegendGap : 0);
    m_picture = {};
}

void AttentionLines::resizeEvent(QResizeEvent*) {
    placeLegend();
}

void AttentionLines::setShown(int row, int column) {
    if (row != m_shown.row) m_picture = {};
    m_shown = {row, column};
    update();
}

QSize AttentionLines::minimumSizeHint() const {
    return {190, static_cast<int>(m_top + kLinesSmallestPitch * std::max(rows(), columns()) + 4)};
}

double AttentionLines::pitch() const {
    const int most = std::max({rows(), columns(), 1});
    return std::clamp((height() - m_top) / most, kLinesSmallestPitch, kLinesLargestPitch);
}

QRectF AttentionLines::chipRect(Side side, int index) const {
    const double chipWidth = std::min(104.0, width() * 0.28);
    const double chipHeight = std::min(kLargestChip, pitch() - (pitch() > 24 ? 6 : 2));
    const double y = m_top + index * pitch() + std::min(4.0, (pitch() - chipHeight) / 2);
    return {side == Side::Left ? 0 : width() - chipWidth, std::round(y), chipWidth, std::round(chipHeight)};
}

/// The largest of the heads' weights; of what is left out less than any.
float AttentionLines::strength(int row, int column) const {
    if (lineWeights().isLeftOut(cellIndex(row, column, columns()))) return -1;
    float most = 0;
    for (int head = 0; head < heads(); ++head)
        most = std::max(most, m_data.weights[cellIndex(head * rows() + row, column, columns())]);
    return most;
}

AttentionLines::Cell AttentionLines::cellAt(QPointF position) const {
    const int at = static_cast<int>((position.y() - m_top) / pitch());
    if (at >= 0 && at < rows() && chipRect(Side::Right, at).contains(position)) {
        int best = 0;
        for (int column = 1; column < columns(); ++column)
            if (strength(at, column) > strength(at, best)) best = column;
        return {at, best};
    }
    if (at >= 0 && at < columns() && chipRect(Side::Left, at).contains(position)) {
        int best = 0;
        for (int row = 1; row < rows(); ++row)
            if (strength(row, at) > strength(best, at)) best = row;
        return {best, at};
    }
    return {};
}

/// Every head's line of a pair of words a little apart from the others'.
void AttentionLines::paintLine(QPainter& p, const AttentionLine& line, const QRectF& visible, const Theme& t) const {
    const QRectF from = chipRect(Side::Left, line.column), to = chipRect(Side::Right, line.row);
    if (std::max(from.bottom(), to.bottom()) < visible.top() || std::min(from.top(), to.top()) > visible.bottom())
        return;
    const int count = heads();
    const double shift = count > 1 ? (line.head - (count - 1) / 2.0) * std::min(3.0, to.height() / count) : 0;
    const QPointF a(from.right() + 4, from.center().y() + shift), b(to.left() - 4, to.center().y() + shift);
    const double middle = (a.x() + b.x()) / 2, w = static_cast<double>(line.weight);
    QPainterPath path(a);
    path.cubicTo({middle, a.y()}, {middle, b.y()}, b);
    const bool on = line.row == m_shown.row;
    const bool fades = m_shown.row >= 0 && m_shown.row < rows() && !on;
    p.setPen(penOf(line.head, w, on, fades, t));
    p.drawPath(path);
}

/// The heavier, the wider and the more opaque.
QPen AttentionLines::penOf(int head, double weight, bool on, bool fades, const Theme& t) const {
    if (heads() > 1) return linePen(head, 0.8 + 2.2 * weight, std::clamp(weight, 0.08, 1.0) * (fades ? 0.15 : 0.85), t);
    return weightPen(weight, on, t);
}

/// What a width stands for, between the titles where there is room.
void AttentionLines::paintKey(QPainter& p, const Theme& t) const {
    constexpr double kLeastMargin = 16, kMiddle = 10;
    const QFont title = uiFont(11, QFont::DemiBold);
    const double left = paint::textWidth(m_data.columnTitle, title) + kLeastMargin,
                 right = width() - paint::textWidth(m_data.rowTitle, title) - kLeastMargin, wide = weightKeyWidth();
    if (wide > right - left) return;
    drawWeightKey(
        p, {std::clamp((width() - wide) / 2, left, right - wide), kMiddle},
        [&](double weight) { return penOf(0, weight, false, false, t); }, t);
}

/// The row in question last, over the others.
void AttentionLines::paintLines(QPainter& p, const QRectF& visible, const Theme& t) const {
    for (const AttentionLine& line : m_choice.lines)
        if (line.row != m_shown.row) paintLine(p, line, visible, t);
    if (m_shown.row < 0 || m_shown.row >= rows()) return;
    for (int head = 0; head < heads(); ++head)
        for (const AttentionLine& line : linesOfRow(lineWeights(), head, m_shown.row, m_data.share))
            paintLine(p, line, visible, t);
}

void AttentionLines::paintChips(QPainter& p, Side side, const QRectF& visible, const Theme& t) const {
    const QStringList& labels = side == Side::Left ? m_data.columnLabels : m_data.rowLabels;
    const bool source = side == Side::Left ? m_data.columnsAreSource : m_data.rowsAreSource;
    const int shown = side == Side::Left ? m_shown.column : m_shown.row;
    for (int i = 0; i < labels.size(); ++i) {
        const QRectF chip = chipRect(side, i);
        if (chip.bottom() < visible.top() || chip.top() > visible.bottom()) continue;
        const bool on = i == shown;
        const int size = chip.height() >= 28 ? 14 : chip.height() >= 20 ? 12 : 11;
        const QFont font = uiFont(size, on ? QFont::DemiBold : QFont::Medium);
        paint::box(p, chip, on ? t.nowTint : t.surface,
                   on       ? t.nowLine
                   : source ? t.encoder
                            : t.decoder,
                   std::min(6.0, chip.height() / 4));
        const QFont fit = paint::fitting(labels[i], font, chip.width() - 10);
        paint::centredText(p, chip.center(), paint::elided(labels[i], fit, chip.width() - 10), fit, t.text,
                           Anchor::Middle);
    }
}

/// Titles, names of heads and lines.
void AttentionLines::paintPicture(QPainter& p, const QRectF& visible, const Theme& t) const {
    const QFont title = uiFont(11, QFont::DemiBold);
    paint::text(p, {0, 14}, m_data.columnTitle, title, m_data.columnsAreSource ? t.encoder : t.decoder);
    paint::text(p, {static_cast<double>(width()), 14}, m_data.rowTitle, title,
                m_data.rowsAreSource ? t.encoder : t.decoder, Anchor::End);
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(Qt::NoBrush);
    drawMarks(&p, QRectF(0, kTop - kLegendGap, width(), 0), m_data.headNames, t);
    paintKey(p, t);
    paint::undivided(p, [&] { paintLines(p, visible, t); });
    p.restore();
}

/// Of a long text only what is scrolled to is drawn; and what goes into a file, or is enlarged, is drawn anew.
bool AttentionLines::keepsPicture(const QPainter& p, const QRect& visible) const {
    const double ratio = devicePixelRatioF();
    const QTransform& at = p.deviceTransform();
    return visible.contains(rect()) && p.paintEngine()->type() == QPaintEngine::Raster &&
           at.type() <= QTransform::TxScale && at.m11() == ratio && at.m22() == ratio &&
           width() * ratio * height() * ratio <= kMostKept;
}

/// On the ground of the card that it stands on, so that what is kept is what would be drawn.
void AttentionLines::drawPicture(const Theme& t) {
    const double ratio = devicePixelRatioF();
    const QSize size = QSizeF(width() * ratio, height() * ratio).toSize();
    if (m_picture.size() == size && m_picture.devicePixelRatio() == ratio && m_pictureTheme == t.number) return;
    m_picture = QImage(size, QImage::Format_RGB32);
    m_picture.setDevicePixelRatio(ratio);
    m_picture.fill(t.surface);
    m_pictureTheme = t.number;
    QPainter p(&m_picture);
    paintPicture(p, rect(), t);
}

void AttentionLines::paintEvent(QPaintEvent* event) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    if (m_data.weights.empty()) return;
    const QRectF visible = event->rect();
    if (keepsPicture(p, event->rect())) {
        drawPicture(t);
        p.drawImage(QPoint(0, 0), m_picture);
    } else {
        paintPicture(p, visible, t);
    }
    paintChips(p, Side::Left, visible, t);
    paintChips(p, Side::Right, visible, t);
}

void AttentionLines::mouseMoveEvent(QMouseEvent* event) {
    const Cell cell = m_data.weights.empty() ? Cell{} : cellAt(event->position());
    if (cell == m_hovered) return;
    m_hovered = cell;
    setCursor(cell.row >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    emit cellHovered(cell.row, cell.column);
}

void AttentionLines::mousePressEvent(QMouseEvent* event) {
    const Cell cell = m_data.weights.empty() ? Cell{} : cellAt(event->position());
    if (cell.row >= 0) emit cellClicked(cell.row, cell.column);
}

void AttentionLines::leaveEvent(QEvent*) {
    if (m_hovered == Cell{}) return;
    m_hovered = {};
    emit cellHovered(-1, -1);
}

}  // namespace headlight

#include "moc_attention_lines.cpp"
