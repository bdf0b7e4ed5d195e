// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/cost/cost_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/models/cost/cost_bars.h"
#include "ui/views/models/cost/growth_chart.h"
#include "ui/views/models/cost/weight_blocks.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/controls/plain_table.h"

namespace headlight {

namespace {

/// Sliders run over powers of ten: 10^(value / kDecade).
constexpr int kDecade = 20;
constexpr int kMost = 1000000;

using Kind = TravelPicture::Kind;

int powerOfTen(int place) {
    return static_cast<int>(std::lround(std::pow(10.0, static_cast<double>(place) / kDecade)));
}

int placeOf(int value) {
    return static_cast<int>(std::lround(kDecade * std::log10(value)));
}

}  // namespace

CostView::CostView(QWidget* parent)
    : ViewWidget(parent),
      m_n(new LabelledSlider(tr("n, words"), {kDecade, 5 * kDecade, 2 * kDecade})),
      m_d(new LabelledSlider(tr("d, numbers a word"), {kDecade, 4 * kDecade, 3 * kDecade})),
      m_k(new LabelledSlider(tr("k, width of a convolution"), {2, 9, 3})),
      m_layering(new SegmentedControl({tr("dilated"), tr("plain")})),
      m_chart(new GrowthChart),
      m_growth(new Card(tr("Operations of one layer as n grows"))),
      m_whose(new SegmentedControl({tr("The open model"), tr("An LSTM translator")})),
      m_pages(new QStackedWidget),
      m_parts(makePlainTable({tr("Part"), tr("Shapes"), tr("Parameters"), tr("Share")}, tr("Parameters by part"))),
      m_biases(new SegmentedControl({tr("1 bias"), tr("2 biases")})),
      m_blocks(new WeightBlocks),
      m_sum(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_partsCard(makeParameters()) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    auto* stage = new QVBoxLayout;
    stage->setContentsMargins(20, 12, 20, 16);
    stage->setSpacing(12);
    column->addLayout(stage, 1);
    auto* question = new QHBoxLayout;
    question->addWidget(new Caption(tr("How far must a message travel from the first word to the last?"), 18,
                                    QFont::DemiBold, Caption::Tone::Main));
    question->addStretch(1);
    stage->addLayout(question);
    auto* ways = new QHBoxLayout;
    ways->setSpacing(16);
    m_ways = {makeWay(Kind::Recurrence, tr("RNN")), makeWay(Kind::Convolution, tr("Convolution")),
              makeWay(Kind::Attention, tr("Self-attention"))};
    for (const Way& way : m_ways) {
        way.card->setPanelName("ways");
        ways->addWidget(way.card, 1);
    }
    stage->addLayout(ways, 6);
    auto* below = new QHBoxLayout;
    below->setSpacing(16);
    m_growth->body()->addWidget(m_chart, 1);
    m_growth->setPanelName("growth");
    m_partsCard->setPanelName("parameters");
    below->addWidget(m_growth, 1);
    below->addWidget(m_partsCard, 1);
    stage->addLayout(below, 5);
    connect(m_chart, &GrowthChart::wordsChosen, this, [this](int words) {
        setSizes(words, m_numbers, m_width, static_cast<Layering>(m_layering->currentIndex()));
        emit optionsChanged();
    });
    showOptions({});
}

QWidget* CostView::makeBar() {
    auto* bar = new Panel(Qt::BottomEdge);
    bar->setPanelName("controls");
    bar->setHoldsControls();
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(20, 8, 20, 8);
    row->setSpacing(24);
    const auto slides = [this, row](LabelledSlider* slider, auto take) {
        row->addWidget(slider, 2);
        connect(slider, &LabelledSlider::valueChanged, this, [this, take](int value) {
            take(value);
            compute();
            emit optionsChanged();
        });
    };
    slides(m_n, [this](int value) { m_words = powerOfTen(value); });
    slides(m_d, [this](int value) { m_numbers = powerOfTen(value); });
    slides(m_k, [this](int value) { m_width = value; });
    row->addWidget(new Caption(tr("Convolution"), 12, QFont::Medium, Caption::Tone::Secondary));
    m_layering->setAccessibleName(tr("Layers of the convolution"));
    row->addWidget(m_layering);
    row->addStretch(1);
    connect(m_layering, &SegmentedControl::currentChanged, this, [this] {
        compute();
        emit optionsChanged();
    });
    return bar;
}

CostView::Way CostView::makeWay(Kind kind, const QString& title) {
    Way way{new Card(title), new Caption({}, 13, QFont::DemiBold, Caption::Tone::Now), new TravelPicture(kind),
            new CostBars};
    way.picture->setAccessibleName(title);
    way.bars->setAccessibleName(title);
    way.answer->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    way.card->body()->setSpacing(6);
    way.card->body()->addWidget(way.answer);
    way.card->body()->addWidget(way.picture, 1);
    way.card->body()->addWidget(way.bars);
    return way;
}

Card* CostView::makeParameters() {
    auto* card = new Card(tr("Parameters"));
    card->header()->addWidget(m_whose);
    // The shapes give way, not the numbers: of a part that has a dozen of them the tip says which. Widths do not follow
    // what was seen before, and a name that is too long loses its beginning: the parts of a model differ in their ends.
    for (const auto& [column, width] : {std::pair(1, 108), std::pair(2, 84), std::pair(3, 60)}) {
        m_parts->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Fixed);
        m_parts->setColumnWidth(column, width);
    }
    m_parts->setTextElideMode(Qt::ElideLeft);
    m_parts->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    m_parts->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_pages->addWidget(m_parts);
    m_pages->addWidget(makeCalculator());
    card->body()->addWidget(m_pages, 1);
    connect(m_whose, &SegmentedControl::currentChanged, this, [this] {
        weigh();
        emit optionsChanged();
    });
    return card;
}

QWidget* CostView::makeCalculator() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    const QStringList names{tr("source"), tr("target"), tr("embedding"), tr("hidden")};
    for (size_t i = 0; i < m_sizes.size(); ++i) {
        QSpinBox* box = m_sizes[i] = new QSpinBox;
        box->setRange(1, kMost);
        box->setButtonSymbols(QAbstractSpinBox::NoButtons);
        box->setAccessibleName(names[static_cast<qsizetype>(i)]);
        box->setKeyboardTracking(false);
        box->setGroupSeparatorShown(true);
        box->setFixedWidth(i < 2 ? 66 : 48);
        auto* name = new Caption(names[static_cast<qsizetype>(i)], 11, QFont::Medium, Caption::Tone::Faint);
        name->setBuddy(box);
        row->addWidget(name);
        row->addWidget(box);
        if (i + 1 < m_sizes.size()) row->addSpacing(4);
        connect(box, &QSpinBox::valueChanged, this, &CostView::chooseSizes);
    }
    row->addStretch(1);
    connect(m_biases, &SegmentedControl::currentChanged, this, &CostView::chooseSizes);
    column->addLayout(row);
    column->addWidget(m_blocks, 1);
    m_sum->setWordWrap(true);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_sum, 1);
    foot->addWidget(m_biases);
    column->addLayout(foot);
    return page;
}

LstmTranslator CostView::translator() const {
    return {m_sizes[0]->value(), m_sizes[1]->value(), m_sizes[2]->value(), m_sizes[3]->value(),
            m_biases->currentIndex() + 1};
}

void CostView::chooseSizes() {
    weigh();
    emit optionsChanged();
}

void CostView::setSizes(int words, int numbers, int width, Layering layering) {
    m_words = std::clamp(words, 2, kMost);
    m_numbers = std::clamp(numbers, 1, kMost);
    m_width = std::clamp(width, 2, kMost);
    const QSignalBlocker quietN(m_n), quietD(m_d), quietK(m_k), quietLayers(m_layering);
    m_n->setValue(placeOf(m_words));
    m_d->setValue(placeOf(m_numbers));
    m_k->setValue(m_width);
    m_layering->setCurrentIndex(static_cast<int>(layering));
    compute();
}

void CostView::showOptions(const StageState& state) {
    setSizes(state.cost.words, state.cost.width, state.cost.kernel,
             state.cost.dilated ? Layering::Dilated : Layering::Plain);
    const QSignalBlocker quietWhose(m_whose), quietBiases(m_biases);
    m_whose->setCurrentIndex(static_cast<int>(state.cost.model));
    const std::array<int, 4> sizes{state.cost.source, state.cost.target, state.cost.embedding, state.cost.hidden};
    for (size_t i = 0; i < sizes.size(); ++i) {
        const QSignalBlocker quiet(m_sizes[i]);
        m_sizes[i]->setValue(sizes[i]);
    }
    m_biases->setCurrentIndex(std::clamp(state.cost.biases, 1, 2) - 1);
    weigh();
}

void CostView::tellOptions(StageState& state) const {
    state.cost.words = m_words;
    state.cost.width = m_numbers;
    state.cost.kernel = m_width;
    state.cost.dilated = m_layering->currentIndex() == static_cast<int>(Layering::Dilated);
    state.cost.model = static_cast<CostOptions::Model>(m_whose->currentIndex());
    const LstmTranslator of = translator();
    state.cost.source = of.sourceWords;
    state.cost.target = of.targetWords;
    state.cost.embedding = of.embedding;
    state.cost.hidden = of.hidden;
    state.cost.biases = of.biases;
}

void CostView::compute() {
    const auto layering = static_cast<Layering>(m_layering->currentIndex());
    m_n->setText(formatCount(m_words));
    m_d->setText(formatCount(m_numbers));
    m_k->setText(QString::number(m_width));
    m_growth->setCaption(tr("d = %1, k = %2, both axes logarithmic").arg(formatCount(m_numbers)).arg(m_width));
    m_chart->setLayers(m_words, m_numbers, m_width, layering);
    for (const Way& way : m_ways)
        way.picture->setLayers(m_words, m_width, layering);
    sayWays(layerCosts(m_words, m_numbers, m_width, layering));
}

void CostView::sayWays(const std::vector<LayerCost>& costs) {
    const bool dilated = m_layering->currentIndex() == static_cast<int>(Layering::Dilated);
    const QString layers = formatCount(static_cast<qint64>(costs[1].pathLength));
    const QString squared = formatCount(static_cast<qint64>(m_words) * m_words);
    m_ways[0].card->setCaption(tr("each word waits for the one before it"));
    m_ways[0].answer->setText(tr("%1 steps, one after another").arg(formatCount(m_words)));
    m_ways[1].card->setCaption(tr("each layer sees %1 places of the layer below").arg(m_width));
    m_ways[1].answer->setText(dilated ? tr("%1 layers, each %2 times as far").arg(layers).arg(m_width)
                                      : tr("%1 layers, each %2 further").arg(layers).arg(m_width - 1));
    m_ways[2].card->setCaption(tr("every word looks at every word, all at once"));
    m_ways[2].answer->setText(tr("1 hop, n² = %1 weights").arg(squared));
    double most = 1;
    for (const LayerCost& cost : costs)
        most = std::max(most, cost.operations);
    const QString note[] = {tr("full bars: %1 and %2").arg(formatCount(m_words), formatTimesPowerOfTen(most)),
                            tr("one scale for the three, linear"),
                            tr("dashed: with projections, %1").arg(formatTimesPowerOfTen(costs[3].operations))};
    for (size_t i = 0; i < m_ways.size(); ++i) {
        const LayerCost& cost = costs[i];
        m_ways[i].bars->setRows({{tr("Path"), cost.pathFormula, formatCount(static_cast<qint64>(cost.pathLength)),
                                  cost.pathLength, static_cast<double>(m_words)},
                                 {tr("Steps in a row"), i == 0 ? QStringLiteral("n") : QStringLiteral("1"),
                                  formatCount(static_cast<qint64>(cost.sequentialSteps)), cost.sequentialSteps,
                                  static_cast<double>(m_words)},
                                 {tr("Operations"), cost.formula, formatTimesPowerOfTen(cost.operations),
                                  cost.operations, most, i == 2 ? costs[3].operations : 0}},
                                note[i]);
    }
    CostBars::align({m_ways[0].bars, m_ways[1].bars, m_ways[2].bars});
}

void CostView::weigh() {
    m_pages->setCurrentIndex(m_whose->currentIndex());
    const LstmTranslator of = translator();
    LstmTranslator other = of;
    other.biases = 3 - of.biases;
    const std::vector<WeightBlock> blocks = weightBlocks(of);
    m_blocks->setBlocks(blocks);
    const auto total = static_cast<double>(parametersOf(blocks));
    const auto cells = static_cast<double>(blocks[1].count() + blocks[3].count());
    const QString biases = of.biases == 1 ? formatCount(of.hidden) : QStringLiteral("2·%1").arg(formatCount(of.hidden));
    m_sum->setText(tr("LSTM: 4·(%1·(%2 + %1) + %3) = %4. With %5: %6. %7 of it is vocabulary.")
                       .arg(formatCount(of.hidden), formatCount(of.embedding), biases, formatCount(blocks[1].count()),
                            of.biases == 1 ? tr("two biases") : tr("one bias"),
                            formatCount(parametersOf(weightBlocks(other))),
                            unbrokenPercents(formatPercent((total - cells) / total))));
    m_partsCard->setCaption(m_whose->currentIndex() == 0 ? m_ofModel
                                                         : tr("%1 in all").arg(formatCount(parametersOf(blocks))));
}

void CostView::setModel(const std::shared_ptr<const TrainedModel>& model) {
    const std::vector<ModulePart> parts = parametersByPart(*model);
    long total = 0;
    for (const ModulePart& part : parts)
        total += part.parameters;
    // float32, and twice as much again for Adam's moments while it trains, and the gradient.
    m_ofModel = tr("%1 in all: %2 MB, %3 MB while it trains")
                    .arg(formatCount(total), formatNumber(static_cast<double>(total) * 4 / 1e6, 1),
                         formatNumber(static_cast<double>(total) * 16 / 1e6, 1));
    m_parts->setRowCount(0);  // another model is read from its beginning, wherever the last one was left
    m_parts->setRowCount(static_cast<int>(parts.size()));
    for (int i = 0; i < static_cast<int>(parts.size()); ++i) {
        const ModulePart& part = parts[static_cast<size_t>(i)];
        const auto shapes = part.shapes.count(QLatin1String(", ")) + 1;
        setPlainRow(m_parts, i,
                    {part.name, shapes > 2 ? tr("%1 tensors").arg(shapes) : part.shapes, formatCount(part.parameters),
                     formatPart(static_cast<double>(part.parameters) / static_cast<double>(std::max(1L, total)))});
        m_parts->item(i, 0)->setToolTip(part.name);
        m_parts->item(i, 1)->setToolTip(part.shapes);
    }
    m_parts->scrollToTop();
    weigh();
}

}  // namespace headlight

#include "moc_cost_view.cpp"
