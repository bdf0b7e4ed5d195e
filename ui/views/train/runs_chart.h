// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/widgets/time/plain_chart.h"

namespace headlight {

/// Runs over one another, each named at the end of its line, with a bead for every model that was kept of it. The
/// pointer reads all of them at one step; a click on a bead chooses its model, a double click opens it, and it can be
/// dragged to where models are taken.
class RunsChart : public PlainChart {
    Q_OBJECT
public:
    explicit RunsChart(QWidget* parent = nullptr);

    struct Run {
        QString name;
        Line line;
        std::vector<int> kept;  ///< steps
    };
    /// `decimals` of what is read off.
    void setRuns(std::vector<Run> runs, const Range& range, int decimals);
    struct Bead {
        size_t run = 0;
        int step = 0;
        bool operator==(const Bead&) const = default;
    };
    void setChosen(const std::optional<Bead>& bead);
    /// Where a bead stands: on its line, between two points as the line goes; behind its end at the height of its end,
    /// led to by dots.
    QPointF placeOf(const Bead& bead) const;
    /// Names with their last numbers, as they stand at the ends of the lines, and where.
    struct End {
        QString text;
        QPointF at;
    };
    std::vector<End> ends() const;

signals:
    void beadChosen(int run, int step);
    void beadOpened();
    /// The reader takes it along.
    void beadDragged(int run, int step);

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    double valueAt(const Line& line, double step) const;
    std::optional<Bead> beadAt(QPointF at) const;
    void drawReading(QPainter& painter) const;

    std::vector<Run> m_runs;
    int m_decimals = 3;
    std::optional<Bead> m_chosen, m_pressed;
    QPointF m_pressedAt;
    double m_hovered = -1;  ///< a step
};

}  // namespace headlight
