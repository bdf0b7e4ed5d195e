// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/matrix/matrix_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/session/format/matrix_text.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/matrix/matrix_accessible.h"
#include "ui/widgets/matrix/veiled_cells.h"
#include "ui/widgets/theme/glide.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr double kMatrixLargestWidth = 160;
constexpr double kMatrixLargestHeight = 112;
constexpr double kHighestStrip = 56;  ///< of many narrow columns and few rows
constexpr int kMatrixStrip = 3;       ///< so many times as many columns as rows
constexpr double kNarrowest = 12;     ///< columns are rather as narrow than that a few of them are out of sight
constexpr double kLowest = 8;         ///< and rows as low
constexpr double kLegendHeight = 44, kLowLegend = 30;
constexpr int kLow =
    230;  ///< a lower place gives its rows what it has: the legend is nearer, and the axes are not named
constexpr double kLongestLabel = 120, kShortLabel = 52;

double widest(const QStringList& labels, const QFont& font) {
    double width = 0;
    for (const QString& label : labels)
        width = std::max(width, paint::textWidth(label, font));
    return width;
}

constexpr double kZoomStep = 1.5;
constexpr double kNothing = 0.01;  ///< of a pixel: what sums of fractions may differ by
constexpr double kSmallestDrawn = 1.0 / 64;
constexpr double kSmallestWhole = 6;  ///< cells from here on stand on whole pixels

double cellLength(double available, int count, double largest) {
    return std::clamp(std::floor(available / count), static_cast<double>(MatrixView::kSmallestCell), largest);
}

}  // namespace

MatrixView::MatrixView(QWidget* parent)
    : QAbstractScrollArea(parent),
      m_glide(new Glide(viewport(), [this] { return m_locked.valid() ? cellRect(m_locked) : QRectF(); })) {
    installMatrixAccessibility();
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("Matrix"));
    m_recolour.setDuration(motion::kReflow);
    m_recolour.setEasingCurve(QEasingCurve::InOutCubic);
    m_recolour.setStartValue(0.0);
    m_recolour.setEndValue(1.0);
    connect(&m_recolour, &QVariantAnimation::valueChanged, viewport(), qOverload<>(&QWidget::update));
    for (const QScrollBar* bar : {horizontalScrollBar(), verticalScrollBar()})
        connect(bar, &QScrollBar::actionTriggered, this, [this] { m_scrolledByReader = true; });
    connect(&m_recolour, &QVariantAnimation::finished, this, [this] { m_before.clear(); });
}

bool MatrixView::canRecolour(const MatrixData& data) const {
    return isVisible() && !motion::isReduced() && m_reveal == Reveal::Full && !m_progress && !hasTiles() &&
           data.rows == m_data.rows && data.columns == m_data.columns && data.scale.kind == m_data.scale.kind;
}

void MatrixView::setData(MatrixData data, Change change) {
    const bool same = !m_before.empty() && data.values == m_data.values;  // told again on the way
    // Who changes faster than the colours do sees each change at once.
    const bool recolours = change == Change::Recolour && m_before.empty() && !m_data.empty() &&
                           data.values != m_data.values && canRecolour(data);
    if (!same) {
        m_recolour.stop();
        m_before = recolours ? m_data.values : std::vector<float>();
        m_scaleBefore = m_data.scale;
    }
    const bool reshaped = data.rows != m_data.rows || data.columns != m_data.columns;
    m_data = std::move(data);
    if (recolours) m_recolour.start();
    if (reshaped) m_scrolledByReader = false;
    m_tiles.clear();
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

void MatrixView::setProgress(std::optional<MatrixProgress> progress) {
    if (!m_progress && !progress) return;
    m_progress = std::move(progress);
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
    m_scrolledByReader = false;
    showPlace();
    viewport()->update();
}

void MatrixView::showPlace() {
    if (m_scrolledByReader) return;
    horizontalScrollBar()->setValue(0);
    verticalScrollBar()->setValue(0);
    bringIntoSight(m_locked);
}

void MatrixView::bringIntoSight(Cell cell) {
    if (!cell.valid() || m_data.empty()) return;
    const QRectF at = cellRect(cell), area = cellsArea();
    const auto inTheMiddle = [](int place, double length, double room) {
        return static_cast<int>(std::lround((place - std::floor(room / length / 2)) * length));
    };
    if (at.left() < area.left() || at.right() > area.right() + 1)
        horizontalScrollBar()->setValue(inTheMiddle(cell.column, m_cell.width(), area.width()));
    if (at.top() < area.top() || at.bottom() > area.bottom() + 1)
        verticalScrollBar()->setValue(inTheMiddle(cell.row, m_cell.height(), area.height()));
}

void MatrixView::hover(Cell cell) {
    if (m_hovered == cell) return;
    setHovered(cell);
    emit cellHovered(cell.row, cell.column);
}

void MatrixView::lock(Cell cell) {
    m_glide->stop();  // the reader's own hand cuts
    m_locked = cell;
    m_scrolledByReader = true;
    bringIntoSight(cell);
    viewport()->update();
    emit cellClicked(cell.row, cell.column);
}

bool MatrixView::isLow() const {
    return viewport()->height() < kLow;
}

double MatrixView::legendHeight() const {
    return isLow() ? kLowLegend : kLegendHeight;
}

void MatrixView::layoutCells() {
    if (m_data.empty()) return;
    const QFont font = uiFont(13, QFont::DemiBold);
    const double width = viewport()->width(), height = viewport()->height();
    const double subLabels = widest(m_data.rowSubLabels, uiFont(11));
    m_labelWidth = std::clamp(std::max(widest(m_data.rowLabels, font), subLabels) + 30, 60.0,
                              std::max(kLongestLabel, width * 0.25) + 8);
    m_axisHeight = m_data.columnAxis.isEmpty() || isLow() ? 4 : 24;
    const double longest = std::min(widest(m_data.columnLabels, font) + 8, kLongestLabel);
    // In a low place the rows come first: a long name above a column is then not written, others are.
    const double spare = height - legendHeight() - m_axisHeight - 4 - m_data.rows * kSmallestCell;
    const double columnText = std::clamp(spare, std::min(kShortLabel, longest), longest);
    m_cutsLabels = columnText < longest;
    const auto headerOf = [&](bool turned) { return (turned ? columnText + 4 : 34) + m_axisHeight; };
    const double room = width - m_labelWidth - 4;
    m_turnedLabels = columnText > cellsToFit(room, height - headerOf(true) - legendHeight()).width();
    const double header = headerOf(m_turnedLabels);
    m_room = {room, height - header - legendHeight()};
    m_cell = cellsToFit(m_room.width(), m_room.height());
    m_decimals = decimalsThatFit();

    const double used = m_labelWidth + m_data.columns * m_cell.width();
    m_origin = {m_labelWidth + std::floor(std::max(0.0, (width - 4 - used) / 2)), header};
    const QRectF area = cellsArea();
    const auto scroll = [](QScrollBar* bar, double content, double page) {
        bar->setRange(0, static_cast<int>(std::ceil(std::max(0.0, content - page - kNothing))));
        bar->setPageStep(static_cast<int>(page));
        bar->setSingleStep(kSmallestCell);
    };
    scroll(horizontalScrollBar(), m_data.columns * m_cell.width(), area.width());
    scroll(verticalScrollBar(), m_data.rows * m_cell.height(), area.height());
    showPlace();
    const bool was = std::exchange(m_crowded, isCrowded());
    if (was != m_crowded) emit crowded(m_crowded);
}

/// The size of a cell in so much room.
QSizeF MatrixView::cellsToFit(double width, double height) const {
    if (m_zoom == 0) {
        const double asked = cellLength(width, m_data.columns, kMatrixLargestWidth), whole = width / m_data.columns;
        const auto rowHeight = [&](double most) {
            const double row = cellLength(height, m_data.rows, most), all = height / m_data.rows;
            return row > all && all >= kLowest ? std::floor(all) : row;
        };
        if (m_columns == Columns::AllAtOnce && asked > whole)
            return {std::max(kSmallestDrawn, whole), rowHeight(kHighestStrip)};
        const double across = asked > whole && whole >= kNarrowest ? std::floor(whole) : asked;
        const double high = std::max(across, m_data.columns >= kMatrixStrip * m_data.rows ? kHighestStrip : 24.0);
        return {across, std::min(rowHeight(kMatrixLargestHeight), high)};
    }
    const double whole = std::max(kSmallestDrawn, std::min(width / m_data.columns, height / m_data.rows));
    double side = std::clamp(whole * std::max(1.0, m_zoom), whole, std::max(whole, kMatrixLargestWidth));
    if (side >= kSmallestWhole) side = std::floor(side);
    return {side, std::min(side, kMatrixLargestHeight)};
}

double MatrixView::wholeCell() const {
    return std::max(kSmallestDrawn, std::min(m_room.width() / m_data.columns, m_room.height() / m_data.rows));
}

bool MatrixView::isCrowded() const {
    return !m_data.empty() && wholeCell() < kSmallestCell;
}

/// Cells that are too small for a gap between them.
bool MatrixView::hasTiles() const {
    return m_cell.width() < kSmallestWhole + 2 || m_cell.height() < kSmallestWhole + 2;
}

void MatrixView::setZoom(double zoom) {
    if (m_zoom == zoom) return;
    m_zoom = std::isfinite(zoom) ? std::max(0.0, zoom) : 0;
    layoutCells();
    viewport()->update();
}

void MatrixView::setColumns(Columns columns) {
    if (m_columns == columns) return;
    m_columns = columns;
    layoutCells();
    viewport()->update();
}

void MatrixView::zoomTo(double zoom, QPointF still) {
    if (m_data.empty()) return;
    const QPointF scrolled(horizontalScrollBar()->value(), verticalScrollBar()->value());
    const QPointF inside = still - m_origin + scrolled;
    const QPointF cells(inside.x() / m_cell.width(), inside.y() / m_cell.height());
    setZoom(zoom);
    m_scrolledByReader = true;
    const QPointF moved(cells.x() * m_cell.width(), cells.y() * m_cell.height());
    horizontalScrollBar()->setValue(static_cast<int>(std::lround(moved.x() - still.x() + m_origin.x())));
    verticalScrollBar()->setValue(static_cast<int>(std::lround(moved.y() - still.y() + m_origin.y())));
    emit zoomed();
}

void MatrixView::zoomBy(double factor, QPointF still) {
    if (m_data.empty()) return;
    const double most = std::max(1.0, kMatrixLargestWidth / wholeCell());
    zoomTo(std::clamp(m_cell.width() / wholeCell() * factor, 1.0, most), still);
}

void MatrixView::zoomIn() {
    zoomBy(kZoomStep, cellsArea().center());
}

void MatrixView::zoomOut() {
    zoomBy(1 / kZoomStep, cellsArea().center());
}

/// Where some are out of sight, whole cells all the same: half a column is another strip of colours.
QRectF MatrixView::cellsArea() const {
    const auto shown = [this](double room, int count, double cell) {
        if (count * cell <= room || m_zoom > 0) return std::min(count * cell, room);
        return std::max(1.0, std::floor(room / cell)) * cell;
    };
    return {m_origin,
            QSizeF(shown(viewport()->width() - 4.0 - m_origin.x(), m_data.columns, m_cell.width()),
                   shown(std::max<double>(kSmallestCell, viewport()->height() - legendHeight() - m_origin.y()),
                         m_data.rows, m_cell.height()))};
}

QRectF MatrixView::cellRect(Cell cell) const {
    // Small cells keep a gap of one pixel, large ones two; the frame of a matrix stays closed either way.
    const double gap = m_cell.width() >= 60 ? 2 : hasTiles() ? 0 : 1;
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
    const float exact = m_data.value(cell.row, cell.column);
    const QString number = formatPrecise(exact);
    const QString value = isTakenOut(m_data, cell.row, cell.column) ? tr("hidden until you have predicted it")
                          : m_data.isMasked(cell.row, cell.column)  ? tr("masked")
                          : m_data.isLeftOut(cell.row, cell.column) && std::isnan(exact) ? tr("not computed yet")
                          : m_data.isLeftOut(cell.row, cell.column) ? tr("%1, left out").arg(number)
                                                                    : number;
    return tr("%1, %2: %3").arg(m_data.rowLabels.value(cell.row), m_data.columnLabels.value(cell.column), value);
}

QString MatrixView::spreadsheet() const {
    if (m_data.empty() || m_reveal == Reveal::Outline) return {};
    std::vector<char> absent;
    absent.reserve(m_data.values.size());
    for (int row = 0; row < m_data.rows; ++row)
        for (int column = 0; column < m_data.columns; ++column)
            absent.push_back(
                char(m_data.isMasked(row, column) || isTakenOut(m_data, row, column) || !isThere({row, column})));
    QStringList rows, columns;
    for (int row = 0; row < m_data.rows; ++row)
        rows << m_data.rowLabels.value(row);
    for (int column = 0; column < m_data.columns; ++column)
        columns << m_data.columnLabels.value(column);
    return toTsv(rows, columns, m_data.values, absent);
}

void MatrixView::resizeEvent(QResizeEvent*) {
    layoutCells();
    if (m_scrolledByReader) bringIntoSight(m_locked);
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
    if (event->key() == Qt::Key_Plus || event->key() == Qt::Key_Equal) return zoomIn();
    if (event->key() == Qt::Key_Minus) return zoomOut();
    if (event->key() == Qt::Key_0) return zoomTo(0, cellsArea().center());
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const ArrowKey arrow(event->key());
    if (m_data.empty() || (arrow.isNone() && !isEnter)) return QAbstractScrollArea::keyPressEvent(event);
    const Cell from = shown();
    if (m_hovered.valid()) hover({});  // the keyboard has taken over: a resting pointer must not hide the locked cell
    if (!from.valid()) return lock({0, 0});
    lock({std::clamp(from.row + arrow.down, 0, m_data.rows - 1),
          std::clamp(from.column + arrow.right, 0, m_data.columns - 1)});
}

void MatrixView::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier)) return QAbstractScrollArea::wheelEvent(event);
    zoomBy(std::pow(kZoomStep, event->angleDelta().y() / 120.0), event->position());
    event->accept();
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

#include "moc_matrix_view.cpp"
