// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/heads/head_thumbnail.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/matrix/pooled_image.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr double kMutedOpacity = 0.35;
constexpr double kGapFrom = 9;  ///< cells at least this large are parted by a gap of one pixel

QColor cellColor(const HeadImage& head, int row, int column, const Theme& theme) {
    const size_t at = cellIndex(row, column, head.columns);
    if (at < head.mask.size() && std::isinf(head.mask[at])) return theme.hatchGround;
    return head.scale.color(theme, head.values[at]);
}

}  // namespace

void drawHead(QPainter& painter, const QRectF& box, const HeadImage& head, const Theme& theme) {
    paint::box(painter, box.adjusted(-1, -1, 1, 1), {}, head.revealed ? theme.line2 : theme.line);
    if (!head.revealed || head.values.empty()) return;
    painter.save();
    if (head.muted || head.muting < 1)
        painter.setOpacity(std::lerp(1.0, kMutedOpacity, head.muted ? head.muting : 1 - head.muting));
    if (head.filled >= 0) painter.setClipRegion(filledRegion(box, head), Qt::IntersectClip);
    const bool gaps = box.width() / head.columns >= kGapFrom && box.height() / head.rows >= kGapFrom;
    if (gaps) {
        for (int row = 0; row < head.rows; ++row)
            for (int column = 0; column < head.columns; ++column)
                painter.fillRect(headCellRect(box, head, row, column).adjusted(0, 0, -1, -1),
                                 cellColor(head, row, column, theme));
    } else {
        const QSize size(std::min(head.columns, std::max(1, static_cast<int>(std::lround(box.width())))),
                         std::min(head.rows, std::max(1, static_cast<int>(std::lround(box.height())))));
        HeadPicture once;
        HeadPicture& picture = head.picture ? *head.picture : once;
        if (picture.image.size() != size || picture.theme != theme.number)
            picture = {pooledImage(head.values, head.columns, {0, 0, head.columns, head.rows}, size, head.scale, theme,
                                   [&head](size_t at) { return at < head.mask.size() && std::isinf(head.mask[at]); }),
                       theme.number};
        painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
        painter.drawImage(box, picture.image);
    }
    painter.restore();
}

void keepPictures(std::vector<HeadImage>& heads, const std::vector<HeadImage>& before) {
    for (size_t i = 0; i < heads.size(); ++i) {
        HeadImage& head = heads[i];
        const bool same = i < before.size() && before[i].values.data() == head.values.data() &&
                          before[i].values.size() == head.values.size() && before[i].columns == head.columns &&
                          before[i].scale.kind == head.scale.kind && before[i].scale.max == head.scale.max;
        head.picture = same && before[i].picture ? before[i].picture : std::make_shared<HeadPicture>();
    }
}

QRegion filledRegion(const QRectF& box, const HeadImage& head) {
    const long columns = std::max(1, head.columns);
    const long filled = head.filled < 0 ? columns * head.rows : std::min(head.filled, columns * head.rows);
    const int rows = static_cast<int>(filled / columns), more = static_cast<int>(filled % columns);
    QRegion region;
    const auto add = [&](const QRectF& from, const QRectF& to) { region += QRectF(from.united(to)).toAlignedRect(); };
    if (rows > 0) add(headCellRect(box, head, 0, 0), headCellRect(box, head, rows - 1, head.columns - 1));
    if (more > 0) add(headCellRect(box, head, rows, 0), headCellRect(box, head, rows, more - 1));
    return region;
}

QRectF headCellRect(const QRectF& box, const HeadImage& head, int row, int column) {
    const auto edge = [](double from, double length, int i, int n) { return std::round(from + length * i / n); };
    const double left = edge(box.left(), box.width(), column, head.columns);
    const double top = edge(box.top(), box.height(), row, head.rows);
    return {QPointF(left, top), QPointF(edge(box.left(), box.width(), column + 1, head.columns),
                                        edge(box.top(), box.height(), row + 1, head.rows))};
}

}  // namespace headlight
