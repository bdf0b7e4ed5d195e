// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "ui/views/subwords/subwords_shown.h"

namespace headlight {

/// Pieces of the whole text by the number of merges: fewer and longer, while the vocabulary grows by one a merge. The
/// amber line is the merge at hand; it is dragged, or moved by the arrow keys.
class MergeChart : public QWidget {
    Q_OBJECT
public:
    explicit MergeChart(QWidget* parent = nullptr);

    void show(std::shared_ptr<const SubwordsShown> shown);
    double xOf(int merges) const;
    double yOf(long pieces) const;
    QPointF placeOfLeast(double wide) const;

    QSize sizeHint() const override { return {900, 96}; }
    QSize minimumSizeHint() const override { return {300, 88}; }

signals:
    void mergesChosen(int merges);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF plot() const;
    void drag(double x);
    int all() const { return m_shown ? m_shown->film->mergeCount() : 0; }

    std::shared_ptr<const SubwordsShown> m_shown;
};

}  // namespace headlight
