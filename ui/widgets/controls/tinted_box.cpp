// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/tinted_box.h"

#include <QPainter>

#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

void TintedBox::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    const bool bad = m_tone == Tone::Bad;
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::box(p, rect(), bad ? t.badTint : t.nowTint, bad ? t.bad : t.nowLine, 8);
    drawIcon(p, Icon::Warning, QRectF(16, height() / 2.0 - 9, 18, 18), bad ? t.bad : t.nowText);
}

}  // namespace headlight

#include "moc_tinted_box.cpp"
