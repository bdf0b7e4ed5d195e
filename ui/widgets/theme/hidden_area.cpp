// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/hidden_area.h"

#include <QPainter>
#include <algorithm>

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

void HiddenArea::paintCell(QPainter& painter, const QRectF& cell, const Theme& theme) {
    constexpr double kLeastAsked = 12;
    paint::hatch(painter, cell, theme.hatchGround, theme.hatch);
    if (std::min(cell.width(), cell.height()) < kLeastAsked) return;
    const QFont font = uiFont(std::min(13, static_cast<int>(cell.height()) - 4), QFont::DemiBold);
    const double width = std::min(cell.width() - 2, paint::textWidth(mark(), font) + 8), height = font.pixelSize() + 4;
    paint::box(painter, {cell.center().x() - width / 2, cell.center().y() - height / 2, width, height},
               theme.hatchGround, {}, 3);
    paint::centredText(painter, cell.center(), mark(), font, theme.text2, Anchor::Middle);
}

}  // namespace headlight
