// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QRectF>
#include <map>
#include <tuple>

class QPainter;

namespace headlight {

struct MatrixData;
struct Theme;

/// A matrix whose cells are too small for anything but their colour: pictures of 256 × 256 pixels, made where they are
/// looked at and kept. Cells below a pixel are drawn together (pooledImage()).
class MatrixTiles {
public:
    /// What is kept is of other numbers.
    void clear() { m_tiles.clear(); }
    /// Fills `area` of the painter; `corner` is where cell 0, 0 begins, `cell` the size of one.
    void paint(QPainter& painter, const MatrixData& data, const QRectF& area, QPointF corner, const QSizeF& cell,
               const Theme& theme);
    size_t count() const { return m_tiles.size(); }

    static constexpr int kSide = 256;
    static constexpr size_t kMost = 96;  ///< that are kept: 24 MB

private:
    using Key = std::tuple<int, int, int>;  ///< cells a pixel as a power of two, row, column

    static QRect cellsOf(const MatrixData& data, const Key& key);
    static QImage made(const MatrixData& data, const Key& key, const Theme& theme);

    std::map<Key, QImage> m_tiles;
    size_t m_theme = 0;
};

}  // namespace headlight
