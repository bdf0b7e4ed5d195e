// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/hidden_area.h"

#include <QPainter>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

QString HiddenArea::words() {
    return tr("Hidden until you have predicted it");
}

void HiddenArea::paint(QPainter& painter, const QRectF& area, const Theme& theme) {
    paint::hatch(painter, area, theme.hatchGround, theme.hatch);
    painter.setFont(uiFont(12, QFont::Medium));
    const QRectF room = area.adjusted(16, 8, -16, -8);
    const QRectF text = painter.boundingRect(room, Qt::AlignCenter | Qt::TextWordWrap, words());
    paint::box(painter, text.adjusted(-8, -4, 8, 4), theme.surface, {}, 4);
    painter.setPen(theme.text2);
    painter.drawText(room, Qt::AlignCenter | Qt::TextWordWrap, words());
}

}  // namespace headlight
