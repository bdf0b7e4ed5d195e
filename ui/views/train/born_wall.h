// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariantAnimation>
#include <QWidget>
#include <vector>

#include "ui/session/open/heads_story.h"

namespace headlight {

struct Theme;

/// Every head of a model in training, block by block, as it reads one sentence at the step that is looked at: when that
/// changes, the weights go over into each other. A sharp head is framed, and dated with the step since which it has
/// been. A click or the arrow keys choose a head.
class BornWall : public QWidget {
    Q_OBJECT
public:
    explicit BornWall(HeadsStory* story, QWidget* parent = nullptr);

    /// The thumbnail of a head.
    QRectF headRect(int head) const;
    /// The weights that are drawn just now, between two steps as well.
    const std::vector<std::vector<float>>& drawn() const { return m_drawn; }
    /// What stands in the place of heads where there are none.
    QString sentence() const;

    QSize sizeHint() const override { return {900, 250}; }
    QSize minimumSizeHint() const override { return {300, 150}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// A line of layers of one kind of attention.
    struct Line {
        AttentionBlock::Kind kind = AttentionBlock::Kind::Self;
        std::vector<int> blocks;
    };
    struct Layout {
        std::vector<Line> lines;
        double side = 0, pitch = 0, linePitch = 0;
        double date = 0;        ///< room below a thumbnail
        bool captions = false;  ///< of the layers above each line, not above the first alone
    };
    void follow();
    void layOut();
    Layout layoutOf(int layersInLine) const;
    int headAt(QPointF position) const;
    void moveBy(int right, int down);
    void paintEmpty(QPainter& painter, const Theme& theme) const;
    void paintLabels(QPainter& painter, const Theme& theme) const;
    void paintHead(QPainter& painter, int head, const Theme& theme) const;
    QString tipOf(int head) const;

    HeadsStory* m_story;
    Layout m_layout;
    std::vector<QRectF> m_places;              ///< of each head
    std::vector<std::vector<float>> m_before;  ///< what was drawn when the step changed
    std::vector<std::vector<float>> m_drawn;
    int m_step = -1;  ///< that is drawn
    int m_hovered = -1;
    QVariantAnimation m_ease;
};

}  // namespace headlight
