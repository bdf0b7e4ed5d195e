// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "ui/session/trace/units_picture.h"

class QPainter;

namespace headlight {

struct Theme;

/// What the chosen unit sums up, and the activation as a curve, dashed the one that it is compared with; on it the
/// chosen unit, and below the axis the sums of all units of the word.
class ActivationCurve : public QWidget {
    Q_OBJECT
public:
    explicit ActivationCurve(QWidget* parent = nullptr);

    void setPicture(std::shared_ptr<const UnitsPicture> picture, int word, int unit);
    double xOf(double sum) const;
    double yOf(double value) const;
    QPointF point() const;  ///< of the chosen unit
    /// "2.055 − 0.262 = 1.793": what x moves, the bias, their sum.
    QString arithmetic() const;
    /// The activation that is drawn dashed: ReLU, or GELU where ReLU is the other.
    ops::Activation compared() const;

    QSize sizeHint() const override { return {352, 176}; }
    QSize minimumSizeHint() const override { return {200, 136}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QRectF plot() const;
    bool isSumHidden() const;
    void paintCurve(QPainter& p, ops::Activation kind) const;
    void paintRug(QPainter& p, const Theme& t) const;
    void paintPoint(QPainter& p, const Theme& t) const;

    std::shared_ptr<const UnitsPicture> m_picture;
    int m_word = 0, m_unit = 0;
    double m_low = -5, m_high = 3;
};

}  // namespace headlight
