// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace headlight::pipeline {

// How BERT's own tokenizer (Devlin et al.: BERT, 2019; tokenization.py, as Hugging Face has it) sorts characters. Each
// argument is one code point.

enum class BertCharacter {
    Control,  ///< goes: control and format characters, private and unassigned ones, U+FFFD
    Space,    ///< becomes a space
    Chinese,  ///< stands alone: the ideographs of the blocks that BERT knows
    Other
};
BertCharacter bertCharacter(std::string_view codePoint);

/// Stands alone: Unicode's punctuation, and all of ASCII that is neither letter, digit, space nor control.
bool isBertPunctuation(std::string_view codePoint);

}  // namespace headlight::pipeline
