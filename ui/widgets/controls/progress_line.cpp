// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/progress_line.h"

#include <QPainter>
#include <algorithm>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

ProgressLine::ProgressLine(QWidget* parent) : QWidget(parent) {
    setFixedHeight(4);
}

void ProgressLine::setShare(double share) {
    m_share = std::min(share, 1.0);
    update();
}

void ProgressLine::paintEvent(QPaintEvent*) {
    if (m_share < 0) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    paint::box(p, rect(), t.sunken, {}, 2);
    paint::box(p, QRectF(0, 0, width() * m_share, height()), t.now, {}, 2);
}

}  // namespace headlight

#include "moc_progress_line.cpp"
