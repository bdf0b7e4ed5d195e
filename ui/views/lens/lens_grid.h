// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <vector>

#include "ui/session/trace/lens_picture.h"

namespace headlight {

struct Theme;

/// What every depth would say, a row a depth and a column a position: the colour of a cell is the probability of the
/// word that is likeliest there, and below the coastline the answer no longer changes. A word is printed where it
/// differs from the one above, in roomy cells always, with its number; bold where it is already the final one. The
/// pointer hovers a cell, a click pins it, arrow keys move it, Escape lets it go. Cells shrink with the space down to
/// kSmallest, then the view scrolls under its labels.
class LensGrid : public QAbstractScrollArea {
    Q_OBJECT
public:
    /// A row of the grid, not a depth.
    struct Cell {
        int row = -1, column = -1;
        bool operator==(const Cell&) const = default;
        bool valid() const { return row >= 0 && column >= 0; }
    };
    static constexpr QSize kSmallest{40, 15};

    explicit LensGrid(QWidget* parent = nullptr);

    /// Null: nothing. The same picture with more rows read is shown by update().
    void setPicture(std::shared_ptr<const LensPicture> picture, bool sublayers);
    /// The cell that is chosen, whoever chose it. Does not emit.
    void setChosen(Cell cell);
    Cell chosen() const { return m_chosen; }
    const std::vector<size_t>& depths() const { return m_depths; }
    /// A row was read.
    void refresh();
    /// Scrolls to the chosen cell, from the beginning on, so that the place follows from the cell alone.
    void bringIntoSight();

    /// The cell's place in the viewport, and the cell at a place.
    QRectF cellRect(Cell cell) const;
    Cell cellAt(QPointF position) const;
    /// Where cells are seen.
    QRectF cellsArea() const;
    /// What stands in the cell, and whether it is bold; empty: it is blank.
    QString printedIn(Cell cell) const;
    bool isBold(Cell cell) const;
    /// From which row on the answer of that column no longer changes.
    int coast(int column) const { return m_coast.empty() ? -1 : m_coast[static_cast<size_t>(column)]; }
    /// Are words and numbers written in every cell?
    bool isRoomy() const;
    QString describe(Cell cell) const;

    QSize sizeHint() const override { return {700, 520}; }
    QSize minimumSizeHint() const override { return {300, 200}; }

signals:
    void cellHovered(int row, int column);  ///< -1, -1 when the pointer leaves
    void cellPinned(int row, int column);
    void unpinned();
    /// The cells stand elsewhere.
    void laidOut();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    int rows() const { return static_cast<int>(m_depths.size()); }
    int columns() const { return m_picture ? m_picture->lens().positions() : 0; }
    size_t depthOf(int row) const { return m_depths[static_cast<size_t>(row)]; }
    void findCoast();
    void layoutCells();
    void hover(Cell cell);
    void pin(Cell cell);
    void paintCells(QPainter& painter, const Theme& theme) const;
    void paintCell(QPainter& painter, Cell cell, const Theme& theme) const;
    void paintRoomy(QPainter& painter, Cell cell, const QColor& ink) const;
    void paintCoast(QPainter& painter, const Theme& theme) const;
    void paintChosen(QPainter& painter, const Theme& theme) const;
    void paintRowLabels(QPainter& painter, const Theme& theme) const;
    void paintHeads(QPainter& painter, const Theme& theme) const;
    void paintText(QPainter& painter, const Theme& theme) const;
    void paintLegend(QPainter& painter, const Theme& theme) const;

    std::shared_ptr<const LensPicture> m_picture;
    bool m_sublayers = true;
    std::vector<size_t> m_depths;  ///< of the rows
    std::vector<int> m_coast;      ///< a row for each column; empty: not all is read
    Cell m_chosen, m_hovered;
    QSizeF m_cell{40, 20};
};

}  // namespace headlight
