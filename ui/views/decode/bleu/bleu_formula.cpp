// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/bleu/bleu_formula.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kFormula = 22, kMean = 78, kPenalty = 124, kFormulaScore = 168, kNames = 190;

QFont italic(int px) {
    QFont font = uiFont(px);
    font.setItalic(true);
    return font;
}

/// Draws and moves on.
void write(QPainter& p, double& x, double y, const QString& text, const QFont& font, const QColor& color) {
    paint::centredText(p, {x, y}, text, font, color);
    x += paint::textWidth(text, font);
}

void bracket(QPainter& p, double x, double middle, double half, bool opens, const QColor& color) {
    const double bend = opens ? -5 : 5;
    QPainterPath path(QPointF(x, middle - half));
    path.quadTo({x + bend, middle}, {x, middle + half});
    p.setPen(QPen(color, 1.3));
    p.setBrush(Qt::NoBrush);
    p.drawPath(path);
}

}  // namespace

BleuFormula::BleuFormula(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("BLEU of this sentence, worked out"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void BleuFormula::setBleu(const Bleu& bleu, int longest) {
    m_bleu = bleu;
    m_longest = longest;
    setAccessibleDescription(
        tr("Geometric mean %1, brevity penalty %2, BLEU %3")
            .arg(formatNumber(geometricMean(), 3), formatNumber(bleu.brevityPenalty, 3), formatNumber(bleu.score, 1)));
    update();
}

double BleuFormula::geometricMean() const {
    double product = 1;
    for (int n = 0; n < m_longest; ++n)
        product *= m_bleu.precisions[static_cast<size_t>(n)] / 100;
    return m_bleu.matches[0] > 0 ? std::pow(product, 1.0 / m_longest) : 0;
}

void BleuFormula::paintFormula(QPainter& p) const {
    const Theme& t = Theme::of(this);
    double x = 0;
    write(p, x, kFormula, QStringLiteral("BLEU = BP · "), uiFont(16), t.text);
    bracket(p, x + 5, kFormula, 13, true, t.text);
    x += 8;
    for (int n = 1; n <= m_longest; ++n) {
        write(p, x, kFormula, QStringLiteral("p"), italic(17), t.text);
        write(p, x, kFormula + 6, QString::number(n), uiFont(11), t.text);
        x += 2;
    }
    bracket(p, x + 2, kFormula, 13, false, t.text);
    x += 9;
    if (m_longest > 1) write(p, x, kFormula - 9, QStringLiteral("1/%1").arg(m_longest), uiFont(11), t.text);
}

/// What is found of what there is, as the smoothed precisions count it; → where they end.
double BleuFormula::paintFractions(QPainter& p, double y) const {
    const Theme& t = Theme::of(this);
    bracket(p, 5, y, 19, true, t.text);
    double x = 11;
    double share = 1;
    for (int n = 0; n < m_longest; ++n) {
        const auto order = static_cast<size_t>(n);
        const bool none = m_bleu.matches[order] == 0 && m_bleu.totals[order] > 0 && m_bleu.matches[0] > 0;
        if (none) share /= 2;
        const QString above = !none         ? QString::number(m_bleu.matches[order])
                              : share > 0.3 ? QStringLiteral("½")
                              : share > 0.2 ? QStringLiteral("¼")
                                            : QStringLiteral("⅛");
        const QString below = QString::number(m_bleu.totals[order]);
        const QFont digits = uiFont(14);
        const double wide = std::max(paint::textWidth(above, digits), paint::textWidth(below, digits)) + 4;
        paint::centredText(p, {x + wide / 2, y - 10}, above, digits, t.text, Anchor::Middle);
        p.fillRect(QRectF(x, std::round(y), wide, 1), t.text);
        paint::centredText(p, {x + wide / 2, y + 11}, below, digits, t.text, Anchor::Middle);
        x += wide + 5;
        if (n + 1 == m_longest) break;
        write(p, x, y, QStringLiteral("·"), uiFont(14), t.text);
        x += 5;
    }
    bracket(p, x, y, 19, false, t.text);
    x += 7;
    if (m_longest > 1) write(p, x, y - 15, QStringLiteral("1/%1").arg(m_longest), uiFont(11), t.text);
    return x;
}

void BleuFormula::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintFormula(p);
    const double right = width();
    p.fillRect(QRectF(0, 46, right, 1), t.line);
    const double end = paintFractions(p, kMean);
    const auto row = [&](double y, const QString& name, const QString& value) {
        if (end + 14 + paint::textWidth(name, uiFont(12)) < right - 56)
            paint::centredText(p, {std::max(end + 14, std::min(kNames, right - 180)), y}, name, uiFont(12), t.text2);
        paint::centredText(p, {right, y}, value, monoFont(13, QFont::Medium), t.text, Anchor::End);
    };
    row(kMean, m_longest > 1 ? tr("geometric mean") : tr("precision"), formatNumber(geometricMean(), 3));
    double x = 0;
    if (m_bleu.hypothesisLength >= m_bleu.referenceLength) {
        write(p, x, kPenalty, tr("%1 ≥ %2").arg(m_bleu.hypothesisLength).arg(m_bleu.referenceLength), uiFont(14),
              t.text);
    } else {
        write(p, x, kPenalty, QStringLiteral("e"), italic(16), t.text);
        write(p, x, kPenalty - 7, QStringLiteral("1 − %1/%2").arg(m_bleu.referenceLength).arg(m_bleu.hypothesisLength),
              uiFont(11), t.text);
    }
    row(kPenalty, tr("brevity penalty BP"), formatNumber(m_bleu.brevityPenalty, 3));
    p.fillRect(QRectF(0, 146, right, 1), t.line);
    paint::centredText(p, {0, kFormulaScore}, tr("100 · BP · mean"), uiFont(13, QFont::DemiBold), t.text);
    const QString score = formatNumber(m_bleu.score, 1);
    const QFont large = monoFont(18, QFont::Bold);
    const double wide = paint::textWidth(score, large) + 28;
    paint::box(p, {right - wide, kFormulaScore - 16, wide, 32}, t.nowTint, t.nowLine, 6, 2);
    paint::centredText(p, {right - wide / 2, kFormulaScore}, score, large, t.nowText, Anchor::Middle);
}

}  // namespace headlight

#include "moc_bleu_formula.cpp"
