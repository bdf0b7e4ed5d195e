// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/matrix/mask_grid.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {
constexpr double kLabels = 74;
constexpr double kHead = 26;
constexpr double kLargest = 58;
}  // namespace

MaskGrid::MaskGrid(bool editable, QWidget* parent) : QWidget(parent), m_editable(editable) {
    if (editable) setFocusPolicy(Qt::StrongFocus);
}

void MaskGrid::setMask(const QStringList& rows, const QStringList& columns, std::vector<char> blocked,
                       std::vector<char> original) {
    m_rows = rows;
    m_columns = columns;
    m_blocked = std::move(blocked);
    m_original = std::move(original);
    m_row = std::clamp(m_row, 0, std::max(0, static_cast<int>(rows.size()) - 1));
    m_column = std::clamp(m_column, 0, std::max(0, static_cast<int>(columns.size()) - 1));
    update();
}

bool MaskGrid::isBlocked(int row, int column) const {
    return m_blocked[static_cast<size_t>(index(row, column))] != 0;
}

QRectF MaskGrid::cellRect(int row, int column) const {
    const double columns = static_cast<double>(std::max<qsizetype>(1, m_columns.size()));
    const double rows = static_cast<double>(std::max<qsizetype>(1, m_rows.size()));
    const double w = std::min(kLargest, (width() - kLabels - 2) / columns);
    const double h = std::min(40.0, (height() - kHead - 2) / rows);
    return {std::floor(kLabels + column * w), std::floor(kHead + row * h), std::floor(w), std::floor(h)};
}

void MaskGrid::mousePressEvent(QMouseEvent* event) {
    if (!m_editable) return;
    for (int row = 0; row < m_rows.size(); ++row)
        for (int column = 0; column < m_columns.size(); ++column)
            if (cellRect(row, column).contains(event->position())) {
                m_row = row;
                m_column = column;
                emit toggled(row, column);
                return;
            }
}

void MaskGrid::keyPressEvent(QKeyEvent* event) {
    const int lastRow = static_cast<int>(m_rows.size()) - 1, lastColumn = static_cast<int>(m_columns.size()) - 1;
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return) {
        if (m_editable) emit toggled(m_row, m_column);
        return;
    }
    const ArrowKey arrow(event->key());
    if (arrow.isNone()) return QWidget::keyPressEvent(event);
    m_row = std::clamp(m_row + arrow.down, 0, std::max(0, lastRow));
    m_column = std::clamp(m_column + arrow.right, 0, std::max(0, lastColumn));
    update();
}

void MaskGrid::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    for (int row = 0; row < m_rows.size(); ++row) {
        const QRectF cell = cellRect(row, 0);
        const QFont font = uiFont(12, QFont::Medium);
        paint::centredText(p, {kLabels - 8, cell.center().y()}, paint::elided(m_rows[row], font, kLabels - 8), font,
                           t.text2, Anchor::End);
    }
    for (int column = 0; column < m_columns.size(); ++column) {
        const QRectF cell = cellRect(0, column);
        const QFont font = uiFont(12, QFont::Medium);
        paint::centredText(p, {cell.center().x(), kHead - 12}, paint::elided(m_columns[column], font, cell.width() - 2),
                           font, t.text2, Anchor::Middle);
    }
    for (int row = 0; row < m_rows.size(); ++row)
        for (int column = 0; column < m_columns.size(); ++column) {
            const size_t at = static_cast<size_t>(index(row, column));
            const QRectF cell = cellRect(row, column).adjusted(0, 0, -1, -1);
            const bool changed = m_blocked[at] != m_original[at];
            if (m_blocked[at])
                paint::hatch(p, cell, t.hatchGround, t.hatch);
            else
                paint::box(p, cell, changed ? t.nowTint : t.surface, t.line);
            if (!m_blocked[at] && cell.width() > 14)
                drawIcon(p, Icon::Check, QRectF(cell.center() - QPointF(8, 8), QSizeF(16, 16)),
                         changed ? t.nowText : t.text2);
            if (changed) paint::outline(p, cell, t.nowLine, 2);
            if (m_editable && hasFocus() && row == m_row && column == m_column) paint::outline(p, cell, t.text, 2, 2);
        }
}

}  // namespace headlight
