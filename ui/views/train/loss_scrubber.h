// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/session/open/heads_story.h"
#include "ui/views/train/step_axis.h"

namespace headlight {

/// The loss of a run on sentences that it trains on and on those that it does not, measured alike, over its steps: and
/// the handle by which one goes back to a step. As long as it is dragged everything shows that step; let go, it is now
/// again. Arrow keys stay where they lead.
class LossScrubber : public QWidget {
    Q_OBJECT
public:
    explicit LossScrubber(HeadsStory* story, QWidget* parent = nullptr);

    /// Where a step stands.
    double xOf(int step) const { return axis().x(step); }
    /// Where a loss stands.
    double yOf(double loss) const;

    QSize sizeHint() const override { return {900, 92}; }
    QSize minimumSizeHint() const override { return {240, 72}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Range {
        double low = 0.1, high = 10;
    };
    StepAxis axis() const;
    void follow();
    void peekAt(double x);
    void paintLine(QPainter& painter, double HeadsFrame::*loss, const QColor& color) const;

    HeadsStory* m_story;
    Range m_range;
};

}  // namespace headlight
