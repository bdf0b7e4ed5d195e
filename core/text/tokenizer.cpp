// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/bpe_tokenizer.h"
#include "core/text/char_tokenizer.h"
#include "core/text/id_tokenizer.h"
#include "core/text/pipeline_tokenizer.h"
#include "core/text/sentencepiece_tokenizer.h"
#include "core/text/special_tokens.h"
#include "core/text/whitespace_tokenizer.h"
#include "core/text/word_tokenizer.h"

namespace headlight {
namespace {

using TokenizerPointer = std::shared_ptr<const Tokenizer>;

template <typename T>
TokenizerPointer readTokens(const nlohmann::json& json) {
    return std::make_shared<const T>(Vocabulary::fromTokens(json.at("tokens").get<std::vector<std::string>>()),
                                     json.at("lowercase").get<bool>());
}

/// What a model file may hold.
struct StoredKind {
    std::string_view name;
    TokenizerPointer (*fromJson)(const nlohmann::json& json);  // may throw what nlohmann throws where a key is missing
};

// A new kind is registered here.
constexpr StoredKind storedKinds[] = {
    {WordTokenizer::kindName, readTokens<WordTokenizer>},
    {WhitespaceTokenizer::kindName, readTokens<WhitespaceTokenizer>},
    {CharTokenizer::kindName, readTokens<CharTokenizer>},
    {BpeTokenizer::kindName, BpeTokenizer::fromJson},
    {PipelineTokenizer::kindName, PipelineTokenizer::fromJson},
    {SentencePieceTokenizer::kindName, SentencePieceTokenizer::fromJson},
    {IdTokenizer::kindName, IdTokenizer::fromJson},
};

const StoredKind& storedKind(std::string_view name) {
    std::string known;
    for (const StoredKind& kind : storedKinds) {
        if (kind.name == name) return kind;
        known += (known.empty() ? "'" : ", '") + std::string(kind.name) + "'";
    }
    throw Error("there is no tokenizer '" + std::string(name) + "'; use one of " + known);
}

}  // namespace

std::vector<int> Tokenizer::encode(std::string_view text) const {
    const std::vector<std::string> tokens = split(text);
    std::vector<int> ids;
    ids.reserve(tokens.size());
    for (const std::string& token : tokens) {
        const int id = m_vocabulary.id(token);
        // A text that happens to spell <eos> must not end a sentence.
        ids.push_back(id < SpecialIds::unk ? SpecialIds::unk : id);
    }
    return ids;
}

EncodedInput Tokenizer::encodeInput(std::string_view text) const {
    return surround(encode(text), nullptr);
}

EncodedInput Tokenizer::encodeInput(std::string_view first, std::string_view second) const {
    const std::vector<int> other = encode(second);
    return surround(encode(first), &other);
}

EncodedInput Tokenizer::surround(std::vector<int> first, const std::vector<int>* second) const {
    if (second != nullptr)
        throw Error("this model's tokenizer knows no pairs of texts; give one text, or open a model that reads pairs");
    const std::size_t count = first.size();
    return {std::move(first), std::vector<int>(count, 0), std::vector<bool>(count, false)};
}

std::string Tokenizer::decode(const std::vector<int>& ids, Specials specials) const {
    std::vector<std::string> tokens;
    tokens.reserve(ids.size());
    for (const int id : ids)
        if (specials == Specials::Written || !isSpecial(id)) tokens.push_back(m_vocabulary.token(id));
    return join(tokens);
}

std::vector<std::string> Tokenizer::written(const std::vector<int>& ids) const {
    std::vector<std::string> tokens;
    tokens.reserve(ids.size());
    for (const int id : ids)
        tokens.push_back(m_vocabulary.token(id));
    return tokens;
}

std::vector<Piece> Tokenizer::pieces(const std::vector<int>& ids, Before before) const {
    std::vector<WrittenToken> tokens;
    tokens.reserve(ids.size());
    for (std::string& text : written(ids))
        tokens.push_back({std::move(text)});
    for (std::size_t i = 0; i < ids.size(); ++i)
        tokens[i].isName = isSpecial(ids[i]) || ids[i] == m_specials.unk;
    return piecesOf(tokens, m_marks, before);
}

std::vector<std::string> Tokenizer::display(const std::vector<int>& ids) const {
    std::vector<std::string> shown;
    shown.reserve(ids.size());
    for (const Piece& piece : pieces(ids))
        shown.push_back(drawn(piece));
    return shown;
}

std::string Tokenizer::displayOne(int id) const {
    if (m_marks.kind == PieceMarks::Kind::None) return writtenOne(id);
    return drawn(pieces({id}, Before::Text).front());
}

bool Tokenizer::isSpecial(int id) const {
    return std::ranges::binary_search(m_specialIds, id);
}

void Tokenizer::setSpecials(const SpecialTokens& specials, std::vector<int> ids) {
    // What stands for a text that is not known is no special token, unless it is one for another reason too, as
    // GPT-2's.
    const auto isUnknown = [&](const SpecialRole& role) { return specials.*role.id == specials.unk; };
    if (specials.unk && std::ranges::count_if(specialRoles, isUnknown) == 1) std::erase(ids, *specials.unk);
    std::ranges::sort(ids);
    m_specials = specials;
    m_specialIds = std::move(ids);
}

std::shared_ptr<const Tokenizer> tokenizerFromJson(const nlohmann::json& json) {
    try {
        return storedKind(json.at("kind").get<std::string>()).fromJson(json);
    } catch (const nlohmann::json::exception& problem) {
        throw Error(std::string("this JSON is not a tokenizer's (") + problem.what() +
                    "); it needs its kind and what that kind writes, such as lowercase, tokens and merges");
    }
}

}  // namespace headlight
