// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/color_scale.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <tuple>
#include <type_traits>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

ColorScale ColorScale::scores(std::span<const float> values) {
    double largest = 0;
    for (const float v : values)
        if (std::isfinite(v)) largest = std::max(largest, std::abs(static_cast<double>(v)));
    return {Kind::Diverging, std::max(0.5, std::ceil(largest * 2) / 2)};
}

QColor ColorScale::color(const Theme& theme, double value) const {
    if (std::isnan(value)) return theme.badTint;
    return kind == Kind::Sequential ? theme.sequential(value) : theme.diverging(value, max);
}

QRgb ColorScale::quickColor(const Theme& theme, float value) const {
    constexpr int kSteps = 1024;
    using Table = std::array<QRgb, kSteps + 1>;
    const auto make = [](const Theme& of, Kind wanted) {
        Table table{};
        for (int i = 0; i <= kSteps; ++i) {
            const double at = static_cast<double>(i) / kSteps;
            table[static_cast<size_t>(i)] =
                (wanted == Kind::Sequential ? of.sequential(at) : of.diverging(2 * at - 1, 1)).rgb();
        }
        return table;
    };
    using Tables = std::array<std::array<Table, 2>, std::tuple_size_v<std::decay_t<decltype(Theme::all())>>>;
    static const auto tables = [&make] {
        auto made = std::make_unique<Tables>();
        for (const Theme& each : Theme::all())
            (*made)[each.number] = {make(each, Kind::Sequential), make(each, Kind::Diverging)};
        return made;
    }();
    if (std::isnan(value)) return theme.badTint.rgb();
    const Table& table = (*tables)[theme.number][kind == Kind::Diverging ? 1 : 0];
    const float share = kind == Kind::Sequential ? value
                        : max > 0                ? 0.5F + 0.5F * value / static_cast<float>(max)
                                                 : 0.5F;
    return table[static_cast<size_t>(std::lround(std::clamp(share, 0.0F, 1.0F) * kSteps))];
}

QString rangeText(const ColorScale& scale) {
    if (!std::isfinite(scale.max)) return {};
    if (scale.kind == ColorScale::Kind::Sequential) return QStringLiteral("0 … 1");
    return QStringLiteral("±%1").arg(formatNumber(scale.max, std::max(1, decimalsOf(scale.max))));
}

void drawLegend(QPainter& painter, const QRectF& bar, const ColorScale& scale, const Theme& theme) {
    if (!std::isfinite(scale.max)) return;  // no number has a colour
    const bool sequential = scale.kind == ColorScale::Kind::Sequential;
    const Theme::Scale& stops = sequential ? theme.sequentialStops : theme.divergingStops;
    const double step = bar.width() / static_cast<double>(stops.size());
    for (size_t i = 0; i < stops.size(); ++i) {
        const double left = std::round(bar.left() + step * static_cast<double>(i));
        const double right = std::round(bar.left() + step * static_cast<double>(i + 1));
        painter.fillRect(QRectF(left, bar.top(), right - left, bar.height()), stops[i]);
    }
    paint::box(painter, bar.adjusted(-1, -1, 1, 1), {}, theme.line2);
    const QFont font = monoFont(11);
    const double below = bar.bottom() + 13;
    const int decimals = std::max(1, decimalsOf(scale.max));
    const QString low = sequential ? QStringLiteral("0") : formatNumber(-scale.max, decimals);
    const QString middle = sequential ? QStringLiteral("0.5") : QStringLiteral("0");
    const QString high = sequential ? QStringLiteral("1") : formatSigned(scale.max, decimals);
    paint::text(painter, {bar.left(), below}, low, font, theme.text3);
    constexpr double roomForThree = 90;
    if (bar.width() >= roomForThree)
        paint::text(painter, {bar.center().x(), below}, middle, font, theme.text3, Anchor::Middle);
    paint::text(painter, {bar.right(), below}, high, font, theme.text3, Anchor::End);
}

}  // namespace headlight
