// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/token_batch.h"

#include <algorithm>

namespace headlight {

TokenBatch TokenBatch::pad(std::span<const std::vector<int>> sentences, int padId) {
    TokenBatch result;
    result.batch = static_cast<int>(sentences.size());
    for (const std::vector<int>& sentence : sentences) {
        result.lengths.push_back(static_cast<int>(sentence.size()));
        result.length = std::max(result.length, result.lengths.back());
    }
    result.ids.reserve(sentences.size() * static_cast<size_t>(result.length));
    for (const std::vector<int>& sentence : sentences) {
        result.ids.insert(result.ids.end(), sentence.begin(), sentence.end());
        result.ids.insert(result.ids.end(), static_cast<size_t>(result.length) - sentence.size(), padId);
    }
    return result;
}

}  // namespace headlight
