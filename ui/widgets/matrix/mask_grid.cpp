// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/matrix/mask_grid.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/matrix/label_step.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {
constexpr double kLabels = 74;
constexpr double kHead = 26;
constexpr double kTurnedHead = 56;
constexpr double kMaskGap = 8;
constexpr double kMaskLargestWidth = 92, kMaskLargestHeight = 64;
constexpr double kTick = 14;  ///< the least room that a tick takes

QFont labelFont() {
    return uiFont(12, QFont::Medium);
}

/// A tick, or a dot where there is no room for one: in the lowest row, as rows are of whole pixels and differ by one.
void paintOpen(QPainter& p, const QRectF& cell, double lowest, const QColor& ink) {
    const double least = std::min(cell.width(), lowest);
    if (least >= kTick - 2 && cell.width() > kTick)
        return drawIcon(p, Icon::Check, QRectF(cell.center() - QPointF(8, 8), QSizeF(16, 16)), ink);
    const double side = std::max(2.0, std::round(least * 0.4));
    p.fillRect(QRectF(cell.center() - QPointF(side, side) / 2, QSizeF(side, side)), ink);
}

}  // namespace

MaskGrid::MaskGrid(bool editable, QWidget* parent) : QWidget(parent), m_editable(editable) {
    if (editable) setFocusPolicy(Qt::StrongFocus);
}

void MaskGrid::setMask(const QStringList& rows, const QStringList& columns, std::vector<char> blocked,
                       std::vector<char> original) {
    m_rows = rows;
    m_columns = columns;
    m_longest = 0;
    for (const QString& word : columns)
        m_longest = std::max(m_longest, paint::textWidth(word, labelFont()));
    m_blocked = std::move(blocked);
    m_original = std::move(original);
    m_row = std::clamp(m_row, 0, std::max(0, static_cast<int>(rows.size()) - 1));
    m_column = std::clamp(m_column, 0, std::max(0, static_cast<int>(columns.size()) - 1));
    tell();
    update();
}

void MaskGrid::tell() {
    const auto closed = std::ranges::count_if(m_blocked, [](char each) { return each != 0; });
    QString told = tr("%1 of %2 cells are closed").arg(closed).arg(m_blocked.size());
    if (m_editable && !m_blocked.empty()) told = tr("%1. %2").arg(describe(m_row, m_column), told);
    setAccessibleDescription(told);
}

bool MaskGrid::isBlocked(int row, int column) const {
    return m_blocked[static_cast<size_t>(index(row, column))] != 0;
}

double MaskGrid::cellWidth() const {
    const double columns = static_cast<double>(std::max<qsizetype>(1, m_columns.size()));
    return std::floor(std::min(kMaskLargestWidth, (width() - kLabels - 2) / columns));
}

bool MaskGrid::hasTurnedLabels() const {
    return m_longest > cellWidth() - 2;
}

double MaskGrid::headHeight() const {
    return hasTurnedLabels() ? std::clamp(m_longest + kMaskGap, kHead, kTurnedHead) : kHead;
}

QRectF MaskGrid::cellRect(int row, int column) const {
    const double rows = static_cast<double>(std::max<qsizetype>(1, m_rows.size()));
    const double w = cellWidth(), head = headHeight();
    const double h = std::min(kMaskLargestHeight, (height() - head - 2) / rows);
    return {kLabels + column * w, std::floor(head + row * h), w,
            std::floor(head + (row + 1) * h) - std::floor(head + row * h)};
}

int MaskGrid::rowStep() const {
    return labelStep((height() - headHeight() - 2) / static_cast<double>(std::max<qsizetype>(1, m_rows.size())));
}

int MaskGrid::columnStep() const {
    return hasTurnedLabels() ? labelStep(cellWidth()) : 1;
}

std::pair<int, int> MaskGrid::cellAt(QPointF at) const {
    for (int row = 0; row < m_rows.size(); ++row)
        for (int column = 0; column < m_columns.size(); ++column)
            if (cellRect(row, column).contains(at)) return {row, column};
    return {-1, -1};
}

bool MaskGrid::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto [row, column] = cellAt(help->pos());
    QToolTip::showText(help->globalPos(), row < 0 ? QString() : describe(row, column), this);
    return true;
}

QString MaskGrid::describe(int row, int column) const {
    const QString said = isBlocked(row, column) ? tr("“%1” may not look at “%2”") : tr("“%1” may look at “%2”");
    return said.arg(m_rows.value(row), m_columns.value(column));
}

void MaskGrid::mousePressEvent(QMouseEvent* event) {
    const auto [row, column] = cellAt(event->position());
    if (!m_editable || row < 0) return;
    m_row = row;
    m_column = column;
    emit toggled(row, column);
}

void MaskGrid::keyPressEvent(QKeyEvent* event) {
    const int lastRow = static_cast<int>(m_rows.size()) - 1, lastColumn = static_cast<int>(m_columns.size()) - 1;
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (m_editable) emit toggled(m_row, m_column);
        return;
    }
    const ArrowKey arrow(event->key());
    if (arrow.isNone()) return QWidget::keyPressEvent(event);
    m_row = std::clamp(m_row + arrow.down, 0, std::max(0, lastRow));
    m_column = std::clamp(m_column + arrow.right, 0, std::max(0, lastColumn));
    tell();
    update();
}

void MaskGrid::paintLabels(QPainter& p, const Theme& t) const {
    const QFont font = labelFont();
    for (int row = 0; row < m_rows.size(); row += rowStep())
        paint::centredText(p, {kLabels - kMaskGap, cellRect(row, 0).center().y()},
                           paint::elided(m_rows[row], font, kLabels - kMaskGap), font, t.text2, Anchor::End);
    const double head = headHeight();
    for (int column = 0; column < m_columns.size(); column += columnStep()) {
        const double middle = cellRect(0, column).center().x();
        if (!hasTurnedLabels()) {
            paint::centredText(p, {middle, head - 12}, m_columns[column], font, t.text2, Anchor::Middle);
            continue;
        }
        p.save();
        p.translate(middle, head - kMaskGap / 2);
        p.rotate(-90);
        paint::centredText(p, {0, 0}, paint::elided(m_columns[column], font, head - kMaskGap / 2), font, t.text2);
        p.restore();
    }
}

void MaskGrid::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintLabels(p, t);
    double lowest = kMaskLargestHeight;
    for (int row = 0; row < m_rows.size(); ++row)
        lowest = std::min(lowest, cellRect(row, 0).height() - 1);
    for (int row = 0; row < m_rows.size(); ++row)
        for (int column = 0; column < m_columns.size(); ++column) {
            const size_t at = static_cast<size_t>(index(row, column));
            const QRectF cell = cellRect(row, column).adjusted(0, 0, -1, -1);
            const bool changed = m_blocked[at] != m_original[at];
            if (m_blocked[at])
                paint::hatch(p, cell, t.hatchGround, t.hatch);
            else
                paint::box(p, cell, changed ? t.nowTint : t.surface, t.line);
            if (!m_blocked[at]) paintOpen(p, cell, lowest, changed ? t.nowText : t.text2);
            if (changed) paint::outline(p, cell, t.nowLine, 2);
            if (m_editable && hasFocus() && row == m_row && column == m_column) paint::outline(p, cell, t.text, 2, 2);
        }
}

}  // namespace headlight

#include "moc_mask_grid.cpp"
