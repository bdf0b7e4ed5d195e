// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <functional>
#include <vector>

#include "ui/widgets/controls/controls.h"

class QChart;
class QLineSeries;
class QScatterSeries;
class QValueAxis;

namespace headlight {

struct Theme;

/// One quantity over the steps of a training run, in a card: the batches as a line in data blue (Train), the held-out
/// pairs in ink with a dot each (Test), what is still to come dashed (Future), and the amber line of the present step.
class TrainingChart : public Card {
    Q_OBJECT
public:
    enum class Line { Train, Test, Single, Future };
    struct Options {
        double maximumY = 0;                    ///< 0: grows with the data
        std::function<QString(double)> format;  ///< of the axis labels
        int readoutLines = 1;
        bool bars = false;  ///< Train as the mean of some steps a bar, where a line would only flicker
    };

    TrainingChart(const QString& title, const QString& caption, Options options, QWidget* parent = nullptr);

    void append(Line line, const std::vector<QPointF>& points);
    void replace(Line line, const std::vector<QPointF>& points);
    void clear();
    /// Forgets what was appended of later steps; Future stays.
    void cutBack(int step);
    /// A dotted level, as of clipping; 0: none.
    void setMarker(double level);
    /// The right end of the time axis, and where the present is.
    void setSteps(int shown, int now);
    /// Hatched, and without a number, until a lesson's reader has predicted it.
    void setHidden(bool hidden);
    bool isHiddenAway() const { return m_isHidden; }
    /// The latest values at the right of the title: `strong` in ink, `weak` below it in data blue.
    void setReadout(const QString& strong, const QString& weak = {});

    /// What was appended, and how many points the screen draws for it.
    const std::vector<QPointF>& points(Line line) const { return m_points[static_cast<size_t>(line)]; }
    int drawnPoints(Line line) const;
    /// Before the first step there is nothing that axes could measure: a sentence stands in their place.
    bool isBeforeFirstStep() const;
    /// The bars' heights, from the first step on.
    std::vector<double> bars() const;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyTheme();
    void describe();
    void redraw(Line line);
    void fitAxis();
    void placeOverlay();
    bool hasPoints() const;
    bool hasScale() const;  ///< there is something that the labels of the y axis could measure
    double xOf(double step) const;
    double yOf(double value) const;
    std::vector<double> levels() const;  ///< where the grid lines are
    class Overlay;
    class View;

    Options m_options;
    std::vector<QPointF> m_points[4];
    QLineSeries* m_series[4];
    QScatterSeries* m_dots;
    QChart* m_chart;
    View* m_view;
    QValueAxis* m_x;
    QValueAxis* m_y;
    Overlay* m_overlay = nullptr;
    QLabel* m_strong;
    QLabel* m_weak;
    double m_marker = 0;
    double m_top = 1;
    int m_shown = 100;
    int m_now = 0;
    bool m_isHidden = false;
};

/// At most `most` points that keep the shape: of each stretch the lowest and the highest.
std::vector<QPointF> decimated(const std::vector<QPointF>& points, int most);

/// The next small whole number times a power of ten, so that axes end on a number a person would choose.
double roundedUp(double value);

}  // namespace headlight
