// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/apart_scale.h"

#include <QPainter>
#include <cmath>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kBar = 72, kHigh = 8, kBeside = 6, kHeight = 16;
constexpr int kSteps = 8;

QFont digits() {
    return monoFont(11);
}

}  // namespace

ApartScale::ApartScale(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("From 0 to 100 % and more"));
}

QSize ApartScale::sizeHint() const {
    const double ends =
        paint::textWidth(QStringLiteral("0"), digits()) + paint::textWidth(tr("100 % and more"), digits());
    return {static_cast<int>(std::ceil(ends + kBar + 2 * kBeside)) + 1, static_cast<int>(kHeight)};
}

void ApartScale::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const double middle = height() / 2.0;
    const QString most = tr("100 % and more");
    double x = width() - paint::textWidth(most, digits());
    paint::centredText(p, {x, middle}, most, digits(), t.text3);
    x -= kBar + kBeside;
    for (int i = 0; i < kSteps; ++i)
        p.fillRect(QRectF(x + kBar * i / kSteps, middle - kHigh / 2, kBar / kSteps + 0.5, kHigh),
                   t.sequential(static_cast<double>(i) / (kSteps - 1)));
    paint::box(p, {x, middle - kHigh / 2, kBar, kHigh}, {}, t.line2);
    paint::centredText(p, {x - kBeside, middle}, QStringLiteral("0"), digits(), t.text3, Anchor::End);
}

}  // namespace headlight

#include "moc_apart_scale.cpp"
