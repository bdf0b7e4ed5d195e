// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/heads/line_mark.h"

#include <QPainter>
#include <algorithm>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr size_t kColors = 4;  ///< that are told apart by colour-blind eyes too
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
