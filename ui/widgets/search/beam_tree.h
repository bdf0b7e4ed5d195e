// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QRectF>
#include <QString>
#include <QWidget>
#include <set>
#include <vector>

#include "ui/session/trace/beam_lanes.h"
#include "ui/session/trace/operation_motion.h"

namespace headlight {

struct Theme;

/// A beam search as a tree, growing from left to right: one column a word, one row a hypothesis (BeamLanes), the best
/// one on top, in amber. Below a word stands log P of everything written so far, and its own probability as a bar. What
/// came to nothing is folded into "+5" under the word that it follows, which a click opens, Space on the word too; or
/// each such branch has a row that says at which word it was dropped. A click selects a node, a double click or Enter
/// fixes the words up to it; the arrow keys walk: left to the parent, right along the row, up and down within a column.
/// Pointing at a row lights all of its sentence. Rows fill the height, up to a bound; where there are too many the tree
/// is higher than its room, and whoever scrolls it says how far (setScrolled), so that the best row stays in sight.
class BeamTree : public QWidget {
    Q_OBJECT
public:
    struct Node : BeamLanes::Node {
        enum class State { Kept, Pruned, Finished, Excluded };
        QString word;
        double logProb = 0;
        State state = State::Pruned;
        bool fixed = false;  ///< set by the reader
        bool glued = false;  ///< a piece that goes on with the word of its parent
    };
    enum class DeadEnds { Folded, Shown };

    explicit BeamTree(QWidget* parent = nullptr);

    void setNodes(std::vector<Node> nodes, int steps);
    /// What the decoder reads first, as it is shown.
    void setStart(const QString& word) { m_start = word; }
    /// Only what the search had looked at after so many steps is drawn; within a step branches grow, and what is given
    /// up fades and folds.
    void setTime(double steps);
    void setSelected(int node);
    void setDeadEnds(DeadEnds deadEnds);
    DeadEnds deadEnds() const { return m_deadEnds; }
    /// So much of it is above what is seen.
    void setScrolled(int top);
    int selected() const { return m_selected; }
    /// Steps that are drawn, the one that grows among them.
    int revealed() const;
    /// Where the words of a step stand, the first being 1.
    QRectF columnRect(int step) const;
    const std::vector<Node>& nodes() const { return m_nodes; }
    const BeamLanes& lanes() const { return m_lanes; }
    /// Of a node that is drawn; -1: it is not.
    int rowOf(int node) const;
    /// Where a node stands; empty for one that is not drawn.
    QRectF nodeRect(int node) const;
    QRectF startRect() const;
    /// The way to it from its parent, whole. Empty for a piece that touches its parent in its row.
    QPainterPath edgeTo(int node) const;
    /// What is folded, or was opened by a click and can be folded again.
    struct Mark {
        int parent = -1;
        int count = 0;
        bool isOpen = false;
    };
    const std::vector<Mark>& marks() const { return m_marks; }
    QRectF markRect(const Mark& mark) const;
    /// At the end of a row that stopped: "dropped at word 4". Empty elsewhere.
    QString endingOf(int node) const;
    QRectF endingRect(int node) const;
    /// The nodes of the sentence that is lit, from the first word to its end.
    const std::set<int>& lit() const { return m_lit; }
    /// How much of the top stays where it is when the tree is scrolled.
    double pinnedHeight() const;

    /// The nodes that are drawn, row by row.
    std::vector<int> readingOrder() const;
    /// In a sentence: the word, its numbers, what became of it.
    QString describe(int node) const;
    QString describe(const Mark& mark) const;
    void choose(int node);
    void toggle(int parent);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void nodeSelected(int node);  ///< -1: none
    void nodeFixed(int node);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum class Drop { Before, Behind };  ///< of the step's own losses: before or behind they are folded
    struct Fading {
        double grow = 1, word = 1;
        double dropped = 0;  ///< 0 … 1: towards what is dropped looks like
        double opacity = 1;
    };

    bool isDrawn(int node) const;
    double phase() const;
    Fading fadingOf(int node) const;
    double droppedShare(int node) const;
    int nodeAt(QPointF position) const;
    int markAt(QPointF position) const;
    int rowEndAt(QPointF position) const;
    BeamLanes::Layout laidOut(int steps, Drop drop, bool withSingles) const;
    void layRows();
    void layAtTime();
    void fit();
    double yOf(int row) const;
    double centreOf(int node) const;
    double columnX(int step) const;
    double nodeHeight() const;
    double endingWidth(int node) const;
    QString endingText(int node) const;
    int nextInRow(int node) const;
    bool touchesNext(int node) const;
    QString shownWord(int node) const;
    QString stateOf(int node) const;
    QString hintOf(int node, int mark) const;
    void light(int node);
    int neighbour(int direction) const;
    void paintGrounds(QPainter& painter, const std::vector<int>& nodes, const Theme& theme) const;
    void paintEdge(QPainter& painter, int node, const Theme& theme) const;
    void paintNode(QPainter& painter, int node, const Theme& theme) const;
    void paintEnding(QPainter& painter, int node, const Theme& theme) const;
    void paintMark(QPainter& painter, const Mark& mark, const Theme& theme) const;
    void paintHeadings(QPainter& painter, const Theme& theme) const;

    std::vector<Node> m_nodes;
    QString m_start;
    BeamLanes m_lanes;
    DeadEnds m_deadEnds = DeadEnds::Folded;
    bool m_withSingles = false;                       ///< what the search never went on from has rows too
    std::set<int> m_open;                             ///< nodes whose dead ends the reader opened, -1 the start
    BeamLanes::Layout m_before, m_between, m_layout;  ///< of the step that is drawn; with its losses; without them
    BeamLanes::Layout m_final;                        ///< once all is searched
    std::vector<Mark> m_marks;
    std::set<int> m_lit;
    int m_mostRows = 1;    ///< of the step that is drawn, before and behind its losses
    double m_pitch = 42;   ///< from one row to the next
    double m_column = 97;  ///< from one column to the next
    double m_least = 60;   ///< of it, so that every word is whole
    int m_steps = 0;
    double m_time = 0;
    int m_scrolled = 0;
    int m_selected = -1;
};

}  // namespace headlight
