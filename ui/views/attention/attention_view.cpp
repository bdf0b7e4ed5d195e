// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QStackedLayout>
#include <algorithm>

#include "ui/session/format/plural.h"
#include "ui/session/open/selection.h"
#include "ui/views/attention/attention_stage.h"
#include "ui/views/attention/heads_panel.h"
#include "ui/views/attention/wall_page.h"
#include "ui/widgets/controls/controls.h"

namespace headlight {
namespace {

/// "2, 4 and 7"
QString enumeration(const QStringList& items) {
    if (items.size() < 2) return items.join(QString());
    return AttentionView::tr("%1 and %2").arg(items.mid(0, items.size() - 1).join(QStringLiteral(", ")), items.last());
}

}  // namespace

AttentionView::AttentionView(Selection* selection, QWidget* parent)
    : ViewWidget(parent),
      m_selection(selection),
      m_pages(new QStackedLayout(this)),
      m_panel(new HeadsPanel(selection)),
      m_stage(new AttentionStage(selection)),
      m_wall(new WallPage(selection)) {
    auto* empty = new EmptyPage(tr("No model is open. Open one and type a sentence to see where each head looks."),
                                tr("Open a model"));
    auto* blind = new EmptyPage(tr("This model has no attention: what it knows of the words it has read is one state. "
                                   "The timeline below steps through what it computes."),
                                tr("Open another model"));
    auto* room = new QWidget;
    auto* row = new QHBoxLayout(room);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_panel->setPanelName("heads");
    row->addWidget(m_panel);
    row->addWidget(m_stage, 1);
    m_pages->addWidget(empty);
    m_pages->addWidget(room);
    m_pages->addWidget(blind);
    m_pages->addWidget(new EmptyPage(tr("Type a sentence above to see where each head looks."), {}));
    m_pages->addWidget(m_wall);

    for (EmptyPage* page : {empty, blind})
        connect(page, &EmptyPage::activated, this, &AttentionView::openModelRequested);
    connect(selection, &Selection::changed, this, &AttentionView::onSelectionChanged);
    connect(m_stage, &AttentionStage::shownOtherwise, this, &AttentionView::optionsChanged);
    connect(m_panel, &HeadsPanel::resetRequested, this, [this] { setMutedByReader({}); });
    connect(m_panel, &HeadsPanel::muteToggled, this, &AttentionView::toggleMuted);
    connectWall();
}

void AttentionView::connectWall() {
    connect(m_wall, &WallPage::optionsChanged, this, &AttentionView::optionsChanged);
    connect(m_wall, &WallPage::muteToggled, this, &AttentionView::toggleMuted);
    const auto turn = [this](bool wall) {
        turnTo(wall);
        emit optionsChanged();
    };
    connect(m_wall, &WallPage::oneBlockWanted, this, [turn] { turn(false); });
    connect(m_panel, &HeadsPanel::wallWanted, this, [turn] { turn(true); });
}

void AttentionView::turnTo(bool wall) {
    if (m_showsWall == wall) return;
    m_showsWall = wall;
    showPage();
    refresh();
    emit turned();
}

void AttentionView::toggleMuted(const QString& head, bool muted) {
    QStringList heads = m_muted;
    heads.removeAll(head);
    if (muted) heads << head;
    setMutedByReader(heads);
}

void AttentionView::setTrace(std::shared_ptr<const Trace> trace, Missing missing, const TrainedModel* model) {
    // The old trace lives until every widget has let go of its values.
    const std::shared_ptr<const Trace> old = std::exchange(m_trace, std::move(trace));
    m_stage->setMarks(m_trace ? wordMarks(*m_trace, model) : WordMarks());
    m_blocks = m_trace ? attentionBlocks(*m_trace) : std::vector<AttentionBlock>();
    m_missing = missing;
    chooseBlock();
    showPage();
    refresh();
}

void AttentionView::showPage() {
    enum Page { NoModel, Room, Blind, NoSentence, Wall };
    m_pages->setCurrentIndex(!m_trace           ? (m_missing == Missing::Model ? NoModel : NoSentence)
                             : m_blocks.empty() ? Blind
                             : m_showsWall      ? Wall
                                                : Room);
}

const AttentionBlock* AttentionView::chosenBlock() const {
    const auto found = std::find_if(m_blocks.begin(), m_blocks.end(), [this](const AttentionBlock& block) {
        return block.scope == m_selection->block();
    });
    return found == m_blocks.end() ? nullptr : &*found;
}

void AttentionView::chooseBlock() {
    if (m_blocks.empty()) return;
    if (!chosenBlock()) m_selection->setBlock(m_blocks.back().scope);
    const AttentionBlock& block = *chosenBlock();
    if (m_selection->head() >= block.heads) m_selection->setHead(0);
    const auto inside = [&](Selection::Cell cell) { return cell.query < block.rows && cell.key < block.columns; };
    if (!inside(m_selection->cell())) m_selection->setCell({});
    if (!inside(m_selection->hovered())) m_selection->setHovered({});
}

void AttentionView::refresh() {
    const AttentionBlock* block = chosenBlock();
    const QSet<QString> muted(m_muted.begin(), m_muted.end());
    if (m_showsWall) {
        m_wall->setTrace(m_blocks.empty() ? nullptr : m_trace, muted);
        m_shownBlock.clear();  // who comes back finds the stage built for nothing
        return;
    }
    m_wall->setTrace(nullptr, {});
    // The small pictures show what is there as a whole.
    m_panel->setBlocks(m_blocks, muted, m_trace.get(), m_phase < 1 ? std::max(0, m_revealed - 1) : m_revealed);
    if (!block) return;
    m_stage->setBlock(*block, m_trace, muted, m_revealed, m_phase);
    m_shownBlock = block->scope;
    m_shownHeads = m_selection->heads();
}

void AttentionView::onSelectionChanged() {
    if (m_showsWall) {
        chooseBlock();
        return m_wall->refreshSelection();
    }
    if (m_shownBlock == m_selection->block() && m_shownHeads == m_selection->heads()) return m_stage->refreshCell();
    chooseBlock();
    refresh();
}

/// Escape goes back from several heads to the one.
void AttentionView::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape || m_selection->heads().size() < 2) return QWidget::keyPressEvent(event);
    m_selection->setOverlaid({});
}

void AttentionView::setGold(const GoldLinks& gold) {
    m_stage->setGold(gold);
    m_wall->setGold(gold);
    refresh();
}

void AttentionView::setSettling(Settling* settling) {
    m_wall->setSettling(settling);
}

void AttentionView::showOptions(const StageState& state) {
    m_stage->showOptions(state);
    m_wall->showOptions(state);
    turnTo(state.attention.picture == AttentionOptions::Picture::Wall);
}

void AttentionView::setVeil(const std::vector<NumberName>& veiled) {
    m_stage->setVeil(veiled);
    m_wall->setVeil(veiled);
}

void AttentionView::tellOptions(StageState& state) const {
    m_stage->tellOptions(state);
    m_wall->tellOptions(state);
    if (!m_showsWall) return;
    state.attention.picture = AttentionOptions::Picture::Wall;
    m_wall->tellShared(state);
}

void AttentionView::setBaseline(const TranslationRow& row) {
    m_panel->setBaseline(row);
}

void AttentionView::setMuted(const TranslationRow& row, const std::vector<QString>& mutedHeads) {
    m_muted = QStringList(mutedHeads.begin(), mutedHeads.end());
    m_panel->setMutedTranslation(m_muted.isEmpty() ? TranslationRow{} : row, mutedLabel());
    refresh();
}

void AttentionView::setMutedByReader(const QStringList& heads) {
    m_muted = heads;
    if (heads.isEmpty()) m_panel->setMutedTranslation({}, {});
    refresh();
    emit mutedHeadsChanged(m_muted);
}

void AttentionView::setRevealed(int recordIndex, double phase) {
    const bool same = m_revealed == recordIndex && (m_phase < 1) == (phase < 1);
    m_phase = phase;
    if (same) return m_stage->setPhase(phase);
    m_revealed = recordIndex;
    m_wall->setRevealed(recordIndex);
    refresh();
}

QString AttentionView::mutedLabel() const {
    std::vector<int> heads;
    QSet<QString> blocks;
    for (const QString& name : m_muted) {
        blocks.insert(name.section(u'.', 0, -2));
        heads.push_back(name.section(u'.', -1).toInt() + 1);
    }
    if (blocks.size() > 1) {
        const auto count = static_cast<int>(m_muted.size());
        return plural(tr("%n head(s) muted", nullptr, count), count);
    }
    std::sort(heads.begin(), heads.end());
    QStringList numbers;
    for (const int head : heads)
        numbers << QString::number(head);
    return heads.size() == 1 ? tr("Head %1 muted").arg(numbers.first())
                             : tr("Heads %1 muted").arg(enumeration(numbers));
}

}  // namespace headlight

#include "moc_attention_view.cpp"
