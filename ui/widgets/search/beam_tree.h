// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QRectF>
#include <QString>
#include <QWidget>
#include <functional>
#include <set>
#include <vector>

#include "ui/session/trace/operation_motion.h"
#include "ui/widgets/search/beam_layout.h"

namespace headlight {

struct Theme;

/// A beam search as a tree, growing from left to right: one column a word, the best branch straight along the top, in
/// amber. The number before a node, or in it where columns are narrow, is log P of everything written so far. Where the
/// tree is higher than its room, a node's children that lead nowhere are folded into "+6"; a click opens them, Space on
/// the node too. A click selects a node, a double click or Enter fixes the words up to it; the arrow keys walk: left to
/// the parent, right to the best child, up and down within a column.
class BeamTree : public QWidget {
    Q_OBJECT
public:
    struct Node {
        enum class State { Kept, Pruned, Finished };
        int parent = -1;
        int step = 0;  ///< from 1
        QString word;
        double logProb = 0;
        double cumulative = 0;
        State state = State::Pruned;
        bool best = false;   ///< on the way to the best hypothesis
        bool fixed = false;  ///< set by the reader
    };

    explicit BeamTree(QWidget* parent = nullptr);

    void setNodes(std::vector<Node> nodes, int steps);
    /// What the decoder reads first, as it is shown.
    void setStart(const QString& word) { m_start = word; }
    /// Only what the search had looked at after so many steps is drawn; within a step branches grow, and what is given
    /// up fades.
    void setTime(double steps);
    void setSelected(int node);
    void setPrunedShown(bool shown);
    int selected() const { return m_selected; }
    /// Steps that are drawn, the one that grows among them.
    int revealed() const;
    /// Where the words of a step stand, the first being 1.
    QRectF columnRect(int step) const;
    const std::vector<Node>& nodes() const { return m_nodes; }
    /// Where a node stands; empty for one that is not drawn.
    QRectF nodeRect(int node) const;
    QRectF startRect() const;
    /// The way to it from its parent, whole, and where its number stands.
    QPainterPath edgeTo(int node) const;
    QRectF numberRect(int node) const;
    /// What is folded, and where each of it stands; empty for what is not searched yet.
    const std::vector<BeamLayout::Fold>& folds() const { return m_layout.folds; }
    QRectF foldRect(size_t fold) const;

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
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    bool isDrawn(int node) const;
    BranchMotion motionOf(int node) const;
    int nodeAt(QPointF position) const;
    int foldAt(QPointF position) const;
    void layoutNodes();
    BeamLayout laidOut(const std::function<bool(int parent)>& isFolded) const;
    void toggleFold(int parent);
    double yOf(int row) const;
    double columnX(int step) const;
    double startWidth() const;
    double gap() const;
    double nodeHeight() const;
    QString hintOf(int node, int fold) const;
    void choose(int node);
    int neighbour(int direction) const;
    void paintEdge(QPainter& painter, int node, const Theme& theme) const;
    void paintNumber(QPainter& painter, int node, const Theme& theme) const;
    void paintNode(QPainter& painter, int node, const Theme& theme) const;
    void paintFold(QPainter& painter, size_t fold, const Theme& theme) const;

    std::vector<Node> m_nodes;
    QString m_start;
    std::vector<std::vector<int>> m_children;  ///< of the start (0) and of node i (i + 1), the likeliest first
    BeamLayout m_layout;
    std::set<int> m_unfolded;                 ///< nodes whose children the reader wants to see, -1 the start
    double m_top = 0;                         ///< of the first row
    double m_pitch = 42;                      ///< from one row to the next
    static constexpr double kBesideWord = 4;  ///< of a narrow node, at both sides together

    double m_column = 160;    ///< from one column to the next
    double m_least = 60;      ///< of it, so that every word is whole
    bool m_isNarrow = false;  ///< no room for numbers between the columns
    double m_leastHeight = 0;
    int m_steps = 0;
    double m_time = 0;
    int m_selected = -1;
    int m_hovered = -1;
    bool m_prunedShown = true;
};

}  // namespace headlight
