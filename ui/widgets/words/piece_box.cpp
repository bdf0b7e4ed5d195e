// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/words/piece_box.h"

#include <QPainter>
#include <QPainterPath>

#include "ui/widgets/theme/paint.h"

namespace headlight {

void PieceBox::paint(QPainter& painter, const QColor& fill, const QColor& border, double radius,
                     double borderWidth) const {
    if (!touchesLeft && !touchesRight) return paint::box(painter, rect, fill, border, radius, borderWidth);
    // The box reaches over the side that is cut off, whose edge is drawn straight.
    const double inset = border.isValid() ? borderWidth / 2 : 0;
    const QRectF inside = rect.adjusted(inset, inset, -inset, -inset);
    QPainterPath path, square;
    path.setFillRule(Qt::WindingFill);
    path.addRoundedRect(inside, radius, radius);
    if (touchesLeft) square.addRect(QRectF(inside.topLeft(), QSizeF(inside.width() / 2, inside.height())));
    if (touchesRight) square.addRect(QRectF(inside.center().x(), inside.top(), inside.width() / 2, inside.height()));
    path = path.united(square);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(border.isValid() ? QPen(border, borderWidth) : QPen(Qt::NoPen));
    painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter.drawPath(path);
    painter.restore();
}

}  // namespace headlight
