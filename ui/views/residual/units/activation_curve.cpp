// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/residual/units/activation_curve.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/math_text.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kTop = 34, kRug = 8, kBelow = 32, kSide = 10;
constexpr double kLowest = -0.3;  ///< of the curve's values: GELU goes below zero, by 0.17

}  // namespace

ActivationCurve::ActivationCurve(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setAccessibleName(tr("The activation"));
}

void ActivationCurve::setPicture(std::shared_ptr<const UnitsPicture> picture, int word, int unit) {
    m_picture = std::move(picture);
    m_word = word;
    m_unit = unit;
    update();
    if (!m_picture) return;
    double low = -3, high = 2;
    for (int each = 0; each < m_picture->units(); ++each) {
        if (m_picture->isSumHidden(word, each)) continue;
        low = std::min(low, m_picture->sum(word, each));
        high = std::max(high, m_picture->sum(word, each));
    }
    m_low = std::floor(low);
    m_high = std::ceil(high);
    const QString hidden = tr("hidden until you have predicted it");
    setAccessibleDescription(
        tr("%1 of %2 is %3")
            .arg(UnitsPicture::nameOf(m_picture->drawn()),
                 isSumHidden() ? hidden : formatNumber(m_picture->sum(word, unit), 3),
                 m_picture->isActiveHidden(word, unit)
                     ? hidden
                     : formatNumber(activated(m_picture->drawn(), m_picture->sum(word, unit)), 3)));
}

ops::Activation ActivationCurve::compared() const {
    if (m_picture->drawn() != ops::Activation::Relu) return ops::Activation::Relu;
    return m_picture->own() == ops::Activation::Relu ? ops::Activation::Gelu : m_picture->own();
}

QRectF ActivationCurve::plot() const {
    return {kSide, kTop, width() - 2 * kSide, height() - kTop - kBelow};
}

double ActivationCurve::xOf(double sum) const {
    return plot().left() + plot().width() * (sum - m_low) / (m_high - m_low);
}

double ActivationCurve::yOf(double value) const {
    return plot().bottom() - plot().height() * (value - kLowest) / (m_high - kLowest);
}

QPointF ActivationCurve::point() const {
    const double sum = m_picture->sum(m_word, m_unit);
    return {xOf(sum), yOf(activated(m_picture->drawn(), sum))};
}

QString ActivationCurve::arithmetic() const {
    const double sum = m_picture->sum(m_word, m_unit),
                 bias = unitWeights(m_picture->model(), m_picture->trace(), m_picture->layer(), m_unit).bias;
    const auto written = [&](double number) { return isSumHidden() ? HiddenArea::mark() : formatNumber(number, 3); };
    return QStringLiteral("%1 %2 %3 = %4")
        .arg(written(sum - bias), bias < 0 ? QStringLiteral("−") : QStringLiteral("+"), formatNumber(std::abs(bias), 3),
             written(sum));
}

bool ActivationCurve::isSumHidden() const {
    return m_picture->isSumHidden(m_word, m_unit);
}

void ActivationCurve::paintCurve(QPainter& p, ops::Activation kind) const {
    QPainterPath path;
    constexpr int kSteps = 160;
    for (int i = 0; i <= kSteps; ++i) {
        const double x = m_low + (m_high - m_low) * i / kSteps;
        const QPointF at(xOf(x), yOf(activated(kind, x)));
        i == 0 ? path.moveTo(at) : path.lineTo(at);
    }
    p.drawPath(path);
}

void ActivationCurve::paintEvent(QPaintEvent*) {
    if (!m_picture) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QString index = QStringLiteral("_{%1}").arg(m_unit + 1);
    const bool narrow = width() < 300;
    paint::math(p, {0, 11}, QStringLiteral("*w*%1 · *x* + b%1").arg(index), narrow ? 13 : 16, t.text);
    paint::centredText(p, {static_cast<double>(width()), 11}, arithmetic(), monoFont(narrow ? 11 : 12, QFont::Medium),
                       t.text, Anchor::End);
    const QRectF in = plot();
    p.fillRect(QRectF(in.left(), std::round(yOf(0)), in.width(), 1), t.line);
    p.fillRect(QRectF(std::round(xOf(0)), in.top(), 1, in.height()), t.line);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(t.text2, 1.5, Qt::DashLine));
    paintCurve(p, compared());
    p.setPen(QPen(t.text, 2));
    paintCurve(p, m_picture->drawn());
    paintRug(p, t);
    paintPoint(p, t);
    // The names stand in the corner that no curve comes to.
    paint::centredText(p, {in.left(), in.top() + 6}, UnitsPicture::nameOf(m_picture->drawn()),
                       uiFont(12, QFont::DemiBold), t.text);
    paint::centredText(p, {in.left(), in.top() + 22}, tr("dashed: %1").arg(UnitsPicture::nameOf(compared())),
                       uiFont(11, QFont::Medium), t.text2);
}

void ActivationCurve::paintRug(QPainter& p, const Theme& t) const {
    const double top = plot().bottom() + 2;
    for (int unit = 0; unit < m_picture->units(); ++unit) {
        if (m_picture->isSumHidden(m_word, unit)) continue;
        const double sum = m_picture->sum(m_word, unit);
        p.fillRect(QRectF(xOf(sum) - 0.5, top, 1, kRug), sum > 0 ? t.sequentialStops[5] : t.line2);
    }
    const int step = m_high - m_low > 12 ? 4 : 2;
    for (int value = static_cast<int>(std::ceil(m_low / step)) * step; value <= m_high; value += step)
        paint::centredText(p, {xOf(value), height() - 9.0}, formatNumber(value, 0), monoFont(11), t.text3,
                           Anchor::Middle);
}

void ActivationCurve::paintPoint(QPainter& p, const Theme& t) const {
    if (isSumHidden()) return;
    const QPointF at = point();
    if (m_picture->isActiveHidden(m_word, m_unit)) {
        // Where on the curve it is, it would tell.
        p.setPen(QPen(t.nowLine, 1.5));
        p.drawLine(QPointF(at.x(), plot().top()), QPointF(at.x(), plot().bottom() + 2 + kRug));
        return paint::centredText(p, {at.x() + 8, plot().top() + 8}, HiddenArea::mark(), monoFont(12, QFont::DemiBold),
                                  t.nowText);
    }
    p.setPen(QPen(t.nowLine, 1.5));
    p.drawLine(at + QPointF(0, 5), QPointF(at.x(), plot().bottom() + 2 + kRug));
    const double value = activated(m_picture->drawn(), m_picture->sum(m_word, m_unit));
    if (at.x() > xOf(0)) p.drawLine(at - QPointF(5, 0), QPointF(xOf(0), at.y()));
    p.setBrush(t.now);
    p.drawEllipse(at, 5, 5);
    const bool above = at.x() <= xOf(0) + 4;
    paint::centredText(p, above ? QPointF(at.x(), at.y() - 15) : QPointF(xOf(0) - 8, at.y()), formatNumber(value),
                       monoFont(12, QFont::DemiBold), t.nowText, above ? Anchor::Middle : Anchor::End);
}

}  // namespace headlight

#include "moc_activation_curve.cpp"
