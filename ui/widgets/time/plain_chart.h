// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChartView>
#include <QPointF>
#include <QStringList>
#include <vector>

class QCategoryAxis;

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

    /// What the lines that are set next are called: written above them, each with its colour. Empty: nothing is.
    void setNames(const QStringList& names);
    void setAxisTitle(const QString& title);  ///< of the one below
    /// What stands in the middle as long as there is nothing to draw; then there are no axes, which nothing measures.
    void setEmptyText(const QString& text);

    const QStringList& names() const { return m_names; }
    QString axisTitle() const;
    const QString& emptyText() const { return m_empty; }
    bool isEmpty() const;
    /// What stands at the axes, from the lowest number to the highest.
    QStringList labelsBeside() const;
    QStringList labelsBelow() const;
    const std::vector<Line>& lines() const { return m_lines; }
    const std::vector<double>& bars() const { return m_bars; }
    /// Of the line of that index.
    static QColor colorOf(const Theme& theme, size_t line);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;

private:
    void rebuild();
    void styleAxes();

    QChart* m_chart;
    QCategoryAxis* m_x;
    QCategoryAxis* m_y;
    std::vector<Line> m_lines;
    std::vector<double> m_bars;
    QStringList m_names;
    QString m_empty;
    Range m_range;
    double m_now = -1;
    int m_firstBar = 0;
    int m_marked = -1;
};

}  // namespace headlight
