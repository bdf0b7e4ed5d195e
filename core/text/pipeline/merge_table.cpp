// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/merge_table.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace headlight::pipeline {
namespace {

std::uint64_t keyOf(int left, int right) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
}

constexpr int gone = -2;  // a symbol that became part of the one before

std::size_t at(int place) {
    return static_cast<std::size_t>(place);
}

}  // namespace

/// A word's symbols as a list linked both ways; the pairs wait in a queue by rank and place.
class MergingWord {
public:
    MergingWord(const MergeTable& table, std::vector<int>& symbols) : m_table(table), m_symbols(symbols) {
        const int count = static_cast<int>(symbols.size());
        m_links.reserve(symbols.size());
        for (int place = 0; place < count; ++place)
            m_links.push_back({place - 1, place + 1 < count ? place + 1 : -1});
        for (int place = 0; place < count; ++place)
            enqueue(place);
    }

    void mergeAll() {
        std::vector<int> merged;
        while (!m_queue.empty()) {
            const int rank = m_queue.top().first;
            merged.clear();
            while (!m_queue.empty() && m_queue.top().first == rank) {
                const int place = m_queue.top().second;
                m_queue.pop();
                // What stood here may have been merged with something else since.
                const MergeTable::Merge* merge = mergeAt(place);
                if (merge == nullptr || merge->rank != rank) continue;
                fuse(place, merge->merged);
                merged.push_back(place);
            }
            // Only now: pairs with a new symbol wait until this merge is through, even where they rank before it.
            for (const int place : merged) {
                if (m_links[at(place)].previous >= 0) enqueue(m_links[at(place)].previous);
                enqueue(place);
            }
        }
        std::erase(m_symbols, gone);
    }

private:
    struct Links {
        int previous, next;  // -1: none
    };

    const MergeTable::Merge* mergeAt(int place) const {
        const int next = m_links[at(place)].next;
        if (next < 0 || m_symbols[at(place)] == gone) return nullptr;
        return m_table.find(m_symbols[at(place)], m_symbols[at(next)]);
    }

    void enqueue(int place) {
        if (const MergeTable::Merge* merge = mergeAt(place)) m_queue.emplace(merge->rank, place);
    }

    void fuse(int place, int merged) {
        const int right = m_links[at(place)].next, beyond = m_links[at(right)].next;
        m_symbols[at(place)] = merged;
        m_symbols[at(right)] = gone;
        m_links[at(place)].next = beyond;
        if (beyond >= 0) m_links[at(beyond)].previous = place;
    }

    const MergeTable& m_table;
    std::vector<int>& m_symbols;
    std::vector<Links> m_links;
    std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>, std::greater<>> m_queue;
};

void MergeTable::add(int left, int right, int rank, int merged) {
    m_merges[keyOf(left, right)] = {rank, merged};
}

void MergeTable::apply(std::vector<int>& symbols) const {
    if (symbols.size() > 1) MergingWord(*this, symbols).mergeAll();
}

const MergeTable::Merge* MergeTable::find(int left, int right) const {
    if (left < 0 || right < 0) return nullptr;
    const auto found = m_merges.find(keyOf(left, right));
    return found == m_merges.end() ? nullptr : &found->second;
}

}  // namespace headlight::pipeline
