// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lens/lens_grid.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/views/lens/lens_layout.h"
#include "ui/widgets/controls/arrow_key.h"

namespace headlight {

using namespace lens_layout;

LensGrid::LensGrid(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("What each depth would say: rows are depths, columns are words"));
}

void LensGrid::setPicture(std::shared_ptr<const LensPicture> picture, bool sublayers) {
    m_picture = std::move(picture);
    m_sublayers = sublayers;
    m_depths = m_picture ? m_picture->depths(sublayers) : std::vector<size_t>();
    const auto inside = [this](Cell cell) { return cell.row < rows() && cell.column < columns(); };
    if (!inside(m_chosen)) m_chosen = {};
    if (!inside(m_hovered)) m_hovered = {};
    layoutCells();
    refresh();
}

void LensGrid::refresh() {
    findCoast();
    viewport()->update();
}

void LensGrid::findCoast() {
    m_coast.clear();
    if (!m_picture || !m_picture->isWhole()) return;
    for (int column = 0; column < columns(); ++column)
        m_coast.push_back(static_cast<int>(m_picture->settled(m_depths, column)));
}

void LensGrid::setChosen(Cell cell) {
    m_chosen = cell;
    setAccessibleDescription(describe(cell));
    viewport()->update();
}

QString LensGrid::describe(Cell cell) const {
    return cell.valid() ? m_picture->describe(depthOf(cell.row), cell.column, m_sublayers) : QString();
}

bool LensGrid::isRoomy() const {
    return m_cell.width() >= kRoomy.width() && m_cell.height() >= kRoomy.height();
}

/// Where the word changes, and once more at the end, where one looks for the answer.
QString LensGrid::printedIn(Cell cell) const {
    const size_t depth = depthOf(cell.row);
    if (!m_picture->isRead(depth)) return {};
    const int word = m_picture->top(depth, cell.column);
    if (word < 0) return QStringLiteral("NaN");
    if (isRoomy() || cell.row == 0 || cell.row + 1 == rows()) return m_picture->word(cell.column, word);
    const size_t above = depthOf(cell.row - 1);
    return m_picture->isRead(above) && m_picture->top(above, cell.column) == word ? QString()
                                                                                  : m_picture->word(cell.column, word);
}

bool LensGrid::isBold(Cell cell) const {
    return m_picture->isRead(depthOf(cell.row)) && m_picture->isFinal(depthOf(cell.row), cell.column);
}

void LensGrid::layoutCells() {
    const double width = viewport()->width() - kLabels - kEdge, height = viewport()->height() - kHead - kBelow;
    const int across = std::max(1, columns()), down = std::max(1, rows());
    m_cell = {std::clamp(std::floor(width / across), double(kSmallest.width()), kLargest.width()),
              std::clamp(std::floor(height / down), double(kSmallest.height()), kLargest.height())};
    const QRectF area = cellsArea();
    const auto scroll = [](QScrollBar* bar, double content, double page) {
        bar->setRange(0, static_cast<int>(std::ceil(std::max(0.0, content - page))));
        bar->setPageStep(static_cast<int>(page));
        bar->setSingleStep(kSmallest.height());
    };
    scroll(horizontalScrollBar(), across * m_cell.width(), area.width());
    scroll(verticalScrollBar(), down * m_cell.height(), area.height());
    emit laidOut();
}

QRectF LensGrid::cellsArea() const {
    const double right = std::min(kLabels + columns() * m_cell.width(), viewport()->width() - kEdge);
    const double bottom = std::min(kHead + rows() * m_cell.height(), viewport()->height() - kBelow);
    return {QPointF(kLabels, kHead), QPointF(right, std::max(bottom, kHead + kSmallest.height()))};
}

QRectF LensGrid::cellRect(Cell cell) const {
    return {kLabels + cell.column * m_cell.width() - horizontalScrollBar()->value(),
            kHead + cell.row * m_cell.height() - verticalScrollBar()->value(), m_cell.width() - 1, m_cell.height() - 1};
}

LensGrid::Cell LensGrid::cellAt(QPointF position) const {
    if (!cellsArea().contains(position)) return {};
    const Cell cell{static_cast<int>((position.y() - kHead + verticalScrollBar()->value()) / m_cell.height()),
                    static_cast<int>((position.x() - kLabels + horizontalScrollBar()->value()) / m_cell.width())};
    return cell.row < rows() && cell.column < columns() ? cell : Cell{};
}

void LensGrid::bringIntoSight() {
    if (!m_chosen.valid()) return;
    const QRectF area = cellsArea();
    const auto scroll = [](QScrollBar* bar, double begin, double length, double page) {
        bar->setValue(begin + length <= page ? 0 : static_cast<int>(begin + length / 2 - page / 2));
    };
    scroll(horizontalScrollBar(), m_chosen.column * m_cell.width(), m_cell.width(), area.width());
    scroll(verticalScrollBar(), m_chosen.row * m_cell.height(), m_cell.height(), area.height());
}

void LensGrid::hover(Cell cell) {
    if (m_hovered == cell) return;
    m_hovered = cell;
    viewport()->update();
    emit cellHovered(cell.row, cell.column);
}

void LensGrid::pin(Cell cell) {
    setChosen(cell);
    emit cellPinned(cell.row, cell.column);
}

void LensGrid::resizeEvent(QResizeEvent*) {
    layoutCells();
    bringIntoSight();
}

void LensGrid::scrollContentsBy(int, int) {
    viewport()->update();
    emit laidOut();
}

void LensGrid::mouseMoveEvent(QMouseEvent* event) {
    hover(cellAt(event->position()));
}

void LensGrid::mousePressEvent(QMouseEvent* event) {
    const Cell cell = cellAt(event->position());
    if (event->button() == Qt::LeftButton && cell.valid()) pin(cell);
}

void LensGrid::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_chosen.valid()) {
        emit unpinned();
        return;
    }
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const ArrowKey arrow(event->key());
    if (rows() == 0 || (arrow.isNone() && !isEnter)) return QAbstractScrollArea::keyPressEvent(event);
    const Cell from = m_chosen.valid() ? m_chosen : Cell{0, 0};
    if (m_hovered.valid()) hover({});  // the keyboard has taken over
    pin({std::clamp(from.row + arrow.down, 0, rows() - 1), std::clamp(from.column + arrow.right, 0, columns() - 1)});
    bringIntoSight();
}

bool LensGrid::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) hover({});
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), describe(cellAt(help->pos())), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace headlight

#include "moc_lens_grid.cpp"
