// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/empty_place.h"

#include <QPainter>

#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

EmptyPlace::EmptyPlace(const QString& title, const QString& more, QWidget* parent)
    : QAbstractButton(parent), m_more(more) {
    setText(title);
    setAccessibleName(QStringLiteral("%1, %2").arg(title, more));
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
}

void EmptyPlace::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.line2, 1, Qt::DashLine));
    painter.setBrush(hoverTint(this, t.sunken));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    if (hasFocus()) paint::box(painter, QRectF(rect()).adjusted(3, 3, -3, -3), {}, t.ink, 6, 2);
    const double room = width() - 24;
    const QFont small = uiFont(12);
    const double tall = painter.fontMetrics().height();
    painter.setFont(small);
    const QRectF more =
        painter.boundingRect(QRectF(12, 0, room, height()), Qt::AlignHCenter | Qt::TextWordWrap, m_more);
    const double top = (height() - more.height() - tall - 8) / 2;
    const QFont title = uiFont(13, QFont::DemiBold);
    paint::centredText(painter, {width() / 2.0, top + tall / 2}, paint::elided(text(), title, room), title, t.text,
                       Anchor::Middle);
    painter.setFont(small);
    painter.setPen(t.text2);
    painter.drawText(QRectF(12, top + tall + 8, room, more.height() + 2), Qt::AlignHCenter | Qt::TextWordWrap, m_more);
}

}  // namespace headlight

#include "moc_empty_place.cpp"
