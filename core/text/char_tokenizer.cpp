// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/char_tokenizer.h"

#include "core/text/unicode.h"

namespace headlight {
namespace {

constexpr std::string_view visibleSpace = "▁";

}  // namespace

std::vector<std::string> CharTokenizer::splitLine(std::string_view text) const {
    const std::string normal = normalText(text);
    std::vector<std::string> tokens;
    bool spaceDue = false;
    for (const std::string_view character : graphemes(normal)) {
        if (classify(character) == CharacterClass::Space) {
            spaceDue = !keepsLines() && !tokens.empty();
            if (keepsLines()) tokens.emplace_back(visibleSpace);
            continue;
        }
        if (spaceDue) tokens.emplace_back(visibleSpace);
        spaceDue = false;
        tokens.emplace_back(character);
    }
    return tokens;
}

std::string CharTokenizer::joinLine(const std::vector<std::string>& tokens) const {
    std::string text;
    for (const std::string& token : tokens)
        text += token == visibleSpace ? " " : token;
    return text;
}

}  // namespace headlight
