// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace headlight::pipeline {

// How BERT's tokenizer (Devlin et al.: BERT, 2019), as Hugging Face's library has it, sorts characters: it parts from
// the original in a block that begins 256 characters late, and knows Unicode as of version 8, keeping what came later.
// Each argument is one code point.

enum class BertCharacter {
    Control,  ///< goes: control and format characters, private ones, U+FFFD
    Space,    ///< becomes a space
    Chinese,  ///< stands alone: the ideographs of the blocks that BERT knows
    Other
};
BertCharacter bertCharacter(std::string_view codePoint);

/// Stands alone: Unicode's punctuation, and all of ASCII that is neither letter, digit, space nor control.
bool isBertPunctuation(std::string_view codePoint);

/// Is taken off letters: non-spacing marks.
bool isBertMark(std::string_view codePoint);

/// Was a code point in Unicode by this version? The library's tables are of several ages.
bool isInUnicode(std::string_view codePoint, int version);

}  // namespace headlight::pipeline
