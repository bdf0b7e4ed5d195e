// SPDX-License-Identifier: GPL-3.0-or-later
// What the open model is compared with: the choices, and the state of the stage in their place.
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QStackedWidget>
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
        const QString against = QString::fromStdString(state.against),
                      file = findModel(against, QString::fromStdString(state.againstHash));
        // What is not here is named by the comparison, as it cannot be opened.
        m_comparison->setModelPath(file.isEmpty() ? against : file);
        QStringList heads;
        for (const std::string& head : state.without)
            heads << QString::fromStdString(head);
        m_comparison->setMutedHeads(heads);
        QStringList changes;
        for (const std::string& change : state.changes)
            changes << QString::fromStdString(change);
        m_comparison->setChanges(changes);
        m_comparison->setSentence(QString::fromStdString(state.beside));
        m_comparison->setKind(static_cast<Kind>(state.with));
    }
    refresh();
}

void CompareView::tellOptions(StageState& state) const {
    state.with = static_cast<StageState::With>(m_comparison->kind());
    const bool byDefault = m_comparison->isByDefault();
    state.against = byDefault ? std::string() : modelKeyOf(m_comparison->modelPath()).toStdString();
    state.againstHash = byDefault ? std::string() : m_comparison->modelHash().toStdString();
    state.without.clear();
    if (m_comparison->mutedHeads() != defaultHeads())
        for (const QString& head : m_comparison->mutedHeads())
            state.without.push_back(head.toStdString());
    state.beside = m_comparison->sentence().toStdString();
    state.changes.clear();
    for (const QString& change : m_comparison->changes())
        state.changes.push_back(change.toStdString());
}

/// The choices say what is compared, whoever set it.
void CompareView::showChoices() {
    for (size_t i = 0; i < m_kinds.size(); ++i)
        m_kinds[i]->setChecked(i == static_cast<size_t>(m_comparison->kind()));
    m_settings->setCurrentIndex(static_cast<int>(m_comparison->kind()));
    m_changes->setChanges(m_comparison->changes(), m_comparison->problem());
    // The lists of the others are short; this one grows with what is put in.
    constexpr int kLow = 84;
    m_settings->setFixedHeight(m_comparison->kind() == Kind::Changes ? m_settings->currentWidget()->sizeHint().height()
                                                                     : kLow);
    if (m_other->text() != m_comparison->sentence()) m_other->setText(m_comparison->sentence());
    m_kept->setCurrentIndex(m_kept->findText(m_comparison->sentence()));
    showModelChoice();
    showHeadChoice();
}

void CompareView::showModelChoice() {
    const QString path = m_comparison->modelPath();
    const QFileInfo wanted(path);
    const int last = m_models->count() - 1;  // "Open another…"
    if (last < 0 || path.isEmpty()) return;
    for (int i = 0; i < last; ++i) {
        if (QFileInfo(m_models->itemData(i).toString()) != wanted) continue;
        if (isModelOfRun(path)) m_models->setItemText(i, m_comparison->nameOf(path));  // of another run by now
        return m_models->setCurrentIndex(i);
    }
    m_models->insertItem(last, m_comparison->nameOf(path), path);
    m_models->setCurrentIndex(last);
}

void CompareView::showHeadChoice() {
    const QStringList& heads = m_comparison->mutedHeads();
    if (heads.isEmpty() || m_block->count() == 0) return;
    const QString block = heads.first().section(u'.', 0, -2);
    const bool together =
        std::ranges::all_of(heads, [&](const QString& head) { return head.startsWith(block + u'.'); });
    m_block->setCurrentIndex(m_block->findData(block));
    const bool all = together && heads.size() == m_head->count() - 1;
    m_head->setCurrentIndex(all ? 0 : heads.size() == 1 ? heads.first().section(u'.', -1).toInt() + 1 : -1);
}

/// What is left out before the reader chooses: the last block.
QStringList CompareView::defaultHeads() const {
    QStringList heads;
    for (int head = 0; head < m_head->count() - 1; ++head)
        heads << headName(m_block->itemData(m_block->count() - 1).toString(), head);
    return heads;
}

void CompareView::mute() {
    const QString block = m_block->currentData().toString();
    const int head = m_head->currentIndex() - 1;
    QStringList heads;
    for (int i = 0; i < m_head->count() - 1; ++i)
        if (head < 0 || i == head) heads << headName(block, i);
    m_comparison->setMutedHeads(heads);
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
    m_head->clear();
    for (const AttentionBlock& block : blocks)
        m_block->addItem(blockTitle(block), block.scope);
    m_block->setCurrentIndex(m_block->count() - 1);
    if (blocks.empty()) return;
    m_head->addItem(tr("All its heads"));
    for (int head = 0; head < blocks.back().heads; ++head)
        m_head->addItem(tr("Head %1").arg(head + 1));
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
