// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/session/open/heads_story.h"

namespace headlight {

struct Theme;

/// One head of a model in training from step 0 to now. Every picture is of the same words, so that rows compare; one
/// cell is outlined in all of them, and its weight is written below. A click chooses a picture, and the cell that it
/// meets; a double click, or Enter, looks inside the model of that step.
class HeadFilm : public QWidget {
    Q_OBJECT
public:
    explicit HeadFilm(HeadsStory* story, QWidget* parent = nullptr);

    /// The frames that there is room for, as places in the story.
    std::vector<int> shownFrames() const;
    /// The matrix of the picture at that place of shownFrames().
    QRectF frameRect(int place) const;
    /// "decoder layer 2, cross-attention, head 7. Every frame is fed “i am learning english”, so rows compare"
    QString caption() const;

    QSize sizeHint() const override { return {900, 150}; }
    QSize minimumSizeHint() const override { return {300, 118}; }

signals:
    void lookInsideRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Place {
        int frame = -1, row = -1, column = -1;
    };
    const AttentionBlock& block() const;
    QSizeF frameSize() const;
    Place placeAt(QPointF position) const;
    void paintFrame(QPainter& painter, int place, int frame, const Theme& theme) const;
    void paintRows(QPainter& painter, const Theme& theme) const;

    HeadsStory* m_story;
};

}  // namespace headlight
