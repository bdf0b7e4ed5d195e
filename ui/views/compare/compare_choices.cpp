// SPDX-License-Identifier: GPL-3.0-or-later
// What the open model is compared with: the choices, and the state of the stage in their place.
#include <QLineEdit>
#include <QScopedValueRollback>
#include <algorithm>
#include <cmath>

#include "ui/session/open/divergence.h"
#include "ui/session/open/selection.h"
#include "ui/session/open/shipped.h"
#include "ui/session/trace/attention_block.h"
#include "ui/views/attention/heads_panel.h"
#include "ui/views/compare/change_list.h"
#include "ui/views/compare/compare_view.h"
#include "ui/widgets/controls/choice_row.h"
#include "ui/widgets/controls/combo_box.h"

namespace headlight {

using Kind = Comparison::Kind;

void CompareView::setModels(const QFileInfoList& models) {
    for (const QFileInfo& file : models)
        m_models->addItem(file.completeBaseName(), file.filePath());
    m_models->addItem(tr("Open another…"), QString());
    showModelChoice();
}

void CompareView::setSentences(const QStringList& sentences) {
    m_kept->clear();
    m_kept->addItems(sentences);
    m_kept->setVisible(!sentences.isEmpty());
    showChoices();
}

void CompareView::chooseKind(Kind kind) {
    m_comparison->setKind(kind);
    refresh();
}

void CompareView::showOptions(const StageState& state) {
    {
        const QScopedValueRollback told(m_isTold, true);
        const QString against = QString::fromStdString(state.compare.against),
                      file = findModel(against, QString::fromStdString(state.compare.againstHash));
        // What is not here is named by the comparison, as it cannot be opened.
        m_comparison->setModelPath(file.isEmpty() ? against : file);
        QStringList heads;
        for (const std::string& head : state.compare.without)
            heads << QString::fromStdString(head);
        m_comparison->setMutedHeads(heads);
        QStringList changes;
        for (const std::string& change : state.compare.changes)
            changes << QString::fromStdString(change);
        m_comparison->setChanges(changes);
        m_comparison->setSentence(QString::fromStdString(state.compare.beside));
        m_comparison->setKind(static_cast<Kind>(state.compare.with));
    }
    if (state.focus.empty()) m_seeksDifference = true;  // it names nothing to look at
    refresh();
}

void CompareView::tellOptions(StageState& state) const {
    state.compare.with = static_cast<CompareOptions::With>(m_comparison->chosenKind());
    const bool byDefault = m_comparison->isByDefault();
    state.compare.against = byDefault ? std::string() : modelKeyOf(m_comparison->modelPath()).toStdString();
    state.compare.againstHash = byDefault ? std::string() : m_comparison->modelHash().toStdString();
    state.compare.without.clear();
    if (m_comparison->mutedHeads() != defaultHeads())
        for (const QString& head : m_comparison->mutedHeads())
            state.compare.without.push_back(head.toStdString());
    state.compare.beside = m_comparison->sentence().toStdString();
    state.compare.changes.clear();
    for (const QString& change : m_comparison->changes())
        state.compare.changes.push_back(change.toStdString());
}

/// The choices say what is compared, whoever set it.
void CompareView::showChoices() {
    for (size_t i = 0; i < m_kinds.size(); ++i)
        m_kinds[i]->setChecked(i == static_cast<size_t>(m_comparison->kind()));
    for (size_t i = 0; i < m_settings.size(); ++i)
        m_settings[i]->setVisible(i == static_cast<size_t>(m_comparison->kind()));
    m_changes->setChanges(m_comparison->changes(), m_comparison->problem());
    if (m_other->text() != m_comparison->sentence()) m_other->setText(m_comparison->sentence());
    m_kept->setCurrentIndex(m_kept->findText(m_comparison->sentence()));
    showModelChoice();
    showBlockChoice();
    showHeads();
}

void CompareView::showModelChoice() {
    const QString path = m_comparison->modelPath();
    const QFileInfo wanted(path);
    const int last = m_models->count() - 1;  // "Open another…"
    if (last < 0) return;
    if (path.isEmpty()) return m_models->setCurrentIndex(-1);  // nothing is compared: no name stands there
    for (int i = 0; i < last; ++i) {
        if (QFileInfo(m_models->itemData(i).toString()) != wanted) continue;
        if (isModelOfRun(path)) m_models->setItemText(i, m_comparison->nameOf(path));  // of another run by now
        return m_models->setCurrentIndex(i);
    }
    m_models->insertItem(last, m_comparison->nameOf(path), path);
    m_models->setCurrentIndex(last);
}

void CompareView::showBlockChoice() {
    const QStringList& heads = m_comparison->mutedHeads();
    if (heads.isEmpty() || m_block->count() == 0) return;
    if (mutedIn(m_block->currentData().toString()).empty())
        m_block->setCurrentIndex(m_block->findData(heads.first().section(u'.', 0, -2)));
}

/// What is left out before the reader chooses: the last block.
QStringList CompareView::defaultHeads() const {
    if (!m_comparison->first().reading()) return {};
    const std::vector<AttentionBlock> blocks = attentionBlocks(*m_comparison->first().reading()->trace);
    QStringList heads;
    for (int head = 0; !blocks.empty() && head < blocks.back().heads; ++head)
        heads << headName(blocks.back().scope, head);
    return heads;
}

/// All heads of the block that was chosen.
void CompareView::mute() {
    QStringList heads;
    for (const AttentionBlock& block : attentionBlocks(*m_comparison->first().reading()->trace))
        for (int head = 0; block.scope == m_block->currentData().toString() && head < block.heads; ++head)
            heads << headName(block.scope, head);
    m_comparison->setMutedHeads(heads);
}

std::vector<int> CompareView::mutedIn(const QString& block) const {
    std::vector<int> heads;
    for (const QString& head : m_comparison->mutedHeads())
        if (head.section(u'.', 0, -2) == block) heads.push_back(head.section(u'.', -1).toInt());
    std::ranges::sort(heads);
    return heads;
}

/// Those of other blocks stay as they are.
void CompareView::muteIn(const QString& block, const std::vector<int>& heads) {
    QStringList wanted;
    for (const QString& head : m_comparison->mutedHeads())
        if (head.section(u'.', 0, -2) != block) wanted << head;
    for (const int head : heads)
        wanted << headName(block, head);
    m_seeksDifference = true;
    m_comparison->setMutedHeads(wanted);
    emit optionsChanged();
}

void CompareView::showBlocks() {
    const std::vector<AttentionBlock> blocks = attentionBlocks(*m_comparison->first().reading()->trace);
    QStringList names, shown;
    for (const AttentionBlock& block : blocks)
        names << block.scope;
    for (int i = 0; i < m_block->count(); ++i)
        shown << m_block->itemData(i).toString();
    if (names == shown) return;
    m_block->clear();
    for (const AttentionBlock& block : blocks)
        m_block->addItem(blockTitle(block), block.scope);
    m_block->setCurrentIndex(m_block->count() - 1);
}

/// Where another model computes nothing like what is looked at, it is met with the last value that both have; from then
/// on the reader chooses.
void CompareView::meetOtherModel() {
    if (m_comparison->kind() != Kind::Model || !m_comparison->isReady()) return;
    const auto& model = m_comparison->second().model();
    if (m_met.lock() == model) return;
    m_met = model;
    const Trace &a = *m_comparison->first().reading()->trace, &b = *m_comparison->second().reading()->trace;
    if (const TraceRecord* left = value(); left && counterpart(a, *left, b)) return;
    std::vector<Divergence> all = divergences(a, b);
    std::erase_if(all, [](const Divergence& each) { return std::isnan(each.whole); });
    if (!all.empty()) m_selection->setValue(QString::fromStdString(all.back().value->name));
}

/// Where nothing differs in what is looked at, which stands before what is otherwise, the first value is shown that
/// does.
void CompareView::showWhatDiffers() {
    if (!m_seeksDifference || !m_comparison->isReady()) return;
    m_seeksDifference = false;
    const Trace &a = *m_comparison->first().reading()->trace, &b = *m_comparison->second().reading()->trace;
    const TraceRecord* const left = value();
    const TraceRecord* const right = left ? counterpart(a, *left, b) : nullptr;
    if (right && right->values != left->values) return;
    const std::vector<Divergence> all = divergences(a, b);
    const auto first = std::ranges::find_if(all, [](const Divergence& each) { return each.whole > 0; });
    if (first != all.end()) m_selection->setValue(QString::fromStdString(first->value->name));
}

}  // namespace headlight
