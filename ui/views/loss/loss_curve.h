// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "ui/session/trace/loss_picture.h"

namespace headlight {

/// Loss over the probability of the target word: the least that ε leaves possible, dashed what there is without ε, and
/// every word of the sentence where it stands.
class LossCurve : public QWidget {
    Q_OBJECT
public:
    explicit LossCurve(QWidget* parent = nullptr);

    void show(std::shared_ptr<const LossShown> shown);
    QPointF at(double probability, double loss) const;
    /// Where the dot of a word stands, and the name of the chosen one: on the first of its sides that is free.
    QPointF place(int word) const;
    QRectF nameBox() const;
    /// Where the loss is least: p = q.
    double leastAt() const;
    QSize sizeHint() const override { return {340, 290}; }
    QSize minimumSizeHint() const override { return {220, 110}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QRectF plot() const;
    void paintAxes(QPainter& p) const;
    QPainterPath curve(double smoothing) const;
    QString name() const;
    void paintCurve(QPainter& p, double smoothing, const QPen& pen) const;
    void paintWords(QPainter& p) const;

    std::shared_ptr<const LossShown> m_shown;
    double m_most = 8;
};

}  // namespace headlight
