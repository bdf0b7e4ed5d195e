// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"

#include <functional>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/char_tokenizer.h"
#include "core/text/word_tokenizer.h"

namespace headlight {
namespace {

using Make = std::shared_ptr<const Tokenizer> (*)(Vocabulary vocabulary, bool lowercase);

template <typename T>
std::shared_ptr<const Tokenizer> makeTokenizer(Vocabulary vocabulary, bool lowercase) {
    return std::make_shared<const T>(std::move(vocabulary), lowercase);
}

struct TokenizerKind {
    TokenizerOptions::Kind kind;
    std::string_view name;
    Make make;
};

// A new kind that is learned from counts is registered here.
constexpr TokenizerKind kinds[] = {
    {TokenizerOptions::Kind::Word, WordTokenizer::kindName, makeTokenizer<WordTokenizer>},
    {TokenizerOptions::Kind::Char, CharTokenizer::kindName, makeTokenizer<CharTokenizer>},
};

const TokenizerKind& findKind(std::string_view name) {
    std::string known;
    for (const TokenizerKind& kind : kinds) {
        if (kind.name == name) return kind;
        known += (known.empty() ? "'" : ", '") + std::string(kind.name) + "'";
    }
    throw Error("there is no tokenizer '" + std::string(name) + "'; use one of " + known);
}

const TokenizerKind& findKind(TokenizerOptions::Kind wanted) {
    for (const TokenizerKind& kind : kinds)
        if (kind.kind == wanted) return kind;
    throw Error("this kind of tokenizer is not registered; add it to core/text/tokenizer.cpp");
}

}  // namespace

std::vector<int> Tokenizer::encode(std::string_view text) const {
    std::vector<int> ids;
    for (const std::string& token : split(text)) {
        const int id = m_vocabulary.id(token);
        // A text that happens to spell <eos> must not end a sentence.
        ids.push_back(id < SpecialIds::unk ? SpecialIds::unk : id);
    }
    return ids;
}

std::string Tokenizer::decode(const std::vector<int>& ids) const {
    std::vector<std::string> tokens;
    for (const int id : ids)
        if (id < 0 || id >= SpecialIds::unk) tokens.push_back(m_vocabulary.token(id));
    return join(tokens);
}

TokenizerOptions::Kind parseTokenizerKind(std::string_view name) {
    return findKind(name).kind;
}

std::shared_ptr<const Tokenizer> trainTokenizer(const std::vector<std::string>& lines,
                                                const TokenizerOptions& options) {
    const Make make = findKind(options.kind).make;
    const auto splitter = make(Vocabulary(), options.lowercase);
    std::map<std::string, long> counts;
    for (const std::string& line : lines)
        for (std::string& token : splitter->split(line))
            ++counts[std::move(token)];
    return make(Vocabulary::fromCounts(counts, options.maxVocabulary), options.lowercase);
}

std::shared_ptr<const Tokenizer> tokenizerFromJson(const nlohmann::json& json) {
    std::string name;
    bool lowercase = false;
    std::vector<std::string> tokens;
    try {
        json.at("kind").get_to(name);
        json.at("lowercase").get_to(lowercase);
        json.at("tokens").get_to(tokens);
    } catch (const nlohmann::json::exception& problem) {
        throw Error(std::string("this JSON is not a tokenizer's (") + problem.what() +
                    "); it needs the keys kind, lowercase and tokens");
    }
    return findKind(name).make(Vocabulary::fromTokens(std::move(tokens)), lowercase);
}

}  // namespace headlight
