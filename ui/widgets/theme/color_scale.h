// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <span>

class QPainter;

namespace headlight {

struct Theme;

/// How a number becomes a colour: weights 0..1 on the sequential scale, signed values on the diverging one.
struct ColorScale {
    enum class Kind { Sequential, Diverging };

    Kind kind = Kind::Sequential;
    double max = 1;  ///< diverging: colours run from -max to +max

    static ColorScale weights() { return {}; }
    /// Diverging, with max = the largest finite |value| rounded up to the next 0.5.
    static ColorScale scores(std::span<const float> values);

    /// The cell's fill; what is not a number has the error tint.
    QColor color(const Theme& theme, double value) const;
    /// The same from a table, for pictures of many small cells: within 1/512 of the scale.
    QRgb quickColor(const Theme& theme, float value) const;
};

/// What the colours run over, in few letters: `0 … 1`, `±4.5`; empty where no number has a colour.
QString rangeText(const ColorScale& scale);

/// The nine stops side by side in `bar`, with the ends (and the middle) written below.
void drawLegend(QPainter& painter, const QRectF& bar, const ColorScale& scale, const Theme& theme);

}  // namespace headlight
