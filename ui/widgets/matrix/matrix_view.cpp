// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/matrix/matrix_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/matrix/matrix_accessible.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr double kLargestWidth = 132;
constexpr double kLargestHeight = 92;
constexpr double kLegendHeight = 44;
constexpr double kLongestLabel = 120;

double widest(const QStringList& labels, const QFont& font) {
    double width = 0;
    for (const QString& label : labels)
        width = std::max(width, paint::textWidth(label, font));
    return width;
}

double cellLength(double available, int count, double largest) {
    return std::clamp(std::floor(available / count), static_cast<double>(MatrixView::kSmallestCell), largest);
}

}  // namespace

MatrixView::MatrixView(QWidget* parent) : QAbstractScrollArea(parent) {
    installMatrixAccessibility();
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("Matrix"));
}

void MatrixView::setData(MatrixData data) {
    m_data = std::move(data);
    const auto inside = [this](Cell c) { return c.row < m_data.rows && c.column < m_data.columns; };
    if (!inside(m_hovered)) m_hovered = {};
    if (!inside(m_locked)) m_locked = {};
    layoutCells();
    viewport()->update();
}

void MatrixView::setReveal(Reveal reveal) {
    if (m_reveal == reveal) return;
    m_reveal = reveal;
    viewport()->update();
}

void MatrixView::setHovered(Cell cell) {
    if (m_hovered == cell) return;
    m_hovered = cell;
    viewport()->update();
}

void MatrixView::setLocked(Cell cell) {
    if (m_locked == cell) return;
    m_locked = cell;
    viewport()->update();
}

void MatrixView::hover(Cell cell) {
    if (m_hovered == cell) return;
    setHovered(cell);
    emit cellHovered(cell.row, cell.column);
}

void MatrixView::lock(Cell cell) {
    setLocked(cell);
    const QRectF at = cellRect(cell), area = cellsArea();
    if (at.left() < area.left() || at.right() > area.right())
        horizontalScrollBar()->setValue(static_cast<int>(cell.column * m_cell.width() - area.width() / 2));
    if (at.top() < area.top() || at.bottom() > area.bottom())
        verticalScrollBar()->setValue(static_cast<int>(cell.row * m_cell.height() - area.height() / 2));
    emit cellClicked(cell.row, cell.column);
}

void MatrixView::layoutCells() {
    if (m_data.empty()) return;
    const QFont font = uiFont(13, QFont::DemiBold);
    const double width = viewport()->width(), height = viewport()->height();
    const double subLabels = widest(m_data.rowSubLabels, uiFont(11));
    m_labelWidth = std::clamp(std::max(widest(m_data.rowLabels, font), subLabels) + 30, 60.0,
                              std::max(kLongestLabel, width * 0.2) + 8);
    const double columnText = std::min(widest(m_data.columnLabels, font) + 8, kLongestLabel);
    const double cellWidth = cellLength(width - m_labelWidth - 4, m_data.columns, kLargestWidth);
    m_turnedLabels = columnText > cellWidth;
    m_axisHeight = m_data.columnAxis.isEmpty() ? 4 : 24;
    const double header = (m_turnedLabels ? columnText + 4 : 34) + m_axisHeight;
    const double cellHeight = cellLength(height - header - kLegendHeight, m_data.rows, kLargestHeight);
    m_cell = {cellWidth, std::min(cellHeight, std::max(cellWidth, 24.0))};

    const double used = m_labelWidth + m_data.columns * m_cell.width();
    m_origin = {m_labelWidth + std::floor(std::max(0.0, (width - 4 - used) / 2)), header};
    const QRectF area = cellsArea();
    const auto scroll = [](QScrollBar* bar, double content, double page) {
        bar->setRange(0, static_cast<int>(std::ceil(std::max(0.0, content - page))));
        bar->setPageStep(static_cast<int>(page));
        bar->setSingleStep(kSmallestCell);
    };
    scroll(horizontalScrollBar(), m_data.columns * m_cell.width(), area.width());
    scroll(verticalScrollBar(), m_data.rows * m_cell.height(), area.height());
}

QRectF MatrixView::cellsArea() const {
    const double right = std::min(m_origin.x() + m_data.columns * m_cell.width(), viewport()->width() - 4.0);
    const double bottom = std::min(m_origin.y() + m_data.rows * m_cell.height(), viewport()->height() - kLegendHeight);
    return {m_origin, QPointF(right, std::max(bottom, m_origin.y() + kSmallestCell))};
}

QRectF MatrixView::cellRect(Cell cell) const {
    // Small cells keep a gap of one pixel, large ones two; the frame of a matrix stays closed either way.
    const double gap = m_cell.width() >= 60 ? 2 : 1;
    const QPointF scrolled(horizontalScrollBar()->value(), verticalScrollBar()->value());
    const QPointF at = m_origin + QPointF(cell.column * m_cell.width(), cell.row * m_cell.height()) - scrolled;
    return {at, QSizeF(m_cell.width() - gap, m_cell.height() - gap)};
}

MatrixView::Cell MatrixView::cellAt(QPointF position) const {
    if (m_data.empty() || !cellsArea().contains(position)) return {};
    const QPointF inside = position - m_origin + QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
    const Cell cell{static_cast<int>(inside.y() / m_cell.height()), static_cast<int>(inside.x() / m_cell.width())};
    return cell.row < m_data.rows && cell.column < m_data.columns ? cell : Cell{};
}

QString MatrixView::describe(Cell cell) const {
    if (!cell.valid()) return {};
    const QString value =
        m_data.isMasked(cell.row, cell.column) ? tr("masked") : formatPrecise(m_data.value(cell.row, cell.column));
    return tr("%1, %2: %3").arg(m_data.rowLabels.value(cell.row), m_data.columnLabels.value(cell.column), value);
}

void MatrixView::resizeEvent(QResizeEvent*) {
    layoutCells();
}

void MatrixView::scrollContentsBy(int, int) {
    viewport()->update();
}

void MatrixView::mouseMoveEvent(QMouseEvent* event) {
    hover(cellAt(event->position()));
}

void MatrixView::mousePressEvent(QMouseEvent* event) {
    const Cell cell = cellAt(event->position());
    if (event->button() == Qt::LeftButton && cell.valid()) lock(cell);
}

void MatrixView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_locked.valid()) {
        setLocked({});
        emit unlocked();
        return;
    }
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const ArrowKey arrow(event->key());
    if (m_data.empty() || (arrow.isNone() && !isEnter)) return QAbstractScrollArea::keyPressEvent(event);
    const Cell from = shown();
    if (m_hovered.valid()) hover({});  // the keyboard has taken over: a resting pointer must not hide the locked cell
    if (!from.valid()) return lock({0, 0});
    lock({std::clamp(from.row + arrow.down, 0, m_data.rows - 1),
          std::clamp(from.column + arrow.right, 0, m_data.columns - 1)});
}

bool MatrixView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) hover({});
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), describe(cellAt(help->pos())), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace headlight
