// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/embedding_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/session/format/piece_text.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/controls/progress_line.h"
#include "ui/widgets/words/group_legend.h"
#include "ui/widgets/words/word_bars.h"
#include "ui/widgets/words/word_map.h"

namespace headlight {

namespace {

constexpr int kNeighbours = 80;  ///< as many of them are listed as there is room for
constexpr size_t kOnTheMap = 12;
constexpr std::chrono::milliseconds kPatience{300};
constexpr int kFirst = 10;  ///< the word that is chosen before anybody does

EmbeddingsOptions::Side sideOf(const QString& table) {
    using Side = EmbeddingsOptions::Side;
    return table == QLatin1String("target_embedding") ? Side::Target
           : table == QLatin1String("positions")      ? Side::Positions
                                                      : Side::Source;
}

}  // namespace

EmbeddingView::EmbeddingView(QWidget* parent)
    : ViewWidget(parent),
      m_which(new ComboBox(tr("Table"))),
      m_search(new QLineEdit),
      m_mapCard(new Card(tr("Map"))),
      m_progress(new ProgressLine),
      m_failure(new FailureBox),
      m_map(new WordMap),
      m_legend(new GroupLegend),
      m_rule(new Caption({}, 11, QFont::Normal, Caption::Tone::Faint)),
      m_nearCard(new Card(tr("Nearest neighbours"), tr("cosine of the angle"))),
      m_neighbours(new WordBars),
      m_patience(kPatience, [this] { showProgress(0); }) {
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(20, 16, 20, 16);
    columns->setSpacing(16);
    m_search->setPlaceholderText(tr("Find a word"));
    m_search->setAccessibleName(tr("Find a word"));
    m_search->setFixedWidth(160);
    m_mapCard->header()->addWidget(m_search);
    m_mapCard->header()->addWidget(m_which);
    m_mapCard->body()->addWidget(m_progress);
    m_mapCard->body()->addWidget(m_failure);
    m_mapCard->body()->addWidget(m_map, 1);
    m_failure->hide();
    m_mapCard->body()->addWidget(m_legend);
    m_mapCard->body()->addWidget(m_rule);
    m_rule->setWordWrap(true);
    showGroups();
    m_neighbours->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    m_neighbours->installEventFilter(this);
    m_nearCard->body()->addWidget(m_neighbours, 1);
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
    connect(m_legend, &GroupLegend::pointed, this,
            [this](int group) { m_map->setLit(group >= 0 ? group : groupOf(m_map->chosen())); });
    connect(m_legend, &GroupLegend::chosen, this, &EmbeddingView::chooseGroup);
    connect(m_search, &QLineEdit::textEdited, this, &EmbeddingView::find);
    connect(m_neighbours, &WordBars::chosen, this,
            [this](int bar) { chooseByReader(m_near[static_cast<size_t>(bar)].index); });
}

void EmbeddingView::setModel(std::shared_ptr<const TrainedModel> model) {
    m_model = std::move(model);
    m_which->clear();
    for (const ParameterSet::Entry& entry : std::as_const(*m_model->network).parameters().entries()) {
        const bool positions = entry.module->kind == ModuleKind::Positions;
        // Kinds of segment are embedded too, two of them, and distances of relative positions: they make no map.
        const bool distances = positions && m_model->network->config().positionalEncoding == PositionalKind::Relative;
        if (distances || (!positions && !wordsOf(*m_model, entry))) continue;
        const Stack stack = entry.module->place.stack;
        const QString title = positions                 ? tr("Positions")
                              : stack == Stack::Encoder ? tr("Source words")
                              : stack == Stack::Decoder ? tr("Target words")
                                                        : tr("Words");
        m_which->addItem(title, QString::fromStdString(entry.name).section(u'.', 0, -2));
    }
    chooseTable();
    m_stale = true;
    m_background.drop();
    endWaiting();
    showSpace(std::make_shared<const Space>());  // which would keep the model before
    if (isVisible()) load();
}

/// A model of one text has one table of words, whichever side was asked for.
void EmbeddingView::chooseTable() {
    for (int table = m_which->count() - 1; table >= 0; --table)
        if (sideOf(m_which->itemData(table).toString()) == m_side) return m_which->setCurrentIndex(table);
    if (m_which->count() > 0) m_which->setCurrentIndex(0);
}

void EmbeddingView::showOptions(const StageState& state) {
    m_side = state.embeddings.side;
    m_nearest = QString::fromStdString(state.embeddings.nearest);
    chooseTable();
    m_stale = true;
    if (isVisible() && m_model) load();
}

void EmbeddingView::tellOptions(StageState& state) const {
    state.embeddings.side = m_side;
    state.embeddings.nearest = m_nearest.toStdString();
}

void EmbeddingView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale && m_model) load();
}

EmbeddingView::Shared EmbeddingView::compute(const std::shared_ptr<const TrainedModel>& model, const std::string& name,
                                             const std::function<bool(double)>& progress) {
    auto space = std::make_shared<Space>();
    space->model = model;
    space->name = name;
    space->table = std::make_shared<const EmbeddingTable>(embeddingTable(*model, name));
    const auto half = [&progress](double from) {
        return [&progress, from](double share) { return progress(from + share / 2); };
    };
    const Plane plane = principalPlane(*space->table, half(0));
    space->groups = embeddingGroups(*space->table, half(0.5));
    space->share = plane.shares[0] + plane.shares[1];
    for (const std::string& word : space->table->names)
        space->words << QString::fromStdString(word);
    for (const std::string& key : space->table->keys)
        space->keys << QString::fromStdString(key);
    space->places.reserve(plane.points.size());
    for (const auto& [x, y] : plane.points)
        space->places.emplace_back(static_cast<double>(x), static_cast<double>(y));
    return space;
}

/// What is shown of another model or another table goes at once.
void EmbeddingView::load() {
    m_stale = false;
    const std::string name = m_which->currentData().toString().toStdString();
    if (m_space->model == m_model && m_space->name == name) return showSpace(m_space);
    endWaiting();
    showSpace(std::make_shared<const Space>());
    m_patience.start();
    m_background.ask<Shared>(
        [this, model = m_model, name](const Background::Wanted& wanted) {
            return compute(model, name, [this, wanted](double share) {
                QMetaObject::invokeMethod(this, [this, wanted, share] {
                    if (wanted() && m_progress->share() >= 0) showProgress(share);
                });
                return wanted();
            });
        },
        [this](const Shared& space) {
            endWaiting();
            showSpace(space);
        },
        [this](const QString& why) { showFailure(why); });
}

void EmbeddingView::showSpace(const Shared& space) {
    const QStringList& words = space->words;
    const bool isOther = m_space != space;
    if (isOther) m_map->setPoints(words, space->places);
    m_space = space;
    if (isOther) showGroups();
    if (words.isEmpty()) {
        m_mapCard->setCaption({});
        return showNeighbours(-1, {});
    }
    m_mapCard->setCaption(tr("%1 vectors of %2 numbers; the plane holds %3 of their variance")
                              .arg(formatCount(words.size()))
                              .arg(space->table->width)
                              .arg(formatPercent(space->share, 0)));
    const qsizetype wanted = space->keys.indexOf(m_nearest);
    choose(static_cast<int>(wanted >= 0 ? wanted : std::min<qsizetype>(kFirst, words.size() - 1)));
    if (std::exchange(m_findsLater, false)) find(m_search->text());
}

void EmbeddingView::showProgress(double share) {
    m_progress->setShare(share);
    m_mapCard->setCaption(share < 0.5 ? tr("Finding the plane in which the vectors vary most …")
                                      : tr("Finding groups of words …"));
}

void EmbeddingView::showFailure(const QString& why) {
    endWaiting();
    m_mapCard->setCaption({});
    m_failure->setText(tr("The map was not computed: %1").arg(why));
    m_failure->show();
}

void EmbeddingView::endWaiting() {
    m_patience.stop();
    m_progress->setShare(-1);
    m_failure->hide();
}

void EmbeddingView::find(const QString& text) {
    const auto begins = [&](const QString& word) {
        return word.startsWith(text, Qt::CaseInsensitive) || PieceText(word).text.startsWith(text, Qt::CaseInsensitive);
    };
    const auto found = std::ranges::find_if(m_space->words, begins);
    m_findsLater = m_space->words.isEmpty();
    if (found != m_space->words.end()) chooseByReader(static_cast<int>(found - m_space->words.begin()));
}

/// Two or three of the words nearest to the middle of a group, such as can be read by themselves.
QStringList EmbeddingView::namesOf(int group, qsizetype most) const {
    QStringList names;
    const auto isWord = [](const QString& name) {
        return name.size() > 1 && std::ranges::all_of(name, [](QChar c) { return c.isLetter() || c.isMark(); });
    };
    const std::vector<int>& nearest = m_space->groups.nearest[static_cast<size_t>(group)];
    for (const bool readable : {true, false})
        for (const int word : nearest)
            if (const QString& name = m_space->words[word];
                names.size() < most && isWord(name) == readable && !names.contains(name))
                names << name;
    return names;
}

void EmbeddingView::showGroups() {
    const EmbeddingGroups& groups = m_space->groups;
    std::vector<GroupLegend::Group> entries;
    QStringList labels;
    for (int group = 0; group < groups.count(); ++group) {
        entries.push_back({namesOf(group, 3).join(QStringLiteral(", ")), groups.sizes[static_cast<size_t>(group)]});
        labels << namesOf(group, 2).join(QStringLiteral(", "));
    }
    m_legend->setGroups(entries);
    m_rule->setVisible(groups.count() > 0);
    m_rule->setText(
        tr("Groups by the direction of all %1 numbers from their mean (spherical k-means), not by the place on "
           "the map. Of %2 to %3 groups, %4 are told apart best (mean silhouette %5). Each is named by words "
           "near its centre.")
            .arg(m_space->table->width)
            .arg(fewestGroups)
            .arg(mostGroups)
            .arg(groups.count())
            .arg(formatNumber(groups.silhouette)));
    m_map->setGroups(groups.of, labels);
}

/// Of a word that the reader chose; else −1, and all groups are lit.
int EmbeddingView::groupOf(int word) const {
    const bool isThere = !m_nearest.isEmpty() && word >= 0 && m_space->groups.count() > 0;
    return isThere ? m_space->groups.of[static_cast<size_t>(word)] : -1;
}

/// The word at its centre is chosen, which lights it; where it was lit so, nothing is chosen any more.
void EmbeddingView::chooseGroup(int group) {
    const bool wasLit = groupOf(m_map->chosen()) == group;
    if (!wasLit) {
        const QString word = namesOf(group, 1).front();
        return chooseByReader(static_cast<int>(m_space->words.indexOf(word)));
    }
    m_nearest.clear();
    choose(m_map->chosen());
    emit optionsChanged();
}

void EmbeddingView::chooseByReader(int word) {
    m_nearest = m_space->keys[word];
    choose(word);
    emit optionsChanged();
}

/// The map shows it at once, its neighbours follow.
void EmbeddingView::choose(int word) {
    m_map->setChosen(word, {});
    m_map->setLit(groupOf(word));
    m_legend->setChosen(groupOf(word));
    m_background.ask<std::vector<Neighbour>>(
        [table = m_space->table, word] { return nearestNeighbours(*table, word, kNeighbours); },
        [this, word](std::vector<Neighbour> near) { showNeighbours(word, std::move(near)); },
        [this](const QString& why) { showFailure(why); });
}

/// -1: none.
void EmbeddingView::showNeighbours(int word, std::vector<Neighbour> near) {
    m_near = std::move(near);
    std::vector<int> related;
    for (const Neighbour& neighbour : std::span(m_near).first(std::min(kOnTheMap, m_near.size())))
        related.push_back(neighbour.index);
    m_nearCard->setTitle(word < 0 ? tr("Nearest neighbours") : tr("Nearest to “%1”").arg(m_space->words[word]));
    listNeighbours();
    m_map->setChosen(word, std::move(related));
}

/// As many as there is room for. What points away is no neighbour, and a bar has no length below zero.
void EmbeddingView::listNeighbours() {
    const auto room = static_cast<size_t>(std::max(1, m_neighbours->height() / WordBars::kRow));
    std::vector<WordBars::Bar> bars;
    for (const Neighbour& neighbour : std::span(m_near).first(std::min(room, m_near.size())))
        if (neighbour.cosine > 0) bars.push_back({m_space->words[neighbour.index], neighbour.cosine, false, false});
    m_neighbours->setBars(std::move(bars));
}

bool EmbeddingView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_neighbours && event->type() == QEvent::Resize) listNeighbours();
    return QWidget::eventFilter(watched, event);
}

}  // namespace headlight

#include "moc_embedding_view.cpp"
