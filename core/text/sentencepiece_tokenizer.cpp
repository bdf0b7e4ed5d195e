// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentencepiece_tokenizer.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>
#include <sentencepiece_processor.h>

#include "core/error.h"
#include "core/text/base64.h"
#include "core/text/pipeline/definition.h"
#include "core/text/sentencepiece_check.h"
#include "core/text/special_tokens.h"
#include "core/text/token_bytes.h"

namespace headlight {
namespace {

using Processor = sentencepiece::SentencePieceProcessor;

std::string firstLine(const std::string& text) {
    return text.substr(0, std::min({text.find('\n'), text.size(), std::size_t{200}}));
}

std::unique_ptr<Processor> load(std::string_view model, const std::string& file) {
    checkSentencePieceModel(model, file);
    auto processor = std::make_unique<Processor>();
    std::string problem;
    try {
        const sentencepiece::util::Status status = processor->LoadFromSerializedProto(model);
        if (!status.ok()) problem = status.ToString();
    } catch (const std::exception& error) {
        problem = error.what();
    }
    if (!problem.empty())
        throw Error(file + " cannot be read by the SentencePiece library (" + firstLine(problem) +
                    "): it is damaged, copy or download it again");
    for (int id = 0; id < processor->GetPieceSize(); ++id)
        if (!std::isfinite(processor->GetScore(id)))
            throw Error(file + " gives the piece '" + processor->IdToPiece(id) +
                        "' a score that is not a number: it is damaged");
    return processor;
}

std::vector<std::string> pieces(const Processor& processor) {
    std::vector<std::string> result;
    result.reserve(static_cast<std::size_t>(processor.GetPieceSize()));
    for (int id = 0; id < processor.GetPieceSize(); ++id)
        result.push_back(processor.IdToPiece(id));
    return result;
}

/// Bytes of a leading `>>xx<<`; 0 where there is none.
std::size_t languageMark(std::string_view text) {
    constexpr std::string_view begin = ">>", end = "<<";
    if (!text.starts_with(begin)) return 0;
    const std::size_t at = text.find(end, begin.size() + 1);
    return at == std::string_view::npos ? 0 : at + end.size();
}

/// All tokens by id, checked as those of a tokenizer.json.
std::vector<std::string> tokensOf(const SentencePieceTokenizer::Parts& parts, const Processor& processor) {
    pipeline::Definition definition;
    definition.file = parts.file;
    definition.tokens = parts.tokens.empty() ? pieces(processor) : parts.tokens;
    definition.added = parts.added;
    return pipeline::allTokens(definition);
}

/// Where the vocabulary lacks a piece.
int unknownId(const SentencePieceTokenizer::Parts& parts, const Processor& processor) {
    if (parts.specials.unk) return *parts.specials.unk;
    return parts.tokens.empty() ? processor.unk_id() : Vocabulary::none;
}

void requireIds(const std::vector<int>& ids, int size, const std::string& file) {
    for (const int id : ids)
        if (id < 0 || id >= size)
            throw Error(file + " puts the token " + std::to_string(id) +
                        " around a text, which the vocabulary does not have: it is damaged");
}

}  // namespace

SentencePieceTokenizer::SentencePieceTokenizer(Parts parts)
    : m_parts(std::move(parts)), m_processor(load(m_parts.model, m_parts.file)), m_added(m_parts.added) {
    m_marks = {PieceMarks::Kind::Starts, "▁"};
    try {
        m_vocabulary =
            Vocabulary::ofOthers(tokensOf(m_parts, *m_processor), unknownId(m_parts, *m_processor), m_parts.size);
    } catch (const Error& error) {
        const std::string what = error.what();
        throw Error(what.starts_with(m_parts.file) ? what : m_parts.file + ": " + what);
    }
    std::vector<int> special = m_parts.before;
    special.insert(special.end(), m_parts.after.begin(), m_parts.after.end());
    requireIds(special, m_vocabulary.size(), m_parts.file);
    for (const pipeline::AddedToken& token : m_parts.added)
        if (token.special && token.id != m_parts.specials.unk) special.push_back(token.id);
    setSpecials(m_parts.specials, special);
}

SentencePieceTokenizer::~SentencePieceTokenizer() = default;

std::vector<std::string> SentencePieceTokenizer::piecesOf(std::string_view model, const std::string& file) {
    return headlight::pieces(*load(model, file));
}

void SentencePieceTokenizer::addPieces(std::string_view text, std::vector<std::string>& pieces) const {
    std::vector<std::string> found;
    const sentencepiece::util::Status status = m_processor->Encode(text, &found);
    if (!status.ok())
        throw Error(m_parts.file + " cannot cut this text (" + firstLine(status.ToString()) + "): shorten it");
    pieces.insert(pieces.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
}

std::vector<std::string> SentencePieceTokenizer::split(std::string_view text) const {
    std::vector<std::string> pieces;
    if (m_parts.language == Parts::Language::OneToken) {
        if (const std::size_t mark = languageMark(text); mark > 0) {
            pieces.emplace_back(text.substr(0, mark));
            text.remove_prefix(mark);
        }
    }
    for (const pipeline::AddedTokens::Part& part : m_added.split(text)) {
        if (part.token != nullptr)
            pieces.push_back(part.token->content);
        else
            addPieces(part.text, pieces);
    }
    return pieces;
}

std::vector<int> SentencePieceTokenizer::encode(std::string_view text) const {
    std::vector<int> ids;
    for (const std::string& piece : split(text))
        if (const int id = m_vocabulary.id(piece); id >= 0) ids.push_back(id);
    return ids;
}

std::string SentencePieceTokenizer::join(const std::vector<std::string>& tokens) const {
    std::string text;
    std::vector<std::string> pieces;
    const auto put = [&text](const std::string& more) {
        if (!text.empty() && !more.empty()) text += ' ';
        text += more;
    };
    const auto endPieces = [&] {
        std::string decoded;
        if (!pieces.empty() && m_processor->Decode(pieces, &decoded).ok()) put(decoded);
        pieces.clear();
    };
    for (const std::string& token : tokens) {
        const int piece = m_processor->PieceToId(token);
        if (m_processor->IsUnknown(piece) || m_processor->IsControl(piece)) {
            endPieces();
            put(token);
        } else {
            pieces.push_back(token);
        }
    }
    endPieces();
    return text;
}

std::vector<std::string> SentencePieceTokenizer::written(const std::vector<int>& ids) const {
    std::vector<ShownToken> tokens;
    tokens.reserve(ids.size());
    for (const int id : ids) {
        const std::string& token = m_vocabulary.token(id);
        tokens.push_back({isSpecial(id) ? ShownToken::Kind::Name : ShownToken::Kind::Bytes, token});
        if (!m_processor->IsByte(m_processor->PieceToId(token))) continue;
        if (const auto byte = fromByteFallback(token)) tokens.back().text = std::string(1, static_cast<char>(*byte));
    }
    return displayTokens(tokens);
}

EncodedInput SentencePieceTokenizer::surround(std::vector<int> first, const std::vector<int>* second) const {
    EncodedInput input;
    const auto put = [&input](const std::vector<int>& ids, bool added) {
        input.ids.insert(input.ids.end(), ids.begin(), ids.end());
        input.added.resize(input.ids.size(), added);
    };
    put(m_parts.before, true);
    put(first, false);
    put(m_parts.after, true);
    if (second != nullptr) {
        put(m_parts.before, true);
        put(*second, false);
        put(m_parts.after, true);
    }
    input.types.resize(input.ids.size(), 0);
    return input;
}

nlohmann::json SentencePieceTokenizer::toJson() const {
    nlohmann::json added = nlohmann::json::array();
    for (const pipeline::AddedToken& token : m_parts.added)
        added.push_back(pipeline::toJson(token));
    return {{"kind", kindName},
            {"model", toBase64(m_parts.model)},
            {"tokens", m_parts.tokens},
            {"added", added},
            {"before", m_parts.before},
            {"after", m_parts.after},
            {"specials", headlight::toJson(m_parts.specials)},
            {"language_mark", m_parts.language == Parts::Language::OneToken},
            {"size", m_vocabulary.size()}};
}

std::shared_ptr<const Tokenizer> SentencePieceTokenizer::fromJson(const nlohmann::json& json) {
    const std::string file = "the model's tokenizer";
    const auto model = fromBase64(json.at("model").get_ref<const std::string&>());
    if (!model) throw Error(file + " has a SentencePiece model that is not base64: the file is damaged");
    Parts parts{.file = file, .model = *model};
    parts.tokens = json.at("tokens").get<std::vector<std::string>>();
    parts.before = json.at("before").get<std::vector<int>>();
    parts.after = json.at("after").get<std::vector<int>>();
    parts.size = json.at("size").get<int>();
    if (parts.size < 0 || parts.size > pipeline::VocabularyReader::mostTokens)
        throw Error(file + " says that it has " + std::to_string(parts.size) + " tokens: the file is damaged");
    for (const nlohmann::json& each : json.at("added"))
        parts.added.push_back(pipeline::addedTokenFromJson(each, file));
    parts.specials = specialTokensFromJson(json.at("specials"), parts.size);
    if (json.at("language_mark").get<bool>()) parts.language = Parts::Language::OneToken;
    return std::make_shared<const SentencePieceTokenizer>(std::move(parts));
}

}  // namespace headlight
