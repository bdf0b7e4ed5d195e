// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QRect>
#include <cmath>
#include <span>

#include "ui/widgets/theme/color_scale.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

/// A picture of some cells (columns from left to right, rows downwards) of a matrix that is `columns` wide, with as
/// many pixels as `size` says and no more than cells. Cells that share a pixel are drawn as the one of them that is
/// farthest from zero: a mean would wash out the single bright cells that attention is made of. Where isHidden(cell
/// index) is true of all of them, it has the ground of a hatched cell.
template <class IsHidden>
QImage pooledImage(std::span<const float> values, int columns, const QRect& cells, const QSize& size,
                   const ColorScale& scale, const Theme& theme, const IsHidden& isHidden) {
    QImage image(size, QImage::Format_RGB32);
    const auto edge = [](int from, int cellCount, int pixel, int pixels) {
        return from + static_cast<int>(static_cast<long>(cellCount) * pixel / pixels);
    };
    for (int y = 0; y < size.height(); ++y) {
        auto* const line = reinterpret_cast<QRgb*>(image.scanLine(y));
        const int top = edge(cells.top(), cells.height(), y, size.height());
        const int bottom = edge(cells.top(), cells.height(), y + 1, size.height());
        for (int x = 0; x < size.width(); ++x) {
            const int left = edge(cells.left(), cells.width(), x, size.width());
            const int right = edge(cells.left(), cells.width(), x + 1, size.width());
            float farthest = 0;
            bool any = false;
            for (int row = top; row < bottom; ++row) {
                const size_t start = static_cast<size_t>(row) * static_cast<size_t>(columns);
                for (size_t at = start + static_cast<size_t>(left); at < start + static_cast<size_t>(right); ++at) {
                    if (isHidden(at)) continue;
                    // What is no number is farther than any, so that it is seen.
                    if (!std::isnan(farthest) && !(std::abs(values[at]) <= std::abs(farthest))) farthest = values[at];
                    any = true;
                }
            }
            line[x] = any ? scale.quickColor(theme, farthest) : theme.hatchGround.rgb();
        }
    }
    return image;
}

}  // namespace headlight
