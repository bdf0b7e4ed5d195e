// SPDX-License-Identifier: GPL-3.0-or-later
// How a MatrixView looks; what it does is in matrix_view.cpp.
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/session/format/number_format.h"
#include "ui/widgets/matrix/label_step.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/veiled_cells.h"
#include "ui/widgets/theme/glide.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr double kWidestFixed = 9999;  ///< above, a number is written by its power of ten

/// Is it the turn of that word? The one in question always stands, and those that it would overlap do not. Of words
/// the first is the first to have its turn, of numbers the round ones do.
bool hasLabel(const QStringList& labels, int at, int shown, int step) {
    const int turn = labels.value(0) == QLatin1String("1") ? at + 1 : at;
    return at == shown || (turn % step == 0 && (shown < 0 || std::abs(at - shown) >= step));
}

int numberSize(const QSizeF& cell) {
    if (cell.width() >= 66 && cell.height() >= 40) return 14;
    return cell.width() >= 48 && cell.height() >= 26 ? 13 : 11;
}

QFont numberFont(const QSizeF& cell) {
    const int size = numberSize(cell);
    return monoFont(size, size > 11 ? QFont::Medium : QFont::Normal);
}

}  // namespace

bool MatrixView::hasRoomForNumbers() const {
    return m_cell.width() >= kSmallestWithNumber.width() && m_cell.height() >= kSmallestWithNumber.height();
}

void MatrixView::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(viewport());
    if (m_data.empty()) return;
    const QRectF area = cellsArea();
    p.save();
    p.setClipRect(area.adjusted(-5, -5, 5, 5));
    paintCells(p, t);
    paintProgress(p, t);
    paintCross(p, t);
    p.restore();
    paintColumnLabels(p, t);
    paintRowLabels(p, t);
    if (m_reveal == Reveal::Full) {
        const double width = std::min(area.width() - 2, 348.0);
        drawLegend(p, {area.left(), area.bottom() + (isLow() ? 8 : 16), width, isLow() ? 6.0 : 8.0}, m_data.scale, t);
    }
}

void MatrixView::paintCell(QPainter& p, Cell cell, const Theme& t) const {
    const QRectF at = cellRect(cell);
    const bool isWeight = m_data.scale.kind == ColorScale::Kind::Sequential;
    const bool masked = m_data.isMasked(cell.row, cell.column);
    if (masked || m_data.isLeftOut(cell.row, cell.column)) {
        // What is to be predicted is no closed cell.
        if (isTakenOut(m_data, cell.row, cell.column)) return HiddenArea::paintCell(p, at, t);
        paint::hatch(p, at, t.hatchGround, t.hatch);
        if (!masked || !hasRoomForNumbers()) return;
        const QString label = isWeight ? QStringLiteral("0") : formatNumber(-std::numeric_limits<double>::infinity());
        const QFont font = monoFont(numberSize(m_cell));
        const double width = std::min(at.width() - 2, paint::textWidth(label, font) + 8);
        const double height = font.pixelSize() + 4;
        paint::box(p, {at.center().x() - width / 2, at.center().y() - height / 2, width, height}, t.hatchGround, {}, 3);
        paint::centredText(p, at.center(), label, font, t.text2, Anchor::Middle);
        return;
    }
    const float value = m_data.value(cell.row, cell.column);
    const QColor fill = colorOf(cell, t);
    p.fillRect(at, fill);
    if (!m_data.marked.empty() && m_data.marked[cellIndex(cell.row, cell.column, m_data.columns)]) {
        // In its corner, clear of the number in the middle.
        const double side = std::clamp(std::min(at.width(), at.height()) / 6, 4.0, 9.0), inset = side < 6 ? 1.5 : 3;
        paint::box(p, {at.right() - side - inset, at.top() + inset, side, side}, Theme::onColor(fill), {}, side / 2);
    }
    const QColor ink = std::isnan(value) ? t.bad : Theme::onColor(fill);
    const bool isBefore = !m_before.empty() && m_recolour.currentValue().toDouble() < 0.5;
    const QString number =
        isBefore ? writtenAs(static_cast<double>(m_before[cellIndex(cell.row, cell.column, m_data.columns)]))
                 : writtenIn(cell);
    paint::centredText(p, at.center(), number, numberFont(m_cell), ink, Anchor::Middle);
}

QColor MatrixView::colorOf(Cell cell, const Theme& t) const {
    const QColor now = m_data.scale.color(t, m_data.value(cell.row, cell.column));
    if (m_before.empty()) return now;
    const float before = m_before[cellIndex(cell.row, cell.column, m_data.columns)];
    return paint::mixed(m_scaleBefore.color(t, before), now, m_recolour.currentValue().toDouble());
}

QString MatrixView::writtenIn(Cell cell) const {
    if (!hasRoomForNumbers() || m_data.isMasked(cell.row, cell.column) || m_data.isLeftOut(cell.row, cell.column))
        return {};
    return writtenAs(static_cast<double>(m_data.value(cell.row, cell.column)));
}

/// That a cell is wide enough for: one width for all of them.
double MatrixView::mostDigits() const {
    return (cellRect({0, 0}).width() - 2) / paint::textWidth(QStringLiteral("0"), numberFont(m_cell));
}

/// As many as the longest number has room for: 0.97 beside 1.0 and 10 would not compare at a glance.
int MatrixView::decimalsThatFit() const {
    if (!hasRoomForNumbers()) return 2;
    double least = 0, most = 0;
    for (size_t i = 0; i < m_data.values.size(); ++i) {
        const bool seen =
            (m_data.masked.empty() || !m_data.masked[i]) && (m_data.leftOut.empty() || !m_data.leftOut[i]);
        const auto value = static_cast<double>(m_data.values[i]);
        if (!seen || !(std::abs(value) <= kWidestFixed)) continue;
        least = std::min(least, value);
        most = std::max(most, value);
    }
    const double room = mostDigits();
    const auto fits = [&](int decimals) {
        return static_cast<double>(
                   std::max(formatNumber(least, decimals).size(), formatNumber(most, decimals).size())) <= room;
    };
    return fits(2) ? 2 : fits(1) ? 1 : 0;
}

/// A number that is cut reads as another one: all rather lose decimals.
QString MatrixView::writtenAs(double value) const {
    if (!hasRoomForNumbers()) return {};
    const auto fits = [most = mostDigits()](const QString& text) { return static_cast<double>(text.size()) <= most; };
    if (std::abs(value) <= kWidestFixed || !std::isfinite(value))
        if (QString text = formatNumber(value, m_decimals); fits(text)) return text;
    const QString text = formatScientific(value, 0);
    return fits(text) ? text : QString();
}

void MatrixView::paintCells(QPainter& p, const Theme& t) const {
    const QRectF area = cellsArea();
    const int firstRow = static_cast<int>(verticalScrollBar()->value() / m_cell.height());
    const int firstColumn = static_cast<int>(horizontalScrollBar()->value() / m_cell.width());
    const int lastRow = std::min(m_data.rows, firstRow + static_cast<int>(area.height() / m_cell.height()) + 2);
    const int lastColumn = std::min(m_data.columns, firstColumn + static_cast<int>(area.width() / m_cell.width()) + 2);
    p.save();
    p.setClipRect(area);
    if (hasTiles() && m_reveal == Reveal::Full) {
        if (m_progress) {  // whole rows, and the part of one
            const int row = static_cast<int>(m_progress->filled / m_data.columns);
            const QRectF next = cellRect({row, static_cast<int>(m_progress->filled % m_data.columns)});
            const QRectF above(area.left(), area.top(), area.width(), next.top() - area.top());
            const QRectF beside(area.left(), next.top(), next.left() - area.left(), next.height());
            p.setClipRegion(QRegion(above.toAlignedRect()) + beside.toAlignedRect(), Qt::IntersectClip);
        }
        m_tiles.paint(p, m_data, area, cellRect({0, 0}).topLeft(), m_cell, t);
        p.restore();
        paint::box(p, area.adjusted(-1, -1, 1, 1), {}, t.line2);
        return;
    }
    for (int row = firstRow; row < lastRow; ++row) {
        for (int column = firstColumn; column < lastColumn; ++column) {
            if (m_reveal == Reveal::Full && isThere({row, column}))
                paintCell(p, {row, column}, t);
            else
                paint::box(p, cellRect({row, column}), {}, t.line);
        }
    }
    p.restore();
    const double gap = m_cell.width() - cellRect({0, 0}).width();
    paint::box(p, area.adjusted(-1, -1, 1 - gap, 1 - gap), {}, t.line2);
}

bool MatrixView::isThere(Cell cell) const {
    return !m_progress || static_cast<long>(cellIndex(cell.row, cell.column, m_data.columns)) < m_progress->filled;
}

/// The row or the cell that is being computed: of a softmax as bars.
void MatrixView::paintProgress(QPainter& p, const Theme& t) const {
    if (!m_progress || m_reveal != Reveal::Full || m_progress->row < 0 || m_progress->row >= m_data.rows) return;
    const Cell mark{m_progress->row, m_progress->column};
    for (size_t i = 0; i < m_progress->heights.size(); ++i) {
        const Cell cell{mark.row, static_cast<int>(i)};
        if (m_data.isMasked(cell.row, cell.column) || m_data.isLeftOut(cell.row, cell.column)) {
            paintCell(p, cell, t);
            continue;
        }
        const QRectF at = cellRect(cell);
        const double height = m_progress->heights[i];
        p.fillRect(at, t.sunken);
        p.setOpacity(m_progress->fade);
        const QColor own = m_data.scale.color(t, m_data.value(cell.row, cell.column));
        p.fillRect(at, own);
        p.setOpacity(1);
        p.fillRect(QRectF(at.left(), at.bottom() - at.height() * height, at.width(), at.height() * height),
                   t.sequentialStops[5]);
        if (!hasRoomForNumbers() || height <= 0) continue;
        const QColor ground = height > 0.5 ? t.sequentialStops[5] : m_progress->fade >= 0.5 ? own : t.sunken;
        const QString number = formatNumber(m_progress->numbers[i]);
        if (paint::textWidth(number, numberFont(m_cell)) < at.width() - 2)
            paint::centredText(p, at.center(), number, numberFont(m_cell), Theme::onColor(ground), Anchor::Middle);
    }
    const QRectF first = cellRect({mark.row, std::max(0, mark.column)}),
                 last = cellRect({mark.row, mark.column < 0 ? m_data.columns - 1 : mark.column});
    paint::outline(p, first.united(last).adjusted(-1, -1, 1, 1), t.nowLine, 2);
}

void MatrixView::paintCross(QPainter& p, const Theme& t) const {
    const Cell cell = shown();
    if (!cell.valid() || m_reveal != Reveal::Full) return;
    const QRectF area = cellsArea(), locked = m_glide->shown(), at = m_hovered.valid() ? cellRect(cell) : locked;
    const double gap = m_cell.width() - cellRect(cell).width();
    paint::box(p, {area.left() - 1, at.top() - 1, area.width() + 2 - gap, at.height() + 2}, {}, t.text3);
    paint::box(p, {at.left() - 1, area.top() - 1, at.width() + 2, area.height() + 2 - gap}, {}, t.text3);
    if (m_locked.valid()) paint::outline(p, locked.adjusted(-1, -1, 1, 1), t.nowLine, m_cell.width() < 32 ? 2 : 3, 2);
    if (m_hovered.valid() && m_hovered != m_locked) paint::outline(p, at.adjusted(-1, -1, 1, 1), t.text, 1);
}

void MatrixView::paintRowLabels(QPainter& p, const Theme& t) const {
    const QRectF area = cellsArea();
    const double right = area.left() - 16;
    if (!isLow())
        paint::text(p, {right, area.top() - 16}, m_data.rowAxis, uiFont(11, QFont::Medium), t.text3, Anchor::End);
    const bool twoLines = !m_data.rowSubLabels.isEmpty() && m_cell.height() >= 36;
    const int size = m_cell.height() >= 22 ? 13 : m_cell.height() >= 17 ? 12 : 11;
    p.save();
    p.setClipRect(QRectF(0, area.top() - 2, area.left(), area.height() + 4));
    const int step = labelStep(m_cell.height());
    for (int row = 0; row < m_data.rows; ++row) {
        if (!hasLabel(m_data.rowLabels, row, shown().row, step)) continue;
        const QRectF at = cellRect({row, 0});
        if (at.bottom() < area.top() || at.top() > area.bottom()) continue;
        const bool on = row == shown().row;
        const QFont font = uiFont(size, on ? QFont::DemiBold : QFont::Medium);
        const double inset = m_cell.height() >= 36 ? 4 : 0;
        if (on) {
            const double left = area.left() - m_labelWidth + 4;
            const double high = std::max(at.height() - 2 * inset, kSmallestLabel);
            paint::box(p, {left, at.center().y() - high / 2, m_labelWidth - 10, high}, t.queryTint, {},
                       inset > 0 ? 5 : 2);
        }
        const double y = at.center().y();
        if (y - area.top() < size / 2.0 - 1 || area.bottom() - y < size / 2.0 - 1) continue;  // half of a word
        const double rowGap = m_cell.height() >= 56 ? 9 : 7;
        const double width = m_labelWidth - 24;
        paint::centredText(p, {right, twoLines ? y - rowGap : y},
                           paint::elided(m_data.rowLabels.value(row), font, width), font, on ? t.query : t.text,
                           Anchor::End);
        if (twoLines) {
            const QFont small = uiFont(11);
            paint::centredText(p, {right, y + rowGap + 1}, paint::elided(m_data.rowSubLabels.value(row), small, width),
                               small, t.text3, Anchor::End);
        }
    }
    p.restore();
}

void MatrixView::paintColumnLabels(QPainter& p, const Theme& t) const {
    const QRectF area = cellsArea();
    if (!isLow())
        paint::centredText(p, {area.center().x(), 10}, m_data.columnAxis, uiFont(11, QFont::Medium), t.text3,
                           Anchor::Middle);
    const int size = m_turnedLabels && m_cell.width() < 18 ? 11 : 13;
    const double top = m_axisHeight;
    p.save();
    p.setClipRect(QRectF(area.left() - 2, 0, area.width() + 4, area.top()));
    const int step = labelStep(m_cell.width());
    for (int column = 0; column < m_data.columns; ++column) {
        if (!hasLabel(m_data.columnLabels, column, shown().column, step)) continue;
        const QRectF at = cellRect({0, column});
        const double half = m_turnedLabels ? size * 0.4 : 0, middle = at.center().x();
        if (middle - half < area.left() || middle + half > area.right()) continue;  // half a number is another one
        const bool on = column == shown().column;
        const QFont font = uiFont(size, on ? QFont::DemiBold : QFont::Medium);
        const QColor color = on ? t.key : t.text;
        const QString label = m_data.columnLabels.value(column);
        const double room = area.top() - top - 8;
        if (m_turnedLabels && m_cutsLabels && !on && paint::textWidth(label, font) > room) continue;
        if (on) {
            const double height = m_turnedLabels ? area.top() - top - 6 : 26;
            const double wide = std::max(at.width(), kSmallestLabel);
            paint::box(p, {at.center().x() - wide / 2, area.top() - 6 - height, wide, height}, t.keyTint, {},
                       m_turnedLabels ? 2 : 5);
        }
        if (!m_turnedLabels) {
            paint::centredText(p, {at.center().x(), area.top() - 19}, label, font, color, Anchor::Middle);
            continue;
        }
        p.save();
        p.translate(at.center().x(), area.top() - 9);
        p.rotate(-90);
        paint::centredText(p, {0, 0}, paint::elided(label, font, room), font, color);
        p.restore();
    }
    p.restore();
}

}  // namespace headlight
