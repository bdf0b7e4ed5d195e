// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/step_axis.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/session/format/number_format.h"
#include "ui/session/open/heads_story.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kBetweenLabels = 12, kTick = 5, kLabelBelow = 17;

/// Those that are wanted most first: the ends, then tens, then what lies between.
std::vector<int> candidates(int now, int last) {
    std::vector<int> all = {now, 0, last};
    for (const int digit : {1, 5, 2})
        for (int power = 10; power < last; power *= 10)
            if (digit * power < last) all.push_back(digit * power);
    return all;
}

}  // namespace

double StepAxis::x(double step) const {
    return plot.left() + plot.width() * stepPlace(step, last);
}

int StepAxis::step(double x) const {
    const double place = std::clamp((x - plot.left()) / std::max(1.0, plot.width()), 0.0, 1.0);
    return static_cast<int>(std::lround(stepAt(place, last)));
}

void StepAxis::paint(QPainter& p, int now, const Theme& t) const {
    p.setPen(QPen(t.line, 1));
    p.drawLine(plot.bottomLeft(), plot.bottomRight());
    struct Label {
        double from, to;
    };
    std::vector<Label> placed;
    for (const int step : candidates(now, last)) {
        const bool on = step == now;
        const QFont font = monoFont(11, on ? QFont::DemiBold : QFont::Normal);
        const QString text = formatCount(step);
        const double half = paint::textWidth(text, font) / 2, at = x(step);
        const bool touches = std::ranges::any_of(placed, [&](const Label& other) {
            return at - half < other.to + kBetweenLabels && at + half > other.from - kBetweenLabels;
        });
        if (touches) continue;
        placed.push_back({at - half, at + half});
        p.setPen(QPen(t.line2, 1));
        p.drawLine(QPointF(at, plot.bottom()), QPointF(at, plot.bottom() + kTick));
        paint::text(p, {at, plot.bottom() + kLabelBelow}, text, font, on ? t.nowText : t.text3, Anchor::Middle);
    }
}

void StepAxis::paintNow(QPainter& p, int now, const Theme& t) const {
    const double at = std::floor(x(now)) + 0.5;
    p.setPen(QPen(t.nowLine, 2));
    p.drawLine(QPointF(at, plot.top() - 4), QPointF(at, plot.bottom()));
    constexpr double kHalf = 6, kHigh = 9;
    p.setPen(Qt::NoPen);
    p.setBrush(t.nowLine);
    const QPointF triangle[] = {
        {at - kHalf, plot.top() - 4 - kHigh}, {at + kHalf, plot.top() - 4 - kHigh}, {at, plot.top() - 4}};
    p.drawPolygon(triangle, 3);
}

}  // namespace headlight
