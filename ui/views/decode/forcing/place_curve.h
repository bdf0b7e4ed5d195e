// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/experiment/free_running.h"

namespace headlight {

/// How often the word of each place is right over a test set, the decoder being fed the truth and its own words; what
/// lies between the two curves is exposure bias. The chosen place is amber; a click or the arrow keys choose one.
class PlaceCurve : public QWidget {
    Q_OBJECT
public:
    explicit PlaceCurve(QWidget* parent = nullptr);

    /// Places that few sentences have are left out: under 1 % of them.
    void setReport(const ForcingReport& report);
    /// From 0.
    void setChosen(size_t place);
    const std::vector<PlaceCounts>& places() const { return m_places; }
    QPointF pointOf(size_t place, bool isFree) const;
    /// Where “exposure bias” is written: where the curves are furthest apart. Empty where they are one.
    QRectF biasName() const;

    QSize sizeHint() const override { return {430, 260}; }
    QSize minimumSizeHint() const override { return {280, 176}; }

signals:
    void placeChosen(int place);  ///< from 0

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Room {  ///< between the curves, and the lowest that one of them comes
        double above = 0, below = 0, lowest = 0;
    };
    Room roomAt(double x, double half) const;
    QRectF plot() const;
    double yOf(double share) const;
    double shareOf(size_t place, bool isFree) const;
    void paintAxes(QPainter& p) const;
    void paintNames(QPainter& p) const;
    void paintChosen(QPainter& p) const;

    std::vector<PlaceCounts> m_places;
    size_t m_chosen = 0;
};

}  // namespace headlight
