// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <memory>
#include <vector>

#include "ui/session/open/translation_row.h"
#include "ui/session/trace/attention_block.h"
#include "ui/widgets/controls/panel.h"

class QGridLayout;
class QLabel;

namespace headlight {

class Button;
class HeadGrid;
class Selection;
class TokenStrip;

/// The left of the attention room: every head of the model, the switches that mute heads of the chosen block, and what
/// the model writes with all heads on and with the muted ones off.
class HeadsPanel : public Panel {
    Q_OBJECT
public:
    explicit HeadsPanel(Selection* selection, QWidget* parent = nullptr);

    /// The blocks point into the trace; `revealed` is the last record that is shown, -1 for all.
    void setBlocks(const std::vector<AttentionBlock>& blocks, const QSet<QString>& muted, const Trace* trace,
                   int revealed);
    void setBaseline(const TranslationRow& row);
    /// `label` says which heads are off; a row without words is hidden.
    void setMutedTranslation(const TranslationRow& row, const QString& label);

signals:
    void muteToggled(const QString& headName, bool muted);
    void resetRequested();
    /// All heads as one wall.
    void wallWanted();

private:
    QWidget* makeMuteSection();
    QWidget* makeTranslations();
    void rebuildSwitches(const AttentionBlock& block, const QSet<QString>& muted);

    Selection* m_selection;
    QLabel* m_counts;
    HeadGrid* m_grid;
    QLabel* m_muteBlock;
    QGridLayout* m_switches;
    Button* m_reset;
    QLabel* m_baselineLabel;
    QLabel* m_baselineLogProb;
    TokenStrip* m_baseline;
    QWidget* m_mutedPart;
    QLabel* m_mutedLabel;
    QLabel* m_mutedLogProb;
    TokenStrip* m_muted;
    QStringList m_baselineWords;
};

/// "Decoder layer 2, cross-attention", and the same with a small initial where it goes on in a sentence.
QString blockTitle(const AttentionBlock& block);
/// "Cross 2", where there is little room.
QString briefBlockTitle(const AttentionBlock& block);

}  // namespace headlight
