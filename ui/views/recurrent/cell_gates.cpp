// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/recurrent/cell_gates.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/math_text.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kHead = 26, kGatesRow = 24, kCurves = 88;
constexpr double kGatesRoomy = 320;  ///< so wide the table has everything
constexpr double kFarthest = 12;     ///< of a sum, on the curves
/// Right edges of the table's columns, as shares of its width: W x, U h, b, sum, the function, the gate.
constexpr std::array kEdges{0.24, 0.445, 0.595, 0.77, 0.855, 1.0};

double squash(double x, bool isTanh) {
    return isTanh ? std::tanh(x) : 1 / (1 + std::exp(-x));
}

}  // namespace

CellGates::CellGates(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("How each gate comes about"));
}

void CellGates::setPicture(const CellPicture* picture) {
    m_picture = picture;
    QStringList told;
    for (size_t row = 0; picture && row < picture->sums().size(); ++row)
        told << paint::mathAsText(CellPicture::gateSymbol(picture->sums()[row], picture->cell())) +
                    QStringLiteral(": ") + rowTexts(row).join(QStringLiteral(", "));
    setAccessibleDescription(told.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

void CellGates::setCurvesShown(bool shown) {
    if (shown == m_hasCurves) return;
    m_hasCurves = shown;
    updateGeometry();
}

QSize CellGates::sizeHint() const {
    return {352, static_cast<int>(tableHeight() + (m_hasCurves ? kCurves : 0))};
}

double CellGates::tableHeight() const {
    return kHead + kGatesRow * static_cast<double>(m_picture ? m_picture->sums().size() : 4) + 4;
}

/// Of a GRU's candidate the middle is r·(U h + b), which is what enters the sum.
QStringList CellGates::rowTexts(size_t row) const {
    const GateSum& sum = m_picture->sums()[row];
    return {formatNumber(sum.word, 2), formatSigned(sum.reset * (sum.past + sum.pastBias), 2),
            formatSigned(sum.bias, 2), formatNumber(sum.sum, 2), formatNumber(sum.value, 3)};
}

void CellGates::paintEvent(QPaintEvent*) {
    if (!m_picture) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintTable(p, t);
    if (!m_hasCurves) return;
    const double top = tableHeight() + 8, each = (width() - 24) / 2.0;
    if (m_picture->cell() != Cell::Rnn) paintCurve(p, t, {0, top, each, 54}, false);
    paintCurve(p, t, {m_picture->cell() == Cell::Rnn ? 0 : each + 24, top, each, 54}, true);
}

void CellGates::paintTable(QPainter& p, const Theme& t) const {
    const double w = width();
    const char* const heads[] = {"W x_{t}", "U h_{t−1}", "b"};
    for (size_t i = 0; i < 3; ++i)
        paint::math(p, {w * kEdges[i], 10}, QString::fromUtf8(heads[i]), w < kGatesRoomy ? 12 : 15, t.text3,
                    Anchor::End);
    paint::centredText(p, {w * kEdges[3], 10}, tr("sum"), uiFont(12), t.text3, Anchor::End);
    paint::centredText(p, {w * kEdges[5], 10}, m_picture->cell() == Cell::Rnn ? tr("state") : tr("gate"), uiFont(12),
                       t.text3, Anchor::End);
    p.fillRect(QRectF(0, 20, w, 1), t.line);
    for (size_t row = 0; row < m_picture->sums().size(); ++row) {
        const GateSum& sum = m_picture->sums()[row];
        const double y = kHead + kGatesRow * (static_cast<double>(row) + 0.5);
        QString symbol = CellPicture::gateSymbol(sum, m_picture->cell());
        paint::math(p, {0, y}, symbol, 17, t.text);
        const QStringList texts = rowTexts(row);
        const double past = sum.reset * (sum.past + sum.pastBias);
        const double most = std::max({std::abs(sum.word), std::abs(past), std::abs(sum.bias)});
        const std::array parts{sum.word, past, sum.bias};
        for (size_t i = 0; i < 3; ++i) {
            const bool strong = std::abs(parts[i]) == most;
            paint::centredText(p, {w * kEdges[i], y}, texts[static_cast<qsizetype>(i)],
                               monoFont(12, strong ? QFont::DemiBold : QFont::Normal), strong ? t.text : t.text2,
                               Anchor::End);
        }
        paint::centredText(p, {w * kEdges[3], y}, texts[3], monoFont(12, QFont::DemiBold), t.text, Anchor::End);
        // Where there is no room for it the curves below say the same.
        if (w >= kGatesRoomy)
            paint::centredText(p, {w * kEdges[4], y}, sum.isTanh ? QStringLiteral("tanh") : QStringLiteral("σ"),
                               uiFont(11, QFont::Medium), t.text3, Anchor::End);
        paint::centredText(p, {w * kEdges[5], y}, texts[4], monoFont(12, QFont::DemiBold), t.text, Anchor::End);
    }
}

void CellGates::paintCurve(QPainter& p, const Theme& t, const QRectF& box, bool isTanh) const {
    const double low = isTanh ? -1 : 0;
    const auto at = [&](double x) {
        const double bounded = std::clamp(x, -kFarthest, kFarthest);
        return QPointF(box.left() + box.width() * (bounded + kFarthest) / (2 * kFarthest),
                       box.bottom() - (squash(bounded, isTanh) - low) / (1 - low) * box.height());
    };
    const double zero = box.bottom() - (0 - low) / (1 - low) * box.height();
    p.fillRect(QRectF(box.left(), std::round(zero), box.width(), 1), t.line);
    p.fillRect(QRectF(std::round(box.center().x()), box.top(), 1, box.height()), t.line);
    QPainterPath path;
    constexpr int points = 96;
    for (int i = 0; i <= points; ++i) {
        const QPointF point = at(-kFarthest + 2 * kFarthest * i / points);
        i == 0 ? path.moveTo(point) : path.lineTo(point);
    }
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(t.text2, 1.5));
    p.drawPath(path);
    const QFont small = monoFont(11);
    const double below = box.bottom() + 13;
    paint::centredText(p, {box.left(), below}, formatNumber(-kFarthest, 0), small, t.text3);
    paint::centredText(p, {box.center().x(), below}, QStringLiteral("0"), small, t.text3, Anchor::Middle);
    paint::centredText(p, {box.right(), below}, formatNumber(kFarthest, 0), small, t.text3, Anchor::End);
    paint::centredText(p, {box.left(), box.top() + 5}, isTanh ? QStringLiteral("tanh") : QStringLiteral("σ"),
                       uiFont(12, QFont::DemiBold), t.text2);
    std::vector<double> used;  ///< where a letter stands already
    for (const GateSum& sum : m_picture->sums()) {
        if (sum.isTanh != isTanh) continue;
        const QPointF point = at(sum.sum);
        p.setPen(QPen(t.nowLine, 1.5));
        p.setBrush(t.now);
        p.drawEllipse(point, 4, 4);
        double x = point.x();
        const double aside = x > box.center().x() ? -12 : 12;  // one way, or two letters send it to and fro
        while (std::ranges::any_of(used, [&](double other) { return std::abs(other - x) < std::abs(aside); }))
            x += aside;
        used.push_back(x);
        const QString symbol = CellPicture::gateSymbol(sum, m_picture->cell()).left(1);
        const bool above = point.y() > box.center().y();
        paint::math(p, {x, point.y() + (above ? -13 : 13)}, symbol, 15, t.text, Anchor::Middle);
    }
}

namespace {

constexpr double kFormula = 24, kNumbers = 26;

}  // namespace

CellEquations::CellEquations(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("The unit’s equations with their numbers"));
}

void CellEquations::setPicture(const CellPicture* picture) {
    m_equations = picture ? picture->equations() : std::vector<CellPicture::Equation>();
    QStringList told;
    for (const CellPicture::Equation& each : m_equations)
        told << QStringLiteral("%1: %2 = %3")
                    .arg(paint::mathAsText(each.formula), each.numbers, formatNumber(each.result, 3));
    setAccessibleDescription(told.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QSize CellEquations::sizeHint() const {
    return {352,
            static_cast<int>((kFormula + kNumbers) * static_cast<double>(std::max<size_t>(1, m_equations.size())))};
}

void CellEquations::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    double y = kFormula / 2;
    for (const CellPicture::Equation& each : m_equations) {
        int size = 18;
        while (size > 12 && paint::mathWidth(each.formula, size) > width())
            --size;
        paint::math(p, {0, y}, each.formula, size, t.text);
        const QString result = formatNumber(each.result, 3);
        const QFont bold = monoFont(13, QFont::DemiBold);
        const double room = width() - paint::textWidth(result, bold) - 12;
        const QFont font = monoFont(paint::textWidth(each.numbers, monoFont(12)) <= room ? 12 : 11);
        paint::centredText(p, {0, y + kFormula}, paint::elided(each.numbers, font, room), font, t.text2);
        paint::centredText(p, {static_cast<double>(width()), y + kFormula}, result, bold, t.nowText, Anchor::End);
        y += kFormula + kNumbers;
    }
}

}  // namespace headlight

#include "moc_cell_gates.cpp"
