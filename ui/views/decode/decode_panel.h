// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ui/session/open/decoding.h"
#include "ui/widgets/controls/panel.h"

class QLabel;

namespace headlight {

class Button;
class HypothesisTable;
class MatrixView;
class PlainChart;
class SegmentedControl;
class Slider;
class WordBars;

/// The right of the decoding room: the hypotheses and how they are scored, and of the chosen node what it cost, what
/// else could have been said, and where the decoder looked.
class DecodePanel : public Panel {
    Q_OBJECT
public:
    explicit DecodePanel(QWidget* parent = nullptr);

    void setResult(std::shared_ptr<const Decoding::Result> result);
    /// How a penalty scores, in a line of rich text; `alpha` is what stands for its α.
    static QString formulaOf(const LengthPenalty& penalty, const QString& alpha);
    /// How hypotheses are scored, whoever set it.
    void setPenalty(const LengthPenalty& penalty);
    /// -1: none.
    void setNode(int node);
    void setNextWords(const std::vector<int>& path, const std::vector<NextWord>& words);
    /// The best hypotheses' scores for every α.
    PlainChart* curves() const { return m_curves; }

signals:
    void penaltyChanged(const LengthPenalty& penalty);
    void hypothesisChosen(int hypothesis);
    void fixWanted();
    void nextWordChosen(const QString& word);

private:
    QWidget* makeScoring();
    QWidget* makeNodePart();
    void showScoring();
    void showFinished();
    void showCurves();
    void showAttention(int node);

    std::shared_ptr<const Decoding::Result> m_result;
    LengthPenalty m_penalty = Decoding::Settings().penalty;  ///< exactly; the slider stands as near as it can
    int m_node = -1;
    SegmentedControl* m_kind;
    Slider* m_alpha;
    QLabel* m_alphaText;
    QLabel* m_formula;
    QLabel* m_finished;
    HypothesisTable* m_table;
    QLabel* m_curvesNote;
    PlainChart* m_curves;
    QLabel* m_greedy;
    QWidget* m_nodePart;
    QLabel* m_path;
    QLabel* m_arithmetic;
    Button* m_fix;
    QLabel* m_nextNote;  ///< that the words were not the search's to choose
    WordBars* m_next;
    QLabel* m_attentionTitle;
    MatrixView* m_attention;
};

}  // namespace headlight
