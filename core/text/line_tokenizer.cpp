// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/line_tokenizer.h"

#include <algorithm>
#include <iterator>

namespace headlight {

std::vector<std::string> LineTokenizer::split(std::string_view text) const {
    if (!keepsLines()) return splitLine(text);
    std::vector<std::string> tokens;
    for (std::size_t begin = 0;;) {
        const std::size_t end = std::min(text.find(lineBreak, begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        if (line.ends_with('\r')) line.remove_suffix(1);
        std::vector<std::string> words = splitLine(line);
        std::ranges::move(words, std::back_inserter(tokens));
        if (end == text.size()) return tokens;
        tokens.emplace_back(lineBreak);
        begin = end + lineBreak.size();
    }
}

std::string LineTokenizer::join(const std::vector<std::string>& tokens) const {
    if (!keepsLines()) return joinLine(tokens);
    std::string text;
    std::vector<std::string> line;
    for (const std::string& token : tokens) {
        if (token != lineBreak) {
            line.push_back(token);
            continue;
        }
        text += joinLine(line);
        text += lineBreak;
        line.clear();
    }
    return text + joinLine(line);
}

std::vector<std::string> LineTokenizer::written(const std::vector<int>& ids) const {
    std::vector<std::string> shown = Tokenizer::written(ids);
    std::ranges::replace(shown, std::string(lineBreak), std::string("↵"));
    return shown;
}

bool keepsLines(const Tokenizer& tokenizer) {
    return tokenizer.vocabulary().find(LineTokenizer::lineBreak) != Vocabulary::none;
}

}  // namespace headlight
