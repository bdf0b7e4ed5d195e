// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/residual/number_steps.h"

#include <QPainter>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/math_text.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kFormula = 62, kLine = 20, kLetters = 86, kRootAt = 9, kHook = 12;
constexpr int kPx = 19, kLettersPx = 15, kRootPx = 14;
const QString kOverRoot = QStringLiteral("/ √(");

/// What stands below the root by which a step divides; empty: it divides by none.
QString rooted(const StreamStep& step) {
    return step.formula.startsWith(kOverRoot) ? step.formula.mid(kOverRoot.size()).chopped(1) : QString();
}

double lettersWidth(const StreamStep& step) {
    const QString root = rooted(step);
    return root.isEmpty() ? paint::mathWidth(step.formula, kLettersPx)
                          : kRootAt + kHook + paint::mathWidth(root, kRootPx);
}

/// A root of what stands below it.
void paintRoot(QPainter& p, QPointF left, const QString& inside, int px, const QColor& ink) {
    const double wide = paint::mathWidth(inside, px), tall = px;
    p.setPen(QPen(ink, 1.2));
    p.drawLine(left + QPointF(0, 2), left + QPointF(3, tall / 2 - 1));
    p.drawLine(left + QPointF(3, tall / 2 - 1), left + QPointF(8, -tall / 2 - 1));
    p.drawLine(left + QPointF(8, -tall / 2 - 1), left + QPointF(kHook + wide, -tall / 2 - 1));
    paint::math(p, left + QPointF(10, 0), inside, px, ink);
}

}  // namespace

NumberSteps::NumberSteps(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("How the number comes about"));
}

void NumberSteps::setShown(Shown shown) {
    m_shown = std::move(shown);
    QStringList told;
    for (size_t i = 0; i < m_shown.steps.size(); ++i)
        told << QStringLiteral("%1: %2").arg(m_shown.steps[i].words, writtenAt(i));
    setAccessibleDescription(told.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QString NumberSteps::writtenAt(size_t step) const {
    const StreamStep& of = m_shown.steps[step];
    if (of.hidden) return HiddenArea::mark();
    return of.adds ? formatSigned(of.value, 3) : formatNumber(of.value, 3);
}

/// y = γ (r − μ) / √(σ² + ε) + β, of one number.
void NumberSteps::paintFormula(QPainter& p, const Theme& t) const {
    const QString index = QStringLiteral("_{%1}").arg(m_shown.unit + 1);
    const double middle = kFormula / 2 - 4;
    double x = 0;
    const auto write = [&](const QString& formula) {
        paint::math(p, {x, middle}, formula, kPx, t.text);
        x += paint::mathWidth(formula, kPx);
    };
    write(QStringLiteral("y%1 = γ%1 ").arg(index));
    const QString over = m_shown.isRms ? m_shown.letter + index : m_shown.letter + index + QStringLiteral(" − μ");
    const QString inside =
        m_shown.isRms ? QStringLiteral("mean(%1^{2}) + ε").arg(m_shown.letter) : QStringLiteral("σ^{2} + ε");
    const double above = paint::mathWidth(over, kPx), below = paint::mathWidth(inside, kPx) + 12,
                 wide = std::max(above, below) + 6;
    paint::math(p, {x + wide / 2, middle - 16}, over, kPx, t.text, Anchor::Middle);
    p.fillRect(QRectF(x, middle - 0.5, wide, 1.2), t.text);
    paintRoot(p, {x + (wide - below) / 2, middle + 17}, inside, kPx, t.text);
    x += wide + 5;
    if (!m_shown.isRms) write(QStringLiteral("+ β") + index);
}

void NumberSteps::paintEvent(QPaintEvent*) {
    if (m_shown.steps.empty()) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintFormula(p, t);
    const QFont words = uiFont(12);
    double letters = std::min(kLetters, width() * 0.27);
    for (const StreamStep& step : m_shown.steps)
        letters = std::max(letters, lettersWidth(step) + 8);
    for (size_t i = 0; i < m_shown.steps.size(); ++i) {
        const StreamStep& step = m_shown.steps[i];
        const double y = kFormula + kLine * (static_cast<double>(i) + 0.5);
        const QString root = rooted(step);
        paint::math(p, {0, y}, root.isEmpty() ? step.formula : QStringLiteral("/"), kLettersPx, t.text);
        if (!root.isEmpty()) paintRoot(p, {kRootAt, y}, root, kRootPx, t.text);
        const bool summed = i > 0 && m_shown.steps[i - 1].adds;
        const QFont number = monoFont(12, step.result || summed ? QFont::DemiBold : QFont::Normal);
        const QString value = writtenAt(i);
        const double room = width() - letters - paint::textWidth(value, number) - 8;
        const bool isBrief = !step.brief.isEmpty() && paint::textWidth(step.words, words) > room;
        const QString& told = isBrief ? step.brief : step.words;
        const QFont fit = paint::fitting(told, words, room);
        paint::centredText(p, {letters, y}, paint::elided(told, fit, room), fit, t.text2);
        paint::centredText(p, {static_cast<double>(width()), y}, value, number, step.result ? t.nowText : t.text,
                           Anchor::End);
        if (step.adds) p.fillRect(QRectF(width() - 64, std::round(y + kLine / 2), 64, 1), t.line2);
    }
}

}  // namespace headlight

#include "moc_number_steps.cpp"
