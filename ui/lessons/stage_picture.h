// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

class QPainter;

namespace headlight {

/// The picture of a lesson's stage, small: made so for one size, and kept.
class StagePicture {
public:
    bool isNull() const { return m_whole.isNull(); }
    void set(const QImage& whole);
    /// In a frame with rounded corners; lengths in logical pixels.
    void paint(QPainter& p, const QRectF& area, double radius) const;

private:
    QImage m_whole;
    mutable QImage m_small;  ///< in device pixels
};

}  // namespace headlight
