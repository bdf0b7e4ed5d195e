// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/values/value_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/session/format/matrix_text.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/selection.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/views/values/value_veil.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/fitting_caption.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/veiled_cells.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/plain_chart.h"

namespace headlight {

ColorScale scaleOf(const TraceRecord& value) {
    if (value.operation == Operation::Input)
        return {ColorScale::Kind::Diverging, std::numeric_limits<double>::infinity()};
    const bool share = value.operation == Operation::Softmax || value.operation == Operation::Gate;
    return share ? ColorScale::weights() : ColorScale::scores(value.values);
}

namespace {

constexpr int kBins = 24;

/// The outline of a histogram's bars as one line.
PlainChart::Line outlineOf(const Histogram& histogram) {
    PlainChart::Line line;
    const auto bins = static_cast<double>(histogram.counts.size());
    const double width = (histogram.high - histogram.low) / bins;
    line.emplace_back(histogram.low, 0);
    for (size_t i = 0; i < histogram.counts.size(); ++i) {
        const double left = histogram.low + static_cast<double>(i) * width;
        line.emplace_back(left, histogram.counts[i]);
        line.emplace_back(left + width, histogram.counts[i]);
    }
    line.emplace_back(histogram.high, 0);
    return line;
}

}  // namespace

ValuePanel::ValuePanel(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_title(new Caption({}, 18, QFont::DemiBold, Caption::Tone::Main)),
      m_shape(new Caption({}, 12, QFont::Normal, Caption::Tone::Faint)),
      m_where(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_formula(new Caption({}, 15, QFont::Normal, Caption::Tone::Main)),
      m_pages(new QStackedWidget),
      m_matrix(new MatrixView),
      m_histogram(new PlainChart),
      m_kind(new SegmentedControl({tr("Numbers"), tr("Histogram")})),
      m_range(new FittingCaption(11, QFont::Normal, Caption::Tone::Faint)),
      m_copy(new Button(Button::Kind::Ghost, tr("Copy"))) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    m_shape->setFont(monoFont(12));
    head->addWidget(m_title);
    head->addWidget(m_shape);
    head->addStretch();
    column->addLayout(head);
    column->addWidget(m_where);
    m_formula->setTextFormat(Qt::RichText);
    column->addWidget(m_formula);
    m_pages->addWidget(m_matrix);
    m_pages->addWidget(m_histogram);
    m_histogram->setAccessibleName(tr("Histogram"));
    column->addWidget(m_pages, 1);
    auto* tools = new QHBoxLayout;
    m_kind->setAccessibleName(tr("Numbers or histogram"));
    m_copy->setHeight(28);
    m_copy->setToolTip(tr("Copy the matrix as a table or as a line of Python"));
    tools->addWidget(m_kind);
    tools->addWidget(m_range, 1);
    tools->addWidget(m_copy);
    column->addLayout(tools);

    auto* menu = new QMenu(this);
    menu->addAction(tr("As a table (TSV)"), this, &ValuePanel::copyTsv);
    menu->addAction(tr("For NumPy"), this, &ValuePanel::copyNumPy);
    connect(m_copy, &Button::clicked, this,
            [this, menu] { menu->popup(m_copy->mapToGlobal(QPoint(0, m_copy->height() + 2))); });
    connect(m_kind, &SegmentedControl::currentChanged, this, [this](int page) {
        showHistogram(page == 1);
        emit kindChosen();
    });
    connect(m_matrix, &MatrixView::cellHovered, this, [this](int row, int cell) {
        m_selection->setHoveredNumber({m_selection->head(), row, cell});
    });
    connect(m_matrix, &MatrixView::cellClicked, this, [this](int row, int cell) {
        m_selection->setNumber({m_selection->head(), row, cell});
    });
    connect(m_matrix, &MatrixView::unlocked, this, [this] { m_selection->setNumber({}); });
    connect(selection, &Selection::valueChanged, this, &ValuePanel::refresh);
    connect(selection, &Selection::changed, this, &ValuePanel::showNumber);
}

void ValuePanel::setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace) {
    m_model = std::move(model);
    m_trace = std::move(trace);
    refresh();
    showNumber();
}

void ValuePanel::setVeil(const std::vector<NumberName>& veiled) {
    if (m_veiled == veiled) return;
    m_veiled = veiled;
    refresh();
}

void ValuePanel::setRevealed(int recordIndex, const std::optional<MatrixProgress>& progress) {
    const bool same = m_revealed == recordIndex && m_progress.has_value() == progress.has_value();
    m_revealed = recordIndex;
    m_progress = progress;
    if (!same) return refresh();
    const TraceRecord* const value = record();
    if (value && m_trace->indexOf(value->name) == m_revealed) m_matrix->setProgress(m_progress);
}

const TraceRecord* ValuePanel::record() const {
    return m_trace ? m_trace->find(m_selection->value().toStdString()) : nullptr;
}

int ValuePanel::head() const {
    return headOf(*record(), m_selection->head());
}

QString ValuePanel::title() const {
    return m_title->text();
}

bool ValuePanel::showsHistogram() const {
    return m_kind->currentIndex() == 1;
}

void ValuePanel::showHistogram(bool shown) {
    const QSignalBlocker quiet(m_kind);
    m_kind->setCurrentIndex(shown ? 1 : 0);
    m_pages->setCurrentIndex(shown ? 1 : 0);
    refresh();
}

/// Panels that nobody sees follow when they are shown.
void ValuePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!m_stale) return;
    refresh();
    showNumber();
}

void ValuePanel::refresh() {
    m_stale = !isVisible();
    if (m_stale) return;
    const TraceRecord* const value = record();
    const bool isHidden = value && hasVeil(m_veiled, value->name);
    m_copy->setEnabled(value && !isHidden);
    if (!value) return;
    m_title->setText(valueTitle(*value));
    m_shape->setText(shapeText(*value));
    const QString scope = scopeTitle(*value);
    m_where->setText(matrixHeads(*value) > 1 ? tr("%1, head %2").arg(scope).arg(head() + 1) : scope);
    m_formula->setText(formulaText(*value));

    const std::span<const float> numbers = matrixValues(*value, head());
    MatrixData shown;
    shown.rows = matrixRows(*value);
    shown.columns = matrixColumns(*value);
    shown.values.assign(numbers.begin(), numbers.end());
    shown.rowLabels = rowNames(*m_model, *m_trace, *value);
    shown.columnLabels = columnNames(*m_model, *m_trace, *value);
    shown.scale = shownScale(m_veiled, *value);
    shown.masked = maskedCells(*m_trace, *value);
    // What may not be looked at is no part of what there is.
    if (isHidden)
        takeOut(shown, [&](int row, int column) { return isVeiled(m_veiled, *value, {head(), row, column}); });
    std::vector<float> open;
    for (size_t i = 0; i < numbers.size(); ++i)
        if ((shown.masked.empty() || !shown.masked[i]) && (shown.leftOut.empty() || !shown.leftOut[i]))
            open.push_back(numbers[i]);
    m_matrix->setData(std::move(shown));
    m_matrix->setAccessibleName(m_title->text());
    const int index = m_trace->indexOf(value->name);
    const bool isUnderWay = m_progress && index == m_revealed;
    const bool known = m_revealed < 0 || (index <= m_revealed && !isUnderWay);
    m_matrix->setProgress(isUnderWay ? m_progress : std::nullopt);
    m_matrix->setReveal(known || isUnderWay ? MatrixView::Reveal::Full : MatrixView::Reveal::Outline);

    const Histogram histogram = histogramOf(open, kBins);
    QStringList range;
    for (const int decimals : {3, 2, 1})  // fewer digits, rather than one that is cut
        range << tr("%1 … %2").arg(formatNumber(histogram.low, decimals), formatNumber(histogram.high, decimals));
    m_range->setTexts(known ? range : QStringList{isUnderWay ? tr("being computed") : tr("not computed yet")});
    if (m_pages->currentWidget() != m_histogram) return;
    const int most = *std::ranges::max_element(histogram.counts);
    m_histogram->setLines({known ? outlineOf(histogram) : PlainChart::Line()},
                          {histogram.low, histogram.high, 0, most * 1.05}, histogram.high + 1);
}

void ValuePanel::showNumber() {
    if (!record()) return;
    const ValueCell shown = m_selection->shownNumber();
    m_matrix->setLocked({shown.row, shown.column});
}

void ValuePanel::copyTsv() const {
    if (const TraceRecord* const value = record(); value && !hasVeil(m_veiled, value->name))
        QGuiApplication::clipboard()->setText(toTsv(rowNames(*m_model, *m_trace, *value, WordsAs::Written),
                                                    columnNames(*m_model, *m_trace, *value, WordsAs::Written),
                                                    matrixValues(*value, head())));
}

void ValuePanel::copyNumPy() const {
    if (const TraceRecord* const value = record(); value && !hasVeil(m_veiled, value->name))
        QGuiApplication::clipboard()->setText(
            toNumPy(matrixRows(*value), matrixColumns(*value), matrixValues(*value, head())));
}

}  // namespace headlight

#include "moc_value_panel.cpp"
