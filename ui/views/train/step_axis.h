// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

class QPainter;

namespace headlight {

struct Theme;

/// An axis of steps below a plot, on which early steps have more room (stepPlace()).
struct StepAxis {
    QRectF plot;
    int last = 1;  ///< the step at its right end

    double x(double step) const;
    /// The step that stands there, within the axis.
    int step(double x) const;
    /// The line below the plot and round numbers under it, the present step in amber.
    void paint(QPainter& painter, int now, const Theme& theme) const;
    /// The amber line of the present step, with its triangle above the plot.
    void paintNow(QPainter& painter, int now, const Theme& theme) const;
};

}  // namespace headlight
