// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <span>

#include "ui/widgets/theme/color_scale.h"

class QPainter;

namespace headlight {

/// The matrix of one head, as small as it gets. The values belong to the caller, who keeps them while this is shown.
struct HeadImage {
    std::span<const float> values;  ///< [rows, columns]
    int rows = 0;
    int columns = 0;
    ColorScale scale;
    std::span<const float> mask;  ///< -inf where a cell may not be looked at; may be empty
    bool muted = false;
    bool revealed = true;  ///< false: computed later than the reader's step, drawn as an outline
};

/// Fills `box` with the cells, each on whole pixels, inside a one-pixel frame just outside.
void drawHead(QPainter& painter, const QRectF& box, const HeadImage& head, const Theme& theme);

/// Where a cell lies in a head drawn into `box`.
QRectF headCellRect(const QRectF& box, const HeadImage& head, int row, int column);

}  // namespace headlight
