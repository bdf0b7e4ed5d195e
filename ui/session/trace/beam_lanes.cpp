// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/beam_lanes.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace headlight {

namespace {

/// How good what follows from a node became; larger is better.
struct BestEnd {
    bool best = false;
    BeamLanes::End end = BeamLanes::End::None;
    bool kept = false;
    double score = -std::numeric_limits<double>::infinity();  ///< of the end; where there is none, log P up to there

    auto rank() const { return std::tuple(best, end, kept, score); }
};

}  // namespace

BeamLanes::BeamLanes(std::vector<Node> nodes)
    : m_nodes(std::move(nodes)), m_children(m_nodes.size() + 1), m_dropped(m_nodes.size(), 0) {
    int steps = 0;
    for (const Node& node : m_nodes)
        steps = std::max(steps, node.step);
    // A node stands behind its parent, so that from the last to the first all children are known.
    std::vector<BestEnd> ends(m_nodes.size());
    std::vector<int> lastKept(m_nodes.size(), 0);
    for (size_t i = m_nodes.size(); i-- > 0;) {
        const Node& node = m_nodes[i];
        if (m_children[i + 1].empty())
            ends[i] = {node.best, node.end, node.kept, node.end == End::None ? node.cumulative : node.score};
        ends[i].kept = node.kept;
        if (node.kept) lastKept[i] = std::max(lastKept[i], node.step);
        if (ends[i].end == End::None) m_dropped[i] = node.kept ? std::min(steps, lastKept[i] + 1) : node.step;
        m_children[static_cast<size_t>(node.parent) + 1].push_back(static_cast<int>(i));
        if (node.parent < 0) continue;
        const auto parent = static_cast<size_t>(node.parent);
        lastKept[parent] = std::max(lastKept[parent], lastKept[i]);
        if (ends[parent].rank() < ends[i].rank()) ends[parent] = ends[i];
    }
    for (std::vector<int>& children : m_children) {
        std::ranges::reverse(children);  // as the search looked at them
        std::ranges::stable_sort(children, std::greater<>(),
                                 [&](int node) { return ends[static_cast<size_t>(node)].rank(); });
    }
}

void BeamLanes::place(int node, int row, int steps, const std::function<bool(int node)>& isFolded,
                      Layout& layout) const {
    if (node >= 0) layout.rows[static_cast<size_t>(node)] = row;
    Fold fold{node, {}};
    bool isFirst = true;
    for (const int child : childrenOf(node)) {
        if (m_nodes[static_cast<size_t>(child)].step > steps) continue;
        if (isDropped(child, steps) && isFolded(child)) {
            fold.nodes.push_back(child);
            continue;
        }
        place(child, std::exchange(isFirst, false) ? row : layout.count++, steps, isFolded, layout);
    }
    if (!fold.nodes.empty()) layout.folds.push_back(std::move(fold));
}

BeamLanes::Layout BeamLanes::layout(int steps, const std::function<bool(int node)>& isFolded) const {
    Layout layout;
    layout.rows.assign(m_nodes.size(), -1);
    layout.count = 1;
    place(-1, 0, steps, isFolded, layout);
    return layout;
}

}  // namespace headlight
