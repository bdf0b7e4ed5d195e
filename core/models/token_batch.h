// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace headlight {

/// Sentences padded to one length, row by row.
struct TokenBatch {
    int batch = 0;
    int length = 0;
    std::vector<int> ids;      ///< [batch·length], padded with pad_id
    std::vector<int> lengths;  ///< [batch], without padding

    /// `length` = that of the longest.
    static TokenBatch pad(std::span<const std::vector<int>> sentences, int padId);
};

}  // namespace headlight
