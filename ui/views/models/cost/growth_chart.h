// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/session/trace/cost.h"

class QPainter;

namespace headlight {

/// Operations of a layer of each kind as the words grow, both axes logarithmic. The amber line is the number of words:
/// it is dragged, or moved by the arrow keys.
class GrowthChart : public QWidget {
    Q_OBJECT
public:
    explicit GrowthChart(QWidget* parent = nullptr);

    static constexpr int kFewest = 10, kMost = 100000;  ///< words
    void setLayers(int words, int width, int kernel, Layering layering);
    /// Where a number of words, and of operations, stands.
    double xOf(double words) const;
    double yOf(double operations) const;
    QSize sizeHint() const override { return {560, 260}; }
    QSize minimumSizeHint() const override { return {300, 150}; }

signals:
    void wordsChosen(int words);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF plot() const;
    /// Of the key: narrow, it says the results alone.
    double keyWidth() const;
    void choose(double words);
    QColor colorOf(size_t kind) const;
    Qt::PenStyle strokeOf(size_t kind) const;
    void paintAxes(QPainter& p) const;
    void paintLines(QPainter& p) const;
    void paintCrossing(QPainter& p) const;
    void paintKey(QPainter& p) const;

    int m_words = 100, m_width = 512, m_kernel = 3;
    Layering m_layering = Layering::Dilated;
    std::vector<LayerCost> m_costs;   ///< at m_words
    int m_least = 0, m_greatest = 1;  ///< exponents of ten, of the operations
};

}  // namespace headlight
