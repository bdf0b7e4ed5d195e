// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/vocabulary.h"

#include <algorithm>
#include <array>

#include "core/error.h"

namespace headlight {
namespace {

constexpr std::array<std::string_view, 4> specials = {"<pad>", "<bos>", "<eos>", "<unk>"};

bool isSpecial(std::string_view token) {
    return std::find(specials.begin(), specials.end(), token) != specials.end();
}

}  // namespace

Vocabulary::Vocabulary() {
    for (const std::string_view special : specials) {
        m_ids.emplace(special, size());
        m_tokens.emplace_back(special);
    }
}

Vocabulary Vocabulary::fromCounts(const std::map<std::string, long>& counts, int maxSize, long least) {
    if (maxSize != 0 && maxSize <= static_cast<int>(specials.size()))
        throw Error("a vocabulary of " + std::to_string(maxSize) +
                    " tokens has no room beside the 4 special ones; allow at least 5, or 0 for no limit");
    std::vector<const std::pair<const std::string, long>*> order;
    for (const auto& entry : counts)
        if (entry.second >= least && !isSpecial(entry.first)) order.push_back(&entry);
    // The map is in order of code units already; a stable sort keeps that order among equal counts.
    std::stable_sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->second > b->second; });
    Vocabulary vocabulary;
    for (const auto* entry : order) {
        if (maxSize != 0 && vocabulary.size() >= maxSize) break;
        vocabulary.m_ids.emplace(entry->first, vocabulary.size());
        vocabulary.m_tokens.push_back(entry->first);
    }
    return vocabulary;
}

Vocabulary Vocabulary::fromTokens(std::vector<std::string> tokens) {
    if (tokens.size() < specials.size() || !std::equal(specials.begin(), specials.end(), tokens.begin()))
        throw Error("a vocabulary must begin with <pad> <bos> <eos> <unk>; put these four first");
    Vocabulary vocabulary;
    vocabulary.m_tokens = std::move(tokens);
    vocabulary.indexTokens();
    return vocabulary;
}

Vocabulary Vocabulary::ofOthers(std::vector<std::string> tokens, int unknown, int size) {
    Vocabulary vocabulary;
    vocabulary.m_tokens = std::move(tokens);
    for (int id = vocabulary.size(); id < size; ++id)
        vocabulary.m_tokens.push_back(nameOfNoToken(id));
    vocabulary.m_unknown = unknown;
    vocabulary.indexTokens();
    return vocabulary;
}

std::string Vocabulary::nameOfNoToken(int id) {
    return "<no token " + std::to_string(id) + '>';
}

void Vocabulary::indexTokens() {
    m_ids.clear();
    m_ids.reserve(m_tokens.size());
    for (int id = 0; id < size(); ++id) {
        const std::string& token = m_tokens[static_cast<std::size_t>(id)];
        const auto [entry, isNew] = m_ids.emplace(token, id);
        if (!isNew)
            throw Error("the vocabulary holds '" + token + "' twice, as ids " + std::to_string(entry->second) +
                        " and " + std::to_string(id) + "; remove one");
    }
}

int Vocabulary::id(std::string_view token) const {
    const int found = find(token);
    return found == none ? m_unknown : found;
}

int Vocabulary::find(std::string_view token) const {
    const auto found = m_ids.find(std::string(token));
    return found == m_ids.end() ? none : found->second;
}

const std::string& Vocabulary::token(int id) const {
    if (id < 0 || id >= size())
        throw Error("there is no token " + std::to_string(id) + " in a vocabulary of " + std::to_string(size()) +
                    "; use ids from 0 to " + std::to_string(size() - 1));
    return m_tokens[static_cast<std::size_t>(id)];
}

bool Vocabulary::contains(std::string_view token) const {
    return m_ids.contains(std::string(token));
}

}  // namespace headlight
