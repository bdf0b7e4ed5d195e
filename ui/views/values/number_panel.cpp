// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/values/number_panel.h"

#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "ui/session/format/number_format.h"
#include "ui/session/open/selection.h"
#include "ui/session/trace/cell_arithmetic.h"
#include "ui/session/trace/left_out.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/views/values/value_veil.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/arithmetic_lines.h"
#include "ui/widgets/words/word_bars.h"

namespace headlight {

namespace {

constexpr int kMostWords = 8;

}  // namespace

NumberPanel::NumberPanel(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_words(new Caption({}, 13, QFont::Normal, Caption::Tone::Main)),
      m_formula(new Caption({}, 13, QFont::Normal, Caption::Tone::Secondary)),
      m_lines(new ArithmeticLines),
      m_rowTitle(new Caption(tr("Softmax over this row"), 13, QFont::DemiBold, Caption::Tone::Main)),
      m_row(new WordBars) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_words->setTextFormat(Qt::RichText);
    m_words->setWordWrap(true);
    m_formula->setTextFormat(Qt::RichText);
    m_formula->setWordWrap(true);
    m_lines->setAccessibleName(tr("The arithmetic of this number"));
    m_row->setFocusPolicy(Qt::NoFocus);
    column->addWidget(m_words);
    column->addWidget(m_formula);
    column->addWidget(m_lines);
    column->addSpacing(4);
    column->addWidget(m_rowTitle);
    column->addWidget(m_row);
    column->addStretch();
    connect(selection, &Selection::changed, this, &NumberPanel::refresh);
    refresh();
}

void NumberPanel::setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace) {
    m_model = std::move(model);
    m_trace = std::move(trace);
    refresh();
}

void NumberPanel::setVeil(const std::vector<NumberName>& veiled) {
    if (m_veiled == veiled) return;
    m_veiled = veiled;
    refresh();
}

void NumberPanel::setRevealed(int recordIndex, double phase, const std::optional<UnderWay>& underWay) {
    const auto cellOf = [](const std::optional<UnderWay>& of) { return of ? of->cell : ValueCell(); };
    const bool same = m_revealed == recordIndex && (m_phase < 1) == (phase < 1) &&
                      cellOf(m_underWay) == cellOf(underWay) && m_underWay.has_value() == underWay.has_value();
    m_revealed = recordIndex;
    m_phase = phase;
    m_underWay = underWay;
    if (!same) return refresh();
    if (m_underWay) m_lines->setSoFar(m_underWay->soFar);
}

void NumberPanel::refresh() {
    const TraceRecord* const value = m_trace ? m_trace->find(m_selection->value().toStdString()) : nullptr;
    const int index = value ? m_trace->indexOf(value->name) : -1;
    const bool isPointedAt = m_selection->shownNumber() != m_selection->number();  // by the pointer
    const bool isUnderWay = m_underWay && index == m_revealed && !isPointedAt;
    ValueCell cell = isUnderWay ? m_underWay->cell : m_selection->shownNumber();
    const bool known =
        value && (m_revealed < 0 || index < m_revealed || (index == m_revealed && (isUnderWay || m_phase >= 1)));
    const bool any = known && cell.valid() && cell.row < matrixRows(*value) && cell.column < matrixColumns(*value);
    for (QWidget* each : {static_cast<QWidget*>(m_formula), static_cast<QWidget*>(m_lines)})
        each->setVisible(any);
    m_rowTitle->setVisible(false);
    m_row->setVisible(false);
    if (!any) {
        m_lines->setArithmetic({});
        m_lines->setSoFar({});
        m_words->setText(known || !value       ? tr("Point at a number to see how it was computed.")
                         : index == m_revealed ? tr("This is being computed.")
                                               : tr("This is computed in a later step."));
        return;
    }
    cell.head = headOf(*value, cell.head);
    if (isVeiled(m_veiled, *value, cell)) {
        m_words->setText(tr("Hidden until you have predicted it."));
        for (QWidget* each : {static_cast<QWidget*>(m_formula), static_cast<QWidget*>(m_lines)})
            each->hide();
        m_lines->setArithmetic({});
        return m_lines->setSoFar({});
    }
    const QString row = rowNames(*m_model, *m_trace, *value).value(cell.row).toHtmlEscaped(),
                  column = columnNames(*m_model, *m_trace, *value).value(cell.column).toHtmlEscaped();
    const bool looks = value->part == Part::Scores || value->part == Part::Weights;
    const QString number =
        isUnderWay ? QStringLiteral("…") : formatPrecise(static_cast<double>(numberAt(*value, cell)));
    m_words->setText(
        (looks ? tr("This cell: <b>%1</b> looks at <b>%2</b>, %3") : tr("This number: <b>%1</b>, <b>%2</b>, %3"))
            .arg(row, column, number));
    const bool needsHidden = needsVeiled(m_veiled, *m_trace, *value, cell);
    const std::optional<CellArithmetic> written =
        needsHidden ? std::nullopt : cellArithmetic(*m_model, *m_trace, *value, cell);
    const QString why = whyLeftOut(*m_trace, *value);
    m_formula->setText(written         ? written->formula
                       : needsHidden   ? tr("Its sum holds a number that you are to predict first.")
                       : why.isEmpty() ? tr("Given, not computed.")
                                       : tr("It cannot be written out here. %1").arg(why));
    m_lines->setArithmetic(written);
    m_lines->setSoFar(isUnderWay ? std::optional(m_underWay->soFar) : std::nullopt);
    if (looks) showRow(*value, cell.head, cell.row, cell.column);
}

/// The largest weights of the row, and the one that is pointed at.
void NumberPanel::showRow(const TraceRecord& value, int head, int row, int column) {
    const TraceRecord* const weights = m_trace->find(value.owner(), Part::Weights);
    if (!weights) return;
    for (int key = 0; key < matrixColumns(*weights); ++key)
        if (isVeiled(m_veiled, *weights, {head, row, key})) return;
    if (m_revealed >= 0 && m_trace->indexOf(weights->name) > m_revealed) return;
    const QStringList names = columnNames(*m_model, *m_trace, *weights);
    std::vector<int> order(static_cast<size_t>(matrixColumns(*weights)));
    std::iota(order.begin(), order.end(), 0);
    const auto weight = [&](int i) { return numberAt(*weights, {head, row, i}); };
    std::ranges::stable_sort(
        order, [&](int a, int b) { return (a == column) != (b == column) ? a == column : weight(a) > weight(b); });
    order.resize(std::min<size_t>(order.size(), kMostWords));
    std::ranges::sort(order);
    std::vector<WordBars::Bar> bars;
    bars.reserve(order.size());
    for (const int i : order)
        bars.push_back({names.value(i), static_cast<double>(weight(i)), i == column, false});
    m_row->setBars(std::move(bars));
    m_row->setAccessibleName(m_rowTitle->text());
    m_rowTitle->setVisible(true);
    m_row->setVisible(true);
}

}  // namespace headlight

#include "moc_number_panel.cpp"
