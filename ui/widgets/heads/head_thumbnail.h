// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QRectF>
#include <QRegion>
#include <memory>
#include <span>
#include <vector>

#include "ui/widgets/theme/color_scale.h"

class QPainter;

namespace headlight {

/// What a head looked like when it was drawn last. Of a long text that takes a million cells, so who shows the same
/// head again keeps it.
struct HeadPicture {
    QImage image;
    size_t theme = 0;  ///< its number
};

/// The matrix of one head, as small as it gets. The values belong to the caller, who keeps them while this is shown.
struct HeadImage {
    std::span<const float> values;  ///< [rows, columns]
    int rows = 0;
    int columns = 0;
    ColorScale scale;
    std::span<const float> mask;  ///< -inf where a cell may not be looked at; may be empty
    bool muted = false;
    bool revealed = true;                       ///< false: computed later than the reader's step, drawn as an outline
    std::shared_ptr<HeadPicture> picture = {};  ///< empty: it is not kept
    long filled = -1;                           ///< so many cells are there, in reading order; -1: all
    double muting = 1;  ///< 0 … 1: how far a head has faded since it was muted, or come back since it was not
};

/// Gives each head a picture to keep: that of the head of `before` that shows the same numbers, or a new one. The
/// numbers of both must still be there.
void keepPictures(std::vector<HeadImage>& heads, const std::vector<HeadImage>& before);

/// Fills `box` with the cells, each on whole pixels (of those smaller than one, pooledImage()), inside a one-pixel
/// frame just outside.
void drawHead(QPainter& painter, const QRectF& box, const HeadImage& head, const Theme& theme);

/// Where those cells lie that are there: whole rows, and the part of one.
QRegion filledRegion(const QRectF& box, const HeadImage& head);

/// Where a cell lies in a head drawn into `box`.
QRectF headCellRect(const QRectF& box, const HeadImage& head, int row, int column);

}  // namespace headlight
