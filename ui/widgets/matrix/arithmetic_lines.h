// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "ui/session/trace/cell_arithmetic.h"
#include "ui/widgets/theme/color_scale.h"

namespace headlight {

/// One number written out: what is multiplied as strips of cells, below them what is added and divided, line by line,
/// and the number itself last. All strips have one scale, as they are one equation; it stands below them.
class ArithmeticLines : public QWidget {
    Q_OBJECT
public:
    explicit ArithmeticLines(QWidget* parent = nullptr);

    void setArithmetic(std::optional<CellArithmetic> arithmetic);
    /// A number that is being computed: so many products are there, and their sum.
    struct SoFar {
        int products = 0;
        double sum = 0;
    };
    void setSoFar(std::optional<SoFar> soFar);
    const std::optional<SoFar>& soFar() const { return m_soFar; }
    const std::optional<CellArithmetic>& arithmetic() const { return m_arithmetic; }
    /// Of every strip.
    const ColorScale& scale() const { return m_scale; }
    QRectF cellRect(size_t vector, int entry) const;

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
    std::optional<SoFar> m_soFar;
    ColorScale m_scale;
    int m_hovered = -1;  ///< an entry of the vectors
};

}  // namespace headlight
