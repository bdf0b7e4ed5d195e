// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/models/model_config.h"

namespace headlight {

/// A sentence and its translation.
struct SentencePair {
    std::string source;
    std::string target;
    /// Gold alignment, where it is known: (source word, target word), words counted from 0 as split at spaces.
    /// A word may be aligned to several or to none. Sorted, no entry twice.
    std::vector<std::pair<int, int>> alignment = {};
};

using Corpus = std::vector<SentencePair>;

/// A corpus in its parts. No source sentence stands in two of them.
struct CorpusSplits {
    Corpus train;
    Corpus validation;
    Corpus test;
    Corpus unseen;  ///< combinations of words that never stand together in `train` (built-in tasks only)
};

}  // namespace headlight
