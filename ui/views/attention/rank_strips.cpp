// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/rank_strips.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kStripHeight = 44;
constexpr double kWords = 132, kRank = 40;  ///< room before and behind a line

}  // namespace

RankStrips::RankStrips(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RankStrips::setStrips(std::vector<Strip> strips) {
    const bool sameCount = strips.size() == m_strips.size();
    m_strips = std::move(strips);
    QStringList said;
    for (const Strip& strip : m_strips)
        if (!strip.values.empty())
            said << tr("%1: %2 %3, rank %4").arg(strip.name, strip.number, strip.unit).arg(strip.rank);
    setAccessibleName(said.join(QStringLiteral("; ")));
    if (!sameCount) updateGeometry();
    update();
}

QSize RankStrips::sizeHint() const {
    return {260, kStripHeight * static_cast<int>(m_strips.size())};
}

void RankStrips::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const double left = kWords, length = width() - kWords - kRank;
    double y = kStripHeight / 2.0;
    for (const Strip& strip : m_strips) {
        paint::centredText(p, {0, y - 8}, strip.name, uiFont(12, QFont::Medium), t.text);
        const double number = strip.number.isEmpty() ? 0 : paint::textWidth(strip.number, monoFont(11)) + 6;
        paint::centredText(p, {0, y + 9}, strip.number, monoFont(11, QFont::DemiBold), t.nowText);
        paint::centredText(p, {number, y + 9}, paint::elided(strip.unit, uiFont(11), kWords - number - 6), uiFont(11),
                           t.text3);
        p.fillRect(QRectF(left, y, length, 1), t.line2);
        if (!strip.values.empty()) {
            const auto [low, high] = std::ranges::minmax(strip.values);
            const double from = std::min(0.0, low), range = std::max(1e-12, high - from);
            const auto at = [&](double value) { return std::round(left + length * (value - from) / range); };
            QColor stroke = t.text2;
            stroke.setAlphaF(0.35F);
            for (const double value : strip.values)
                p.fillRect(QRectF(at(value), y - 8, 1, 17), stroke);
            const double own = strip.values[static_cast<size_t>(strip.own)];
            paint::box(p, {at(own) - 1, y - 12, 3, 25}, t.nowLine, {}, 1);
            paint::centredText(p, {static_cast<double>(width()), y}, QString::number(strip.rank),
                               monoFont(15, QFont::DemiBold), t.text, Anchor::End);
        }
        y += kStripHeight;
    }
}

}  // namespace headlight

#include "moc_rank_strips.cpp"
