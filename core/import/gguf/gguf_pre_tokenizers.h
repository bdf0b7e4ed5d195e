// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "core/import/gguf/gguf_keys.h"

namespace headlight {

/// What a text goes through before byte-pair encoding, of which a GGUF file says the name alone
/// (`tokenizer.ggml.pre`).
struct GgufPreTokenizer {
    nlohmann::json normalizer, preTokenizer;  ///< as a tokenizer.json spells them
    bool takesWholeWords = false;             ///< is a word that is a token not cut? (`ignore_merges`)
    bool beginsTexts = false;                 ///< does a text begin with <bos> where no key says so?
};

/// That of the models whose tokenizer bears the name, as their own tokenizer.json has it. Throws Error for a name that
/// is not known here, and for a file without one where its architecture does not tell it.
GgufPreTokenizer ggufPreTokenizer(const GgufKeys& keys);

}  // namespace headlight
