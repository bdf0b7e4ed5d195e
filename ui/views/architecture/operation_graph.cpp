// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/architecture/operation_graph.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "ui/session/trace/value_region.h"

namespace headlight {

namespace {

constexpr double kTitle = 20, kBelow = 6;  ///< above and below each matrix
constexpr double kRange = 14;              ///< below it, for what its colours stand for
constexpr double kRangedLane = 64;         ///< of a matrix that is high enough for that
constexpr double kScope = 14;              ///< below one from outside, for where it comes from
constexpr double kOver = 16;               ///< above these, for the keys' way, which comes over the top
constexpr double kNarrowestWord = 20;      ///< of a column that has its word above it
constexpr double kLargestCell = 46, kGraphLargestGap = 48, kGraphSmallestGap = 22;
constexpr double kLeastShare = 0.48;  ///< of its own width, of what is not square: so wide are the names above them
constexpr double kLabels = 56;        ///< room for the words of rows

const TraceRecord& recordOf(const Trace& trace, int index) {
    return trace.records()[static_cast<size_t>(index)];
}

bool isSquare(const TraceRecord& record) {
    return record.axes.size() >= 2 && record.axes.back() != Axis::Feature && record.axes.back() != Axis::Vocabulary;
}

bool isScores(const TraceRecord& record) {
    return record.operation == Operation::AttentionScores || record.operation == Operation::DotScores ||
           record.operation == Operation::AdditiveScores;
}

/// Column of each record: one behind the last of its inputs. What has no inputs stands right before what needs it.
std::map<int, int> depths(const Trace& trace, const std::vector<int>& records) {
    std::map<int, int> depth;
    const auto own = [&](int at) { return std::ranges::count(records, at) > 0; };
    for (const int at : records) {
        const TraceRecord& record = recordOf(trace, at);
        if (record.operation == Operation::Mask) continue;
        int deepest = -1;
        for (const std::string& name : record.inputs) {
            const int input = trace.indexOf(name);
            if (input < 0 || recordOf(trace, input).operation == Operation::Mask) continue;
            if (!own(input)) depth.try_emplace(input, 0);
            deepest = std::max(deepest, depth.contains(input) ? depth[input] : 0);
        }
        depth[at] = deepest + 1;
    }
    for (auto& [at, column] : depth) {
        if (!recordOf(trace, at).inputs.empty() || !own(at)) continue;
        int first = -1;
        for (const auto& [other, otherColumn] : depth)
            for (const std::string& name : recordOf(trace, other).inputs)
                if (trace.indexOf(name) == at && (first < 0 || otherColumn < first)) first = otherColumn;
        if (first > 0) column = first - 1;
    }
    return depth;
}

/// `zoom`: of a large screen, where cells are larger than they have to be.
QSizeF naturalSize(const TraceRecord& record, double height, double zoom) {
    const double rows = matrixRows(record), columns = matrixColumns(record);
    const double largest = kLargestCell * zoom, cell = std::min(largest, height / rows);
    // Cells of few words are wide enough for their numbers.
    const double narrowest = columns <= 8 ? 37.0 : 6.0;
    if (isSquare(record))
        return {columns * std::clamp(cell * 1.3, narrowest, largest), rows * std::min(cell, 30 * zoom)};
    const double width = columns == 1 ? 22 : columns <= 16 ? std::max(48.0, columns * 7) : columns > 256 ? 90 : 56;
    return {width * zoom, rows * std::min(cell, 26 * zoom)};
}

/// Top to bottom in the order in which what they lead to is computed.
void arrangeFirst(std::vector<int>& column, const Trace& trace, const std::vector<int>& records) {
    const auto firstUse = [&](int at) {
        const std::string& name = recordOf(trace, at).name;
        const auto user = std::ranges::find_if(
            records, [&](int other) { return std::ranges::count(recordOf(trace, other).inputs, name) > 0; });
        return user - records.begin();
    };
    std::ranges::stable_sort(column, {}, firstUse);
}

/// A way around below what stands between: its height, and where it goes down, beside the whole column.
struct Around {
    double bottom, right;
};

/// `share`: how far down the target's edge it arrives, 0 to 1.
OperationGraph::Flow flowBetween(const OperationGraph& graph, int from, int to, double share,
                                 const std::optional<Around>& around) {
    const auto& [a, b] = std::pair(graph.nodes[static_cast<size_t>(from)], graph.nodes[static_cast<size_t>(to)]);
    const QPointF start(a.matrix.right() + 4, a.matrix.center().y()),
        end(b.matrix.left() - (b.labelled ? kLabels : 6), b.matrix.top() + b.matrix.height() * share);
    if (around) {
        const double down = around->right + 8, turn = end.x() - 12;
        return {
            from, to, {start, {down, start.y()}, {down, around->bottom}, {turn, around->bottom}, {turn, end.y()}, end}};
    }
    const double pull = std::max(14.0, (end.x() - start.x()) / 2);
    return {from, to, {start, start + QPointF(pull, 0), end - QPointF(pull, 0), end}};
}

/// Of an LSTM the cell, too, goes back into its own sum, around its top.
void addCellReturn(OperationGraph& graph, const Trace& trace) {
    const auto cell = std::ranges::find_if(graph.nodes, [&](const OperationGraph::Node& node) {
        return !node.external && recordOf(trace, node.record).operation == Operation::CellState;
    });
    if (cell == graph.nodes.end()) return;
    constexpr double kOut = 10;
    const int node = static_cast<int>(cell - graph.nodes.begin());
    const QRectF box = cell->matrix;
    const double lane = box.top() - kTitle - 2, out = box.right() + kOut, in = box.left() - kOut,
                 leaves = box.top() + box.height() * 0.25;
    graph.flows.push_back(
        {node,
         node,
         {{box.right() + 4, leaves}, {out, leaves}, {out, lane}, {in, lane}, {in, leaves}, {box.left() - 4, leaves}},
         true});
}

/// The state goes back into every gate (of a plain network, into the state) of the next word: up and over the top.
void addReturns(OperationGraph& graph, const Trace& trace, const QRectF& area) {
    const auto state = std::ranges::find_if(graph.nodes, [&](const OperationGraph::Node& node) {
        return !node.external && recordOf(trace, node.record).operation == Operation::HiddenState;
    });
    if (state == graph.nodes.end()) return;
    const bool plain = recordOf(trace, state->record).owner().cell == Cell::Rnn;
    const QRectF from = state->matrix;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        const Operation operation = recordOf(trace, graph.nodes[i].record).operation;
        const bool takes = operation == Operation::Gate || operation == Operation::Candidate;
        if (plain ? &graph.nodes[i] != &*state : !takes) continue;
        const QRectF to = graph.nodes[i].matrix;
        const double lane = area.top() - 1, bus = to.left() - 16, y = to.top() + to.height() * 0.75,
                     out = std::min(from.right() + 16, area.right() + 8);  // within the frame
        graph.flows.push_back({static_cast<int>(state - graph.nodes.begin()),
                               static_cast<int>(i),
                               {{from.right() + 4, from.center().y()},
                                {out, from.center().y()},
                                {out, lane},
                                {bus, lane},
                                {bus, y},
                                {to.left() - 4, y}},
                               true});
    }
}

void addFlows(OperationGraph& graph, const Trace& trace, const std::map<int, int>& depth, const QRectF& area) {
    std::map<int, double> right;  // of each column
    for (const OperationGraph::Node& node : graph.nodes) {
        const double edge = node.matrix.right();
        double& widest = right.try_emplace(depth.at(node.record), edge).first->second;
        widest = std::max(widest, edge);
    }
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        const int record = graph.nodes[i].record;
        std::vector<int> from;
        if (!graph.nodes[i].external)
            for (const std::string& name : recordOf(trace, record).inputs)
                if (const int node = graph.nodeOf(trace.indexOf(name)); node >= 0) from.push_back(node);
        for (size_t j = 0; j < from.size(); ++j) {
            const int source = graph.nodes[static_cast<size_t>(from[j])].record;
            const bool far = depth.at(record) - depth.at(source) > 1;
            const Around around{area.bottom() - 2, right.at(depth.at(source))};
            const double share = (static_cast<double>(j) + 1) / (static_cast<double>(from.size()) + 1);
            graph.flows.push_back(
                flowBetween(graph, from[j], static_cast<int>(i), share, far ? std::optional(around) : std::nullopt));
        }
    }
}

/// Into the scores at their left, or over the top; see routeScores().
void routeQuery(OperationGraph::Flow& flow, const QRectF& from, const OperationGraph::Node& scores, int rows, int row) {
    const QRectF to = scores.matrix;
    double y = to.center().y(), start = from.center().y(), x = to.left() - (scores.labelled ? kLabels : 6);
    if (row >= 0) {
        y = to.top() + (row + 0.5) * to.height() / rows;
        start = from.top() + (row + 0.5) * from.height() / rows;
    } else {
        flow.span = {x, to.top() + 2, x, to.bottom() - 2};
        x -= 3;
    }
    const QPointF a(from.right() + 4, start), b(x, y);
    const double pull = std::max(14.0, (b.x() - a.x()) / 2);
    flow.points = {a, a + QPointF(pull, 0), b - QPointF(pull, 0), b};
}

void routeKey(OperationGraph::Flow& flow, const QRectF& from, const OperationGraph::Node& scores, int columns,
              int column, double beside, double high) {
    const QRectF to = scores.matrix;
    const bool words = to.width() / columns >= kNarrowestWord;
    double x = to.center().x(), start = from.center().y(), y = to.top() - (words ? high + 4 : 4);
    if (column >= 0) {
        x = to.left() + (column + 0.5) * to.width() / columns;
        start = from.top() + (column + 0.5) * from.height() / columns;
    } else {
        flow.span = {to.left() + 2, y, to.right() - 2, y};
        y -= 3;
    }
    const double lane = to.top() - high - kOver + 1;
    flow.points = {{from.right() + 4, start}, {beside, start}, {beside, lane}, {x, lane}, {x, y}};
}

}  // namespace

void routeScores(OperationGraph& graph, const Trace& trace, int row, int column) {
    for (OperationGraph::Flow& flow : graph.flows) {
        const OperationGraph::Node& to = graph.nodes[static_cast<size_t>(flow.to)];
        const TraceRecord& scores = recordOf(trace, to.record);
        if (flow.back || !isScores(scores) || scores.inputs.size() < 2) continue;
        const OperationGraph::Node& from = graph.nodes[static_cast<size_t>(flow.from)];
        const std::string& name = recordOf(trace, from.record).name;
        const int rows = matrixRows(scores), columns = matrixColumns(scores);
        const bool one = row >= 0 && row < rows && column >= 0 && column < columns;
        if (name == scores.inputs[0]) {
            flow.row = one ? row : -1;
            flow.span = {};
            routeQuery(flow, from.matrix, to, rows, flow.row);
        } else if (name == scores.inputs[1]) {
            double beside = from.matrix.right();
            for (const OperationGraph::Node& node : graph.nodes)
                if (node.matrix.left() < from.matrix.right()) beside = std::max(beside, node.matrix.right());
            flow.row = one ? column : -1;
            flow.span = {};
            routeKey(flow, from.matrix, to, columns, flow.row, beside + 8, graph.words);
        }
    }
}

int OperationGraph::nodeAt(QPointF position) const {
    for (size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].matrix.adjusted(-2, -kTitle, 2, 2).contains(position)) return static_cast<int>(i);
    return -1;
}

int OperationGraph::nodeOf(int record) const {
    for (size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].record == record) return static_cast<int>(i);
    return -1;
}

ValueCell OperationGraph::cellAt(const Trace& trace, int node, QPointF position) const {
    const Node& shown = nodes[static_cast<size_t>(node)];
    const TraceRecord& record = recordOf(trace, shown.record);
    if (!shown.matrix.contains(position)) return {};
    const QPointF inside = position - shown.matrix.topLeft();
    const auto part = [](double at, double length, int count) {
        return std::min(count - 1, static_cast<int>(at / length * count));
    };
    return {0, part(inside.y(), shown.matrix.height(), matrixRows(record)),
            part(inside.x(), shown.matrix.width(), matrixColumns(record))};
}

QRectF OperationGraph::regionRect(const Trace& trace, int node, int row, int column) const {
    const Node& shown = nodes[static_cast<size_t>(node)];
    const TraceRecord& record = recordOf(trace, shown.record);
    const double height = shown.matrix.height() / matrixRows(record),
                 width = shown.matrix.width() / matrixColumns(record);
    QRectF region = shown.matrix;
    if (row >= 0) region = {region.left(), shown.matrix.top() + row * height, region.width(), height};
    if (column >= 0) region = {shown.matrix.left() + column * width, region.top(), width, region.height()};
    return region;
}

OperationGraph layOutOperations(const Trace& trace, const std::vector<int>& records, const QRectF& area, double high) {
    OperationGraph graph;
    graph.words = high;
    const std::map<int, int> depth = depths(trace, records);
    int last = 0;
    for (const auto& [at, column] : depth)
        last = std::max(last, column);
    std::vector<std::vector<int>> columns(static_cast<size_t>(last) + 1);
    for (const auto& [at, column] : depth)
        columns[static_cast<size_t>(column)].push_back(at);

    arrangeFirst(columns[0], trace, records);
    const auto hasSquare = [&](size_t column) {
        return std::ranges::any_of(columns[column], [&](int at) { return isSquare(recordOf(trace, at)); });
    };
    // Words stand at the rows of the first column and of the first square matrix.
    const auto wordsBefore = [&](size_t column) {
        return column == 0 || (hasSquare(column) && !hasSquare(column - 1));
    };
    const bool anyScores =
        std::ranges::any_of(depth, [&](const auto& at) { return isScores(recordOf(trace, at.first)); });
    const double words = high + (anyScores ? kOver : 0);
    // Where rows are too low for words, none are written, and no room is kept for them.
    constexpr double kLowestLabelled = 11;
    std::vector<double> widths, wordsWide;
    std::map<int, QSizeF> sizes;
    const double zoom = std::clamp(std::min(area.width() / 1200, area.height() / 640), 1.0, 1.8);
    // Above words is room beside the name, and numbers want the height.
    const auto isRanged = [&](size_t column) {
        return !hasSquare(column) && area.height() / static_cast<double>(columns[column].size()) >= kRangedLane;
    };
    const auto below = [&](size_t column) { return kBelow + (isRanged(column) ? kRange : 0); };
    double squares = 0, others = 0, labels = 0;
    for (size_t i = 0; i < columns.size(); ++i) {
        const auto count = static_cast<double>(columns[i].size());
        const double height =
            area.height() / count - kTitle - below(i) - (hasSquare(i) ? words : 0) - (count > 2 ? 0 : kScope);
        double widest = 0;
        for (const int at : columns[i]) {
            sizes[at] = naturalSize(recordOf(trace, at), std::max(8.0, height), zoom);
            widest = std::max(widest, sizes[at].width());
        }
        widths.push_back(widest);
        (hasSquare(i) ? squares : others) += widest;
        const bool labelled = wordsBefore(i) && std::ranges::any_of(columns[i], [&](int at) {
                                  return sizes[at].height() / matrixRows(recordOf(trace, at)) >= kLowestLabelled;
                              });
        wordsWide.push_back(labelled ? kLabels : 0);
        labels += wordsWide.back();
    }
    // What is not square gives way first.
    const double gaps = std::max(1.0, static_cast<double>(widths.size()) - 1);
    const double gap =
        std::clamp((area.width() - squares - others - labels) / gaps, kGraphSmallestGap, kGraphLargestGap);
    graph.gap = gap;
    const double room = area.width() - labels - gap * gaps;
    const double squeeze = std::clamp((room - squares) / std::max(1.0, others), kLeastShare, 1.6);
    const double squareSqueeze = std::clamp((room - others * squeeze) / std::max(1.0, squares), 0.1, 1.6);
    const auto factor = [&](size_t column) { return hasSquare(column) ? squareSqueeze : squeeze; };
    double x = area.left() + std::max(0.0, (room - others * squeeze - squares * squareSqueeze) / 2);
    for (size_t i = 0; i < columns.size(); ++i) {
        x += wordsWide[i];
        const auto count = static_cast<double>(columns[i].size());
        const double lane = area.height() / count;
        for (size_t j = 0; j < columns[i].size(); ++j) {
            const int at = columns[i][j];
            const TraceRecord& record = recordOf(trace, at);
            const QSizeF size(sizes[at].width() * factor(i), sizes[at].height());
            const double above = kTitle + (isSquare(record) ? words : 0);
            const double top =
                area.top() + lane * static_cast<double>(j) + above + (lane - above - below(i) - size.height()) / 2;
            OperationGraph::Node node;
            node.record = at;
            // Those of the first end where the lines begin, so that none of these crosses a wider one below.
            const double spare = (widths[i] * factor(i) - size.width()) * (i == 0 ? 1.0 : 0.5);
            node.matrix = QRectF(QPointF(std::round(x + spare), std::round(top)), size);
            node.external = std::ranges::count(records, at) == 0;
            node.square = isSquare(record);
            node.ranged = isRanged(i);
            node.title = above - 10;
            node.labelled = wordsBefore(i) && size.height() / matrixRows(record) >= kLowestLabelled;
            graph.nodes.push_back(node);
        }
        x += widths[i] * factor(i) + gap;
    }
    addFlows(graph, trace, depth, area);
    addReturns(graph, trace, area);
    addCellReturn(graph, trace);
    routeScores(graph, trace, -1, -1);
    return graph;
}

}  // namespace headlight
