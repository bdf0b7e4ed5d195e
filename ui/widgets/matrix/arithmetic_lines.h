// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "ui/session/trace/cell_arithmetic.h"

namespace headlight {

/// One number written out: what is multiplied as strips of cells, below them what is added and divided, line by line,
/// and the number itself last.
class ArithmeticLines : public QWidget {
    Q_OBJECT
public:
    explicit ArithmeticLines(QWidget* parent = nullptr);

    void setArithmetic(std::optional<CellArithmetic> arithmetic);
    const std::optional<CellArithmetic>& arithmetic() const { return m_arithmetic; }

    QSize sizeHint() const override { return {340, heightNeeded()}; }
    QSize minimumSizeHint() const override { return {240, heightNeeded()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    int heightNeeded() const;
    QRectF cellsOf(size_t vector) const;

    std::optional<CellArithmetic> m_arithmetic;
    int m_hovered = -1;  ///< an entry of the vectors
};

}  // namespace headlight
