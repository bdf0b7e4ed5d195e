// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/embedding_view.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/words/word_bars.h"
#include "ui/widgets/words/word_map.h"

namespace headlight {

namespace {

constexpr int kNeighbours = 12;

StageState::EmbeddingSide sideOf(const QString& table) {
    using Side = StageState::EmbeddingSide;
    return table == QLatin1String("target_embedding") ? Side::Target
           : table == QLatin1String("positions")      ? Side::Positions
                                                      : Side::Source;
}

}  // namespace

EmbeddingView::EmbeddingView(QWidget* parent)
    : QWidget(parent),
      m_which(new ComboBox(tr("Table"))),
      m_search(new QLineEdit),
      m_mapCard(new Card(tr("Map"))),
      m_map(new WordMap),
      m_nearCard(new Card(tr("Nearest neighbours"), tr("cosine of the angle"))),
      m_neighbours(new WordBars) {
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(20, 16, 20, 16);
    columns->setSpacing(16);
    m_search->setPlaceholderText(tr("Find a word"));
    m_search->setAccessibleName(tr("Find a word"));
    m_search->setFixedWidth(160);
    m_mapCard->header()->addWidget(m_search);
    m_mapCard->header()->addWidget(m_which);
    m_mapCard->body()->addWidget(m_map, 1);
    m_nearCard->body()->addWidget(m_neighbours);
    m_nearCard->body()->addStretch();
    m_nearCard->setFixedWidth(360);
    columns->addWidget(m_mapCard, 1);
    columns->addWidget(m_nearCard);
    connect(m_which, &QComboBox::activated, this, [this](int table) {
        m_side = sideOf(m_which->itemData(table).toString());
        m_nearest.clear();
        load();
        emit optionsChanged();
    });
    connect(m_map, &WordMap::wordChosen, this, &EmbeddingView::chooseByReader);
    connect(m_search, &QLineEdit::textEdited, this, &EmbeddingView::find);
    connect(m_neighbours, &WordBars::chosen, this,
            [this](int bar) { chooseByReader(m_near[static_cast<size_t>(bar)].index); });
}

void EmbeddingView::setModel(std::shared_ptr<const TrainedModel> model) {
    m_model = std::move(model);
    m_which->clear();
    for (const ParameterSet::Entry& entry : std::as_const(*m_model->network).parameters().entries()) {
        const bool positions = entry.module->kind == ModuleKind::Positions;
        const Stack stack = entry.module->place.stack;
        const Tokenizer& words = stack == Stack::Decoder ? *m_model->target : *m_model->source;
        // Kinds of segment are embedded too, two of them: they make no map.
        const bool isOfWords =
            entry.module->kind == ModuleKind::Embedding && entry.shape.dim(0) == words.vocabulary().size();
        if (!positions && !isOfWords) continue;
        const QString title = positions                 ? tr("Positions")
                              : stack == Stack::Encoder ? tr("Source words")
                              : stack == Stack::Decoder ? tr("Target words")
                                                        : tr("Words");
        m_which->addItem(title, QString::fromStdString(entry.name).section(u'.', 0, -2));
    }
    chooseTable();
    m_stale = true;
    if (isVisible()) load();
}

/// A model of one text has one table of words, whichever side was asked for.
void EmbeddingView::chooseTable() {
    for (int table = m_which->count() - 1; table >= 0; --table)
        if (sideOf(m_which->itemData(table).toString()) == m_side) return m_which->setCurrentIndex(table);
    if (m_which->count() > 0) m_which->setCurrentIndex(0);
}

void EmbeddingView::showOptions(const StageState& state) {
    m_side = state.embedding;
    m_nearest = QString::fromStdString(state.nearest);
    chooseTable();
    m_stale = true;
    if (isVisible() && m_model) load();
}

void EmbeddingView::tellOptions(StageState& state) const {
    state.embedding = m_side;
    state.nearest = m_nearest.toStdString();
}

void EmbeddingView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale && m_model) load();
}

void EmbeddingView::load() {
    m_stale = false;
    m_tableShown = embeddingTable(*m_model, m_which->currentData().toString().toStdString());
    const Plane plane = principalPlane(m_tableShown);
    QStringList words;
    std::vector<QPointF> points;
    points.reserve(plane.points.size());
    for (const std::string& name : m_tableShown.names)
        words << QString::fromStdString(name);
    for (const auto& [x, y] : plane.points)
        points.emplace_back(static_cast<double>(x), static_cast<double>(y));
    m_map->setPoints(std::move(words), std::move(points));
    m_mapCard->setCaption(tr("%1 vectors of %2 numbers; the plane has %3 of their variance")
                              .arg(m_tableShown.count())
                              .arg(m_tableShown.width)
                              .arg(formatPercent(plane.shares[0] + plane.shares[1], 0)));
    const auto& names = m_tableShown.names;
    const auto wanted = std::ranges::find(names, m_nearest.toStdString());
    choose(wanted != names.end() ? static_cast<int>(wanted - names.begin()) : std::min(10, m_tableShown.count() - 1));
}

void EmbeddingView::find(const QString& text) {
    for (int word = 0; word < m_tableShown.count(); ++word)
        if (QString::fromStdString(m_tableShown.names[static_cast<size_t>(word)]).startsWith(text, Qt::CaseInsensitive))
            return chooseByReader(word);
}

void EmbeddingView::chooseByReader(int word) {
    choose(word);
    m_nearest = QString::fromStdString(m_tableShown.names[static_cast<size_t>(word)]);
    emit optionsChanged();
}

void EmbeddingView::choose(int word) {
    if (word < 0) return;
    m_near = nearestNeighbours(m_tableShown, word, kNeighbours);
    std::vector<WordBars::Bar> bars;
    std::vector<int> related;
    bars.reserve(m_near.size());
    related.reserve(m_near.size());
    for (const Neighbour& neighbour : m_near) {
        bars.push_back({QString::fromStdString(m_tableShown.names[static_cast<size_t>(neighbour.index)]),
                        std::max(0.0, neighbour.cosine), false, false});
        related.push_back(neighbour.index);
    }
    m_nearCard->setTitle(
        tr("Nearest to “%1”").arg(QString::fromStdString(m_tableShown.names[static_cast<size_t>(word)])));
    m_neighbours->setBars(std::move(bars));
    m_map->setChosen(word, std::move(related));
}

}  // namespace headlight
