// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

namespace headlight {

/// The rows of a beam search's tree, one a hypothesis: a row leaves another one where the two part, and reads to its
/// end. The best hypothesis is row 0. Of a node's children the one with the best end goes on in its row, the others get
/// rows of their own below in the order of their ends, each with all that follows from it, so that the trunks between
/// two columns never cross.
class BeamLanes {
public:
    enum class End { None, CutOff, Finished };  ///< CutOff: written as far as the limit of words
    struct Node {
        int parent = -1;        ///< its place among the nodes, before its own; -1: the start
        int step = 1;           ///< of the word, from 1
        double cumulative = 0;  ///< log P of everything so far
        double score = 0;       ///< the same under the length penalty
        bool best = false;      ///< on the way to the best hypothesis
        bool kept = false;      ///< the search went on from it, or it is an end
        End end = End::None;    ///< of a hypothesis
    };
    /// Children of a node (-1: of the start) that came to nothing, and are not drawn.
    struct Fold {
        int parent = -1;
        std::vector<int> nodes;
    };
    struct Layout {
        std::vector<int> rows;  ///< of each node; -1: it is folded, behind a node that is, or not searched yet
        std::vector<Fold> folds;
        int count = 0;  ///< of rows
    };

    explicit BeamLanes(std::vector<Node> nodes = {});

    const std::vector<Node>& nodes() const { return m_nodes; }
    /// Of a node, or of the start (-1): the first one goes on in its row.
    const std::vector<int>& childrenOf(int node) const { return m_children[static_cast<size_t>(node) + 1]; }
    /// The word at which nothing was left of what goes on from a node; 0: it leads to an end.
    int droppedAt(int node) const { return m_dropped[static_cast<size_t>(node)]; }
    /// Had everything that goes on from it been dropped, once so many words were searched?
    bool isDropped(int node, int steps) const { return droppedAt(node) > 0 && droppedAt(node) <= steps; }

    /// As it stands after so many words. `isFolded` is asked of nodes that came to nothing by then.
    Layout layout(int steps, const std::function<bool(int node)>& isFolded) const;

private:
    void place(int node, int row, int steps, const std::function<bool(int node)>& isFolded, Layout& layout) const;

    std::vector<Node> m_nodes;
    std::vector<std::vector<int>> m_children;  ///< of the start (0) and of node i (i + 1)
    std::vector<int> m_dropped;
};

}  // namespace headlight
