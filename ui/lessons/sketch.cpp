// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/sketch.h"

#include <QLineF>
#include <QPainter>
#include <cmath>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

Sketch::Sketch(QPainter& painter, const QRectF& area, const Theme& theme) : m_painter(painter), m_theme(theme) {
    const double scale = std::min(area.width() / kWide, area.height() / kTall);
    m_painter.save();
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setClipRect(area, Qt::IntersectClip);
    m_painter.translate(area.center() - QPointF(kWide, kTall) * scale / 2);
    m_painter.scale(scale, scale);
}

Sketch::~Sketch() {
    m_painter.restore();
}

QColor Sketch::data() const {
    return m_theme.sequentialStops[5];
}

void Sketch::line(QPointF from, QPointF to, const QColor& color, double width) {
    m_painter.setPen(QPen(color, width));
    m_painter.drawLine(from, to);
}

void Sketch::path(const QPainterPath& path, const QColor& color, double width) {
    m_painter.strokePath(path, QPen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
}

void Sketch::dashed(const QPainterPath& path, const QColor& color, double width) {
    QPen pen(color, width, Qt::CustomDashLine, Qt::FlatCap, Qt::RoundJoin);
    pen.setDashPattern({3, 2});
    m_painter.strokePath(path, pen);
}

void Sketch::through(std::initializer_list<QPointF> points, const QColor& color, double width) {
    QPainterPath way(*points.begin());
    for (const QPointF& point : points)
        way.lineTo(point);
    path(way, color, width);
}

void Sketch::arrow(QPointF from, QPointF to, const QColor& color, double width) {
    constexpr double kHead = 3.5;
    line(from, to, color, width);
    const QPointF along = (to - from) / QLineF(from, to).length() * kHead, across(-along.y(), along.x());
    through({to - along + across * 0.9, to, to - along - across * 0.9}, color, width);
}

void Sketch::ribbon(QPointF from, QPointF to, double weight) {
    QPainterPath way(from);
    const double middle = (from.y() + to.y()) / 2;
    way.cubicTo({from.x(), middle}, {to.x(), middle}, to);
    QColor color = data();
    color.setAlphaF(static_cast<float>(0.3 + 0.7 * weight));
    path(way, color, 1 + 4 * weight);
}

void Sketch::box(const QRectF& box, const QColor& fill, const QColor& border, double radius, double width) {
    m_painter.setPen(border.isValid() ? QPen(border, width) : QPen(Qt::NoPen));
    m_painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    m_painter.drawRoundedRect(box, radius, radius);
    m_painter.setBrush(Qt::NoBrush);
}

void Sketch::dot(QPointF middle, double radius, const QColor& fill, const QColor& border) {
    box(QRectF(middle - QPointF(radius, radius), middle + QPointF(radius, radius)), fill, border, radius);
}

void Sketch::cells(QPointF at, int rows, int columns, QSizeF cell,
                   const std::function<QColor(int row, int column)>& colorOf) {
    constexpr double kBetween = 0.7;
    const QRectF all(at, QSizeF(columns * cell.width(), rows * cell.height()));
    m_painter.fillRect(all.adjusted(-kBetween, -kBetween, 0, 0), m_theme.line2);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            m_painter.fillRect(QRectF(at.x() + column * cell.width(), at.y() + row * cell.height(),
                                      cell.width() - kBetween, cell.height() - kBetween),
                               colorOf(row, column));
}

void Sketch::letters(QPointF middle, const QString& text, const QColor& color, double px) {
    QFont font = uiFont(10, QFont::DemiBold);
    font.setPixelSize(static_cast<int>(px));
    paint::centredText(m_painter, middle, text, font, color, Anchor::Middle);
}

QColor Sketch::anyValue(int row, int column, double kind) const {
    return m_theme.diverging(std::sin(row * 2.7 * kind + column * 1.9 + kind) * std::cos(column * 0.7 + kind), 1);
}

QPainterPath easedCurve(QPointF from, QPointF to) {
    QPainterPath way(from);
    way.cubicTo({from.x() + (to.x() - from.x()) * 0.35, from.y() + (to.y() - from.y()) * 0.15},
                {from.x() + (to.x() - from.x()) * 0.5, to.y()}, to);
    return way;
}

}  // namespace headlight
