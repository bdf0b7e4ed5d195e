// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <vector>

#include "core/trace/trace.h"
#include "ui/session/trace/value_cell.h"

namespace headlight {

/// The values of a block as matrices side by side, in the order in which one is computed from the other, and curves
/// that show where each comes from. Only geometry.
struct OperationGraph {
    struct Node {
        int record = -1;
        QRectF matrix;
        bool external = false;  ///< comes from outside of the block
        bool square = false;    ///< rows and columns are words
        bool labelled = false;  ///< the words of its rows stand beside it
        bool ranged = false;    ///< below it is room for what its colours stand for
        double title = 0;       ///< how far above the matrix its name stands
    };
    /// From the right edge of a matrix to the left edge of another: a cubic's four points, or, where other matrices
    /// stand between the two, more: a way around below them.
    struct Flow {
        int from = -1, to = -1;  ///< nodes
        std::vector<QPointF> points;
        bool back = false;  ///< a recurrent network's state, on its way to the next word
        int row = -1;       ///< of the matrix that it comes from: this one alone is meant
        QLineF span = {};   ///< across all rows or columns that it leads to, where no single one is meant
    };

    std::vector<Node> nodes;
    std::vector<Flow> flows;
    double gap = 0;    ///< between two columns of matrices, at least
    double words = 0;  ///< the height that the words of columns have above a square matrix

    int nodeAt(QPointF position) const;
    int nodeOf(int record) const;
    /// Head left as it is; not valid outside of every matrix.
    ValueCell cellAt(const Trace& trace, int node, QPointF position) const;
    /// -1 for all rows or all columns.
    QRectF regionRect(const Trace& trace, int node, int row, int column) const;
};

/// `records` and what they are computed from, within `area`.
/// `words`: the height of the words above the columns of a square matrix; words that stand upright need more.
constexpr double kLyingWords = 16;
OperationGraph layOutOperations(const Trace& trace, const std::vector<int>& records, const QRectF& area,
                                double words = kLyingWords);

/// Of an attention, queries and keys: from the query's row to the word of the scores' row, and from the key's row over
/// the top to the word of its column. A negative row: from all of them to all words.
void routeScores(OperationGraph& graph, const Trace& trace, int row, int column);

}  // namespace headlight
