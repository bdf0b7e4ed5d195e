// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/cost_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/cost.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/controls/plain_table.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/plain_chart.h"

namespace headlight {

namespace {

/// Sliders run over powers of ten: 10^(value / kDecade).
constexpr int kDecade = 20;
constexpr int kMost = 1000000;

int powerOfTen(int place) {
    return static_cast<int>(std::lround(std::pow(10.0, static_cast<double>(place) / kDecade)));
}

}  // namespace

CostView::CostView(QWidget* parent)
    : QWidget(parent),
      m_n(new LabelledSlider(tr("n, words"), {kDecade, 3 * kDecade, 2 * kDecade})),
      m_d(new LabelledSlider(tr("d, numbers a word"), {kDecade, 4 * kDecade, 3 * kDecade})),
      m_k(new LabelledSlider(tr("k, width of a convolution"), {2, 9, 3})),
      m_costs(
          makePlainTable({tr("Layer"), tr("Operations"), tr("One after another"), tr("Path")}, tr("Costs by layer"))),
      m_chart(new PlainChart),
      m_parts(makePlainTable({tr("Part"), tr("Shapes"), tr("Parameters"), tr("Share")}, tr("Parameters by part"))),
      m_partsCard(new Card(tr("Parameters"))) {
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(20, 16, 20, 16);
    columns->setSpacing(16);
    auto* left = new Card(tr("A layer for n words of d numbers"));
    auto* sliders = new QHBoxLayout;
    sliders->setSpacing(16);
    for (LabelledSlider* slider : {m_n, m_d, m_k})
        sliders->addWidget(slider, 1);
    left->body()->addLayout(sliders);
    m_costs->setMinimumHeight(180);
    left->body()->addWidget(m_costs);
    left->body()->addWidget(new Caption(tr("Operations (billions) as n grows: RNN in blue, convolution in orange, "
                                           "attention in green, with projections in violet"),
                                        12, QFont::Normal, Caption::Tone::Faint));
    left->body()->addWidget(m_chart, 1);
    m_partsCard->body()->addWidget(m_parts);
    // The shapes give way, not the numbers: a part may have a dozen of them. Widths do not follow what was seen before,
    // and a name that is too long loses its beginning: the parts of a model differ in their ends.
    for (const auto& [column, width] : {std::pair(1, 108), std::pair(2, 84), std::pair(3, 60)}) {
        m_parts->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Fixed);
        m_parts->setColumnWidth(column, width);
    }
    m_parts->setTextElideMode(Qt::ElideLeft);
    m_parts->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    m_parts->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    columns->addWidget(left, 1);
    columns->addWidget(m_partsCard, 1);
    const auto slides = [this](LabelledSlider* slider, auto take) {
        connect(slider, &LabelledSlider::valueChanged, this, [this, take](int value) {
            take(value);
            compute();
            emit optionsChanged();
        });
    };
    slides(m_n, [this](int value) { m_words = powerOfTen(value); });
    slides(m_d, [this](int value) { m_numbers = powerOfTen(value); });
    slides(m_k, [this](int value) { m_width = value; });
    const StageState fresh;
    setSizes(fresh.costWords, fresh.costWidth, fresh.costKernel);
}

void CostView::setSizes(int words, int numbers, int width) {
    m_words = std::clamp(words, 1, kMost);
    m_numbers = std::clamp(numbers, 1, kMost);
    m_width = std::clamp(width, 1, kMost);
    const QSignalBlocker quietN(m_n), quietD(m_d), quietK(m_k);
    m_n->setValue(static_cast<int>(std::lround(kDecade * std::log10(m_words))));
    m_d->setValue(static_cast<int>(std::lround(kDecade * std::log10(m_numbers))));
    m_k->setValue(m_width);
    compute();
}

void CostView::showOptions(const StageState& state) {
    setSizes(state.costWords, state.costWidth, state.costKernel);
}

void CostView::tellOptions(StageState& state) const {
    state.costWords = m_words;
    state.costWidth = m_numbers;
    state.costKernel = m_width;
}

void CostView::compute() {
    m_n->setText(formatCount(m_words));
    m_d->setText(formatCount(m_numbers));
    m_k->setText(QString::number(m_width));
    const std::vector<LayerCost> costs = layerCosts(m_words, m_numbers, m_width);
    m_costs->setRowCount(static_cast<int>(costs.size()));
    for (int i = 0; i < static_cast<int>(costs.size()); ++i) {
        const LayerCost& cost = costs[static_cast<size_t>(i)];
        setPlainRow(
            m_costs, i,
            {cost.kind, formatScientific(cost.operations, 1), formatCount(static_cast<qint64>(cost.sequentialSteps)),
             formatCount(static_cast<qint64>(cost.pathLength))});
    }
    std::vector<PlainChart::Line> lines;
    constexpr int points = 50;
    const double most = std::max(100.0, 2.0 * m_words);
    double top = 0;
    for (size_t kind = 0; kind < costs.size(); ++kind) {
        PlainChart::Line line;
        for (int i = 0; i <= points; ++i) {
            const double words = most * i / points;
            const double billions = layerCosts(words, m_numbers, m_width)[kind].operations / 1e9;
            line.emplace_back(words, billions);
            top = std::max(top, billions);
        }
        lines.push_back(std::move(line));
    }
    m_chart->setLines(std::move(lines), {0, most, 0, top}, m_words);
}

void CostView::setModel(const std::shared_ptr<const TrainedModel>& model) {
    const std::vector<ModulePart> parts = parametersByPart(*model);
    long total = 0;
    for (const ModulePart& part : parts)
        total += part.parameters;
    // float32, and twice as much again for Adam's moments while it trains, and the gradient.
    m_partsCard->setCaption(tr("%1 in all: %2 MB, %3 MB while it trains")
                                .arg(formatCount(total), formatNumber(static_cast<double>(total) * 4 / 1e6, 1),
                                     formatNumber(static_cast<double>(total) * 16 / 1e6, 1)));
    m_parts->setRowCount(0);  // another model is read from its beginning, wherever the last one was left
    m_parts->setRowCount(static_cast<int>(parts.size()));
    for (int i = 0; i < static_cast<int>(parts.size()); ++i) {
        const ModulePart& part = parts[static_cast<size_t>(i)];
        setPlainRow(m_parts, i,
                    {part.name, part.shapes, formatCount(part.parameters),
                     formatPercent(static_cast<double>(part.parameters) / static_cast<double>(std::max(1L, total)))});
        m_parts->item(i, 0)->setToolTip(part.name);
        m_parts->item(i, 1)->setToolTip(part.shapes);
    }
    m_parts->scrollToTop();
}

}  // namespace headlight
