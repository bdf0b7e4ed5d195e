// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <unordered_map>

#include "core/text/bpe.h"
#include "core/text/line_tokenizer.h"

namespace headlight {

struct TokenizerOptions;

/// Words and punctuation marks as WordTokenizer cuts them (or what white space parts, as WhitespaceTokenizer), and
/// these cut into pieces by byte-pair encoding. A piece that does not end its word has `@@` behind it: `Ni@@ ki@@ tin
/// .`
///
/// Every character of the text it learned from is in the vocabulary, inside a word and at its end: a new word is spelt,
/// and only a new character is <unk>. So is whatever the merges can make of them where it learned the merges itself;
/// otherwise (merges of both sides, or out of a file, or a minimal count) a piece that is not in the vocabulary is cut
/// again where it was last merged, as by subword-nmt's --vocabulary, until its parts are.
class BpeTokenizer : public LineTokenizer {
public:
    static constexpr std::string_view kindName = "bpe";
    /// What is cut into pieces.
    enum class Words { Word, Whitespace };

    BpeTokenizer(Vocabulary vocabulary, bool lowercase, std::vector<Merge> merges, Words words = Words::Word);
    /// Learns `options.merges` merges, or fewer: where the vocabulary is limited, as many as it has room for beside the
    /// characters. `merges`: see learnTokenizer().
    static std::shared_ptr<const Tokenizer> learn(WordCounts words, const TokenizerOptions& options,
                                                  const std::vector<Merge>* merges = nullptr,
                                                  const WorkProgress& progress = {});
    /// The reverse of toJson().
    static std::shared_ptr<const Tokenizer> fromJson(const nlohmann::json& json);

    /// `{"kind": "bpe", "lowercase": …, "tokens": […], "merges": ["l o", "lo w</w>", …]}`, and `"words": "whitespace"`
    /// where white space alone parts words.
    nlohmann::json toJson() const override;
    const Bpe& bpe() const { return m_bpe; }
    /// What is cut into pieces: the words of a text, in lower case where it reads so.
    std::vector<std::string> wordsOf(std::string_view text) const { return m_words->split(text); }

protected:
    std::vector<std::string> splitLine(std::string_view text) const override;
    /// Pieces become words again, then text as the words' tokenizer joins them.
    std::string joinLine(const std::vector<std::string>& tokens) const override;

private:
    /// Adds a piece of a word as a token, or its parts where it is not in the vocabulary.
    void addKnown(const std::string& piece, bool endsWord, std::vector<std::string>& tokens) const;

    std::unique_ptr<const Tokenizer> m_words;
    Words m_kindOfWords;
    bool m_lowercase;
    Bpe m_bpe;
    std::unordered_map<std::string, std::size_t> m_madeBy;  ///< symbol -> the last merge that makes it
};

}  // namespace headlight
