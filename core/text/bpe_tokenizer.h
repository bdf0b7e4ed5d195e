// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/bpe.h"
#include "core/text/word_tokenizer.h"

namespace headlight {

/// Words and punctuation marks as WordTokenizer cuts them, and these cut into pieces by byte-pair encoding. A piece
/// that does not end its word has `@@` behind it: `Ni@@ ki@@ tin .`
///
/// Every character of the text it learned from is in the vocabulary, inside a word and at its end, and so is whatever
/// the merges can make of them: a new word is spelt, and only a new character is <unk>.
class BpeTokenizer : public Tokenizer {
public:
    static constexpr std::string_view kindName = "bpe";

    BpeTokenizer(Vocabulary vocabulary, bool lowercase, std::vector<Merge> merges);
    /// Learns `options.merges` merges, or fewer: where the vocabulary is limited, as many as it has room for beside the
    /// characters.
    static std::shared_ptr<const Tokenizer> learn(const std::vector<std::string>& lines,
                                                  const TokenizerOptions& options);
    /// The reverse of toJson().
    static std::shared_ptr<const Tokenizer> fromJson(const nlohmann::json& json);

    std::vector<std::string> split(std::string_view text) const override;
    /// Pieces become words again, then text as WordTokenizer joins them.
    std::string join(const std::vector<std::string>& tokens) const override;
    /// `{"kind": "bpe", "lowercase": …, "tokens": […], "merges": ["l o", "lo w</w>", …]}`
    nlohmann::json toJson() const override;
    const Bpe& bpe() const { return m_bpe; }

private:
    WordTokenizer m_words;
    bool m_lowercase;
    Bpe m_bpe;
};

}  // namespace headlight
