// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/text/pipeline/pattern.h"

namespace headlight::pipeline {

class ComponentJson;

/// A piece of the text on its way to the model.
struct TextPiece {
    std::string text;
    bool opensText = false;  ///< does it stand at the very beginning of the text?
};

/// Splits pieces of text further; no token reaches from one into the next. May be used by several threads at once.
class PreTokenizer {
public:
    virtual ~PreTokenizer() = default;
    virtual std::vector<TextPiece> apply(std::vector<TextPiece> pieces) const = 0;
};

/// GPT-2's: `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
extern const char* const gpt2Expression;

/// From tokenizer.json's `pre_tokenizer`: BertPreTokenizer, ByteLevel, CharDelimiterSplit, Digits, FixedLength,
/// Metaspace, Punctuation, Sequence, Split, UnicodeScripts, Whitespace, WhitespaceSplit. Null where the file has none.
/// Throws Error, which begins with `file`, for another type.
std::unique_ptr<const PreTokenizer> readPreTokenizer(const nlohmann::json& json, const std::string& file);

/// `{"String": …}` or `{"Regex": …}` under `key`. Throws Error.
Pattern readPattern(const ComponentJson& json, const char* key);

}  // namespace headlight::pipeline
