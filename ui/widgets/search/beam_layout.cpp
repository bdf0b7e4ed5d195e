// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/search/beam_layout.h"

#include <algorithm>

namespace headlight {

namespace {

class Rows {
public:
    /// The nearest row from `first` on that is free in these columns; it is taken.
    int take(int first, int column, int length) {
        int row = first;
        while (!isFree(row, column, length))
            ++row;
        std::vector<char>& taken = m_taken[static_cast<size_t>(row)];
        taken.resize(std::max(taken.size(), static_cast<size_t>(column + length)));
        std::fill_n(taken.begin() + column, length, 1);
        return row;
    }
    int count() const { return static_cast<int>(m_taken.size()); }

private:
    bool isFree(int row, int column, int length) {
        if (row >= count()) m_taken.resize(static_cast<size_t>(row) + 1);
        const std::vector<char>& taken = m_taken[static_cast<size_t>(row)];
        for (int at = column; at < column + length && at < std::ssize(taken); ++at)
            if (taken[static_cast<size_t>(at)]) return false;
        return true;
    }

    std::vector<std::vector<char>> m_taken;
};

}  // namespace

BeamLayout layoutBeam(const std::vector<BeamLayout::Node>& nodes, const std::vector<std::vector<int>>& children,
                      const std::function<bool(int node)>& isShown, const std::function<bool(int parent)>& isFolded) {
    const auto of = [&](int node) -> const BeamLayout::Node& { return nodes[static_cast<size_t>(node)]; };
    // Where a branch goes on straight: the best way, or else the likeliest that leads on.
    const auto next = [&](int node) {
        int straight = -1;
        for (const int child : children[static_cast<size_t>(node) + 1])
            if (isShown(child) && (of(child).isBest || (straight < 0 && !of(child).leadsNowhere))) straight = child;
        return straight;
    };
    const auto lengthOf = [&](int node) {
        int length = 1;
        while ((node = next(node)) >= 0)
            ++length;
        return length;
    };
    BeamLayout layout;
    layout.rows.assign(nodes.size(), -1);
    Rows rows;
    const auto begin = [&](int node, int from) {
        const int row = rows.take(from, of(node).column, lengthOf(node));
        for (int at = node; at >= 0; at = next(at))
            layout.rows[static_cast<size_t>(at)] = row;
    };
    // Column by column, the upper branches first: they turn off into the nearer rows.
    std::vector<int> column{-1};
    while (!column.empty()) {
        std::vector<int> following;
        for (const int parent : column) {
            const int row = parent < 0 ? 0 : layout.rows[static_cast<size_t>(parent)];
            std::vector<int> away, ends;
            const int straight = next(parent);
            for (const int child : children[static_cast<size_t>(parent) + 1])
                if (isShown(child) && child != straight) (of(child).leadsNowhere ? ends : away).push_back(child);
            if (straight >= 0) {
                if (layout.rows[static_cast<size_t>(straight)] < 0) begin(straight, row);
                following.push_back(straight);
            }
            for (const int child : away) {
                begin(child, row);
                following.push_back(child);
            }
            if (ends.size() > 1 && isFolded(parent)) {
                const int at = of(ends.front()).column;
                layout.folds.push_back({parent, at, rows.take(row, at, 1), std::move(ends)});
                continue;
            }
            for (const int child : ends)
                begin(child, row);
        }
        std::ranges::stable_sort(following, {}, [&](int node) { return layout.rows[static_cast<size_t>(node)]; });
        column = std::move(following);
    }
    layout.count = rows.count();
    return layout;
}

}  // namespace headlight
