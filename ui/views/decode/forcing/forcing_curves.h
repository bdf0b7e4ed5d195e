// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QWidget>
#include <vector>

namespace headlight {

/// How well translators that were fed the truth so often write on their own while they learn, one for each seed.
struct LearningCurve {
    double forcing = 0;                      ///< the share, 0 to 1
    std::vector<int> steps;                  ///< after how many
    std::vector<std::vector<double>> seeds;  ///< of each seed its BLEU after these steps

    double mean(size_t at) const;
    double least(size_t at) const;
    double most(size_t at) const;
};
/// Those that scripts/forcing-curves measured.
const std::vector<LearningCurve>& learningCurves();

/// The curves over the steps of training: the mean of the seeds as a line, from the worst to the best of them a band.
class ForcingCurves : public QWidget {
    Q_OBJECT
public:
    explicit ForcingCurves(QWidget* parent = nullptr);

    QPointF pointOf(int step, double bleu) const;
    /// How far apart the means end, and how far the seeds of one share do.
    static QString told();

    QSize sizeHint() const override { return {430, 220}; }
    QSize minimumSizeHint() const override { return {280, 190}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QRectF plot() const;
    QPen penOf(size_t curve) const;
    static QString endOf(const LearningCurve& curve, bool withRange);
    void paintAxes(QPainter& p) const;
    void paintCurve(QPainter& p, size_t curve) const;
    void paintKey(QPainter& p) const;
};

}  // namespace headlight
