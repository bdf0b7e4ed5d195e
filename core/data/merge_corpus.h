// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/text/bpe.h"

namespace headlight {

/// A text of a few sentences in English, Vietnamese and Russian, written for this program: small enough to count by
/// hand, and such that its merges cut `Nikitin`, a name that it does not have, into `Ni@@ ki@@ tin`.
std::string_view smallText();

/// What merges are learned from.
struct MergeCorpus {
    WordCounts counts;       ///< words and punctuation marks, as WordTokenizer cuts them
    bool isBounded = false;  ///< there was more text than is read
};

/// `corpus` is `small`, the name of a built-in task (both sides of what it is trained on), `text:` and the text itself,
/// or a file: of that at most `mostBytes` are read. Throws Error for a file that is missing or is no text and for a
/// text without words, and WorkStopped.
MergeCorpus mergeCorpus(const std::string& corpus, const WorkProgress& progress = {},
                        size_t mostBytes = size_t{8} << 20);

}  // namespace headlight
