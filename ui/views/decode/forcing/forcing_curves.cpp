// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/forcing/forcing_curves.h"

#include <QFile>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kCurvesLeft = 40, kCurvesTop = 26, kCurvesBelow = 36, kCurvesRight = 14;
constexpr double kMost = 100;  ///< BLEU
constexpr int kLabelled = 500;

/// Lines of forcing, seed, step, BLEU and accuracy, those of a run one after another.
std::vector<LearningCurve> readCurves() {
    std::vector<LearningCurve> curves;
    QFile file(QStringLiteral(":/curves/forcing.tsv"));
    if (!file.open(QIODevice::ReadOnly)) return curves;
    QString seed;
    for (const QString& line : QString::fromUtf8(file.readAll()).split(u'\n').mid(1)) {
        const QStringList fields = line.split(u'\t');
        if (fields.size() < 4) continue;
        const double forcing = fields[0].toDouble();
        if (curves.empty() || curves.back().forcing != forcing) {
            curves.push_back({forcing, {}, {}});
            seed.clear();
        }
        LearningCurve& curve = curves.back();
        if (seed != fields[1]) curve.seeds.emplace_back();
        seed = fields[1];
        if (curve.seeds.size() == 1) curve.steps.push_back(fields[2].toInt());
        curve.seeds.back().push_back(fields[3].toDouble());
    }
    return curves;
}

}  // namespace

double LearningCurve::mean(size_t at) const {
    const double sum = std::accumulate(seeds.begin(), seeds.end(), 0.0,
                                       [at](double before, const auto& seed) { return before + seed[at]; });
    return sum / static_cast<double>(seeds.size());
}

double LearningCurve::least(size_t at) const {
    return std::ranges::min(seeds, {}, [at](const auto& seed) { return seed[at]; })[at];
}

double LearningCurve::most(size_t at) const {
    return std::ranges::max(seeds, {}, [at](const auto& seed) { return seed[at]; })[at];
}

const std::vector<LearningCurve>& learningCurves() {
    static const std::vector<LearningCurve> all = readCurves();
    return all;
}

ForcingCurves::ForcingCurves(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("BLEU while they learn, three seeds each"));
    setAccessibleDescription(told());
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QString ForcingCurves::told() {
    double least = kMost, most = 0, apart = 0;
    for (const LearningCurve& curve : learningCurves()) {
        const size_t last = curve.steps.size() - 1;
        least = std::min(least, curve.mean(last));
        most = std::max(most, curve.mean(last));
        apart = std::max(apart, curve.most(last) - curve.least(last));
    }
    return tr("Line: the mean of three seeds; band: from the worst to the best. "
              "At the end the means are %1 BLEU apart, the seeds of one line up to %2.")
        .arg(formatNumber(most - least, 1), formatNumber(apart, 1));
}

QRectF ForcingCurves::plot() const {
    return {kCurvesLeft, kCurvesTop, width() - kCurvesLeft - kCurvesRight, height() - kCurvesTop - kCurvesBelow};
}

QPointF ForcingCurves::pointOf(int step, double bleu) const {
    const QRectF area = plot();
    const double across = static_cast<double>(step) / learningCurves().front().steps.back();
    return {area.left() + area.width() * across, area.bottom() - area.height() * bleu / kMost};
}

/// Told apart by more than their colours.
QPen ForcingCurves::penOf(size_t curve) const {
    const Theme& t = Theme::of(this);
    if (curve == 0) return QPen(t.text, 2.5);
    return curve == 1 ? QPen(t.query, 2, Qt::DashLine) : QPen(t.key, 2, Qt::DotLine);
}

void ForcingCurves::paintAxes(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const QRectF area = plot();
    paint::centredText(p, {0, 8}, tr("BLEU when they run free, on 500 validation sentences"), uiFont(11, QFont::Medium),
                       t.text3);
    for (const int bleu : {0, 25, 50, 75, 100}) {
        const double y = std::round(pointOf(0, bleu).y()) + 0.5;
        p.setPen(QPen(bleu == 0 ? t.line2 : t.line, 1, bleu == 0 ? Qt::SolidLine : Qt::DotLine));
        p.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        paint::centredText(p, {area.left() - 10, y}, QString::number(bleu), monoFont(11), t.text3, Anchor::End);
    }
    const int last = learningCurves().front().steps.back();
    for (int step = 0; step <= last; step += kLabelled) {
        const QPointF at = pointOf(step, 0) + QPointF(0, 13);
        paint::centredText(p, step == last ? at + QPointF(kCurvesRight, 0) : at, formatCount(step), monoFont(11),
                           t.text3, step == last ? Anchor::End : Anchor::Middle);
    }
    paint::centredText(p, {area.center().x(), area.bottom() + 28}, tr("training step"), uiFont(11, QFont::Medium),
                       t.text3, Anchor::Middle);
}

void ForcingCurves::paintCurve(QPainter& p, size_t which) const {
    const LearningCurve& curve = learningCurves()[which];
    QPolygonF mean, band;
    for (size_t i = 0; i < curve.steps.size(); ++i) {
        mean << pointOf(curve.steps[i], curve.mean(i));
        band << pointOf(curve.steps[i], curve.most(i));
    }
    for (size_t i = curve.steps.size(); i-- > 0;)
        band << pointOf(curve.steps[i], curve.least(i));
    QColor tint = penOf(which).color();
    tint.setAlphaF(0.2F);
    p.setPen(Qt::NoPen);
    p.setBrush(tint);
    p.drawPolygon(band);
    p.setBrush(Qt::NoBrush);
    p.setPen(penOf(which));
    p.drawPolyline(mean);
}

QString ForcingCurves::endOf(const LearningCurve& curve, bool withRange) {
    const size_t last = curve.steps.size() - 1;
    const QString mean = formatNumber(curve.mean(last), 1);
    return withRange
               ? tr("%1 (%2 to %3)").arg(mean, formatNumber(curve.least(last), 1), formatNumber(curve.most(last), 1))
               : mean;
}

/// In the corner below the curves: whose line it is, and where it ends.
void ForcingCurves::paintKey(QPainter& p) const {
    constexpr double kRow = 18, kSample = 26, kShare = 34;
    const Theme& t = Theme::of(this);
    const std::vector<LearningCurve>& curves = learningCurves();
    const QFont font = monoFont(11, QFont::Medium);
    const auto leftOf = [&](const QString& longest) {
        return plot().right() - paint::textWidth(longest, font) - kSample - kShare - 6;
    };
    // Where the range would stand on the curves, the mean is told alone.
    const bool hasRange = leftOf(endOf(curves[0], true)) > pointOf(kLabelled, 0).x();
    QStringList ends;
    for (const LearningCurve& curve : curves)
        ends << endOf(curve, hasRange);
    const double left = leftOf(ends[0]), wide = paint::textWidth(ends[0], font);
    for (size_t i = 0; i < curves.size(); ++i) {
        const double y = plot().bottom() - 10 - kRow * static_cast<double>(curves.size() - 1 - i);
        p.setPen(penOf(i));
        p.drawLine(QPointF(left, y), QPointF(left + kSample, y));
        paint::centredText(p, {left + kSample + 8, y}, formatNumber(curves[i].forcing, 1), font, t.text);
        paint::centredText(p, {plot().right() - wide, y}, ends[static_cast<qsizetype>(i)], font, t.text2);
    }
}

void ForcingCurves::paintEvent(QPaintEvent*) {
    if (learningCurves().empty()) return;
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintAxes(p);
    for (size_t i = learningCurves().size(); i-- > 0;)
        paintCurve(p, i);
    paintKey(p);
}

}  // namespace headlight

#include "moc_forcing_curves.cpp"
