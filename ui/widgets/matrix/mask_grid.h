// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <utility>
#include <vector>

class QPainter;

namespace headlight {

struct Theme;

/// Which query may look at which key: a tick or a hatched cell. An editable one turns a cell over by click, or by Space
/// at the cell that the arrow keys move; what differs from the mask as it should be is amber. Where cells are too small
/// for a tick, an open one has a dot; the pointer reads any of them.
class MaskGrid : public QWidget {
    Q_OBJECT
public:
    explicit MaskGrid(bool editable, QWidget* parent = nullptr);

    /// `blocked` and `original` have a flag a cell, row by row.
    void setMask(const QStringList& rows, const QStringList& columns, std::vector<char> blocked,
                 std::vector<char> original);
    bool isBlocked(int row, int column) const;
    QRectF cellRect(int row, int column) const;
    /// Which words have room beside the cells and above them, every how many; and whether those above stand upright.
    int rowStep() const;
    int columnStep() const;
    bool hasTurnedLabels() const;
    /// The cell as words: "“i” may not look at “love”".
    QString describe(int row, int column) const;

    QSize sizeHint() const override { return {330, 250}; }
    QSize minimumSizeHint() const override { return {200, 110}; }

signals:
    void toggled(int row, int column);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int index(int row, int column) const { return row * static_cast<int>(m_columns.size()) + column; }
    double cellWidth() const;
    double headHeight() const;
    std::pair<int, int> cellAt(QPointF at) const;  ///< -1, -1: none
    /// What a screen reader says: how much is closed, and the cell of the keyboard.
    void tell();
    void paintLabels(QPainter& painter, const Theme& theme) const;

    bool m_editable;
    QStringList m_rows, m_columns;
    std::vector<char> m_blocked, m_original;
    double m_longest = 0;         ///< width of the longest word above the cells
    int m_row = 0, m_column = 0;  ///< of the keyboard
};

}  // namespace headlight
