// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QWidget>
#include <memory>

#include "ui/session/open/selection.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/attention_facts.h"
#include "ui/session/trace/attention_part.h"
#include "ui/session/trace/operation_motion.h"
#include "ui/views/view.h"
#include "ui/widgets/matrix/matrix_view.h"

class QLabel;
class QStackedWidget;

namespace headlight {

class AttentionLines;
class Button;
class Card;
class FilterBar;
class FittingCaption;
class HeadStrip;
class RowReadout;
class SegmentedControl;
class ShadedText;

/// The middle of the attention room: the heads of the chosen block side by side, the chosen head enlarged, and the same
/// head as lines; of several heads that are laid over one another the mean, and the lines of each. What the reader
/// filters is taken out of both: they show an AttentionPart of the block.
class AttentionStage : public QWidget {
    Q_OBJECT
public:
    explicit AttentionStage(Selection* selection, QWidget* parent = nullptr);

    /// Shows a block of the trace; `revealed` is the last record that is shown, -1 for all, and `phase` the part of it
    /// that is there.
    void setBlock(const AttentionBlock& block, std::shared_ptr<const Trace> trace, const QSet<QString>& muted,
                  int revealed, double phase = 1);
    /// More or less of the same record is there; what begins or ends is told by setBlock().
    void setPhase(double phase);
    /// Links that are marked in matrices of attention to the source.
    void setGold(const GoldLinks& gold);
    /// Of the trace that comes next.
    void setMarks(WordMarks marks) { m_marks = std::move(marks); }
    /// Emits nothing.
    void showOptions(const StageState& state);
    void tellOptions(StageState& state) const;
    /// As Staged::setVeil().
    void setVeil(const std::vector<NumberName>& veiled);
    /// The selection has moved inside the block.
    void refreshCell();
    MatrixView* matrix() const { return m_matrix; }
    AttentionLines* lines() const { return m_lines; }
    HeadStrip* strip() const { return m_strip; }
    QLabel* said() const { return m_sentence; }
    SegmentedControl* quantity() const { return m_quantity; }
    /// One head as lines, all of them, or the text shaded.
    SegmentedControl* picture() const { return m_picture; }
    ShadedText* text() const { return m_text; }
    RowReadout* readout() const { return m_readout; }

signals:
    /// The reader wants other numbers or another picture of them.
    void shownOtherwise();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// The chosen head's numbers come before the small pictures of all.
    void shareRoom();
    QWidget* makeHeading();
    QWidget* makeHeadCard();
    QWidget* makeLinesCard();
    void connectSelection();
    bool showsScores() const;
    bool showsRollout() const;
    /// One head, nothing of it filtered.
    bool showsWholeHead() const;
    /// What each head of the block does, once a block.
    void findFacts();
    void refreshStrip();
    void refreshLines();
    void refreshHidden();
    std::vector<char> goldCells() const;
    int head() const;
    std::vector<int> heads() const;
    bool isRevealed(const TraceRecord& record) const;
    bool isUnderWay(const TraceRecord& record) const;
    const TraceRecord& shownRecord() const;
    /// Rows of the weights that are there.
    size_t rowsThere() const;
    /// Of the large matrix and of the small ones, while they are computed.
    void showProgress();
    /// How far the scores of the chosen head are, where they are sums of products and shown whole.
    std::optional<ScoreMotion> scoreUnderWay() const;
    /// What is added up to the score that is under way; where it is none, that something is.
    QString sentenceUnderWay() const;
    /// Of the chosen heads, their mean: of all cells of the block.
    std::vector<float> chosenValues(const TraceRecord& record) const;
    QString headNumbers() const;  ///< of heads(), from 1
    QString headWords() const;
    void writeLines();
    /// Of that head's weights, or of its scores where these are shown.
    bool isVeiled(int head, int row, int column) const;
    bool isVeiled(int row, int column) const;  ///< of any of the chosen heads
    bool hasVeil(int head) const;
    void hideVeiled(MatrixData& matrix) const;
    void refreshBlock();
    void refreshMatrix();
    QString sentence(Selection::Cell cell) const;

    Selection* m_selection;
    std::shared_ptr<const Trace> m_trace;  ///< kept: the small pictures hold spans of it
    AttentionBlock m_block;
    QSet<QString> m_muted;
    std::vector<NumberName> m_veiled;
    int m_revealed = -1;
    double m_phase = 1;
    size_t m_rowsWithLines = 0;  ///< while the weights are computed
    GoldLinks m_gold;
    WordMarks m_marks;
    AttentionPart m_part;
    MatrixView::Change m_change = MatrixView::Change::Cut;
    /// Of all cells of the block: the mean of the chosen heads, or what the rollout makes of all.
    std::vector<float> m_weights;
    std::vector<HeadFacts> m_facts;  ///< of the block's heads; empty: not found yet
    QStringList m_rowLabels;         ///< of the whole block
    QStringList m_columnLabels;

    QLabel* m_title;
    QLabel* m_subtitle;
    SegmentedControl* m_quantity;
    HeadStrip* m_strip;
    FilterBar* m_filter;
    QLabel* m_entropyNote;
    Card* m_headCard;
    MatrixView* m_matrix;
    Button* m_smaller;
    Button* m_larger;
    QLabel* m_sentence;
    Card* m_linesCard;
    SegmentedControl* m_picture;
    QLabel* m_pictureNote;
    FittingCaption* m_lineCount;
    QStackedWidget* m_pictures;
    AttentionLines* m_lines;
    ShadedText* m_text;
    RowReadout* m_readout;
};

}  // namespace headlight
