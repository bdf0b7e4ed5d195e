// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/bpe_tokenizer.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight {
namespace {

constexpr std::string_view continuation = "@@";
constexpr std::string_view wordEnd = "</w>";
constexpr std::string_view unknown = "<unk>";

std::string inside(std::string_view symbol) {
    return std::string(symbol) + std::string(continuation);
}

/// The token that a symbol of the merges stands for.
std::string tokenOf(std::string_view symbol) {
    if (!symbol.ends_with(wordEnd)) return inside(symbol);
    symbol.remove_suffix(wordEnd.size());
    return std::string(symbol);
}

/// Each character inside a word and at its end, none counted yet.
WordCounts charactersOf(const WordCounts& words) {
    WordCounts tokens;
    for (const auto& [word, count] : words) {
        for (const std::string_view character : codePoints(word)) {
            tokens.emplace(character, 0);
            tokens.emplace(inside(character), 0);
        }
    }
    return tokens;
}

std::vector<std::string> piecesOf(const Bpe& bpe, std::string_view word) {
    std::vector<std::string> pieces = bpe.split(word);
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i)
        pieces[i] += continuation;
    return pieces;
}

/// How many merges a vocabulary has room for beside the special tokens and the characters.
int roomForMerges(const TokenizerOptions& options, std::size_t characters) {
    if (options.maxVocabulary == 0) return options.merges;
    const int taken = Vocabulary().size() + static_cast<int>(characters);
    if (options.maxVocabulary <= taken)
        throw Error("a vocabulary of " + std::to_string(options.maxVocabulary) +
                    " tokens has no room for merges: the " + "characters and special tokens alone are " +
                    std::to_string(taken) + "; allow more");
    return std::min(options.merges, options.maxVocabulary - taken);
}

}  // namespace

BpeTokenizer::BpeTokenizer(Vocabulary vocabulary, bool lowercase, std::vector<Merge> merges)
    : m_words(Vocabulary(), lowercase), m_lowercase(lowercase), m_bpe(std::move(merges)) {
    m_vocabulary = std::move(vocabulary);
}

std::shared_ptr<const Tokenizer> BpeTokenizer::learn(const std::vector<std::string>& lines,
                                                     const TokenizerOptions& options) {
    const WordTokenizer splitter(Vocabulary(), options.lowercase);
    WordCounts words;
    for (const std::string& line : lines)
        for (std::string& word : splitter.split(line))
            if (word != unknown) ++words[std::move(word)];
    WordCounts tokens = charactersOf(words);
    std::vector<Merge> merges = learnMerges(words, roomForMerges(options, tokens.size()));
    for (const Merge& merge : merges)
        tokens.emplace(tokenOf(merge.merged), 0);
    const Bpe bpe(merges);
    for (const auto& [word, count] : words)
        for (const std::string& piece : piecesOf(bpe, word))
            tokens[piece] += count;
    return std::make_shared<const BpeTokenizer>(Vocabulary::fromCounts(tokens, 0), options.lowercase,
                                                std::move(merges));
}

std::shared_ptr<const Tokenizer> BpeTokenizer::fromJson(const nlohmann::json& json) {
    std::vector<Merge> merges;
    for (const auto& line : json.at("merges").get<std::vector<std::string>>()) {
        const std::vector<std::string> symbols = cut(line, ' ');
        if (symbols.size() != 2 || symbols[0].empty() || symbols[1].empty())
            throw Error("'" + line +
                        "' is not a merge of a bpe tokenizer; it must be two symbols with a space between");
        merges.push_back({symbols[0], symbols[1], symbols[0] + symbols[1]});
    }
    return std::make_shared<const BpeTokenizer>(
        Vocabulary::fromTokens(json.at("tokens").get<std::vector<std::string>>()), json.at("lowercase").get<bool>(),
        std::move(merges));
}

std::vector<std::string> BpeTokenizer::split(std::string_view text) const {
    std::vector<std::string> tokens;
    for (const std::string& word : m_words.split(text)) {
        if (word == unknown) {
            tokens.push_back(word);
            continue;
        }
        for (std::string& piece : piecesOf(m_bpe, word))
            tokens.push_back(std::move(piece));
    }
    return tokens;
}

std::string BpeTokenizer::join(const std::vector<std::string>& tokens) const {
    std::vector<std::string> words;
    bool goesOn = false;
    for (std::string_view token : tokens) {
        const bool isWhole = !token.ends_with(continuation);
        if (!isWhole) token.remove_suffix(continuation.size());
        if (goesOn)
            words.back() += token;
        else
            words.emplace_back(token);
        goesOn = !isWhole;
    }
    return m_words.join(words);
}

nlohmann::json BpeTokenizer::toJson() const {
    std::vector<std::string> merges;
    merges.reserve(m_bpe.merges().size());
    for (const Merge& merge : m_bpe.merges())
        merges.push_back(merge.left + ' ' + merge.right);
    return {{"kind", kindName}, {"lowercase", m_lowercase}, {"tokens", m_vocabulary.tokens()}, {"merges", merges}};
}

}  // namespace headlight
