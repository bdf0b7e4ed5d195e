// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/loss/loss_curve.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kLeft = 28, kCurveTop = 28, kRight = 8, kBelow = 40;
constexpr double kSurest = 1e-7;  ///< the curve ends so far before 1, where it is infinite

}  // namespace

LossCurve::LossCurve(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Loss over the probability of the target word"));
}

void LossCurve::show(std::shared_ptr<const LossShown> shown) {
    m_shown = std::move(shown);
    double largest = 0;
    if (m_shown) {
        for (size_t i = 0; i < m_shown->costs.size(); ++i)
            if (!m_shown->veil.hidesCost(static_cast<int>(i)))
                largest = std::max(largest, m_shown->costs[i].loss(m_shown->smoothing));
        setAccessibleDescription(
            tr("least at p %1: %2")
                .arg(formatNumber(leastAt(), 3))
                .arg(formatNumber(leastLoss(leastAt(), m_shown->smoothing, m_shown->picture->vocabulary()), 3)));
    }
    m_most = std::max(4.0, 2 * std::ceil(largest / 2));
    update();
}

QRectF LossCurve::plot() const {
    return {kLeft, kCurveTop, width() - kLeft - kRight, height() - kCurveTop - kBelow};
}

QPointF LossCurve::at(double probability, double loss) const {
    const QRectF in = plot();
    return {in.left() + in.width() * probability, in.bottom() - in.height() * loss / m_most};
}

double LossCurve::leastAt() const {
    const double v = m_shown->picture->vocabulary();
    return std::min(1 - m_shown->smoothing + m_shown->smoothing / v, 1 - kSurest);
}

void LossCurve::paintEvent(QPaintEvent*) {
    if (!m_shown) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintAxes(p);
    p.save();
    p.setClipRect(plot().adjusted(-1, -1, 1, 1));
    paintCurve(p, 0, QPen(t.text3, 1.5, Qt::DashLine));
    if (m_shown->smoothing > 0) paintCurve(p, m_shown->smoothing, QPen(t.text, 2));
    p.restore();
    paintWords(p);
}

void LossCurve::paintAxes(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const QRectF in = plot();
    paint::centredText(p, {0, 7}, tr("Loss"), uiFont(11, QFont::Medium), t.text3);
    const double step = m_most > 8 ? 4 : 2;
    for (double loss = 0; loss <= m_most; loss += step) {
        const double y = std::round(at(0, loss).y()) + 0.5;
        p.setPen(QPen(loss == 0 ? t.line2 : t.line, 1, loss == 0 ? Qt::SolidLine : Qt::DotLine));
        p.drawLine(QPointF(in.left(), y), QPointF(in.right(), y));
        paint::centredText(p, {in.left() - 8, y}, formatNumber(loss, 0), monoFont(11), t.text3, Anchor::End);
    }
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
        paint::centredText(p, {at(share, 0).x(), in.bottom() + 12},
                           formatNumber(share, share == 0 || share == 1 ? 0 : 2), monoFont(11), t.text3,
                           share == 1 ? Anchor::End : Anchor::Middle);
    paint::centredText(p, {in.center().x(), in.bottom() + 30}, tr("probability of the target word"),
                       uiFont(11, QFont::Medium), t.text3, Anchor::Middle);
}

void LossCurve::paintCurve(QPainter& p, double smoothing, const QPen& pen) const {
    QPainterPath path;
    bool begun = false;
    const int points = 240;
    for (int i = 0; i <= points; ++i) {
        // Closer together at both ends, where the curve is steep.
        const double share = static_cast<double>(i) / points;
        const double probability = std::clamp(0.5 - 0.5 * std::cos(share * M_PI), 1e-5, 1 - kSurest);
        const double loss = leastLoss(probability, smoothing, m_shown->picture->vocabulary());
        begun ? path.lineTo(at(probability, loss)) : path.moveTo(at(probability, loss));
        begun = true;
    }
    p.setBrush(Qt::NoBrush);
    p.setPen(pen);
    p.drawPath(path);
}

void LossCurve::paintWords(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const auto place = [&](const WordCost& cost) {
        return at(std::exp(cost.logProbability), std::min(cost.loss(m_shown->smoothing), m_most));
    };
    p.setPen(QPen(t.surface, 1.5));
    for (int i = 0; i < static_cast<int>(m_shown->costs.size()); ++i) {
        if (i == m_shown->chosen || m_shown->veil.hidesCost(i)) continue;
        p.setBrush(t.sequentialStops[5]);
        p.drawEllipse(place(m_shown->costs[static_cast<size_t>(i)]), 4, 4);
    }
    if (m_shown->veil.hidesCost(m_shown->chosen)) return;
    const QPointF on = place(m_shown->cost());
    p.setBrush(t.now);
    p.drawEllipse(on, 6, 6);
    const QFont font = uiFont(12, QFont::DemiBold);
    const QString word = paint::elided(m_shown->picture->target(m_shown->chosen), font, 120);
    const bool toTheLeft = on.x() > plot().center().x();
    paint::centredText(p, {on.x() + (toTheLeft ? -12 : 12), on.y() - (toTheLeft ? 12 : 0)}, word, font, t.nowText,
                       toTheLeft ? Anchor::End : Anchor::Start);
}

}  // namespace headlight

#include "moc_loss_curve.cpp"
