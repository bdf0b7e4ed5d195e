// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline_tokenizer.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "core/error.h"
#include "core/text/special_tokens.h"
#include "core/text/token_bytes.h"
#include "core/text/unicode.h"

namespace headlight {

using pipeline::AddedToken;
using pipeline::AddedTokens;
using pipeline::ModelToken;

namespace {

/// Is there a part of this type, alone or in a sequence?
bool hasPart(const nlohmann::json& json, std::string_view type) {
    if (json.is_array())
        return std::ranges::any_of(json, [type](const nlohmann::json& each) { return hasPart(each, type); });
    if (!json.is_object()) return false;
    if (json.value("type", nlohmann::json()) == type) return true;
    return std::ranges::any_of(json,
                               [type](const nlohmann::json& each) { return each.is_array() && hasPart(each, type); });
}

/// `change` applied to the stretches of a text that are UTF-8; what is not stays as it is.
template <typename Change>
std::string changeValidStretches(std::string_view text, Change change) {
    std::string result;
    while (const auto broken = findInvalidUtf8(text)) {
        if (*broken > 0) result += change(std::string(text.substr(0, *broken)));
        result += text[*broken];
        text.remove_prefix(*broken + 1);
    }
    if (!text.empty() || result.empty()) result += change(std::string(text));
    return result;
}

/// Those that are looked for in a text as it is.
AddedTokens rawAdded(const pipeline::Definition& definition) {
    std::vector<AddedToken> chosen;
    std::ranges::copy_if(definition.added, std::back_inserter(chosen), std::not_fn(&AddedToken::normalized));
    return AddedTokens(std::move(chosen));
}

/// Those that are looked for in a text as the normalizer (null: none) leaves it, themselves normalised.
AddedTokens normalizedAdded(const pipeline::Definition& definition, const pipeline::Normalizer* normalizer) {
    std::vector<AddedToken> chosen;
    std::ranges::copy_if(definition.added, std::back_inserter(chosen), &AddedToken::normalized);
    if (normalizer != nullptr)
        for (AddedToken& token : chosen)
            token.content = normalizer->apply(token.content);
    return AddedTokens(std::move(chosen));
}

/// A text option of the model; "" where it has none.
std::string optionOf(const nlohmann::json& model, const char* key) {
    const auto found = model.is_object() ? model.find(key) : model.end();
    return found != model.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// How its model marks pieces: by what stands before or behind them, or by a space. Words alone have no marks.
PieceMarks marksOf(const pipeline::Definition& definition, bool areBytes) {
    using Mark = PieceMarks::Kind;
    const std::string type = pipeline::modelType(definition.model);
    if (type == "WordLevel") return {};
    if (std::string end = optionOf(definition.model, "end_of_word_suffix"); !end.empty()) return {Mark::Ends, end};
    std::string prefix = optionOf(definition.model, "continuing_subword_prefix");
    if (prefix.empty() && type == "WordPiece") prefix = "##";
    if (!prefix.empty()) return {Mark::Continues, prefix};
    const auto startsWithSpace = [](const std::string& token) { return token.starts_with("▁"); };
    if (areBytes || std::ranges::any_of(definition.tokens, startsWithSpace)) return {Mark::Starts, "▁"};
    return {};
}

std::vector<int> specialIds(const pipeline::Definition& definition, const pipeline::SentenceTemplate& sentence) {
    std::vector<int> ids = sentence.ids();
    for (const AddedToken& token : definition.added)
        if (token.special) ids.push_back(token.id);
    return ids;
}

}  // namespace

PipelineTokenizer::PipelineTokenizer(pipeline::Definition definition)
    : m_definition(std::move(definition)),
      m_normalizer(pipeline::readNormalizer(m_definition.normalizer, m_definition.file)),
      m_preTokenizer(pipeline::readPreTokenizer(m_definition.preTokenizer, m_definition.file)),
      m_model(pipeline::readModel({m_definition.model, m_definition.tokens, m_definition.scores, m_definition.merges,
                                   m_definition.file, m_definition.mergesFile})),
      m_decoder(pipeline::readDecoder(m_definition.decoder, m_definition.file)),
      m_rawAdded(rawAdded(m_definition)),
      m_normalizedAdded(normalizedAdded(m_definition, m_normalizer.get())) {
    std::vector<std::string> tokens = pipeline::allTokens(m_definition);
    m_template =
        pipeline::readPostProcessor(m_definition.postProcessor, m_definition.file, static_cast<int>(tokens.size()));
    if (const std::string& unknown = m_model->unknownToken(); !unknown.empty()) {
        const auto found = std::ranges::find(tokens, unknown);
        if (found != tokens.end()) m_unknownId = static_cast<int>(found - tokens.begin());
    }
    try {
        m_vocabulary = Vocabulary::ofOthers(std::move(tokens), m_unknownId, m_definition.size);
    } catch (const Error& error) {
        throw Error(m_definition.file + ": " + error.what());
    }
    if (!m_definition.specials.unk && m_unknownId >= 0) m_definition.specials.unk = m_unknownId;
    setSpecials(m_definition.specials, specialIds(m_definition, m_template));
    m_keepsBytes = hasPart(m_definition.preTokenizer, "ByteLevel");
    if (m_keepsBytes || hasPart(m_definition.normalizer, "ByteLevel"))
        m_bytes = Bytes::ByteLevel;
    else if (m_model->fallsBackToBytes())
        m_bytes = Bytes::Fallback;
    m_marks = marksOf(m_definition, m_bytes == Bytes::ByteLevel);
}

std::string PipelineTokenizer::normalized(std::string_view text) const {
    if (!m_normalizer) return std::string(text);
    return changeValidStretches(text, [this](const std::string& valid) { return m_normalizer->apply(valid); });
}

void PipelineTokenizer::addTokensOf(pipeline::TextPiece piece, std::vector<ModelToken>& tokens) const {
    std::vector<pipeline::TextPiece> pieces;
    pieces.push_back(std::move(piece));
    if (m_preTokenizer) pieces = m_preTokenizer->apply(std::move(pieces));
    for (const pipeline::TextPiece& each : pieces)
        if (!each.text.empty()) m_model->cut(each.text, tokens);
}

std::vector<ModelToken> PipelineTokenizer::tokensOf(std::string_view text) const {
    const std::string repaired = m_keepsBytes ? std::string(text) : replaceBrokenUtf8(text);
    std::vector<ModelToken> tokens;
    for (const AddedTokens::Part& raw : m_rawAdded.split(repaired)) {
        if (raw.token != nullptr) {
            tokens.push_back({raw.token->id});
            continue;
        }
        bool opensText = raw.text.data() == repaired.data();
        const std::string changed = normalized(raw.text);
        for (const AddedTokens::Part& part : m_normalizedAdded.split(changed)) {
            if (part.token != nullptr)
                tokens.push_back({part.token->id});
            else
                addTokensOf({std::string(part.text), opensText}, tokens);
            opensText = false;
        }
    }
    return tokens;
}

std::vector<int> PipelineTokenizer::encode(std::string_view text) const {
    std::vector<int> ids;
    for (const ModelToken& token : tokensOf(text)) {
        const int id = token.id >= 0 ? token.id : m_unknownId;
        if (id >= 0) ids.push_back(id);
    }
    return ids;
}

std::vector<std::string> PipelineTokenizer::split(std::string_view text) const {
    std::vector<std::string> result;
    for (const ModelToken& token : tokensOf(text))
        result.push_back(token.id >= 0 ? m_vocabulary.token(token.id) : token.text);
    return result;
}

std::string PipelineTokenizer::join(const std::vector<std::string>& tokens) const {
    std::string text;
    for (const std::string& piece : m_decoder->apply(tokens))
        text += piece;
    return text;
}

std::vector<std::string> PipelineTokenizer::written(const std::vector<int>& ids) const {
    std::vector<ShownToken> tokens;
    tokens.reserve(ids.size());
    for (const int id : ids) {
        const std::string& token = m_vocabulary.token(id);
        if (isSpecial(id)) {
            tokens.push_back({ShownToken::Kind::Name, token});
            continue;
        }
        tokens.push_back({ShownToken::Kind::Bytes, token});
        if (m_bytes == Bytes::ByteLevel) {
            if (auto bytes = fromByteLevel(token)) tokens.back().text = std::move(*bytes);
        } else if (m_bytes == Bytes::Fallback) {
            if (const auto byte = fromByteFallback(token))
                tokens.back().text = std::string(1, static_cast<char>(*byte));
        }
    }
    return displayTokens(tokens);
}

EncodedInput PipelineTokenizer::surround(std::vector<int> first, const std::vector<int>* second) const {
    return m_template.apply(first, second);
}

nlohmann::json PipelineTokenizer::toJson() const {
    return {{"kind", kindName},
            {"tokenizer", toTokenizerJson(m_definition)},
            {"specials", headlight::toJson(m_definition.specials)},
            {"size", m_vocabulary.size()}};
}

std::shared_ptr<const Tokenizer> PipelineTokenizer::fromJson(const nlohmann::json& json) {
    pipeline::Definition definition =
        pipeline::definitionFromTokenizerJson(json.at("tokenizer"), "the model's tokenizer");
    definition.size = json.at("size").get<int>();
    if (definition.size < 0 || definition.size > pipeline::VocabularyReader::mostTokens)
        throw Error("the model's tokenizer says that it has " + std::to_string(definition.size) +
                    " tokens: the file is damaged");
    definition.specials = specialTokensFromJson(json.at("specials"), definition.size);
    return std::make_shared<const PipelineTokenizer>(std::move(definition));
}

}  // namespace headlight
