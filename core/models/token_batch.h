// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <memory_resource>
#include <vector>

namespace headlight {

/// Sentences padded to one length, row by row.
struct TokenBatch {
    int batch = 0;
    int length = 0;
    std::pmr::vector<int> ids;      ///< [batch·length], padded with pad_id
    std::pmr::vector<int> lengths;  ///< [batch], without padding

    /// `sentences` are lists of ids; `length` = that of the longest.
    template <class Sentences>
    static TokenBatch pad(const Sentences& sentences, int padId,
                          std::pmr::memory_resource* memory = std::pmr::get_default_resource());
};

/// Sentences that live for a step.
using IdRows = std::pmr::vector<std::pmr::vector<int>>;

template <class Sentences>
TokenBatch TokenBatch::pad(const Sentences& sentences, int padId, std::pmr::memory_resource* memory) {
    TokenBatch result{.ids = std::pmr::vector<int>(memory), .lengths = std::pmr::vector<int>(memory)};
    result.batch = static_cast<int>(sentences.size());
    result.lengths.reserve(sentences.size());
    for (const auto& sentence : sentences) {
        result.lengths.push_back(static_cast<int>(sentence.size()));
        result.length = std::max(result.length, result.lengths.back());
    }
    result.ids.reserve(sentences.size() * static_cast<size_t>(result.length));
    for (const auto& sentence : sentences) {
        result.ids.insert(result.ids.end(), sentence.begin(), sentence.end());
        result.ids.insert(result.ids.end(), static_cast<size_t>(result.length) - sentence.size(), padId);
    }
    return result;
}

}  // namespace headlight
