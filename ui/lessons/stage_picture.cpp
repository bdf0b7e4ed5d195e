// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/stage_picture.h"

#include <QPainter>
#include <QPainterPath>

namespace headlight {

void StagePicture::set(const QImage& whole) {
    m_whole = whole;
    m_small = {};
}

void StagePicture::paint(QPainter& p, const QRectF& area, double radius) const {
    if (isNull()) return;
    const QSize pixels = (area.size() * p.device()->devicePixelRatioF()).toSize();
    if (m_small.size() != pixels) m_small = m_whole.scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    QPainterPath frame;
    frame.addRoundedRect(area, radius, radius);
    p.save();
    p.setClipPath(frame);
    p.drawImage(area, m_small);
    p.restore();
}

}  // namespace headlight
