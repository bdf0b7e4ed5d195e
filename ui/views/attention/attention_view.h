// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "ui/session/open/translation_row.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/attention_facts.h"
#include "ui/views/view.h"

class QStackedLayout;

namespace headlight {

class AttentionStage;
class HeadsPanel;
class Selection;
class WallPage;
struct TrainedModel;

/// The attention room: every head of the model, muting, and one head in full; or all heads as one wall. Draws from
/// (trace, selection); touching it changes the selection.
class AttentionView : public ViewWidget {
    Q_OBJECT
public:
    explicit AttentionView(Selection* selection, QWidget* parent = nullptr);

    enum class Missing { Model, Sentence };
    /// nullptr: there is nothing to show, and the page says what is missing. `model`: that made the trace, which knows
    /// its special tokens; without it they are known by how they are written.
    void setTrace(std::shared_ptr<const Trace> trace, Missing missing = Missing::Model,
                  const TrainedModel* model = nullptr);
    void setSettling(Settling* settling) override;
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    void setVeil(const std::vector<NumberName>& veiled) override;
    /// The links of the sentence's words to those of its translation, where they are known.
    void setGold(const GoldLinks& gold);
    /// What the model writes with every head on.
    void setBaseline(const TranslationRow& row);
    /// What it writes without these heads (`decoder.layers.1.cross_attn.3`); no heads: the second row goes away.
    void setMuted(const TranslationRow& row, const std::vector<QString>& mutedHeads);
    /// Values recorded after this index are drawn as outlines; -1 shows all. Of that one itself a part `phase` is
    /// there.
    void setRevealed(int recordIndex, double phase = 1);

    QStringList mutedHeads() const { return m_muted; }
    AttentionStage* stage() const { return m_stage; }
    WallPage* wall() const { return m_wall; }
    bool showsWall() const { return m_showsWall; }

signals:
    /// The reader muted or unmuted heads; setMuted() is the answer, once there is one.
    void mutedHeadsChanged(const QStringList& heads);
    /// To the wall of all heads, or back; whoever did it.
    void turned();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void connectWall();
    /// The wall, or one block.
    void turnTo(bool wall);
    void showPage();
    void toggleMuted(const QString& head, bool muted);
    void refresh();
    void onSelectionChanged();
    void setMutedByReader(const QStringList& heads);
    const AttentionBlock* chosenBlock() const;
    void chooseBlock();
    QString mutedLabel() const;

    Selection* m_selection;
    std::shared_ptr<const Trace> m_trace;
    std::vector<AttentionBlock> m_blocks;
    QStringList m_muted;
    int m_revealed = -1;
    double m_phase = 1;
    QString m_shownBlock;  ///< what the stage was last built for
    std::vector<int> m_shownHeads;
    Missing m_missing = Missing::Model;
    bool m_showsWall = false;

    QStackedLayout* m_pages;
    HeadsPanel* m_panel;
    AttentionStage* m_stage;
    WallPage* m_wall;
};

}  // namespace headlight
