// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/residual/units/unit_word_bars.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kBarRow = 19, kBetween = 8, kWord = 88, kNumber = 48, kBar = 10;

}  // namespace

UnitWordBars::UnitWordBars(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setAccessibleName(tr("Words that the unit promotes, and holds back"));
}

void UnitWordBars::setBars(std::vector<Bar> sorted) {
    m_sorted = std::move(sorted);
    QStringList told;
    for (const Bar& bar : shown())
        told << QStringLiteral("%1 %2").arg(bar.word, formatNumber(bar.value));
    setAccessibleDescription(told.join(QStringLiteral(", ")));
    update();
}

std::vector<UnitWordBars::Bar> UnitWordBars::shown() const {
    const auto room = static_cast<size_t>(std::max(2.0, (std::max(height(), 60) - kBetween) / kBarRow));
    const size_t held = std::min({kHeldBack, std::max<size_t>(1, room / 4), m_sorted.size() / 2});
    const size_t promoted = std::min({kPromoted, room - held, m_sorted.size() - held});
    std::vector<Bar> all(m_sorted.begin(), m_sorted.begin() + static_cast<std::ptrdiff_t>(promoted));
    for (size_t i = 0; i < held; ++i)
        all.push_back(m_sorted[m_sorted.size() - 1 - i]);
    return all;
}

void UnitWordBars::paintEvent(QPaintEvent*) {
    const std::vector<Bar> bars = shown();
    if (bars.empty()) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    double most = 1e-9;
    for (const Bar& bar : bars)
        most = std::max(most, std::abs(bar.value));
    const double left = kWord, wide = width() - kWord - kNumber, middle = left + wide / 2;
    double y = kBarRow / 2;
    bool below = false;
    for (size_t i = 0; i < bars.size(); ++i) {
        const Bar& bar = bars[i];
        // The weakest that is held back follows the strongest that is promoted.
        if (!below && i > 0 && bar.value < bars[i - 1].value && bars.size() - i <= kHeldBack &&
            (bar.value < 0 || i >= kPromoted)) {
            y += kBetween;
            below = true;
        }
        const QFont word = uiFont(12, bar.said ? QFont::DemiBold : QFont::Normal);
        const QColor ink = bar.said || bar.value > 0 ? t.text : t.text2;
        paint::centredText(p, {left - 10, y}, paint::elided(bar.word, word, kWord - 12), word, ink, Anchor::End);
        paint::box(p, {left, y - kBar / 2, wide, kBar}, t.sunken, {}, 2);
        const double length = wide / 2 * std::abs(bar.value) / most;
        paint::box(p, {bar.value < 0 ? middle - length : middle, y - kBar / 2, length, kBar},
                   t.divergingStops[bar.value > 0 ? 6 : 2], {}, 2);
        paint::centredText(p, {static_cast<double>(width()), y}, formatNumber(bar.value),
                           monoFont(12, bar.said ? QFont::DemiBold : QFont::Normal), bar.said ? t.text : t.text2,
                           Anchor::End);
        y += kBarRow;
    }
    p.fillRect(QRectF(std::round(middle), 0, 1, y - kBarRow / 2), t.line2);
}

}  // namespace headlight

#include "moc_unit_word_bars.cpp"
