// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/laboratory/position_view.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <random>

#include "core/data/translate.h"
#include "ui/session/format/number_format.h"
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
constexpr int kMostNumbers = 512;              ///< of a table, each way
constexpr int kPosition = 10, kDimension = 4;  ///< pointed at before the reader does

int slid(double base) {
    return static_cast<int>(std::lround(kBaseSteps * std::log10(base / 10) / 3));
}

Caption* plain(const QString& text = {}) {
    auto* caption = new Caption(text, 12, QFont::Normal, Caption::Tone::Secondary);
    caption->setWordWrap(true);
    return caption;
}

const TraceRecord* encoderValue(const Trace& trace, Part part) {
    const auto found = std::ranges::find_if(trace.records(), [part](const TraceRecord& record) {
        return record.part == part && record.owner().place.stack == Stack::Encoder;
    });
    return found == trace.records().end() ? nullptr : &*found;
}

/// What becomes of the words in another order, with positions and without.
QString readShuffled(const TrainedModel& model, std::vector<std::string> words, unsigned shuffles) {
    const auto text = [](const std::vector<std::string>& of) {
        QStringList all;
        for (const std::string& word : of)
            all << QString::fromStdString(word);
        return all.join(u' ');
    };
    const auto read = [](const TrainedModel& reader, const QString& sentence) {
        return QString::fromStdString(translate(reader, {sentence.toStdString()}).front().best().text);
    };
    const QString inOrder = text(words);
    std::mt19937 random(shuffles);
    std::ranges::shuffle(words, random);
    const QString shuffled = text(words);
    QString told = PositionView::tr("“%1” reads as “%2”.").arg(shuffled, read(model, shuffled));
    const auto deaf = withoutPositions(model);
    if (!deaf) return told;
    return told + u' ' +
           PositionView::tr("Without positions “%1”; in the right order “%2”.")
               .arg(read(*deaf, shuffled), read(*deaf, inOrder));
}

/// How the open model knows word order, and whether a table tells it.
QString howItKnowsOrder(const TrainedModel* model) {
    if (!model) return PositionView::tr("How a model knows word order");
    const ModelConfig& config = model->network->config();
    if (config.recurrent())
        return PositionView::tr("The open model has no table of positions: it reads word after word.");
    switch (config.positionalEncoding) {
        case PositionalKind::Sinusoidal:
            return PositionView::tr("The open model adds such a table to its words.");
        case PositionalKind::Learned:
            return PositionView::tr("The open model adds a table that it learned to its words.");
        case PositionalKind::None:
            return PositionView::tr("The open model is told nothing of positions.");
        case PositionalKind::Rotary:
            return PositionView::tr(
                "The open model has no such table: it turns queries and keys by their positions (Values, “Q turned”).");
        case PositionalKind::Relative:
            return PositionView::tr(
                "The open model has no such table: it adds a number to each score by the distance of the two words "
                "(Values, “Relative bias”).");
    }
    return {};
}

}  // namespace

PositionView::PositionView(QWidget* parent)
    : QWidget(parent),
      m_kind(new SegmentedControl({tr("Sinusoid"), tr("The model's own")})),
      m_width(new LabelledSlider(tr("d model"), {4, 64, 64})),
      m_base(new LabelledSlider(tr("n (base)"), {0, kBaseSteps, kBaseSteps})),
      m_length(new LabelledSlider(tr("Length"), {5, 60, 40})),
      m_arithmetic(plain()),
      m_heatmap(new MatrixView),
      m_curves(new PlainChart),
      m_similarity(new PlainChart),
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
    m_kind->setCurrentIndex(static_cast<int>(state.table));
    m_cell = state.view == ViewName::Positions ? state.cell : StageState::Cell();
    m_chosenWord = std::max(1, state.word);
    m_word->setCurrentIndex(std::min(m_chosenWord, m_word->count()) - 1);
    setNumbers(state.length, state.width, state.base);
    showWord();
    m_shuffles = static_cast<unsigned>(std::max(0, state.shuffles));
    showShuffled();
}

void PositionView::tellOptions(StageState& state) const {
    state.table = static_cast<StageState::Table>(m_kind->currentIndex());
    state.length = m_chosenLength;
    state.width = m_chosenWidth;
    state.base = m_chosenBase;
    state.word = m_chosenWord;
    state.shuffles = static_cast<int>(m_shuffles);
    if (state.view == ViewName::Positions && m_cell.valid()) state.cell = m_cell;
}

QWidget* PositionView::makeControls() {
    auto* panel = new Panel(Qt::RightEdge);
    panel->setFixedWidth(284);
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
    auto* formula = new Caption(QStringLiteral("PE<sub>pos, 2i</sub> = sin(pos / n<sup>2i/d</sup>)<br>"
                                               "PE<sub>pos, 2i+1</sub> = cos(pos / n<sup>2i/d</sup>)"),
                                13, QFont::Normal, Caption::Tone::Main);
    formula->setTextFormat(Qt::RichText);
    column->addWidget(formula);
    column->addWidget(new Rule);
    column->addWidget(new Caption(tr("This cell"), 13, QFont::DemiBold, Caption::Tone::Main));
    m_arithmetic->setTextFormat(Qt::RichText);
    column->addWidget(m_arithmetic);
    column->addStretch();
    return panel;
}

QWidget* PositionView::makeCards() {
    auto* cards = new QWidget;
    auto* grid = new QGridLayout(cards);
    grid->setContentsMargins(20, 12, 20, 16);
    grid->setSpacing(16);
    auto* heat = new Card(tr("Position × dimension"), tr("low dimensions turn fast, high ones slowly"));
    heat->body()->addWidget(m_heatmap, 1);
    m_heatmap->setAccessibleName(tr("The table of positions"));
    auto* curves = new Card(tr("Four dimensions"), tr("the chosen one in blue, and the next of its kind"));
    curves->body()->addWidget(m_curves, 1);
    auto* similar = new Card(tr("Similarity by offset"), tr("PE(p) · PE(p+k), 1 at k = 0"));
    similar->body()->addWidget(m_similarity, 1);
    auto* word = new Card(tr("Word and position"));
    word->header()->addWidget(m_word);
    word->body()->addWidget(m_strips);
    auto* row = new QHBoxLayout;
    row->addWidget(m_shuffle);
    row->addWidget(m_shuffled, 1);
    word->body()->addLayout(row);
    word->body()->addStretch();
    grid->addWidget(heat, 0, 0);
    grid->addWidget(curves, 0, 1);
    grid->addWidget(similar, 1, 0);
    grid->addWidget(word, 1, 1);
    grid->setColumnStretch(0, 6);
    grid->setColumnStretch(1, 5);
    grid->setRowStretch(0, 6);
    grid->setRowStretch(1, 4);
    return cards;
}

QString PositionView::baseText() const {
    const bool whole = m_chosenBase == std::floor(m_chosenBase) && m_chosenBase < 1e15;
    return whole ? formatCount(static_cast<qint64>(m_chosenBase)) : formatNumber(m_chosenBase, 3);
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
    m_chosenBase = base > 0 && std::isfinite(base) ? base : StageState().base;
    const QSignalBlocker quietLength(m_length), quietWidth(m_width), quietBase(m_base);
    m_length->setValue(m_chosenLength);
    m_width->setValue(m_chosenWidth);
    m_base->setValue(std::clamp(slid(m_chosenBase), 0, kBaseSteps));
    compute();
}

void PositionView::setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace) {
    const bool other = m_trace && trace && m_trace->sourceTokens != trace->sourceTokens;
    if (other) m_shuffles = 0;
    m_model = std::move(model);
    m_trace = std::move(trace);
    m_word->clear();
    const bool shows = m_trace && encoderValue(*m_trace, Part::Positions);
    if (shows)
        for (const std::string& token : m_trace->sourceTokens)
            m_word->addItem(QString::fromStdString(token));
    m_how->setText(howItKnowsOrder(m_model.get()));
    m_shuffle->setEnabled(shows);
    m_word->setEnabled(shows);
    m_word->setCurrentIndex(std::min(m_chosenWord, m_word->count()) - 1);
    compute();
    showWord();
    showShuffled();
}

void PositionView::compute() {
    m_width->setText(QString::number(m_chosenWidth));
    m_base->setText(baseText());
    m_length->setText(QString::number(m_chosenLength));
    const bool own = ownTable();
    for (QWidget* control : std::initializer_list<QWidget*>{m_width, m_base, m_length})
        control->setEnabled(!own);
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
    const auto value = static_cast<double>(m_table.at(m_position, m_dimension));
    if (ownTable()) {
        m_arithmetic->setText(tr("position %1, dimension %2<br><b>%3</b>, from the open model")
                                  .arg(m_position)
                                  .arg(m_dimension)
                                  .arg(formatNumber(value, 4)));
    } else {
        const int even = m_dimension - m_dimension % 2;
        const double divisor = std::pow(m_chosenBase, static_cast<double>(even) / m_table.width);
        const QString name = m_dimension % 2 == 0 ? QStringLiteral("sin") : QStringLiteral("cos");
        const QString line = QStringLiteral("<tr><td>%1</td><td width=16></td><td align=right>%2</td></tr>");
        m_arithmetic->setText(
            tr("position %1, dimension %2, so i = %3").arg(m_position).arg(m_dimension).arg(even / 2) +
            QStringLiteral("<table>") +
            line.arg(tr("%1^(%2/%3)").arg(baseText()).arg(even).arg(m_table.width), formatNumber(divisor, 4)) +
            line.arg(tr("%1 / %2").arg(m_position).arg(formatNumber(divisor, 4)),
                     formatNumber(m_position / divisor, 4)) +
            line.arg(QStringLiteral("%1(%2)").arg(name, formatNumber(m_position / divisor, 4)),
                     QStringLiteral("<b>%1</b>").arg(formatNumber(value, 4))) +
            QStringLiteral("</table>"));
    }
    // The chosen dimension and three others, spread over the table.
    std::vector<PlainChart::Line> lines;
    double most = 1;
    for (int i = 0; i < 4; ++i) {
        const int dimension = (m_dimension + i * std::max(2, m_table.width / 5 / 2 * 2)) % m_table.width;
        PlainChart::Line line;
        for (int p = 0; p < m_table.length; ++p) {
            line.emplace_back(p, static_cast<double>(m_table.at(p, dimension)));
            most = std::max(most, std::abs(line.back().y()));
        }
        lines.push_back(std::move(line));
    }
    m_curves->setLines(std::move(lines), {0, m_table.length - 1.0, -most, most}, m_position);
}

void PositionView::showWord() {
    m_strips->setStrips({});
    const int at = m_word->currentIndex();
    if (!m_trace || at < 0) return;
    const Part parts[] = {Part::Embedding, Part::Positions, Part::Input};
    const QString titles[] = {tr("word"), tr("position"), tr("together")};
    std::vector<ValueStrips::Strip> strips;
    double most = 0;
    for (size_t i = 0; i < m_stripValues.size(); ++i) {
        const TraceRecord* record = encoderValue(*m_trace, parts[i]);
        if (!record) return;
        const auto first = record->values.begin() + static_cast<std::ptrdiff_t>(at) * record->dim(1);
        m_stripValues[i].assign(first, first + record->dim(1));
        most = std::max(most, ColorScale::scores(m_stripValues[i]).max);
    }
    for (size_t i = 0; i < m_stripValues.size(); ++i)
        strips.push_back({titles[i], m_stripValues[i], false, most});  // one scale: they are one equation
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
                           shuffles = m_shuffles] { return readShuffled(*model, trace->sourceTokens, shuffles); },
                          [this](const QString& text) { m_shuffled->setText(text); },
                          [this](const QString& why) { m_shuffled->setText(why); });
}

}  // namespace headlight
