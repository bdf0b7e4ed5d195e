// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/word_tokenizer.h"

#include <algorithm>
#include <array>

#include "core/text/unicode.h"

namespace headlight {
namespace {

using Characters = std::vector<std::string_view>;

template <std::size_t n>
bool isOneOf(std::string_view character, const std::array<std::string_view, n>& set) {
    return std::find(set.begin(), set.end(), character) != set.end();
}

bool isWordPart(CharacterClass kind) {
    return kind == CharacterClass::Letter || kind == CharacterClass::Digit;
}

// Is the mark at `i` inside a word, or inside a number?
bool joinsItsNeighbours(const Characters& characters, std::size_t i) {
    static constexpr std::array<std::string_view, 6> insideWords = {"'", "’", "-", "\u2010", "\u2011", "_"};
    static constexpr std::array<std::string_view, 3> insideNumbers = {".", ",", ":"};
    if (i == 0 || i + 1 == characters.size()) return false;
    const CharacterClass before = classify(characters[i - 1]);
    const CharacterClass after = classify(characters[i + 1]);
    if (isOneOf(characters[i], insideWords)) return isWordPart(before) && isWordPart(after);
    if (isOneOf(characters[i], insideNumbers)) return before == CharacterClass::Digit && after == CharacterClass::Digit;
    return false;
}

}  // namespace

std::vector<std::string> WordTokenizer::splitLine(std::string_view text) const {
    static constexpr std::string_view unknown = "<unk>";
    const std::string normal = normalText(text);
    const Characters characters = graphemes(normal);
    std::vector<std::string> tokens;
    std::string word;
    const auto endWord = [&] {
        if (!word.empty()) tokens.push_back(std::move(word));
        word.clear();
    };
    for (std::size_t i = 0; i < characters.size(); ++i) {
        const auto offset = static_cast<std::size_t>(characters[i].data() - normal.data());
        if (std::string_view(normal).substr(offset, unknown.size()) == unknown) {
            endWord();
            tokens.emplace_back(unknown);
            i += unknown.size() - 1;
            continue;
        }
        const CharacterClass kind = classify(characters[i]);
        if (isWordPart(kind) || joinsItsNeighbours(characters, i)) {
            word += characters[i];
            continue;
        }
        endWord();
        if (kind != CharacterClass::Space) tokens.emplace_back(characters[i]);
    }
    endWord();
    return tokens;
}

std::string WordTokenizer::joinLine(const std::vector<std::string>& tokens) const {
    std::string text;
    bool insideQuotes = false;
    bool spaceDue = false;
    for (const std::string& token : tokens) {
        if (token.empty()) continue;
        const bool isQuote = token == "\"";
        const CharacterClass kind = graphemes(token).size() == 1 ? classify(token) : CharacterClass::Letter;
        const bool closes = isQuote ? insideQuotes : kind == CharacterClass::Closing;
        const bool opens = isQuote ? !insideQuotes : kind == CharacterClass::Opening;
        if (isQuote) insideQuotes = !insideQuotes;
        if (spaceDue && !closes) text += ' ';
        text += token;
        spaceDue = !opens;
    }
    return text;
}

}  // namespace headlight
