// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/text/vocabulary.h"

namespace headlight {

/// Text <-> token ids, one a language side of a model. Text is UTF-8 in any normal form; tokens are NFC.
/// encode() never emits <pad>, <bos> or <eos>; decode() leaves those three out.
class Tokenizer {
public:
    virtual ~Tokenizer() = default;
    /// The token strings of a text, before the vocabulary is asked. Throws Error for invalid UTF-8.
    virtual std::vector<std::string> split(std::string_view text) const = 0;
    /// Token strings back to readable text.
    virtual std::string join(const std::vector<std::string>& tokens) const = 0;
    /// Everything needed to make the same tokenizer again (headlight.tokenizer.* in a model file).
    virtual nlohmann::json toJson() const = 0;

    std::vector<int> encode(std::string_view text) const;
    std::string decode(const std::vector<int>& ids) const;
    const Vocabulary& vocabulary() const { return m_vocabulary; }

protected:
    Vocabulary m_vocabulary;
};

/// How to build a tokenizer from text (the `train` options --tokenizer, --lowercase, --source-vocab-size).
struct TokenizerOptions {
    enum class Kind { Word, Char, Bpe };
    Kind kind = Kind::Word;
    int merges = 0;  ///< learned at most; of byte-pair encoding only
    bool lowercase = false;
    int maxVocabulary = 0;  ///< specials counted in; 0: every token
};

/// Parses `word`, `char`, or `bpe:N` with the number of merges; throws Error for anything else.
TokenizerOptions parseTokenizer(std::string_view text);
/// Learns vocabulary and merges from lines of text.
std::shared_ptr<const Tokenizer> trainTokenizer(const std::vector<std::string>& lines, const TokenizerOptions& options);
/// The reverse of toJson(); throws Error where the JSON is not a tokenizer's.
std::shared_ptr<const Tokenizer> tokenizerFromJson(const nlohmann::json& json);

}  // namespace headlight
