// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/session/open/learnt.h"

namespace headlight {

/// What a run came to know, over its steps: the value of each frame, the level that counts as having learnt it, and the
/// stretch of steps, or the one step, from which on it was kept. A click looks at the frame that is nearest.
class LearntChart : public QWidget {
    Q_OBJECT
public:
    LearntChart(Learnt* learnt, HeadsStory* story, QWidget* parent = nullptr);

    /// Where a value stands, and between which edges the moment.
    QPointF placeOf(const Learnt::Point& point) const;
    QRectF momentRect() const;

    QSize sizeHint() const override { return {300, 180}; }
    QSize minimumSizeHint() const override { return {180, 110}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    QRectF plot() const;

    Learnt* m_learnt;
    HeadsStory* m_story;
};

}  // namespace headlight
