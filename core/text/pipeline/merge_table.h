// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace headlight::pipeline {

/// The merges of byte-pair encoding over ids: which pairs become what, the earlier before the later.
class MergeTable {
public:
    void reserve(std::size_t merges) { m_merges.reserve(merges); }
    /// The merge of rank `rank`; a pair that is given twice keeps the later rank, as in GPT-2's own program.
    void add(int left, int right, int rank, int merged);

    /// Applies the merges to a word's symbols: the pair of the lowest rank everywhere in the word, left to right, until
    /// none is left. Pairs with a negative id are never merged. A word of n symbols takes O(n log n).
    void apply(std::vector<int>& symbols) const;

private:
    struct Merge {
        int rank, merged;
    };
    friend class MergingWord;

    const Merge* find(int left, int right) const;  // null: the pair is not merged

    std::unordered_map<std::uint64_t, Merge> m_merges;  // by the two ids
};

}  // namespace headlight::pipeline
