// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QPolygonF>
#include <QWidget>
#include <tuple>

#include "ui/session/trace/cost.h"

class QPainter;

namespace headlight {

/// How a message goes from the first word to the last: a dot for each word, upwards the steps that come one after
/// another, and in amber the shortest way.
class TravelPicture : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Recurrence, Convolution, Attention };
    explicit TravelPicture(Kind kind, QWidget* parent = nullptr);

    /// More words are so many dots, and it says so.
    static constexpr int kMostDots = 128;
    void setLayers(int words, int kernel, Layering layering);
    int dots() const;
    /// The amber line, from the first word to the last.
    QPolygonF way() const;
    QSize sizeHint() const override { return {360, 200}; }
    QSize minimumSizeHint() const override { return {200, 72}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QPointF dot(int word, double height = 0) const;
    /// The height of a step or a layer.
    double rise() const;
    int layers() const { return convolutionLayers(dots(), m_kernel, m_layering); }
    void paintGround(QPainter& p) const;
    void paintSeen(QPainter& p) const;
    void paintArcs(QPainter& p) const;
    /// What stands behind the way.
    void paintAll(QPainter& p) const;
    /// The same on the screen, as it was painted last where nothing is another one: up to 8,128 strokes.
    void paintKept(QPainter& p);

    Kind m_kind;
    int m_words = 2, m_kernel = 2;
    Layering m_layering = Layering::Dilated;
    QPixmap m_kept;
    std::tuple<int, int, Layering, QRgb> m_keptOf;  ///< words, kernel, layers, and the theme by its ground
};

}  // namespace headlight
