// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

class QPainter;

namespace headlight {

struct Theme;

/// How long the vectors are that flow through a stack, from its input past every sublayer: of the open model, and
/// dashed of one that differs in the order of its norms alone. Below it the slider through the depth.
class StreamChart : public QWidget {
    Q_OBJECT
public:
    explicit StreamChart(QWidget* parent = nullptr);

    struct Line {
        QString name;   ///< at its end
        QString brief;  ///< where its number stands
        std::vector<double> lengths;
    };
    /// The open model's first. `places`: the input, then every sublayer.
    void setLines(std::vector<Line> lines, const QStringList& places);
    const std::vector<Line>& lines() const { return m_lines; }
    /// From 1; the input is 0 and cannot be chosen.
    void setChosen(int place);
    int chosen() const { return m_chosen; }
    double xOf(int place) const;
    double yOf(double length) const;
    double most() const { return m_most; }

    QSize sizeHint() const override { return {440, 170}; }
    QSize minimumSizeHint() const override { return {260, 130}; }

signals:
    void placeChosen(int place);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF plot() const;
    void choose(int place);
    void paintAxis(QPainter& p, const Theme& t) const;
    void paintLine(QPainter& p, const Theme& t, size_t line) const;
    void paintNames(QPainter& p, const Theme& t) const;
    void paintReading(QPainter& p, const Theme& t) const;
    void paintSlider(QPainter& p, const Theme& t) const;

    std::vector<Line> m_lines;
    QStringList m_places;
    int m_chosen = 1;
    double m_most = 10, m_step = 5;  ///< of the scale
};

}  // namespace headlight
