// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QWidget>
#include <memory>

#include "ui/session/open/selection.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/attention_facts.h"

class QLabel;
class QStackedWidget;

namespace headlight {

class AttentionLines;
class Card;
class HeadStrip;
class MatrixView;
class RowReadout;
class SegmentedControl;
class ShadedText;

/// The middle of the attention room: the heads of the chosen block side by side, the chosen head enlarged, and the same
/// head as lines.
class AttentionStage : public QWidget {
    Q_OBJECT
public:
    explicit AttentionStage(Selection* selection, QWidget* parent = nullptr);

    /// Shows a block of the trace; `revealed` is the last record that is shown, -1 for all.
    void setBlock(const AttentionBlock& block, std::shared_ptr<const Trace> trace, const QSet<QString>& muted,
                  int revealed);
    /// Links that are marked in matrices of attention to the source.
    void setGold(const GoldLinks& gold) { m_gold = gold; }
    /// 0 weights, 1 scores, 2 rollout; and 0 lines of one head, 1 of all of them, 2 text.
    void showAs(int quantity, int picture);
    /// The selection has moved inside the block.
    void refreshCell();
    MatrixView* matrix() const { return m_matrix; }
    AttentionLines* lines() const { return m_lines; }
    HeadStrip* strip() const { return m_strip; }
    SegmentedControl* quantity() const { return m_quantity; }
    /// One head as lines, all of them, or the text shaded.
    SegmentedControl* picture() const { return m_picture; }
    ShadedText* text() const { return m_text; }

signals:
    /// The reader wants other numbers or another picture of them.
    void shownOtherwise();

private:
    QWidget* makeHeading();
    QWidget* makeHeadCard();
    QWidget* makeLinesCard();
    void connectSelection();
    bool showsScores() const;
    bool showsRollout() const;
    void refreshStrip();
    void refreshLines();
    std::vector<char> goldCells() const;
    int head() const;
    void refreshBlock();
    void refreshMatrix();
    QString sentence(Selection::Cell cell) const;

    Selection* m_selection;
    std::shared_ptr<const Trace> m_trace;  ///< kept: the small pictures hold spans of it
    AttentionBlock m_block;
    QSet<QString> m_muted;
    int m_revealed = -1;
    GoldLinks m_gold;
    QStringList m_rowLabels;
    QStringList m_columnLabels;

    QLabel* m_title;
    QLabel* m_subtitle;
    SegmentedControl* m_quantity;
    HeadStrip* m_strip;
    QLabel* m_entropyNote;
    Card* m_headCard;
    MatrixView* m_matrix;
    QLabel* m_sentence;
    Card* m_linesCard;
    SegmentedControl* m_picture;
    QLabel* m_pictureNote;
    QStackedWidget* m_pictures;
    AttentionLines* m_lines;
    ShadedText* m_text;
    RowReadout* m_readout;
};

}  // namespace headlight
