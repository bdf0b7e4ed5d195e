// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/models/model_config.h"

namespace headlight {

/// What stands between a line of a text and the line before it.
enum class Joint : unsigned char {
    End,    ///< the end of a sentence
    None,   ///< nothing: here the text begins
    Space,  ///< white space: the line before goes on
    Break,  ///< a line break
    Blank,  ///< a blank line
};

/// A sentence and its translation.
struct SentencePair {
    std::string source;
    std::string target;
    /// Gold alignment, where it is known: (source word, target word), words counted from 0 as split at spaces.
    /// A word may be aligned to several or to none. Sorted, no entry twice.
    std::vector<std::pair<int, int>> alignment = {};
    Joint joint = Joint::End;  ///< of a line of a text, which is a target without a source
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
