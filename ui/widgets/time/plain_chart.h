// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChartView>
#include <QPointF>
#include <vector>

class QValueAxis;

namespace headlight {

struct Theme;

/// A chart with nothing on it but lines or bars and two axes, in the colours of the theme.
class PlainChart : public QChartView {
    Q_OBJECT
public:
    explicit PlainChart(QWidget* parent = nullptr);

    using Line = std::vector<QPointF>;
    struct Range {
        double left = 0, right = 1, bottom = 0, top = 1;
    };
    /// At most four, in blue, orange, green and violet. `now`: where the amber line stands; outside of the range:
    /// nowhere.
    void setLines(std::vector<Line> lines, const Range& range, double now);
    /// Bars at the whole numbers from `first` on; the one of index `marked` is amber.
    void setBars(std::vector<double> heights, int first, int marked);

    const std::vector<Line>& lines() const { return m_lines; }
    const std::vector<double>& bars() const { return m_bars; }

protected:
    void changeEvent(QEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;

private:
    void rebuild();
    void styleAxes();

    QChart* m_chart;
    QValueAxis* m_x;
    QValueAxis* m_y;
    std::vector<Line> m_lines;
    std::vector<double> m_bars;
    Range m_range;
    double m_now = -1;
    int m_firstBar = 0;
    int m_marked = -1;
};

}  // namespace headlight
