// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QSize>
#include <QStringList>
#include <QVariantAnimation>
#include <optional>
#include <vector>

#include "ui/widgets/controls/spreadsheet.h"
#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/matrix/matrix_progress.h"
#include "ui/widgets/matrix/matrix_tiles.h"
#include "ui/widgets/theme/color_scale.h"

namespace headlight {

class Glide;
struct Theme;

/// What a MatrixView shows. Row-major; `masked` is empty or one flag a cell.
struct MatrixData {
    int rows = 0;
    int columns = 0;
    std::vector<float> values;
    std::vector<char> masked;
    std::vector<char> marked = {};  ///< empty, or one flag a cell: those with a dot in their corner
    QStringList rowLabels;
    QStringList rowSubLabels;  ///< a second, smaller line; may be empty
    QStringList columnLabels;
    QString rowAxis;     ///< what a row does: "writes"
    QString columnAxis;  ///< what a column is to it: "reads"
    ColorScale scale;
    std::vector<char> leftOut = {};  ///< empty, or one flag a cell: the reader does not want to see it

    bool empty() const { return rows == 0 || columns == 0; }
    float value(int row, int column) const { return values[cellIndex(row, column, columns)]; }
    bool isMasked(int row, int column) const { return !masked.empty() && masked[cellIndex(row, column, columns)] != 0; }
    bool isLeftOut(int row, int column) const {
        return !leftOut.empty() && leftOut[cellIndex(row, column, columns)] != 0;
    }
};

/// A matrix as coloured cells with its labels and its legend. The pointer hovers a cell, a click locks it, arrow keys
/// move the locked cell, Escape lets it go. Cells shrink with the space down to kSmallestCell, then the view scrolls
/// under its labels; with the wheel and Ctrl, or + and −, they get larger and smaller until all of them are seen, as
/// colours alone, and 0 is as it was. Read by screen readers as a table.
class MatrixView : public QAbstractScrollArea, public Spreadsheet {
    Q_OBJECT
public:
    struct Cell {
        int row = -1;
        int column = -1;
        bool operator==(const Cell&) const = default;
        bool valid() const { return row >= 0 && column >= 0; }
    };
    enum class Reveal { Full, Outline };  ///< Outline: computed later than the reader's step, so no values yet

    static constexpr int kSmallestCell = 14;
    static constexpr QSize kSmallestWithNumber{32, 18};

    explicit MatrixView(QWidget* parent = nullptr);

    const MatrixData& data() const { return m_data; }
    /// Recolour: the same cells, after an edit or a mute; each goes over to its new colour, numbers at half the way.
    enum class Change { Cut, Recolour };
    void setData(MatrixData data, Change change = Change::Cut);
    void setReveal(Reveal reveal);
    /// Nothing: it is not being computed.
    void setProgress(std::optional<MatrixProgress> progress);
    const std::optional<MatrixProgress>& progress() const { return m_progress; }
    /// 1: the whole matrix fits, 2: twice as large; 0: as large as there is room for, but never below kSmallestCell.
    /// Below 1 is 1.
    void setZoom(double zoom);
    double zoom() const { return m_zoom; }
    /// Where nobody zooms and cells would have to be scrolled to: AllAtOnce makes them narrower and no lower, so that a
    /// row is a strip of colours.
    enum class Columns { Scrolled, AllAtOnce };
    void setColumns(Columns columns);
    /// One step larger or smaller, the middle staying where it is.
    void zoomIn();
    void zoomOut();
    /// Are there more cells than fit where they can be told from each other?
    bool isCrowded() const;
    /// These do not emit: they are how a selection from elsewhere shows here.
    void setHovered(Cell cell);
    void setLocked(Cell cell);
    Cell hovered() const { return m_hovered; }
    Cell locked() const { return m_locked; }
    Cell shown() const { return m_hovered.valid() ? m_hovered : m_locked; }

    /// The cell's place in the viewport, and the cell at a place.
    QRectF cellRect(Cell cell) const;
    /// The number as it stands in its cell: every number of the matrix with as many decimals, up to two, as there is
    /// room for in the longest. Empty: there is room for none, or the cell is masked.
    QString writtenIn(Cell cell) const;
    Cell cellAt(QPointF position) const;
    /// The cell as words: "learning, học: 0.998123".
    QString describe(Cell cell) const;
    /// What is masked, hidden from the reader or not computed yet is an empty cell.
    QString spreadsheet() const override;

    QSize sizeHint() const override { return {508, 480}; }
    QSize minimumSizeHint() const override { return {220, 150}; }

signals:
    void cellHovered(int row, int column);  ///< -1, -1 when the pointer leaves
    void cellClicked(int row, int column);
    void unlocked();
    void zoomed();  ///< by the reader
    void crowded(bool is);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void layoutCells();
    QSizeF cellsToFit(double width, double height) const;
    /// `still` is the place in the viewport that keeps showing what it does.
    void zoomTo(double zoom, QPointF still);
    void zoomBy(double factor, QPointF still);
    double wholeCell() const;
    bool hasTiles() const;
    void hover(Cell cell);
    void lock(Cell cell);
    void bringIntoSight(Cell cell);
    /// Where nobody has scrolled: the first cells, or as far as it takes to see the locked one. So what is seen follows
    /// from the data, the size and the lock, and not from what was shown before.
    void showPlace();
    QRectF cellsArea() const;
    bool hasRoomForNumbers() const;
    double mostDigits() const;
    int decimalsThatFit() const;
    bool isLow() const;
    double legendHeight() const;
    void paintCell(QPainter& painter, Cell cell, const Theme& theme) const;
    void paintCells(QPainter& painter, const Theme& theme) const;
    void paintProgress(QPainter& painter, const Theme& theme) const;
    bool isThere(Cell cell) const;
    bool canRecolour(const MatrixData& data) const;
    QColor colorOf(Cell cell, const Theme& theme) const;
    QString writtenAs(double value) const;
    void paintCross(QPainter& painter, const Theme& theme) const;
    void paintRowLabels(QPainter& painter, const Theme& theme) const;
    void paintColumnLabels(QPainter& painter, const Theme& theme) const;

    MatrixData m_data;
    std::vector<float> m_before;  ///< while cells change their colours: what they showed
    ColorScale m_scaleBefore;
    QVariantAnimation m_recolour;
    Glide* m_glide;  ///< of the locked cell's outline
    Reveal m_reveal = Reveal::Full;
    std::optional<MatrixProgress> m_progress;
    Cell m_hovered;
    Cell m_locked;
    QPointF m_origin;  ///< of cell 0, 0 when not scrolled
    QSizeF m_cell;
    QSizeF m_room;  ///< for the cells
    Columns m_columns = Columns::Scrolled;
    double m_zoom = 0;
    int m_decimals = 2;
    bool m_crowded = false;
    bool m_scrolledByReader = false;  ///< or zoomed, or locked: the place is theirs
    mutable MatrixTiles m_tiles;
    double m_labelWidth = 0;
    double m_axisHeight = 24;     ///< above the column labels, for what the columns are
    bool m_cutsLabels = false;    ///< those that are longer than there is room for are left out
    bool m_turnedLabels = false;  ///< column labels stand upright: the words are wider than the cells
};

}  // namespace headlight
