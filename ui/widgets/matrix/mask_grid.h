// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace headlight {

/// Which query may look at which key: a tick or a hatched cell. An editable one turns a cell over by click, or by Space
/// at the cell that the arrow keys move; what differs from the mask as it should be is amber.
class MaskGrid : public QWidget {
    Q_OBJECT
public:
    explicit MaskGrid(bool editable, QWidget* parent = nullptr);

    /// `blocked` and `original` have a flag a cell, row by row.
    void setMask(const QStringList& rows, const QStringList& columns, std::vector<char> blocked,
                 std::vector<char> original);
    bool isBlocked(int row, int column) const;
    QRectF cellRect(int row, int column) const;

    QSize sizeHint() const override { return {330, 250}; }
    QSize minimumSizeHint() const override { return {200, 110}; }

signals:
    void toggled(int row, int column);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int index(int row, int column) const { return row * static_cast<int>(m_columns.size()) + column; }

    bool m_editable;
    QStringList m_rows, m_columns;
    std::vector<char> m_blocked, m_original;
    int m_row = 0, m_column = 0;  ///< of the keyboard
};

}  // namespace headlight
