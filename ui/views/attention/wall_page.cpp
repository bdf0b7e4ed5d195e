// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/wall_page.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/views/attention/wall_head.h"
#include "ui/views/attention/wall_search.h"
#include "ui/widgets/controls/controls.h"

namespace headlight {

using Kind = AttentionBlock::Kind;

WallPage::WallPage(Selection* selection, QWidget* parent)
    : ViewWidget(parent),
      m_selection(selection),
      m_study(new HeadStudy(this)),
      m_search(new WallSearch),
      m_title(new Caption({}, 18, QFont::DemiBold, Caption::Tone::Main)),
      m_firstWord(new SegmentedControl({tr("As they are"), tr("Without the first word")})),
      m_wall(new HeadWall),
      m_head(new WallHead) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_search);
    row->addWidget(makeStage(), 1);
    row->addWidget(m_head);

    connect(m_search, &WallSearch::optionsChosen, this, &WallPage::choose);
    connect(m_search, &WallSearch::headChosen, this, &WallPage::chooseHead);
    connect(m_search, &WallSearch::kindChosen, this, &WallPage::chooseKind);
    connect(m_search, &WallSearch::oneBlockWanted, this, &WallPage::oneBlockWanted);
    connect(m_search, &WallSearch::wordsChosen, this, [this](int query, int key) {
        m_half = {query, key};
        m_selection->setCell(m_half.valid() ? m_half : Selection::Cell());
        refreshSelection();
    });
    connect(m_search, &WallSearch::judgingWanted, this, [this] {
        if (m_study->hasTask()) return m_study->judge(m_options.look.first);
        const QString file = QFileDialog::getOpenFileName(this, tr("A text file, a sentence a line"));
        if (!file.isEmpty()) m_study->judge(m_options.look.first, file);
    });
    connect(m_search, &WallSearch::judgementForgotten, m_study, &HeadStudy::forgetJudgement);
    connect(m_search, &WallSearch::stopWanted, m_study, &HeadStudy::cancel);
    connect(m_head, &WallHead::stopWanted, m_study, &HeadStudy::cancel);
    connect(m_head, &WallHead::weighingWanted, m_study, &HeadStudy::weigh);
    connect(m_head, &WallHead::muteWanted, this, [this] { toggleMute(m_wall->current()); });
    connect(m_head, &WallHead::cellChosen, this, [this](int query, int key) { m_selection->setCell({query, key}); });
    connect(m_head, &WallHead::cellHovered, this, [this](int query, int key) {
        m_selection->setHovered({query, key});
    });
    connect(m_wall, &HeadWall::headChosen, this, &WallPage::chooseHead);
    connect(m_wall, &HeadWall::muteToggled, this, &WallPage::toggleMute);
    connect(m_wall, &HeadWall::currentChanged, this, &WallPage::showAll);
    connect(m_firstWord, &SegmentedControl::currentChanged, this, [this](int index) {
        WallOptions options = m_options;
        options.look.first = static_cast<FirstWord>(index);
        choose(options);
    });
    connect(m_study, &HeadStudy::known, this, [this] {
        if (m_trace) survey(m_survey.kind());
    });
    connect(m_study, &HeadStudy::changed, this, &WallPage::showStudy);
    connect(m_study, &HeadStudy::progressed, this, &WallPage::showStudy);
    showStudy();
}

QWidget* WallPage::makeStage() {
    auto* stage = new QWidget;
    auto* column = new QVBoxLayout(stage);
    column->setContentsMargins(20, 12, 16, 8);
    column->setSpacing(6);
    auto* subtitle = new Caption(tr("Every small square: rows look, columns are looked at."), 12, QFont::Normal,
                                 Caption::Tone::Secondary);
    subtitle->setWordWrap(true);
    column->addWidget(m_title);
    column->addWidget(subtitle);
    column->addWidget(m_firstWord, 0, Qt::AlignLeft);
    m_firstWord->setAccessibleName(tr("How the weights are seen"));
    column->addWidget(m_wall, 1);
    return stage;
}

void WallPage::setReading(std::shared_ptr<const TrainedModel> model, const QString& source, const QString& target) {
    m_study->setReading(std::move(model), source, target);
    weighIfWanted();
}

void WallPage::setTrace(std::shared_ptr<const Trace> trace, const QSet<QString>& muted) {
    if (!trace && !m_trace) return;
    const bool same = m_trace == trace;
    m_muted = muted;
    if (same) {
        m_wall->setMuted(muted);
        return refreshSelection();
    }
    m_trace = std::move(trace);
    m_blocks = m_trace ? attentionBlocks(*m_trace) : std::vector<AttentionBlock>();
    m_half = {};
    const auto chosen = std::ranges::find(m_blocks, m_selection->block(), &AttentionBlock::scope);
    survey(chosen != m_blocks.end() ? chosen->kind : m_blocks.empty() ? Kind::Self : m_blocks.back().kind);
    weighIfWanted();
}

void WallPage::setGold(const GoldLinks& gold) {
    if (m_gold == gold) return;
    m_gold = gold;
    if (m_trace) survey(m_survey.kind());
}

void WallPage::setVeil(const std::vector<NumberName>& veiled) {
    if (m_veiled == veiled) return;
    m_veiled = veiled;
    if (m_trace) survey(m_survey.kind());
}

/// What a lesson hides of each head.
std::vector<std::vector<char>> WallPage::hiddenCells() const {
    if (m_veiled.empty()) return {};
    std::vector<std::vector<char>> all(m_survey.heads().size());
    for (size_t i = 0; i < all.size(); ++i) {
        const HeadSurvey::Head& head = m_survey.heads()[i];
        const auto block = std::ranges::find(m_blocks, head.scope, &AttentionBlock::scope);
        if (block == m_blocks.end()) continue;
        const bool hasHeads = block->weights->shape.size() == 3;
        for (int row = 0; row < m_survey.rows(); ++row)
            for (int column = 0; column < m_survey.columns(); ++column) {
                std::vector<int> at{row + 1, column + 1};
                if (hasHeads) at.insert(at.begin(), head.head + 1);
                if (!isAmong(m_veiled, {block->weights->name, at})) continue;
                all[i].resize(head.weights.size());
                all[i][m_survey.at(row, column)] = 1;
            }
    }
    return all;
}

void WallPage::setRevealed(int record) {
    m_revealed = record;
    m_wall->setRevealed(revealedLayers());
    showAll();
}

/// How many of the layers on the wall are computed, −1 for all.
int WallPage::revealedLayers() const {
    if (m_revealed < 0 || !m_trace) return -1;
    return static_cast<int>(std::ranges::count_if(m_blocks, [this](const AttentionBlock& block) {
        return block.kind == m_survey.kind() && m_trace->indexOf(block.weights->name) <= m_revealed;
    }));
}

void WallPage::survey(Kind kind) {
    if (kind != m_survey.kind()) m_half = {};
    HeadSurvey fresh = m_trace ? HeadSurvey(m_trace, kind, m_options.look, m_gold) : HeadSurvey();
    if (m_study->judgement()) fresh.setJudgement(*m_study->judgement());
    if (m_study->ablation()) fresh.setRises(*m_study->ablation());
    m_survey = std::move(fresh);
    m_title->setText(tr("All %1 heads").arg(m_survey.heads().size()));
    m_hidden = hiddenCells();
    m_wall->setSurvey(&m_survey, m_muted);
    m_wall->setVeil(m_hidden);
    m_wall->setOptions(m_options);
    m_wall->setChosen(m_survey.indexOf(m_selection->block(), m_selection->head()));
    m_wall->setRevealed(revealedLayers());
    showAll();
}

void WallPage::showAll() {
    if (m_survey.empty()) return;
    std::vector<int> found = m_survey.looking(words().query, words().key, m_options.least);
    std::erase_if(found, [this](int head) { return m_wall->hasVeil(head); });
    m_wall->setFound(found);
    const int head = m_wall->current();
    m_search->show({m_survey, HeadSurvey::kindsOf(m_blocks), m_options, words(), m_wall->found(), m_wall->chosen()});
    if (head < 0) return;
    const HeadSurvey::Head& shown = m_survey.heads()[static_cast<size_t>(head)];
    const int layers = revealedLayers();
    m_head->show({m_survey, head, m_muted.contains(shown.name()), layers < 0 || shown.layer < layers, words(),
                  m_selection->hovered(),
                  m_hidden.empty() ? std::vector<char>() : m_hidden[static_cast<size_t>(head)]});
}

/// From one word to another: the selection's cell, or the half of it that is chosen so far.
Selection::Cell WallPage::words() const {
    return m_selection->cell().valid() ? m_selection->cell() : m_half;
}

void WallPage::refreshSelection() {
    if (m_survey.empty()) return;
    const auto block = std::ranges::find(m_blocks, m_selection->block(), &AttentionBlock::scope);
    if (block != m_blocks.end() && block->kind != m_survey.kind()) survey(block->kind);
    const int chosen = m_survey.indexOf(m_selection->block(), m_selection->head());
    if (chosen != m_wall->chosen()) m_wall->setChosen(chosen);
    showAll();
}

void WallPage::chooseHead(int head) {
    const HeadSurvey::Head& chosen = m_survey.heads()[static_cast<size_t>(head)];
    const QString scope = chosen.scope;
    m_selection->setHead(chosen.head);
    m_selection->setBlock(scope);
    refreshSelection();
}

void WallPage::chooseKind(Kind kind) {
    const auto block = std::ranges::find(m_blocks, kind, &AttentionBlock::kind);
    if (block == m_blocks.end()) return;
    m_selection->setCell({});
    m_half = {};
    m_selection->setBlock(block->scope);
    refreshSelection();
}

void WallPage::toggleMute(int head) {
    if (head < 0) return;
    const QString name = m_survey.heads()[static_cast<size_t>(head)].name();
    emit muteToggled(name, !m_muted.contains(name));
}

void WallPage::choose(const WallOptions& options) {
    if (options == m_options) return;
    take(options);
    emit optionsChanged();
}

void WallPage::take(const WallOptions& options) {
    const bool seenOtherwise = options.look != m_options.look;
    m_options = options;
    {
        const QSignalBlocker quiet(m_firstWord);
        m_firstWord->setCurrentIndex(static_cast<int>(options.look.first));
    }
    if (seenOtherwise && m_trace) {
        survey(m_survey.kind());
    } else {
        m_wall->setOptions(options);
        showAll();
    }
    weighIfWanted();
}

/// An order by importance asks for it.
void WallPage::weighIfWanted() {
    const bool isWanted = m_options.order == WallOptions::Order::Importance && isVisible() && m_trace;
    if (isWanted && !m_study->ablation() && m_study->work() == HeadStudy::Work::None && m_study->failure().isEmpty())
        m_study->weigh();
}

void WallPage::showStudy() {
    m_search->showStudy(*m_study);
    m_head->showStudy(*m_study);
}

void WallPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    weighIfWanted();
}

void WallPage::showOptions(const StageState& state) {
    WallOptions options;
    options.order = static_cast<WallOptions::Order>(state.attention.order);
    if (state.attention.habit != AttentionOptions::Habit::Any)
        options.habit = static_cast<HeadHabit>(static_cast<int>(state.attention.habit) - 1);
    options.fromLayer = state.attention.firstLayer - 1;
    options.toLayer = state.attention.lastLayer - 1;
    options.least = std::clamp(state.attention.least, 0.0, 1.0);
    options.look = {state.attention.withoutFirst ? FirstWord::LeftOut : FirstWord::Kept,
                    state.attention.pairs == AttentionOptions::Pairs::FirstToSecond};
    if (options != m_options) take(options);
    m_wall->finishMoving();
}

void WallPage::tellOptions(StageState& state) const {
    state.attention.order = static_cast<AttentionOptions::Order>(m_options.order);
    state.attention.habit = m_options.habit
                                ? static_cast<AttentionOptions::Habit>(static_cast<int>(*m_options.habit) + 1)
                                : AttentionOptions::Habit::Any;
    state.attention.firstLayer = m_options.fromLayer + 1;
    state.attention.lastLayer = m_options.toLayer + 1;
    state.attention.least = m_options.least;
}

void WallPage::tellShared(StageState& state) const {
    state.attention.withoutFirst = m_options.look.first == FirstWord::LeftOut;
    state.attention.pairs =
        m_options.look.firstToSecond ? AttentionOptions::Pairs::FirstToSecond : AttentionOptions::Pairs::All;
}

}  // namespace headlight

#include "moc_wall_page.cpp"
