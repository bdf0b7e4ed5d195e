// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/added_tokens.h"

#include <algorithm>
#include <functional>
#include <set>

#include "core/text/unicode.h"

namespace headlight::pipeline {
namespace {

std::vector<std::string> contents(const std::vector<AddedToken>& tokens) {
    std::vector<std::string> result;
    result.reserve(tokens.size());
    for (const AddedToken& token : tokens)
        result.push_back(token.content);
    return result;
}

bool standsAlone(std::string_view text, std::size_t begin, std::size_t end) {
    return !endsInWordCharacter(text.substr(0, begin)) && !beginsWithWordCharacter(text.substr(end));
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : m_tokens(std::move(tokens)), m_index(contents(m_tokens)) {
    std::set<std::size_t, std::greater<>> lengths;
    for (const AddedToken& token : m_tokens) {
        if (token.content.empty()) continue;
        lengths.insert(token.content.size());
        m_begins[static_cast<unsigned char>(token.content.front())] = true;
    }
    m_lengths.assign(lengths.begin(), lengths.end());
}

const AddedToken* AddedTokens::longestAt(std::string_view text, std::size_t at) const {
    if (!m_begins[static_cast<unsigned char>(text[at])]) return nullptr;
    for (const std::size_t length : m_lengths) {
        if (length > text.size() - at) continue;
        if (const int found = m_index.find(text.substr(at, length)); found >= 0)
            return &m_tokens[static_cast<std::size_t>(found)];
    }
    return nullptr;
}

std::vector<AddedTokens::Part> AddedTokens::split(std::string_view text) const {
    std::vector<Part> parts;
    std::size_t done = 0;
    for (std::size_t at = 0; at < text.size();) {
        const AddedToken* token = longestAt(text, at);
        if (token == nullptr) {
            ++at;
            continue;
        }
        std::size_t begin = at, end = at + token->content.size();
        at = end;
        if (token->singleWord && !standsAlone(text, begin, end)) continue;
        if (token->leftStrip) begin = std::max(done, begin - whiteSpaceAtEnd(text.substr(0, begin)));
        if (token->rightStrip) end += whiteSpaceAtBegin(text.substr(end));
        if (begin > done) parts.push_back({text.substr(done, begin - done), nullptr});
        parts.push_back({text.substr(begin, end - begin), token});
        done = at = end;
    }
    if (done < text.size()) parts.push_back({text.substr(done), nullptr});
    return parts;
}

}  // namespace headlight::pipeline
