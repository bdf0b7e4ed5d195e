// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace headlight {

/// How far pieces of a word that touch lie over one another, so that they share an edge.
inline constexpr double kPieceOverlap = 1;

/// The chip of a word: its corners are square on the sides on which it touches its neighbour.
struct PieceBox {
    QRectF rect;
    bool touchesLeft = false, touchesRight = false;

    void paint(QPainter& painter, const QColor& fill, const QColor& border, double radius,
               double borderWidth = 1) const;
};

}  // namespace headlight
