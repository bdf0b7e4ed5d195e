// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/bleu/brevity_curve.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "core/train/sentence_bleu.h"
#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kBrevityLeft = 30, kBrevityTop = 10, kBrevityBelow = 42, kBrevityRight = 10;
constexpr double kLeast = 0.25, kMost = 1.5;  ///< of the ratio that is drawn
constexpr long kWords = 1000;                 ///< of a reference that the curve is drawn for

}  // namespace

BrevityCurve::BrevityCurve(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Brevity penalty"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void BrevityCurve::setSentence(long hypothesis, long reference) {
    m_hypothesis = hypothesis;
    m_reference = reference;
    setAccessibleDescription(reference == 0 ? QString()
                                            : tr("%1 words for %2: %3")
                                                  .arg(hypothesis)
                                                  .arg(reference)
                                                  .arg(formatNumber(brevityPenalty(hypothesis, reference), 3)));
    update();
}

void BrevityCurve::setTicks(std::vector<double> ratios) {
    m_ticks = std::move(ratios);
    update();
}

QRectF BrevityCurve::plot() const {
    return {kBrevityLeft, kBrevityTop, width() - kBrevityLeft - kBrevityRight, height() - kBrevityTop - kBrevityBelow};
}

double BrevityCurve::xOf(double ratio) const {
    return plot().left() + plot().width() * (std::clamp(ratio, kLeast, kMost) - kLeast) / (kMost - kLeast);
}

double BrevityCurve::yOf(double penalty) const {
    return plot().bottom() - plot().height() * penalty;
}

void BrevityCurve::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QRectF area = plot();
    for (const double share : {0.0, 0.5, 1.0}) {
        p.setPen(QPen(share == 0 ? t.line2 : t.line, 1, share == 0 ? Qt::SolidLine : Qt::DotLine));
        const double y = std::round(yOf(share)) + 0.5;
        p.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        paint::centredText(p, {area.left() - 8, y}, formatNumber(share, share == 0.5 ? 1 : 0), monoFont(11), t.text3,
                           Anchor::End);
    }
    for (const double ratio : {0.5, 1.0, 1.5})
        paint::centredText(p, {xOf(ratio), area.bottom() + 13}, formatNumber(ratio, 1), monoFont(11), t.text3,
                           Anchor::Middle);
    paint::centredText(p, {area.center().x(), height() - 9.0},
                       tr("length of the translation ÷ length of the reference"), uiFont(11, QFont::Medium), t.text3,
                       Anchor::Middle);
    QColor faint = t.sequential(0.625);
    faint.setAlphaF(0.5F);
    // Below the axis: above it the dot's own line would lie on those of its length.
    for (const double ratio : m_ticks)
        if (ratio >= kLeast && ratio <= kMost) p.fillRect(QRectF(xOf(ratio) - 0.5, area.bottom() + 1, 1, 5), faint);
    QPainterPath path;
    for (long words = std::lround(kLeast * kWords); words <= std::lround(kMost * kWords); words += kWords / 100) {
        const QPointF at(xOf(static_cast<double>(words) / kWords), yOf(brevityPenalty(words, kWords)));
        path.elementCount() == 0 ? path.moveTo(at) : path.lineTo(at);
    }
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(t.text, 2));
    p.drawPath(path);
    if (m_reference == 0 || m_hypothesis == 0) return;
    const double penalty = brevityPenalty(m_hypothesis, m_reference);
    const QPointF at(xOf(static_cast<double>(m_hypothesis) / static_cast<double>(m_reference)), yOf(penalty));
    p.setPen(QPen(t.nowLine, 1.5, Qt::DashLine));
    p.drawLine(at, QPointF(at.x(), area.bottom()));
    p.setPen(QPen(t.surface, 1.5));
    p.setBrush(t.now);
    p.drawEllipse(at, 6, 6);
    paintNumber(p, at, formatNumber(penalty, 3));
}

/** The curve rises or is level, so to the right of its dot and below is free; at the right rim to the left, where the
 * curve is level. Where the foot leaves no room below: above the highest place of the curve over the number. */
void BrevityCurve::paintNumber(QPainter& p, QPointF at, const QString& number) const {
    const Theme& t = Theme::of(this);
    const QFont font = monoFont(12, QFont::DemiBold);
    const double wide = QFontMetricsF(font).horizontalAdvance(number);
    const bool right = at.x() + 10 + wide <= plot().right();
    QPointF place = at + QPointF(right ? 10 : -10, 16);
    if (place.y() > plot().bottom() - 16) {
        const double ratio = kLeast + (place.x() + wide - plot().left()) / plot().width() * (kMost - kLeast);
        place.setY(yOf(brevityPenalty(std::lround(ratio * kWords), kWords)) - 12);
    }
    paint::centredText(p, place, number, font, t.nowText, right ? Anchor::Start : Anchor::End);
}

}  // namespace headlight

#include "moc_brevity_curve.cpp"
