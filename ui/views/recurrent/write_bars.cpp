// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/recurrent/write_bars.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {
constexpr double kBarsRow = 20, kBarsWord = 64, kBarsNumber = 58, kTall = 10;
}  // namespace

WriteBars::WriteBars(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Words at which the unit writes most"));
}

void WriteBars::setBars(std::vector<Bar> bars) {
    m_bars = std::move(bars);
    QStringList told;
    for (const Bar& bar : m_bars)
        told << QStringLiteral("%1 %2").arg(bar.word, formatNumber(bar.mean, 3));
    setAccessibleDescription(told.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize WriteBars::sizeHint() const {
    return {352, static_cast<int>(kBarsRow * static_cast<double>(std::max<size_t>(1, m_bars.size())))};
}

QRectF WriteBars::barRect(size_t bar) const {
    const double half = (width() - kBarsWord - kBarsNumber) / 2, middle = kBarsWord + half;
    const double mean = std::clamp(m_bars[bar].mean, -1.0, 1.0),
                 top = kBarsRow * (static_cast<double>(bar) + 0.5) - kTall / 2;
    return {mean < 0 ? middle + half * mean : middle, top, half * std::abs(mean), kTall};
}

void WriteBars::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const double half = (width() - kBarsWord - kBarsNumber) / 2;
    for (size_t i = 0; i < m_bars.size(); ++i) {
        const Bar& bar = m_bars[i];
        const double y = kBarsRow * (static_cast<double>(i) + 0.5);
        const QFont font = uiFont(12, bar.isHere ? QFont::DemiBold : QFont::Normal);
        paint::centredText(p, {kBarsWord - 12, y}, paint::elided(bar.word, font, kBarsWord - 12), font,
                           bar.isHere ? t.text : t.text2, Anchor::End);
        paint::box(p, {kBarsWord, y - kTall / 2, 2 * half, kTall}, t.sunken, {}, 2);
        paint::box(p, barRect(i), t.diverging(bar.mean < 0 ? -0.5 : 0.5, 1), {}, 2);
        paint::centredText(p, {static_cast<double>(width()), y}, formatNumber(bar.mean, 3),
                           monoFont(12, bar.isHere ? QFont::DemiBold : QFont::Normal), t.text, Anchor::End);
    }
    if (!m_bars.empty())
        p.fillRect(QRectF(std::round(kBarsWord + half), 0, 1, kBarsRow * static_cast<double>(m_bars.size())), t.line2);
}

}  // namespace headlight

#include "moc_write_bars.cpp"
