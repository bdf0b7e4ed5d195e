// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QPainterPath>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/why/why_column_view.h"
#include "ui/views/why/why_layout.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

using namespace why_layout;

namespace {

/// 1, 2 or 5 times a power of ten: as many as stand `pixels` apart.
double roundStep(double perPixel, double pixels) {
    const double least = perPixel * pixels, power = std::pow(10, std::floor(std::log10(least)));
    for (const double times : {1.0, 2.0, 5.0})
        if (times * power >= least) return times * power;
    return 10 * power;
}

QString tick(double value, double step) {
    if (std::abs(value) < step / 2) return QStringLiteral("0");
    return formatSigned(value, std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9))));
}

}  // namespace

void WhyColumnView::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::box(p, QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), t.surface, m_opened >= 0 ? t.nowLine : t.line, 8);
    const double room = width() - 2 * kMargin;
    const QFont title = uiFont(14, QFont::DemiBold);
    paint::centredText(p, {kMargin, 24}, paint::elided(m_column.title, title, room), title, t.text);
    paint::centredText(p, {kMargin, 44}, paint::elided(m_column.note, uiFont(12), room), uiFont(12), t.text2);
    paintAxis(p, t);
    for (size_t line = 0; line < m_lines.size(); ++line)
        paintLine(p, t, line);
    paintSum(p, t);
}

void WhyColumnView::paintAxis(QPainter& p, const Theme& t) const {
    const double step = roundStep((m_high - m_low) / (xOf(m_high) - xOf(m_low)), 46);
    const double bottom = height() - kFoot + 48;
    for (double value = std::ceil(m_low / step - 1e-9) * step; value <= m_high + step * 1e-6; value += step) {
        const double x = std::round(xOf(value));
        const bool zero = std::abs(value) < step / 2;
        p.fillRect(QRectF(x, kHead - 6, 1, bottom - kHead + 6), zero ? t.line2 : t.line);
        paint::centredText(p, {x, bottom + 11}, tick(value, step), monoFont(11), t.text2, Anchor::Middle);
    }
}

void WhyColumnView::paintLine(QPainter& p, const Theme& t, size_t line) const {
    const Line& each = m_lines[line];
    const QRectF area = lineRect(line), bar = barRect(line);
    const bool isOpened = m_opened >= 0 && each.row == m_opened;
    const bool isHere = hasFocus() && m_cursor == static_cast<int>(line);
    if (isOpened)
        paint::box(p, area.adjusted(0, 1, 0, -1), t.nowTint, t.nowLine, 6, 1.5);
    else if (m_hovered == static_cast<int>(line) || isHere)
        paint::box(p, area.adjusted(0, 1, 0, -1), t.surface, isHere ? t.nowLine : t.line2, 6);
    const double amount = each.to - each.from, middle = area.top() + area.height() * 0.28;
    const WhyColumn::Row* const row = each.row < 0 ? nullptr : &m_column.rows[static_cast<size_t>(each.row)];
    const QFont font = uiFont(13, isOpened ? QFont::DemiBold : QFont::Normal);
    const double names = (row && row->hasProduct ? productLeft(width()) - 8 : width() - kMargin) - kMargin;
    // The sum so far is handed down from bar to bar.
    const double next = line + 1 < m_lines.size() ? barRect(line + 1).top() : sumRect().top();
    p.fillRect(QRectF(std::round(xOf(each.to)), bar.bottom(), 1, next - bar.bottom()), t.text3);
    p.fillRect(bar, t.divergingStops[amount >= 0 ? 7 : 1]);
    // Lines of the axis do not strike through names.
    const QString name = paint::elided(nameOf(each), font, names);
    const QRectF ground(kMargin - 2, middle - 8, paint::textWidth(name, font) + 4, 16);
    // Of a low line they stand on its upper edge, which goes on behind them.
    constexpr double kEdge = 3;
    p.fillRect(ground.intersected(area.adjusted(0, kEdge, 0, 0)), isOpened ? t.nowTint : t.surface);
    paint::centredText(p, {kMargin, middle}, name, font, isOpened ? t.nowText : row ? t.text : t.text2);
    if (row && row->hasProduct) paintProduct(p, t, *row, middle, line);
    const bool opens = row && row->part.opens;
    const double right = width() - kMargin - 14;
    paint::centredText(p, {right, bar.center().y()}, formatSigned(amount, 3),
                       monoFont(13, isOpened ? QFont::DemiBold : QFont::Normal), isOpened ? t.nowText : t.text,
                       Anchor::End);
    if (!opens) return;
    QPainterPath head({width() - kMargin - 6, bar.center().y() - 4});
    head.lineTo(width() - kMargin - 2, bar.center().y());
    head.lineTo(width() - kMargin - 6, bar.center().y() + 4);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(isOpened ? t.nowText : t.text3, 1.5));
    p.drawPath(head);
}

/// The two numbers whose product the bar is, each by the strength of its own scale, which the foot prints.
void WhyColumnView::paintProduct(QPainter& p, const Theme& t, const WhyColumn::Row& row, double middle,
                                 size_t line) const {
    const WhyPart& part = row.part;
    const double wide = boxWidth(width()), left = productLeft(width());
    const bool isWeight = part.kind == WhyPart::Kind::Source;
    const QColor fills[] = {isWeight ? t.sequential(part.factor) : t.diverging(part.factor, m_factor),
                            t.diverging(part.along, m_along)};
    const QString numbers[] = {isWeight ? formatNumber(part.factor, 3) : formatSigned(part.factor, 3),
                               formatSigned(part.along, 3)};
    for (int i = 0; i < 2; ++i) {
        const QRectF box(left + i * (wide + 18), middle - kBox / 2, wide, kBox);
        paint::box(p, box, fills[i], {}, 3);
        paint::centredText(p, box.center(), numbers[i], monoFont(11), Theme::onColor(fills[i]), Anchor::Middle);
    }
    paint::centredText(p, {left + wide + 9, middle}, QStringLiteral("×"), uiFont(12), t.text3, Anchor::Middle);
    if (m_isScore && m_opened == m_lines[line].row) paint::outline(p, weightRect(line), t.nowLine, 2, 3);
}

void WhyColumnView::paintSum(QPainter& p, const Theme& t) const {
    const double top = height() - kFoot;
    p.fillRect(QRectF(kMargin, std::round(top) + 4, width() - 2 * kMargin, 1), t.line2);
    const QRectF bar = sumRect();
    const QFont bold = uiFont(13, QFont::DemiBold);
    const QString name = paint::elided(m_column.sumName, bold, width() - 2 * kMargin);
    p.fillRect(QRectF(kMargin - 2, top + 10, paint::textWidth(name, bold) + 4, 16), t.surface);
    paint::centredText(p, {kMargin, top + 18}, name, bold, t.text);
    p.fillRect(bar, t.text2);
    paint::centredText(p, {width() - kMargin - 14, bar.center().y()},
                       QStringLiteral("= ") + formatSigned(m_column.sum, 3), monoFont(13, QFont::DemiBold), t.text,
                       Anchor::End);
    if (!m_column.rows.empty() && m_column.rows.front().hasProduct) {
        const bool areWeights = m_column.rows.front().part.kind == WhyPart::Kind::Source;
        const QString scales = tr("colours: %1, times %2")
                                   .arg(areWeights ? tr("0 to 1") : QStringLiteral("±") + formatNumber(m_factor, 3),
                                        QStringLiteral("±") + formatNumber(m_along, 3));
        paint::centredText(p, {kMargin, top + 76}, scales, uiFont(11), t.text3);
    }
    // Whether the bars end where the sum does is looked at, not taken for granted.
    const double told = m_lines.empty() ? 0 : m_lines.back().to;
    const bool closes = std::abs(told - m_column.sum) < 5e-4;
    const double y = height() - 20;
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(closes ? t.good : t.bad, 1.8));
    if (closes) {
        QPainterPath check({kMargin, y});
        check.lineTo(kMargin + 4, y + 4);
        check.lineTo(kMargin + 11, y - 5);
        p.drawPath(check);
    }
    const QString text = closes ? m_column.closes : tr("the bars end at %1").arg(formatSigned(told, 3));
    paint::centredText(p, {kMargin + 20, y}, paint::elided(text, uiFont(12), width() - 2 * kMargin - 20), uiFont(12),
                       closes ? t.text2 : t.bad);
}

}  // namespace headlight
