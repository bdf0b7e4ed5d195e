// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/views/train/training_facts.h"

namespace headlight {

struct AttentionBlock;
struct Theme;

/// The probe sentence through training: one head of the last block as it was after so many steps, what the model wrote
/// then, and the weight of one cell. Scrolls back in time; a click or the arrow keys choose a frame. A run makes 241
/// frames at most; with those of steps where it only rested there are never more than 300.
class FilmStrip : public QWidget {
    Q_OBJECT
public:
    explicit FilmStrip(QWidget* parent = nullptr);

    void append(const ProbeFrame& frame);
    void clear();
    /// Forgets later steps, and those where the run only rested; the last frame that is left is the current one.
    void cutBack(int step);
    /// Which cell is outlined in each frame.
    void setCell(int row, int column);
    void setHead(int head);
    int count() const { return static_cast<int>(m_frames.size()); }
    int current() const { return m_current; }
    void setCurrent(int index);
    /// The last frame that is not later than that step.
    void showStep(int step);
    /// The step of the frame that is chosen; -1: there is none.
    int currentStep() const { return m_current < 0 ? -1 : m_frames[static_cast<size_t>(m_current)].step; }
    /// What the frames hold.
    size_t bytes() const;
    /// Of the frame that is chosen: "decoder layer 2, cross-attention, head 8. Outlined: …"
    QString caption() const;
    QRectF frameRect(int index) const;

    QSize sizeHint() const override { return {952, 214}; }
    QSize minimumSizeHint() const override { return {300, 190}; }

signals:
    void frameSelected(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int visibleCount() const;
    double side() const;
    void thinOut();
    void paintFrame(QPainter& painter, int index, const Theme& theme) const;
    AttentionBlock shownBlock(const ProbeFrame& frame) const;

    std::vector<ProbeFrame> m_frames;
    int m_current = -1;
    int m_first = 0;  ///< the leftmost frame in sight
    int m_head = 0;
    int m_row = 0;
    int m_column = 0;
};

}  // namespace headlight
