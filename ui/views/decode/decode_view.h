// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedLayout>
#include <QTimer>
#include <QWidget>
#include <memory>

#include "ui/session/open/decoding.h"
#include "ui/views/staged.h"
#include "ui/widgets/search/beam_tree.h"

class QLabel;
class QScrollArea;
class QSpinBox;

namespace headlight {

class Button;
class DecodePanel;
class MutedMark;
class SegmentedControl;
class Slider;

/// A beam search as it went: the tree, its growth step by step, the hypotheses, and the words that the reader fixes.
class DecodeView : public QWidget, public Staged {
    Q_OBJECT
public:
    explicit DecodeView(QWidget* parent = nullptr);

    /// Heads that the search did without: marked, until the reader turns them on again.
    void setMuted(const QStringList& heads);
    /// The controls say how is searched, whoever set it.
    void setSettings(const Decoding::Settings& settings);
    /// Of its options the branches that were given up; how is searched is Decoding's.
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    /// Null: there is nothing to search (`why` says it).
    void setResult(std::shared_ptr<const Decoding::Result> result, const QString& why = {});
    void setNextWords(const std::vector<int>& path, const std::vector<NextWord>& words);

    BeamTree* tree() const { return m_tree; }
    DecodePanel* panel() const { return m_panel; }

signals:
    /// The reader shows or hides what was given up.
    void optionsChanged();
    void allHeadsOnWanted();
    void beamChanged(int beam);
    void maxLengthChanged(int words);
    void penaltyChanged(const LengthPenalty& penalty);
    void prefixWanted(const std::vector<int>& prefix);
    void nextWordsWanted(const std::vector<int>& path);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* makeBar();
    QWidget* makeStage();
    QWidget* makeSteps();
    void showNode(int node);
    void markFixed(std::vector<BeamTree::Node>& nodes) const;
    void fixPath(int node);
    void fixNextWord(const QString& word);
    void setStep(int step);
    void showSteps();

    std::shared_ptr<const Decoding::Result> m_result;
    QStackedLayout* m_pages;
    QLabel* m_empty;
    SegmentedControl* m_beam;
    QSpinBox* m_maxLength;
    Button* m_pruned;
    QLabel* m_fixed;
    Button* m_release;
    MutedMark* m_muted;
    QLabel* m_finished;
    BeamTree* m_tree;
    QScrollArea* m_area = nullptr;
    DecodePanel* m_panel;
    Button* m_play;
    Slider* m_steps;
    QLabel* m_place;
    QTimer m_playing;
    std::vector<int> m_path;  ///< to the chosen node
};

}  // namespace headlight
