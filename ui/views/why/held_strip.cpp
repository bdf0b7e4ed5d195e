// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/why/held_strip.h"

#include <QPainter>
#include <algorithm>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kHeldGap = 8, kMore = 56;

}  // namespace

HeldStrip::HeldStrip(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Numbers that are held"));
}

void HeldStrip::setHeld(std::vector<WhyPicture::Held> held) {
    m_held = std::move(held);
    QStringList spoken;
    for (const WhyPicture::Held& each : m_held)
        spoken << QStringLiteral("%1: %2").arg(each.name, each.number);
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    setToolTip(spoken.join(u'\n'));
    update();
}

void HeldStrip::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    double x = 0;
    for (size_t i = 0; i < m_held.size(); ++i) {
        const WhyPicture::Held& each = m_held[i];
        const double wide = std::max(
            {72.0, paint::textWidth(each.name, uiFont(11)) + 4, paint::textWidth(each.number, monoFont(12)) + 16});
        const bool isLast = i + 1 == m_held.size();
        if (x + wide > width() - (isLast ? 0 : kMore)) {
            paint::centredText(p, {x + 4, 31}, tr("+%1 more").arg(m_held.size() - i), uiFont(11), t.text2);
            return;
        }
        paint::centredText(p, {x + wide / 2, 8}, each.name, uiFont(11), t.text2, Anchor::Middle);
        const QRectF box(x, 19, wide, 24);
        paint::box(p, box, t.sunken, {}, 5);
        paint::centredText(p, box.center(), each.number, monoFont(12), t.text, Anchor::Middle);
        x += wide + kHeldGap;
    }
}

}  // namespace headlight

#include "moc_held_strip.cpp"
