// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/heads/line_mark.h"

#include <QPainter>
#include <algorithm>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr size_t kColors = 4;  ///< that are told apart by colour-blind eyes too
constexpr double kKeyWeights[] = {0.1, 0.5, 1}, kKeyLine = 20, kKeyGap = 5, kKeyApart = 12;
constexpr double kSwatch = 22, kMarkGap = 5, kApart = 14, kMarkLine = 18;

/// Lengths in pixels of what is drawn and what is not; empty: all is.
QList<double> patternOf(int mark) {
    const QList<double> patterns[] = {{}, {8, 4}, {2, 3.5}, {8, 3, 2, 3}, {8, 3, 2, 3, 2, 3}};
    return patterns[static_cast<size_t>(mark) / kColors % std::size(patterns)];
}

}  // namespace

QPen linePen(int mark, double width, double opacity, const Theme& t) {
    const QColor colors[kColors] = {t.query, t.key, t.value, t.decoder};
    QColor color = colors[static_cast<size_t>(mark) % kColors];
    color.setAlphaF(static_cast<float>(std::clamp(opacity, 0.0, 1.0)));
    QList<double> pattern = patternOf(mark);
    QPen pen(color, width, Qt::SolidLine, pattern.isEmpty() ? Qt::RoundCap : Qt::FlatCap);
    for (double& length : pattern)
        length /= width;  // as Qt counts them
    if (!pattern.isEmpty()) pen.setDashPattern(pattern);
    return pen;
}

QPen weightPen(double weight, bool on, const Theme& t, double widest) {
    QColor color = on ? t.nowLine : t.sequentialStops[t.isDark ? 5 : 6];
    // A line that is counted can be seen: what is faint begins above the ground's colour.
    color.setAlphaF(static_cast<float>(std::clamp(0.25 + 0.75 * weight, 0.0, 1.0) * (on ? 1.0 : 0.6)));
    const double narrowest = on ? 1.5 : 1;
    return {color, narrowest + (widest - (on ? 0.5 : 1)) * weight, Qt::SolidLine, Qt::RoundCap};
}

void drawWeightKey(QPainter& p, QPointF start, const std::function<QPen(double weight)>& penOf, const Theme& t) {
    const QFont number = monoFont(11);
    for (const double weight : kKeyWeights) {
        p.setPen(penOf(weight));
        p.drawLine(start, start + QPointF(kKeyLine, 0));
        start.rx() += kKeyLine + kKeyGap;
        const QString text = QString::number(weight);
        paint::centredText(p, start, text, number, t.text3);
        start.rx() += paint::textWidth(text, number) + kKeyApart;
    }
}

double weightKeyWidth() {
    double wide = -kKeyApart;
    for (const double weight : kKeyWeights)
        wide += kKeyLine + kKeyGap + paint::textWidth(QString::number(weight), monoFont(11)) + kKeyApart;
    return wide;
}

double drawMarks(QPainter* p, const QRectF& box, const QStringList& names, const Theme& t) {
    const QFont font = uiFont(11, QFont::Medium);
    double x = box.left(), y = box.top() + kMarkLine / 2;
    for (int mark = 0; mark < names.size(); ++mark) {
        const double width = kSwatch + kMarkGap + paint::textWidth(names[mark], font);
        if (x > box.left() && x + width > box.right()) {
            x = box.left();
            y += kMarkLine;
        }
        if (p) {
            p->setPen(linePen(mark, 2.5, 1, t));
            p->drawLine(QPointF(x, y), QPointF(x + kSwatch, y));
            paint::centredText(*p, {x + kSwatch + kMarkGap, y}, names[mark], font, t.text2);
        }
        x += width + kApart;
    }
    return names.isEmpty() ? 0 : y + kMarkLine / 2 - box.top();
}

}  // namespace headlight
