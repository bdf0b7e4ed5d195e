// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QWidget>
#include <memory>
#include <vector>

#include "ui/session/open/head_study.h"
#include "ui/session/open/selection.h"
#include "ui/views/attention/head_wall.h"
#include "ui/views/view.h"

class QLabel;

namespace headlight {

class SegmentedControl;
class WallHead;
class WallSearch;

/// All heads of a kind of attention at once: the wall, how it is searched and ordered, and the chosen head in full.
/// Which head, and from which word to which, is the selection's.
class WallPage : public ViewWidget {
    Q_OBJECT
public:
    explicit WallPage(Selection* selection, QWidget* parent = nullptr);

    void setSettling(Settling* settling) override { m_study->setSettling(settling); }
    /// What heads are judged and muted by.
    void setReading(std::shared_ptr<const TrainedModel> model, const QString& source, const QString& target);
    /// The trace that is seen, without the heads that are muted; null: none.
    void setTrace(std::shared_ptr<const Trace> trace, const QSet<QString>& muted);
    void setGold(const GoldLinks& gold);
    void setVeil(const std::vector<NumberName>& veiled) override;
    /// The last record that is shown, −1 for all.
    void setRevealed(int record);
    /// The selection has moved.
    void refreshSelection();
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    /// What an ordinary view of one block has too: the first word left out, and pairs of sentences.
    void tellShared(StageState& state) const;

    const HeadSurvey& survey() const { return m_survey; }
    const WallOptions& options() const { return m_options; }
    HeadWall* wall() const { return m_wall; }
    WallSearch* search() const { return m_search; }
    WallHead* head() const { return m_head; }
    HeadStudy* study() const { return m_study; }
    SegmentedControl* firstWord() const { return m_firstWord; }

signals:
    /// The reader wants a head muted or on again; names as headName() gives them.
    void muteToggled(const QString& head, bool muted);
    void oneBlockWanted();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeStage();
    void choose(const WallOptions& options);
    /// Takes options over; makes the survey anew where the matrices are seen otherwise.
    void take(const WallOptions& options);
    void survey(AttentionBlock::Kind kind);
    void weighIfWanted();
    void showStudy();
    void showAll();
    void chooseHead(int head);
    void chooseKind(AttentionBlock::Kind kind);
    void toggleMute(int head);
    Selection::Cell words() const;
    int revealedLayers() const;
    std::vector<std::vector<char>> hiddenCells() const;

    Selection* m_selection;
    std::shared_ptr<const Trace> m_trace;
    std::vector<AttentionBlock> m_blocks;
    QSet<QString> m_muted;
    GoldLinks m_gold;
    std::vector<NumberName> m_veiled;
    std::vector<std::vector<char>> m_hidden;  ///< of each head; empty: none
    int m_revealed = -1;
    WallOptions m_options;
    Selection::Cell m_half;  ///< one of two words that the reader has chosen
    HeadSurvey m_survey;
    HeadStudy* m_study;

    WallSearch* m_search;
    QLabel* m_title;
    SegmentedControl* m_firstWord;
    HeadWall* m_wall;
    WallHead* m_head;
};

}  // namespace headlight
