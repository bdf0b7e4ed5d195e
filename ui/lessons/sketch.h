// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <functional>
#include <initializer_list>

class QPainter;
class QString;

namespace headlight {

struct Theme;

/// The strokes of a small schematic drawing on a ground of 160 × 100, which is scaled to wherever it stands.
class Sketch {
public:
    static constexpr double kWide = 160, kTall = 100;

    Sketch(QPainter& painter, const QRectF& area, const Theme& theme);
    ~Sketch();
    Sketch(const Sketch&) = delete;
    Sketch& operator=(const Sketch&) = delete;

    const Theme& theme() const { return m_theme; }
    /// The blue of weights.
    QColor data() const;

    void line(QPointF from, QPointF to, const QColor& color, double width = 1.5);
    void dashed(const QPainterPath& path, const QColor& color, double width = 1.5);
    void path(const QPainterPath& path, const QColor& color, double width = 1.5);
    void through(std::initializer_list<QPointF> points, const QColor& color, double width = 1.5);
    /// Ends in a point.
    void arrow(QPointF from, QPointF to, const QColor& color, double width = 1.25);
    /// From a chip to one below it, as the lines of a head are drawn.
    void ribbon(QPointF from, QPointF to, double weight);
    void box(const QRectF& box, const QColor& fill, const QColor& border = {}, double radius = 3, double width = 1);
    void dot(QPointF middle, double radius, const QColor& fill, const QColor& border = {});
    /// A matrix with hairlines between its cells.
    void cells(QPointF at, int rows, int columns, QSizeF cell,
               const std::function<QColor(int row, int column)>& colorOf);
    void letters(QPointF middle, const QString& text, const QColor& color, double px = 10);

    /// The colour of something signed, of no meaning but that it looks like a trained value.
    QColor anyValue(int row, int column, double kind = 1) const;

private:
    QPainter& m_painter;
    const Theme& m_theme;
};

/// A curve from the left to the right that falls or rises evenly.
QPainterPath easedCurve(QPointF from, QPointF to);

}  // namespace headlight
