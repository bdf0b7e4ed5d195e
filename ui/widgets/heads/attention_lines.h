// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "ui/widgets/matrix/cell_index.h"

namespace headlight {

struct Theme;

/// What AttentionLines shows: `weights` is [rows, columns]; of several heads, one behind the other.
struct LinesData {
    std::vector<float> weights;
    int heads = 1;
    QStringList rowLabels;
    QStringList columnLabels;
    QString rowTitle;  ///< over the right side: "Being written"
    QString columnTitle;
    bool columnsAreSource = true;
    bool rowsAreSource = false;
};

/// One head as lines from the words that are looked at (left) to the words that look (right); the heavier the weight,
/// the thicker and the more opaque. The row in question is amber. Several heads: a colour each, side by side.
class AttentionLines : public QWidget {
    Q_OBJECT
public:
    explicit AttentionLines(QWidget* parent = nullptr);

    void setData(LinesData lines);
    void setShown(int row, int column);

    QSize sizeHint() const override { return {440, 400}; }
    QSize minimumSizeHint() const override;

    /// The colour of a head among several.
    static QColor headColor(int head, const Theme& theme);

signals:
    /// Over a word: its strongest line. -1, -1 elsewhere.
    void cellHovered(int row, int column);
    void cellClicked(int row, int column);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Cell {
        int row = -1;
        int column = -1;
        bool operator==(const Cell&) const = default;
    };
    enum class Side { Left, Right };

    int rows() const { return static_cast<int>(m_data.rowLabels.size()); }
    int columns() const { return static_cast<int>(m_data.columnLabels.size()); }
    float weight(int row, int column, int head = 0) const {
        return m_data.weights[cellIndex(head * rows() + row, column, columns())];
    }
    double pitch() const;
    QRectF chipRect(Side side, int index) const;
    Cell cellAt(QPointF position) const;
    void paintRow(QPainter& painter, int row, const Theme& theme) const;
    void paintHeadsOfRow(QPainter& painter, int row, const Theme& theme) const;
    void paintChips(QPainter& painter, Side side, const Theme& theme) const;

    LinesData m_data;
    double m_faintest = 0;  ///< weights below it are not drawn
    Cell m_shown;
    Cell m_hovered;
};

}  // namespace headlight
