// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "ui/session/trace/lens_picture.h"

namespace headlight {

class LensGrid;

/// The probability of a position's final word at every depth, and its rank there: a curve whose points stand in the
/// rows of the grid.
class LensCurve : public QWidget {
    Q_OBJECT
public:
    explicit LensCurve(const LensGrid* grid, QWidget* parent = nullptr);

    struct Point {
        double probability = 0;
        int rank = 0;
    };
    /// One for each row of the grid; rank 0: not read yet.
    void setPoints(std::vector<Point> points);
    const std::vector<Point>& points() const { return m_points; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Rows in this widget's coordinates.
    QRectF row(size_t index) const;
    QRectF plot() const;

    const LensGrid* m_grid;
    std::vector<Point> m_points;
};

}  // namespace headlight
