// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/bpe_tokenizer.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/learn_tokenizer.h"
#include "core/text/unicode.h"
#include "core/text/whitespace_tokenizer.h"
#include "core/text/word_tokenizer.h"

namespace headlight {
namespace {

constexpr std::string_view continuation = "@@";
constexpr std::string_view wordEnd = "</w>";
constexpr std::string_view unknownWord = "<unk>";

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

WordCounts countPieces(const Bpe& bpe, const WordCounts& words) {
    WordCounts pieces;
    for (const auto& [word, count] : words)
        for (const std::string& piece : piecesOf(bpe, word))
            pieces[piece] += count;
    return pieces;
}

/// The characters, and of the pieces that stand often enough the most frequent that there is room for.
WordCounts chosenPieces(const WordCounts& pieces, WordCounts characters, const TokenizerOptions& options,
                        std::size_t room) {
    WordCounts others;
    for (const auto& [piece, count] : pieces)
        if (const auto character = characters.find(piece); character != characters.end())
            character->second = count;
        else
            others.emplace(piece, count);
    const int most = options.maxVocabulary == 0 ? 0 : Vocabulary().size() + static_cast<int>(room);
    if (most != 0 && room == 0) return characters;
    const Vocabulary chosen = Vocabulary::fromCounts(others, most, options.minCount);
    for (int id = Vocabulary().size(); id < chosen.size(); ++id)
        characters.emplace(chosen.token(id), others.at(chosen.token(id)));
    return characters;
}

/// How many pieces a limited vocabulary has room for beside the special tokens and the characters.
int roomForMerges(const TokenizerOptions& options, std::size_t characters) {
    const int taken = Vocabulary().size() + static_cast<int>(characters);
    if (options.maxVocabulary <= taken)
        throw Error("a vocabulary of " + std::to_string(options.maxVocabulary) +
                    " tokens has no room for merges: the " + "characters and special tokens alone are " +
                    std::to_string(taken) + "; allow more");
    return options.maxVocabulary - taken;
}

std::unique_ptr<const Tokenizer> makeWords(BpeTokenizer::Words words, bool lowercase) {
    if (words == BpeTokenizer::Words::Whitespace)
        return std::make_unique<const WhitespaceTokenizer>(Vocabulary(), lowercase);
    return std::make_unique<const WordTokenizer>(Vocabulary(), lowercase);
}

}  // namespace

BpeTokenizer::BpeTokenizer(Vocabulary vocabulary, bool lowercase, std::vector<Merge> merges, Words words)
    : m_words(makeWords(words, lowercase)), m_kindOfWords(words), m_lowercase(lowercase), m_bpe(std::move(merges)) {
    m_vocabulary = std::move(vocabulary);
    m_marks = {PieceMarks::Kind::GoesOn, std::string(continuation)};
    for (std::size_t i = 0; i < m_bpe.merges().size(); ++i)
        m_madeBy[m_bpe.merges()[i].merged] = i;
}

std::shared_ptr<const Tokenizer> BpeTokenizer::learn(WordCounts words, const TokenizerOptions& options,
                                                     const std::vector<Merge>* given, const WorkProgress& progress) {
    words.erase(std::string(unknownWord));
    WordCounts tokens = charactersOf(words);
    const int room = options.maxVocabulary == 0 ? 0 : roomForMerges(options, tokens.size());
    std::vector<Merge> merges;
    if (given)
        merges = *given;
    else
        merges = learnMerges(words, room == 0 ? options.merges : std::min(options.merges, room), progress);
    const WordCounts pieces = countPieces(Bpe(merges), words);
    if (given || options.minCount > 1) {
        tokens = chosenPieces(pieces, std::move(tokens), options, static_cast<std::size_t>(room));
    } else {
        for (const Merge& merge : merges)
            tokens.emplace(tokenOf(merge.merged), 0);
        for (const auto& [piece, count] : pieces)
            tokens[piece] = count;
    }
    const Words kind = options.kind == TokenizerOptions::Kind::Whitespace ? Words::Whitespace : Words::Word;
    return std::make_shared<const BpeTokenizer>(Vocabulary::fromCounts(tokens, 0), options.lowercase, std::move(merges),
                                                kind);
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
    const auto words = json.value("words", std::string(WordTokenizer::kindName));
    if (words != WordTokenizer::kindName && words != WhitespaceTokenizer::kindName)
        throw Error("a bpe tokenizer cuts words of the kind 'word' or 'whitespace', not '" + words + "'");
    return std::make_shared<const BpeTokenizer>(
        Vocabulary::fromTokens(json.at("tokens").get<std::vector<std::string>>()), json.at("lowercase").get<bool>(),
        std::move(merges), words == WordTokenizer::kindName ? Words::Word : Words::Whitespace);
}

std::vector<std::string> BpeTokenizer::splitLine(std::string_view text) const {
    std::vector<std::string> tokens;
    for (const std::string& word : m_words->split(text)) {
        if (word == unknownWord) {
            tokens.push_back(word);
            continue;
        }
        const std::vector<std::string> pieces = m_bpe.split(word);
        for (std::size_t i = 0; i < pieces.size(); ++i)
            addKnown(pieces[i], i + 1 == pieces.size(), tokens);
    }
    return tokens;
}

void BpeTokenizer::addKnown(const std::string& piece, bool endsWord, std::vector<std::string>& tokens) const {
    struct Symbol {
        std::string text;
        bool endsWord;
    };
    std::vector<Symbol> left{{endsWord ? piece + std::string(wordEnd) : piece, endsWord}};  // the next one last
    while (!left.empty()) {
        const Symbol symbol = std::move(left.back());
        left.pop_back();
        const auto made = m_madeBy.find(symbol.text);
        std::string token = symbol.endsWord ? tokenOf(symbol.text) : inside(symbol.text);
        if (made == m_madeBy.end() || m_vocabulary.contains(token)) {
            tokens.push_back(std::move(token));
            continue;
        }
        const Merge& merge = m_bpe.merges()[made->second];
        left.push_back({merge.right, symbol.endsWord});
        left.push_back({merge.left, false});
    }
}

std::string BpeTokenizer::joinLine(const std::vector<std::string>& tokens) const {
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
    return m_words->join(words);
}

nlohmann::json BpeTokenizer::toJson() const {
    std::vector<std::string> merges;
    merges.reserve(m_bpe.merges().size());
    for (const Merge& merge : m_bpe.merges())
        merges.push_back(merge.left + ' ' + merge.right);
    nlohmann::json json{
        {"kind", kindName}, {"lowercase", m_lowercase}, {"tokens", m_vocabulary.tokens()}, {"merges", merges}};
    if (m_kindOfWords == Words::Whitespace) json["words"] = WhitespaceTokenizer::kindName;
    return json;
}

}  // namespace headlight
