// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/loss/loss_curve.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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
    paint::centredText(
        p, {in.center().x(), in.bottom() + 30},
        m_shown->picture->isClassifier() ? tr("probability of the target label") : tr("probability of the target word"),
        uiFont(11, QFont::Medium), t.text3, Anchor::Middle);
}

QPainterPath LossCurve::curve(double smoothing) const {
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
    return path;
}

void LossCurve::paintCurve(QPainter& p, double smoothing, const QPen& pen) const {
    p.setBrush(Qt::NoBrush);
    p.setPen(pen);
    p.drawPath(curve(smoothing));
}

QPointF LossCurve::place(int word) const {
    const WordCost& cost = m_shown->costs[static_cast<size_t>(word)];
    return at(std::exp(cost.logProbability), std::min(cost.loss(m_shown->smoothing), m_most));
}

QString LossCurve::name() const {
    return paint::elided(m_shown->picture->target(m_shown->chosen), uiFont(12, QFont::DemiBold), 120);
}

/// Words that the model is sure of lie close together, and the curve runs through them.
QRectF LossCurve::nameBox() const {
    std::vector<QPointF> covered;
    for (int i = 0; i < static_cast<int>(m_shown->costs.size()); ++i)
        if (i != m_shown->chosen && !m_shown->veil.hidesCost(i)) covered.push_back(place(i));
    const size_t dots = covered.size();
    for (const double smoothing : {0.0, m_shown->smoothing}) {
        const QPainterPath path = curve(smoothing);
        for (int i = 0; i < path.elementCount(); ++i)
            covered.push_back(path.elementAt(i));
    }
    const QPointF on = place(m_shown->chosen);
    const QSizeF size(QFontMetricsF(uiFont(12, QFont::DemiBold)).horizontalAdvance(name()), 16);
    const double beside = size.width() / 2 + 12;
    const double toTheMiddle = on.x() > plot().center().x() ? -1 : 1;
    QRectF best;
    double least = std::numeric_limits<double>::infinity();
    for (const double y : {-12.0, 0.0, -24.0, 12.0, -40.0, 24.0, -56.0, 40.0})
        for (const double x : {toTheMiddle * beside, 0.0, -toTheMiddle * beside}) {
            QRectF box(QPointF(), size);
            box.moveCenter(on + QPointF(x, y));
            if (!QRectF(rect()).contains(box) || box.adjusted(-7, -7, 7, 7).contains(on)) continue;
            constexpr double kDotCounts = 10;
            double cost = 0;
            for (size_t i = 0; i < covered.size(); ++i) {
                const double around = i < dots ? 5 : 1;
                if (box.adjusted(-around, -around, around, around).contains(covered[i]))
                    cost += i < dots ? kDotCounts : 1;
            }
            if (cost >= least) continue;
            least = cost;
            best = box;
        }
    return best;
}

void LossCurve::paintWords(QPainter& p) const {
    const Theme& t = Theme::of(this);
    p.setPen(QPen(t.surface, 1.5));
    for (int i = 0; i < static_cast<int>(m_shown->costs.size()); ++i) {
        if (i == m_shown->chosen || m_shown->veil.hidesCost(i)) continue;
        p.setBrush(t.sequentialStops[5]);
        p.drawEllipse(place(i), 4, 4);
    }
    if (m_shown->veil.hidesCost(m_shown->chosen)) return;
    p.setBrush(t.now);
    p.drawEllipse(place(m_shown->chosen), 6, 6);
    paint::centredText(p, nameBox().center(), name(), uiFont(12, QFont::DemiBold), t.nowText, Anchor::Middle);
}

}  // namespace headlight

#include "moc_loss_curve.cpp"
