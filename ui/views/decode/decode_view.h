// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedLayout>
#include <QVariantAnimation>
#include <QWidget>
#include <memory>

#include "ui/session/open/decoding.h"
#include "ui/views/view.h"
#include "ui/widgets/search/beam_tree.h"

class QLabel;
class QScrollArea;
class QSpinBox;

namespace headlight {

class Button;
class DecodePanel;
class MutedMark;
class PlayBar;
class Playhead;
class SegmentedControl;
class TreeLegend;

/// A beam search as it went: the tree, its growth step by step, the hypotheses, and the words that the reader fixes.
class DecodeView : public ViewWidget {
    Q_OBJECT
public:
    explicit DecodeView(QWidget* parent = nullptr);

    /// Heads that the search did without: marked, until the reader turns them on again.
    void setMuted(const QStringList& heads);
    /// The controls say how is searched, whoever set it, and whether that is as the model's file says (`own`), but for
    /// what it asks for and this program leaves out.
    void setSettings(const Decoding::Settings& settings, const std::optional<Decoding::Settings>& own = {},
                     const QStringList& leftOut = {});
    /// Of its options whether dead ends are shown; how is searched is Decoding's.
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    /// Null: there is nothing to search (`why` says it).
    void setResult(std::shared_ptr<const Decoding::Result> result, const QString& why = {});
    void setNextWords(const std::vector<int>& path, const std::vector<NextWord>& words);

    BeamTree* tree() const { return m_tree; }
    Playhead* playhead() const { return m_head; }
    DecodePanel* panel() const { return m_panel; }
    SegmentedControl* beam() const { return m_beam; }
    QLabel* isOwn() const { return m_isOwn; }
    Button* own() const { return m_own; }

signals:
    void allHeadsOnWanted();
    void beamChanged(int beam);
    /// As the model's file says.
    void ownSearchWanted();
    void maxLengthChanged(int words);
    void penaltyChanged(const LengthPenalty& penalty);
    void prefixWanted(const std::vector<int>& prefix);
    void nextWordsWanted(const std::vector<int>& path);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeBar();
    void fitBar();
    QWidget* makeStage();
    void showNode(int node);
    void bringIntoSight(int node);
    void fixPath(int node);
    void fixNextWord(const QString& word);
    void showSteps();
    void followWords();
    void showTime(double steps);
    void grow(int from);
    void showBeams(int beam, int own);

    std::shared_ptr<const Decoding::Result> m_result;
    QStackedLayout* m_pages;
    QLabel* m_empty;
    QWidget* m_bar = nullptr;
    std::vector<QWidget*> m_captions;  ///< of what stands in the bar, in the order in which they give way
    SegmentedControl* m_beam;
    std::vector<int> m_beams;  ///< that can be chosen, in their order
    QLabel* m_isOwn;           ///< that it is searched as the model's file says
    Button* m_own;             ///< back to that
    QSpinBox* m_maxLength;
    SegmentedControl* m_deadEnds;
    QLabel* m_fixed;
    Button* m_release;
    MutedMark* m_muted;
    BeamTree* m_tree;
    TreeLegend* m_legend = nullptr;
    QScrollArea* m_area = nullptr;
    DecodePanel* m_panel;
    Playhead* m_head;  ///< an operation is a word
    PlayBar* m_steps;
    QVariantAnimation m_growth;  ///< of a search that came in
    std::vector<int> m_path;     ///< to the chosen node
};

}  // namespace headlight
