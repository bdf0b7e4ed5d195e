// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/paint.h"

#include <QFontMetricsF>
#include <QPainter>

namespace headlight::paint {

double textWidth(const QString& text, const QFont& font) {
    return QFontMetricsF(font).horizontalAdvance(text);
}

void text(QPainter& painter, QPointF at, const QString& text, const QFont& font, const QColor& color, Anchor anchor) {
    const double width = anchor == Anchor::Start ? 0 : textWidth(text, font);
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(QPointF(at.x() - (anchor == Anchor::Middle ? width / 2 : width), at.y()), text);
}

void centredText(QPainter& painter, QPointF at, const QString& label, const QFont& font, const QColor& color,
                 Anchor anchor) {
    text(painter, {at.x(), at.y() + QFontMetricsF(font).capHeight() / 2}, label, font, color, anchor);
}

QString elided(const QString& text, const QFont& font, double width) {
    return QFontMetricsF(font).elidedText(text, Qt::ElideRight, width);
}

void box(QPainter& painter, const QRectF& box, const QColor& fill, const QColor& border, double radius,
         double borderWidth) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter.setPen(border.isValid() ? QPen(border, borderWidth) : QPen(Qt::NoPen));
    const double inset = border.isValid() ? borderWidth / 2 : 0;
    painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), radius, radius);
    painter.restore();
}

void outline(QPainter& painter, const QRectF& cell, const QColor& color, double width, double radius) {
    const double out = width / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRoundedRect(cell.adjusted(-out, -out, out, out), radius, radius);
    painter.restore();
}

void hatch(QPainter& painter, const QRectF& cell, const QColor& ground, const QColor& lines) {
    constexpr double kSpacing = 6;
    painter.save();
    painter.fillRect(cell, ground);
    painter.setClipRect(cell, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(lines, 1));
    for (double at = kSpacing; at < cell.width() + cell.height(); at += kSpacing)
        painter.drawLine(QPointF(cell.left() + at, cell.top()),
                         QPointF(cell.left() + at - cell.height(), cell.bottom()));
    painter.restore();
}

}  // namespace headlight::paint
