// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/laboratory/position_view.h"

#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/laboratory/position_words.h"
#include "ui/views/laboratory/turning_hands.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/value_strips.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/plain_chart.h"

namespace headlight {

namespace {

constexpr int kReach = 20;
constexpr int kBaseSteps = 30;                 ///< of the slider, from 10 to 10,000
constexpr int kPosition = 10, kDimension = 4;  ///< pointed at before the reader does

int slid(double base) {
    return static_cast<int>(std::lround(kBaseSteps * std::log10(base / 10) / 3));
}

Caption* plain(const QString& text = {}) {
    auto* caption = new Caption(text, 12, QFont::Normal, Caption::Tone::Secondary);
    caption->setWordWrap(true);
    return caption;
}

/// Of the stack that reads the sentence.
const TraceRecord* readersValue(const Trace& trace, Part part) {
    const auto found = std::ranges::find_if(trace.records(), [part](const TraceRecord& record) {
        const Stack stack = record.owner().place.stack;
        return record.part == part && (stack == Stack::Encoder || stack == Stack::Only);
    });
    return found == trace.records().end() ? nullptr : &*found;
}

}  // namespace

PositionView::PositionView(QWidget* parent)
    : ViewWidget(parent),
      m_kind(new SegmentedControl({tr("Sinusoid"), tr("The model's own")})),
      m_width(new LabelledSlider(tr("d model"), {2, 64, 64})),
      m_base(new LabelledSlider(tr("n (base)"), {0, kBaseSteps, kBaseSteps})),
      m_length(new LabelledSlider(tr("Length"), {5, 60, 40})),
      m_formula(new Caption({}, 13, QFont::Normal, Caption::Tone::Main)),
      m_arithmetic(plain()),
      m_heatmap(new MatrixView),
      m_waves(new SegmentedControl({tr("Curves"), tr("Hands")})),
      m_wavePages(new QStackedWidget),
      m_curves(new PlainChart),
      m_hands(new TurningHands),
      m_offset(new LabelledSlider(tr("Offset k"), {0, kFarthest, m_chosenOffset})),
      m_similarity(new PlainChart),
      m_heatCard(new Card(tr("Position × dimension"))),
      m_word(new ComboBox(tr("Word"))),
      m_strips(new ValueStrips),
      m_shuffle(new Button(Button::Kind::Ghost, tr("Shuffle the words"), Icon::Reset)),
      m_shuffled(plain()),
      m_how(plain()) {
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(makeControls());
    columns->addWidget(makeCards(), 1);
    connectControls();
    compute();
}

void PositionView::connectControls() {
    const auto slides = [this](LabelledSlider* slider, auto take) {
        connect(slider, &LabelledSlider::valueChanged, this, [this, take](int value) {
            take(value);
            compute();
            emit optionsChanged();
        });
    };
    slides(m_width, [this](int value) { m_chosenWidth = value; });
    slides(m_length, [this](int value) { m_chosenLength = value; });
    slides(m_base, [this](int value) { m_chosenBase = std::round(10 * std::pow(10.0, 3.0 * value / kBaseSteps)); });
    connect(m_kind, &SegmentedControl::currentChanged, this, [this] {
        compute();
        emit optionsChanged();
    });
    connect(m_heatmap, &MatrixView::cellClicked, this, [this](int position, int dimension) {
        chooseCell(position, dimension);
        emit optionsChanged();
    });
    connect(m_word, &QComboBox::activated, this, [this](int word) {
        m_chosenWord = word + 1;
        showWord();
        emit optionsChanged();
    });
    connect(m_shuffle, &Button::clicked, this, [this] {
        shuffleWords();
        emit optionsChanged();
    });
}

void PositionView::showOptions(const StageState& state) {
    const QSignalBlocker quiet(m_kind);
    m_kind->setCurrentIndex(static_cast<int>(state.positions.table));
    m_cell = state.view == ViewName::Positions ? state.cell : StageCell();
    m_chosenWord = std::max(1, state.positions.word);
    m_word->setCurrentIndex(std::min(m_chosenWord, m_word->count()) - 1);
    setNumbers(state.positions.length, state.positions.width, state.positions.base);
    showHands(state.positions.waves == PositionsOptions::Waves::Hands, state.positions.offset);
    showWord();
    m_shuffles = static_cast<unsigned>(std::max(0, state.positions.shuffles));
    showShuffled();
}

void PositionView::tellOptions(StageState& state) const {
    state.positions.table = static_cast<PositionsOptions::Table>(m_kind->currentIndex());
    state.positions.length = m_chosenLength;
    state.positions.width = m_chosenWidth;
    state.positions.base = m_chosenBase;
    state.positions.word = m_chosenWord;
    state.positions.waves = static_cast<PositionsOptions::Waves>(m_waves->currentIndex());
    state.positions.offset = m_chosenOffset;
    state.positions.shuffles = static_cast<int>(m_shuffles);
    if (state.view == ViewName::Positions && m_cell.valid()) state.cell = m_cell;
}

bool PositionView::lookAt(const NumberName* number, double value, Look look) {
    m_heatmap->setHovered({});
    if (!number || number->name != "positions" || number->indices.size() != 2 || ownTable()) return false;
    const int position = number->indices[0] - 1, dimension = number->indices[1] - 1;
    if (position >= m_table.length || dimension >= m_table.width) return false;
    if (!isSameNumber(static_cast<double>(m_table.at(position, dimension)), value)) return false;
    if (look == Look::Light) {
        m_heatmap->setHovered({position, dimension});
    } else {
        chooseCell(position, dimension);
        emit optionsChanged();
    }
    return true;
}

QWidget* PositionView::makeControls() {
    auto* panel = new Panel(Qt::RightEdge);
    panel->setPanelName("controls");
    panel->takeShare(220, 284);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(20, 12, 20, 16);
    column->setSpacing(6);
    column->addWidget(new Caption(tr("Position encoding"), 18, QFont::DemiBold, Caption::Tone::Main));
    column->addWidget(m_how);
    column->addSpacing(4);
    m_kind->setAccessibleName(tr("Which table"));
    column->addWidget(m_kind);
    for (LabelledSlider* slider : {m_width, m_base, m_length})
        column->addWidget(slider);
    column->addWidget(new Rule);
    m_formula->setTextFormat(Qt::RichText);
    m_formula->setWordWrap(true);
    column->addWidget(m_formula);
    column->addWidget(new Rule);
    column->addWidget(new Caption(tr("This cell"), 13, QFont::DemiBold, Caption::Tone::Main));
    m_arithmetic->setTextFormat(Qt::RichText);
    column->addWidget(m_arithmetic);
    column->addStretch();
    return panel;
}

QWidget* PositionView::makeCards() {
    auto* cards = new QWidget;
    auto* rows = new QVBoxLayout(cards);
    rows->setContentsMargins(20, 12, 20, 16);
    rows->setSpacing(16);
    m_heatCard->body()->addWidget(m_heatmap, 1);
    m_heatCard->setPanelName("table");
    m_heatmap->setAccessibleName(tr("The table of positions"));
    QWidget* const curves = makeWaves();
    auto* similar = new Card(tr("Similarity by offset"), tr("mean PE(p) · PE(p+k); 1 at k = 0"));
    similar->body()->addWidget(m_similarity, 1);
    similar->setPanelName("similarity");
    m_similarity->setAxisTitle(tr("offset k"));
    constexpr int kNumbered = 136;  // lower, and the numbers of an axis that goes below zero are dots
    m_similarity->setMinimumHeight(kNumbered);
    m_curves->setAxisTitle(tr("position"));
    auto* word = new Card(tr("Word and position"));
    word->setPanelName("word");
    word->header()->addWidget(m_word);
    word->body()->addWidget(m_strips);
    word->body()->addWidget(m_noTable = plain());
    auto* row = new QHBoxLayout;
    row->addWidget(m_shuffle);
    row->addWidget(m_shuffled, 1);
    word->body()->addLayout(row);
    word->body()->addStretch();
    // Rows and not a grid: where a lesson folds cards, those that are left take their room.
    const auto addRow = [rows](int stretch, QWidget* left, QWidget* right) {
        auto* beside = new QHBoxLayout;
        beside->setSpacing(16);
        beside->addWidget(left, 6);
        beside->addWidget(right, 5);
        rows->addLayout(beside, stretch);
    };
    addRow(6, m_heatCard, curves);
    addRow(4, similar, word);
    return cards;
}

ShownTable PositionView::shownTable() const {
    if (!ownTable()) return {&m_table, ShownTable::Kind::Interleaved, m_chosenBase};
    const ModelConfig& config = m_model->network->config();
    const auto kind = config.positionalEncoding == PositionalKind::Learned ? ShownTable::Kind::Learned
                      : config.sinusoidLayout == SinusoidLayout::Halves    ? ShownTable::Kind::Halves
                                                                           : ShownTable::Kind::Interleaved;
    return {&m_table, kind, config.positionalBase};
}

bool PositionView::ownTable() const {
    return m_kind->currentIndex() == 1 && m_model && hasPositions(m_model->network->config());
}

void PositionView::setSinusoids(int length, int width, double base) {
    const QSignalBlocker quiet(m_kind);
    m_kind->setCurrentIndex(0);
    setNumbers(length, width, base);
}

void PositionView::setNumbers(int length, int width, double base) {
    m_chosenLength = std::clamp(length, 2, kMostNumbers);
    m_chosenWidth = std::clamp(width, 2, kMostNumbers);
    m_chosenBase = base > 0 && std::isfinite(base) ? base : StageState().positions.base;
    const QSignalBlocker quietLength(m_length), quietWidth(m_width), quietBase(m_base);
    m_length->setValue(m_chosenLength);
    m_width->setValue(m_chosenWidth);
    m_base->setValue(std::clamp(slid(m_chosenBase), 0, kBaseSteps));
    compute();
}

void PositionView::setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace) {
    const bool other = m_trace && trace && m_trace->sourceTokens != trace->sourceTokens;
    if (other) m_shuffles = 0;
    const bool otherModel = model && model != m_model;
    m_model = std::move(model);
    m_trace = std::move(trace);
    const bool hasTable = m_model && hasPositions(m_model->network->config());
    m_kind->setVisible(!m_model || hasTable);  // there is nothing to choose from
    if (otherModel && hasTable && !isPapersTable(m_model->network->config())) {
        const QSignalBlocker quiet(m_kind);
        m_kind->setCurrentIndex(1);
    }
    m_word->clear();
    const bool shows = m_trace && readersValue(*m_trace, Part::Positions);
    if (shows)
        for (const std::string& token : m_trace->sourceTokens)
            m_word->addItem(QString::fromStdString(token));
    m_how->setText(howItKnowsOrder(m_model.get()));
    m_noTable->setText(!m_trace || shows ? QString() : whatItAddsInstead(*m_model));
    m_noTable->setVisible(!m_noTable->text().isEmpty());
    m_shuffle->setVisible(!m_model || m_model->network->config().encoderDecoder());
    m_shuffle->setEnabled(shows);
    m_word->setVisible(shows);
    m_word->setCurrentIndex(std::min(m_chosenWord, m_word->count()) - 1);
    compute();
    showWord();
    showShuffled();
}

void PositionView::compute() {
    m_width->setText(QString::number(m_chosenWidth));
    m_base->setText(baseText(m_chosenBase));
    m_length->setText(QString::number(m_chosenLength));
    const bool own = ownTable();
    for (QWidget* control : std::initializer_list<QWidget*>{m_width, m_base, m_length})
        control->setVisible(!own);
    const ShownTable shown = shownTable();
    m_formula->setText(formulaOf(shown));
    m_heatCard->setCaption(captionOf(shown));
    m_table = own ? positionsOf(*m_model) : sinusoids(m_chosenLength, m_chosenWidth, m_chosenBase);
    m_position = std::clamp(m_cell.valid() ? m_cell.row - 1 : kPosition, 0, m_table.length - 1);
    m_dimension = std::clamp(m_cell.valid() ? m_cell.column - 1 : kDimension, 0, m_table.width - 1);
    MatrixData matrix;
    matrix.rows = m_table.length;
    matrix.columns = m_table.width;
    matrix.values = m_table.values;
    for (int p = 0; p < m_table.length; ++p)
        matrix.rowLabels << QString::number(p);
    for (int d = 0; d < m_table.width; ++d)
        matrix.columnLabels << QString::number(d);
    matrix.rowAxis = tr("position");
    matrix.columnAxis = tr("dimension");
    matrix.scale = own ? ColorScale::scores(m_table.values) : ColorScale{ColorScale::Kind::Diverging, 1};
    m_heatmap->setData(std::move(matrix));
    const int reach = std::clamp(m_table.length - 1, 1, kReach);
    m_similarity->setBars(similarityByOffset(m_table, reach), -reach, reach);
    showCell();
}

void PositionView::chooseCell(int position, int dimension) {
    m_position = std::clamp(position, 0, m_table.length - 1);
    m_dimension = std::clamp(dimension, 0, m_table.width - 1);
    m_cell = {m_position + 1, m_dimension + 1};
    showCell();
}

void PositionView::showCell() {
    m_heatmap->setLocked({m_position, m_dimension});
    m_arithmetic->setText(cellOf(shownTable(), m_position, m_dimension));
    // The chosen dimension and three others, spread over the table.
    std::vector<PlainChart::Line> lines;
    QStringList names;
    double most = 1;
    for (int i = 0; i < 4; ++i) {
        const int dimension = (m_dimension + i * std::max(2, m_table.width / 5 / 2 * 2)) % m_table.width;
        PlainChart::Line line;
        for (int p = 0; p < m_table.length; ++p) {
            line.emplace_back(p, static_cast<double>(m_table.at(p, dimension)));
            most = std::max(most, std::abs(line.back().y()));
        }
        lines.push_back(std::move(line));
        names << QString::number(dimension);
    }
    m_curves->setNames(names);
    m_curves->setLines(std::move(lines), {0, m_table.length - 1.0, -most, most}, m_position);
    showTurns();
}

void PositionView::showWord() {
    m_strips->setStrips({});
    const int at = m_word->currentIndex();
    if (!m_trace || at < 0) return;
    // What a norm follows ends in a sum of its own.
    const TraceRecord* const sum = readersValue(*m_trace, Part::Sum);
    const std::pair<const TraceRecord*, QString> parts[] = {
        {readersValue(*m_trace, Part::Embedding), tr("word")},
        {readersValue(*m_trace, Part::Positions), tr("position")},
        {readersValue(*m_trace, Part::TypeEmbedding), tr("kind of text")},
        {sum ? sum : readersValue(*m_trace, Part::Input), tr("together")}};
    std::vector<ValueStrips::Strip> strips;
    m_stripValues.clear();
    m_stripValues.reserve(std::size(parts));
    for (const auto& [record, title] : parts) {
        if (!record) continue;
        const auto first = record->values.begin() + static_cast<std::ptrdiff_t>(at) * record->dim(1);
        strips.push_back({title, m_stripValues.emplace_back(first, first + record->dim(1)), false});
    }
    m_strips->setStrips(std::move(strips));
}

void PositionView::shuffleWords() {
    ++m_shuffles;
    showShuffled();
}

void PositionView::showShuffled() {
    m_reader.drop();
    m_shuffled->setText({});
    if (m_shuffles == 0 || !m_model || !m_trace || !m_model->network->config().encoderDecoder()) return;
    m_reader.ask<QString>([model = m_model, trace = m_trace,
                           shuffles = m_shuffles] { return textOf(readShuffled(*model, *trace, shuffles)); },
                          [this](const QString& text) { m_shuffled->setText(text); },
                          [this](const QString& why) { m_shuffled->setText(why); });
}

}  // namespace headlight

#include "moc_position_view.cpp"
