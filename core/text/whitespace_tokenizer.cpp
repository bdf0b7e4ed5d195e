// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/whitespace_tokenizer.h"

#include "core/text/unicode.h"

namespace headlight {

std::vector<std::string> WhitespaceTokenizer::splitLine(std::string_view text) const {
    const std::string normal = normalText(text);
    std::vector<std::string> tokens;
    std::string token;
    for (const std::string_view character : codePoints(normal)) {
        if (!isWhiteSpace(character)) {
            token += character;
        } else if (!token.empty()) {
            tokens.push_back(std::move(token));
            token.clear();
        }
    }
    if (!token.empty()) tokens.push_back(std::move(token));
    return tokens;
}

std::string WhitespaceTokenizer::joinLine(const std::vector<std::string>& tokens) const {
    std::string text;
    for (const std::string& token : tokens)
        text += (text.empty() ? "" : " ") + token;
    return text;
}

}  // namespace headlight
