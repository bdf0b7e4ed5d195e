// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/cost/cost_bars.h"

#include <QPainter>
#include <algorithm>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kRow = 24, kBar = 12, kLeastBar = 12, kBarsBetween = 8;

QFont nameFont() {
    return uiFont(12, QFont::Medium);
}
QFont formulaFont() {
    return monoFont(11);
}
QFont numberFont() {
    return monoFont(13, QFont::DemiBold);
}

}  // namespace

CostBars::CostBars(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void CostBars::setRows(std::vector<Row> rows, const QString& note) {
    m_rows = std::move(rows);
    m_note = note;
    QStringList told;
    for (const Row& row : m_rows)
        told << QStringLiteral("%1: %2 = %3").arg(row.name, row.formula, row.text);
    setAccessibleDescription(told.join(QStringLiteral(", ")));
    update();
}

CostBars::Columns CostBars::columns() const {
    Columns result;
    for (const Row& row : m_rows) {
        result.names = std::max(result.names, paint::textWidth(row.name, nameFont()));
        const double said = paint::textWidth(row.formula, formulaFont()) + paint::textWidth(row.text, numberFont());
        result.said = std::max(result.said, said);
        result.numbers = std::max(result.numbers, paint::textWidth(row.text, numberFont()));
    }
    return result;
}

void CostBars::align(const std::vector<CostBars*>& all) {
    Columns widest;
    for (const CostBars* each : all) {
        const Columns own = each->columns();
        widest.names = std::max(widest.names, own.names);
        widest.said = std::max(widest.said, own.said);
        widest.numbers = std::max(widest.numbers, own.numbers);
    }
    for (CostBars* each : all) {
        each->m_columns = widest;
        each->update();
    }
}

void CostBars::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const double left = m_columns.names + 2 * kBarsBetween;
    // Where there is no room for all of them, a row has no formula, and then no bar.
    const bool hasBar = left + kLeastBar + kBarsBetween + m_columns.numbers <= width();
    const bool hasFormula = left + kLeastBar + 1.5 * kBarsBetween + m_columns.said <= width();
    const double right = width() - (hasFormula ? m_columns.said + 3 * kBarsBetween : m_columns.numbers + kBarsBetween);
    const QRectF bars(left, 0, std::max(kLeastBar, right - left), kBar);
    double y = kRow / 2;
    for (const Row& row : m_rows) {
        const QRectF bar = bars.translated(0, y - kBar / 2);
        const auto upTo = [&](double value) {
            return QRectF(bar.left(), bar.top(), std::max(2.0, bar.width() * std::min(1.0, value / row.most)), kBar);
        };
        paint::centredText(p, {0, y}, row.name, nameFont(), t.text2);
        if (hasBar) {
            paint::box(p, bar, t.sunken, {}, 2);
            paint::box(p, upTo(row.value), t.sequential(0.6), {}, 2);
        }
        if (hasBar && row.more > row.value) {
            p.setPen(QPen(t.sequential(0.75), 1, Qt::DashLine));
            p.setBrush(Qt::NoBrush);
            p.drawRect(upTo(row.more).adjusted(0.5, 0.5, -0.5, -0.5));
        }
        if (hasFormula) paint::centredText(p, {bar.right() + kBarsBetween, y}, row.formula, formulaFont(), t.text2);
        paint::centredText(p, {static_cast<double>(width()), y}, row.text, numberFont(), t.text, Anchor::End);
        y += kRow;
    }
    if (!hasBar) return;  // what it says is about them
    const double wide = paint::textWidth(m_note, uiFont(11));
    paint::centredText(p, {std::max(0.0, std::min(left, width() - wide)), y - kRow / 2 + 10}, m_note, uiFont(11),
                       t.text3);
}

}  // namespace headlight

#include "moc_cost_bars.cpp"
