// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QWidget>
#include <vector>

namespace headlight {

struct Theme;

/// How far back gradients reach: a line for each model over the distance in words, on an axis of powers of ten, each
/// labelled where it ends. What falls below the axis leaves it.
class ReachChart : public QWidget {
    Q_OBJECT
public:
    explicit ReachChart(QWidget* parent = nullptr);

    struct Line {
        QString name;
        std::vector<double> share;  ///< by distance, the first 1
        bool isOpen = false;        ///< of the open model
        bool isChanged = false;     ///< with weights that the reader multiplied
    };
    void setLines(std::vector<Line> lines);
    /// Hatched until a lesson's reader has predicted what it draws.
    void setHidden(bool hidden);
    const std::vector<Line>& lines() const { return m_lines; }
    /// Of that line at that distance.
    QPointF pointAt(size_t line, size_t back) const;
    /// Where a line's name stands: at the line's end, on no other line, and with its middle not above `free`.
    QRectF nameRect(size_t line, double free = -1e9) const;
    /// Exponents at the ends of the axis.
    int lowest() const { return m_lowest; }
    int highest() const { return m_highest; }

    QSize sizeHint() const override { return {352, 190}; }
    QSize minimumSizeHint() const override { return {240, 130}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QRectF plot() const;
    void paintAxes(QPainter& p, const Theme& t) const;
    void paintNames(QPainter& p, const Theme& t) const;
    QPointF endOf(size_t line) const;
    QFont nameFont(size_t line) const;
    bool isCrossed(const QRectF& area, size_t except) const;

    std::vector<Line> m_lines;
    int m_lowest = -12, m_highest = 0, m_farthest = 20;
    bool m_isHidden = false;
};

}  // namespace headlight
