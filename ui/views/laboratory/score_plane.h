// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/experiment/query_key_value.h"

namespace headlight {

struct Theme;

/// A query and a key as arrows in the plane that the two span, the query to the right: whatever their width, lengths
/// and angle are as they are. A dashed line falls from the key onto the line of the query; how far along it lands,
/// times the length of the query, is their dot product.
class ScorePlane : public QWidget {
    Q_OBJECT
public:
    explicit ScorePlane(QWidget* parent = nullptr);

    struct Shown {
        ScoreAngle angle;
        QString query, key;  ///< the words
        QString after;       ///< what becomes of the product
        QString veiled;      ///< what stands in the place of numbers that are to be predicted; empty: they are shown
    };
    void setShown(const Shown& shown);
    /// |q| × |k| × cos θ and what that is.
    QStringList lines() const;
    /// Where the arrows begin and end, and the foot of the dashed line.
    QPointF origin() const { return at(0, 0); }
    QPointF queryTip() const { return at(m_shown.angle.query, 0); }
    QPointF keyTip() const;
    QPointF foot() const;

    QSize sizeHint() const override { return {480, 320}; }
    QSize minimumSizeHint() const override { return {240, 170}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QPointF at(double along, double across) const;
    void paintPlane(QPainter& p, const Theme& t) const;

    Shown m_shown;
};

}  // namespace headlight
