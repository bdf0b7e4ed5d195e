// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <QWidget>
#include <vector>

namespace headlight {

struct Theme;

/// A beam search as a tree, growing from left to right: one column a word, the best branch in amber. The number before
/// a node is log P of everything written so far. A click selects a node, a double click or Enter fixes the words up to
/// it; the arrow keys walk: left to the parent, right to the best child, up and down within a column.
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
    /// Only what the search had looked at after so many steps is drawn.
    void setRevealed(int steps);
    void setSelected(int node);
    void setPrunedShown(bool shown);
    int selected() const { return m_selected; }
    int revealed() const { return m_revealed; }
    const std::vector<Node>& nodes() const { return m_nodes; }
    /// Where a node stands; empty for one that is not drawn.
    QRectF nodeRect(int node) const;
    QRectF startRect() const;

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
    int nodeAt(QPointF position) const;
    void layoutNodes();
    double place(int node, double& next);
    void choose(int node);
    int neighbour(int direction) const;
    void paintEdge(QPainter& painter, int node, const Theme& theme) const;
    void paintNode(QPainter& painter, int node, const Theme& theme) const;

    std::vector<Node> m_nodes;
    QString m_start;
    std::vector<std::vector<int>> m_children;  ///< of the start (0) and of node i (i + 1), the likeliest first
    std::vector<double> m_y;                   ///< of the node's middle
    double m_startY = 0;
    double m_column = 160;  ///< from one column to the next
    double m_height = 0;
    int m_steps = 0;
    int m_revealed = 0;
    int m_selected = -1;
    int m_hovered = -1;
    bool m_prunedShown = true;
};

}  // namespace headlight
