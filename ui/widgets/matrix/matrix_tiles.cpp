// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/matrix/matrix_tiles.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/pooled_image.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

struct Range {
    int from, to;
};

/// Tiles of `length` pixels each that a stretch of the area meets.
Range tilesIn(double from, double to, double length, int cells, double cell) {
    const int last = static_cast<int>(std::ceil(cells * cell / length));
    return {std::clamp(static_cast<int>(std::floor(from / length)), 0, last),
            std::clamp(static_cast<int>(std::ceil(to / length)), 0, last)};
}

}  // namespace

QRect MatrixTiles::cellsOf(const MatrixData& data, const Key& key) {
    const auto [level, tileRow, tileColumn] = key;
    const int side = kSide << level;
    return QRect(tileColumn * side, tileRow * side, side, side) & QRect(0, 0, data.columns, data.rows);
}

QImage MatrixTiles::made(const MatrixData& data, const Key& key, const Theme& t) {
    const QRect cells = cellsOf(data, key);
    const int together = 1 << std::get<0>(key);
    const QSize size((cells.width() + together - 1) / together, (cells.height() + together - 1) / together);
    return pooledImage(data.values, data.columns, cells, size, data.scale, t, [&data](size_t at) {
        return (!data.masked.empty() && data.masked[at] != 0) || (!data.leftOut.empty() && data.leftOut[at] != 0);
    });
}

void MatrixTiles::paint(QPainter& p, const MatrixData& data, const QRectF& area, QPointF corner, const QSizeF& cell,
                        const Theme& t) {
    if (m_tiles.size() > kMost || m_theme != t.number) clear();
    m_theme = t.number;
    const int level =
        std::max(0, static_cast<int>(std::ceil(std::log2(1 / std::max(1e-6, std::min(cell.width(), cell.height()))))));
    const double across = kSide * cell.width() * (1 << level), down = kSide * cell.height() * (1 << level);
    const Range columns =
        tilesIn(area.left() - corner.x(), area.right() - corner.x(), across, data.columns, cell.width());
    const Range rows = tilesIn(area.top() - corner.y(), area.bottom() - corner.y(), down, data.rows, cell.height());
    p.save();
    p.setClipRect(area, Qt::IntersectClip);
    p.setRenderHint(QPainter::SmoothPixmapTransform, false);
    for (int row = rows.from; row < rows.to; ++row)
        for (int column = columns.from; column < columns.to; ++column) {
            QImage& image = m_tiles[{level, row, column}];
            if (image.isNull()) image = made(data, {level, row, column}, t);
            // Both edges on whole pixels, so that neighbours meet.
            const QRect cells = cellsOf(data, {level, row, column});
            const auto x = [&](int at) { return std::round(corner.x() + at * cell.width()); };
            const auto y = [&](int at) { return std::round(corner.y() + at * cell.height()); };
            const QPointF at(x(cells.left()), y(cells.top()));
            const QPointF end(x(cells.left() + cells.width()), y(cells.top() + cells.height()));
            p.drawImage(QRectF(at, end), image);
        }
    p.restore();
}

}  // namespace headlight
