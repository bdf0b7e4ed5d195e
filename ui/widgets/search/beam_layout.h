// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

namespace headlight {

/// In which row each node of a search tree stands. The best branch is the first row, a straight line; a branch goes on
/// in its row, and one that turns off takes the nearest row below that is free for as long as it lives: so a tree is
/// about as high as its fullest column.
struct BeamLayout {
    struct Node {
        int parent = -1;  ///< -1: the start
        int column = 0;   ///< from 0
        bool isBest = false;
        bool leadsNowhere = false;  ///< given up, or not finished when the search ended
    };
    /// Children of one node that lead nowhere, in one place together.
    struct Fold {
        int parent = -1;
        int column = 0, row = 0;
        std::vector<int> nodes;
    };

    std::vector<int> rows;  ///< of each node; -1: it is not shown, or folded
    std::vector<Fold> folds;
    int count = 0;  ///< of rows
};

/// `children`: of the start (0) and of node i (i + 1), in the order in which they are to stand. `isFolded`: are the
/// children of that node (-1: of the start) that lead nowhere folded? One alone is not, as it would save no room.
BeamLayout layoutBeam(const std::vector<BeamLayout::Node>& nodes, const std::vector<std::vector<int>>& children,
                      const std::function<bool(int node)>& isShown, const std::function<bool(int parent)>& isFolded);

}  // namespace headlight
