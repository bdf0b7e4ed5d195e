// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/heads/attention_lines.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr double kTop = 32;  ///< the titles of the two sides
constexpr double kLargestPitch = 104;
constexpr double kSmallestPitch = 18;
constexpr double kLargestChip = 32;
constexpr double kFaintest = 0.02;  ///< weights below it would only be a haze
constexpr size_t kMostLines = 64;   ///< one a word of a long sentence; of more the eye follows none

}  // namespace

AttentionLines::AttentionLines(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setAccessibleName(tr("Lines"));
    setAccessibleDescription(tr("Which word looks at which, as lines"));
}

void AttentionLines::setData(LinesData lines) {
    m_data = std::move(lines);
    m_hovered = {};
    m_faintest = kFaintest;
    if (m_data.weights.size() > kMostLines) {
        std::vector<float> heaviest = m_data.weights;
        const auto last = heaviest.begin() + static_cast<std::ptrdiff_t>(kMostLines);
        std::nth_element(heaviest.begin(), last, heaviest.end(), std::greater<>());
        m_faintest = std::max(kFaintest, static_cast<double>(*last));
    }
    updateGeometry();
    update();
}

void AttentionLines::setShown(int row, int column) {
    m_shown = {row, column};
    update();
}

QSize AttentionLines::minimumSizeHint() const {
    return {260, static_cast<int>(kTop + kSmallestPitch * std::max(rows(), columns()) + 4)};
}

double AttentionLines::pitch() const {
    const int most = std::max({rows(), columns(), 1});
    return std::clamp((height() - kTop) / most, kSmallestPitch, kLargestPitch);
}

QRectF AttentionLines::chipRect(Side side, int index) const {
    const double chipWidth = std::min(104.0, width() * 0.28);
    const double chipHeight = std::min(kLargestChip, pitch() - (pitch() > 24 ? 6 : 2));
    const double y = kTop + index * pitch() + std::min(4.0, (pitch() - chipHeight) / 2);
    return {side == Side::Left ? 0 : width() - chipWidth, std::round(y), chipWidth, std::round(chipHeight)};
}

AttentionLines::Cell AttentionLines::cellAt(QPointF position) const {
    for (int row = 0; row < rows(); ++row) {
        if (!chipRect(Side::Right, row).contains(position)) continue;
        const auto first = m_data.weights.begin() + static_cast<std::ptrdiff_t>(row) * columns();
        return {row, static_cast<int>(std::max_element(first, first + columns()) - first)};
    }
    for (int column = 0; column < columns(); ++column) {
        if (!chipRect(Side::Left, column).contains(position)) continue;
        int best = 0;
        for (int row = 1; row < rows(); ++row)
            if (weight(row, column) > weight(best, column)) best = row;
        return {best, column};
    }
    return {};
}

void AttentionLines::paintRow(QPainter& p, int row, const Theme& t) const {
    const bool on = row == m_shown.row;
    const QRectF to = chipRect(Side::Right, row);
    for (int column = 0; column < columns(); ++column) {
        const double w = weight(row, column);
        if (!(w >= m_faintest)) continue;
        const QRectF from = chipRect(Side::Left, column);
        const QPointF a(from.right() + 4, from.center().y()), b(to.left() - 4, to.center().y());
        const double middle = (a.x() + b.x()) / 2;
        QPainterPath path(a);
        path.cubicTo({middle, a.y()}, {middle, b.y()}, b);
        QColor color = on ? t.nowLine : t.sequentialStops[t.isDark ? 5 : 6];
        color.setAlphaF(static_cast<float>(std::clamp(std::max(0.1, w) * (on ? 1.0 : 0.55), 0.0, 1.0)));
        p.setPen(QPen(color, on ? 1.5 + 4.5 * w : 1 + 4 * w, Qt::SolidLine, Qt::RoundCap));
        p.drawPath(path);
    }
}

QColor AttentionLines::headColor(int head, const Theme& t) {
    const QColor colors[] = {t.query, t.key, t.value, t.encoder, t.decoder, t.bad, t.good, t.text2};
    return colors[static_cast<size_t>(head) % std::size(colors)];
}

/// Every head's line of a pair of words a little apart from the others'.
void AttentionLines::paintHeadsOfRow(QPainter& p, int row, const Theme& t) const {
    const bool fades = m_shown.row >= 0 && m_shown.row < rows() && row != m_shown.row;
    const QRectF to = chipRect(Side::Right, row);
    const double apart = std::min(3.0, to.height() / m_data.heads);
    for (int head = 0; head < m_data.heads; ++head) {
        const double shift = (head - (m_data.heads - 1) / 2.0) * apart;
        for (int column = 0; column < columns(); ++column) {
            const double w = weight(row, column, head);
            if (!(w >= m_faintest)) continue;
            const QRectF from = chipRect(Side::Left, column);
            const QPointF a(from.right() + 4, from.center().y() + shift), b(to.left() - 4, to.center().y() + shift);
            const double middle = (a.x() + b.x()) / 2;
            QPainterPath path(a);
            path.cubicTo({middle, a.y()}, {middle, b.y()}, b);
            QColor color = headColor(head, t);
            color.setAlphaF(static_cast<float>(std::clamp(w, 0.08, 1.0) * (fades ? 0.15 : 0.85)));
            p.setPen(QPen(color, 0.8 + 2.2 * w, Qt::SolidLine, Qt::RoundCap));
            p.drawPath(path);
        }
    }
}

void AttentionLines::paintChips(QPainter& p, Side side, const Theme& t) const {
    const QStringList& labels = side == Side::Left ? m_data.columnLabels : m_data.rowLabels;
    const bool source = side == Side::Left ? m_data.columnsAreSource : m_data.rowsAreSource;
    const int shown = side == Side::Left ? m_shown.column : m_shown.row;
    for (int i = 0; i < labels.size(); ++i) {
        const QRectF chip = chipRect(side, i);
        const bool on = i == shown;
        const int size = chip.height() >= 28 ? 14 : chip.height() >= 20 ? 12 : 11;
        const QFont font = uiFont(size, on ? QFont::DemiBold : QFont::Medium);
        paint::box(p, chip, on ? t.nowTint : t.surface,
                   on       ? t.nowLine
                   : source ? t.encoder
                            : t.decoder,
                   std::min(6.0, chip.height() / 4));
        paint::centredText(p, chip.center(), paint::elided(labels[i], font, chip.width() - 10), font, t.text,
                           Anchor::Middle);
    }
}

void AttentionLines::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    if (m_data.weights.empty()) return;
    const QFont title = uiFont(11, QFont::DemiBold);
    paint::text(p, {0, 14}, m_data.columnTitle, title, m_data.columnsAreSource ? t.encoder : t.decoder);
    paint::text(p, {static_cast<double>(width()), 14}, m_data.rowTitle, title,
                m_data.rowsAreSource ? t.encoder : t.decoder, Anchor::End);
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(Qt::NoBrush);
    const auto paintOne = m_data.heads > 1 ? &AttentionLines::paintHeadsOfRow : &AttentionLines::paintRow;
    for (int row = 0; row < rows(); ++row)
        if (row != m_shown.row) (this->*paintOne)(p, row, t);
    if (m_shown.row >= 0 && m_shown.row < rows()) (this->*paintOne)(p, m_shown.row, t);
    p.restore();
    paintChips(p, Side::Left, t);
    paintChips(p, Side::Right, t);
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
