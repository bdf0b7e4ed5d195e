// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/import/gguf/gguf_model.h"
#include "core/import/gguf/gguf_pre_tokenizers.h"
#include "core/io/safetensors_header.h"
#include "core/text/folder_tokenizers.h"
#include "core/text/id_tokenizer.h"
#include "core/text/pipeline_tokenizer.h"
#include "core/text/sentencepiece_tokenizer.h"
#include "core/text/sentencepiece_writer.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

using pipeline::AddedToken;
using Type = SentencePieceParts::Type;

constexpr const char* tokensKey = "tokenizer.ggml.tokens";

/// Every space of `text` as SentencePiece writes it.
std::string withMarks(const std::string& text) {
    std::string result;
    for (const char c : text)
        c == ' ' ? result += "▁" : result += c;
    return result;
}

/// The tokenizer of a file's keys.
class GgufTokenizer {
public:
    GgufTokenizer(const gguf::File& file, int rows) : m_file(file), m_keys(file), m_rows(rows) {}

    std::shared_ptr<const Tokenizer> make() {
        const std::string model = m_file.text("tokenizer.ggml.model").value_or("none");
        if (model == "none" || model == "no_vocab") return std::make_shared<const IdTokenizer>(m_rows);
        if (model != "gpt2" && model != "llama")
            throw m_file.fault("its tokenizer is of the kind " + safetensors::quotedName(model) +
                               ", and Headlight reads gpt2 and llama of GGUF files: open the folder that the file was "
                               "converted from");
        readTokens();
        auto tokenizer = model == "gpt2" ? bytePairs() : sentencePieces();
        requireFit(*tokenizer, m_rows, m_file.name());
        return tokenizer;
    }

private:
    const std::vector<std::string>& tokens() const { return *m_tokens; }
    int count() const { return static_cast<int>(m_tokens->size()); }

    void readTokens() {
        m_tokens = m_file.texts(tokensKey);
        if (m_tokens == nullptr || m_tokens->empty() ||
            m_tokens->size() > static_cast<size_t>(pipeline::VocabularyReader::mostTokens))
            throw m_file.fault(std::string("the key ") + tokensKey + " lists no tokens, or more than " +
                               std::to_string(pipeline::VocabularyReader::mostTokens) + ": the file is damaged");
        for (size_t id = 0; id < m_tokens->size(); ++id)
            if (findInvalidUtf8(tokens()[id]) || tokens()[id].size() > pipeline::VocabularyReader::longestToken)
                throw m_file.fault(
                    "token " + std::to_string(id) + " of " + tokensKey + " is not UTF-8, or longer than " +
                    std::to_string(pipeline::VocabularyReader::longestToken) + " bytes: the file is damaged");
        readTypes();
    }

    void readTypes() {
        constexpr const char* key = "tokenizer.ggml.token_type";
        m_types.assign(m_tokens->size(), Type::Normal);
        const std::vector<int64_t>* listed = m_file.wholes(key);
        if (listed == nullptr) return;
        requireCount(key, listed->size());
        for (size_t id = 0; id < listed->size(); ++id) {
            const int64_t type = (*listed)[id];
            if (type < static_cast<int64_t>(Type::Normal) || type > static_cast<int64_t>(Type::Byte))
                throw m_file.fault("the key " + std::string(key) + " says that token " + std::to_string(id) +
                                   " is of the type " + std::to_string(type) +
                                   ", which there is not: the file is damaged");
            m_types[id] = static_cast<Type>(type);
        }
    }

    void requireCount(const char* key, size_t there) const {
        if (there != m_tokens->size())
            throw m_file.fault(std::string("the key ") + key + " is for " + std::to_string(there) + " tokens, and " +
                               tokensKey + " lists " + std::to_string(m_tokens->size()) + ": the file is damaged");
    }

    /// Throws Error for an id that no token has.
    std::optional<int> special(const char* name, std::optional<int> usual = {}) const {
        const std::optional<int> id = m_keys.token(name);
        if (!id) return usual && *usual < count() ? usual : std::nullopt;
        if (*id >= count())
            throw m_file.fault(std::string("the key tokenizer.ggml.") + name + "_token_id is " + std::to_string(*id) +
                               ", and there are " + std::to_string(count()) + " tokens: the file is damaged");
        return id;
    }

    bool adds(const char* which, bool usual) const {
        return m_file.flag(std::string("tokenizer.ggml.add_") + which).value_or(usual);
    }

    AddedToken added(int id, bool isSpecial) const {
        AddedToken token{.id = id, .content = tokens()[static_cast<size_t>(id)]};
        token.special = isSpecial;
        return token;
    }

    /// What stands around a text, and around two, as a tokenizer.json says it.
    nlohmann::json sentence(const std::vector<int>& before, const std::vector<int>& after) const {
        const auto sequence = [](const char* id) { return nlohmann::json{{"Sequence", {{"id", id}, {"type_id", 0}}}}; };
        nlohmann::json specials = nlohmann::json::object();
        const auto put = [&](const std::vector<int>& ids, nlohmann::json& into) {
            for (const int id : ids) {
                const std::string& name = tokens()[static_cast<size_t>(id)];
                into.push_back({{"SpecialToken", {{"id", name}, {"type_id", 0}}}});
                specials[name] = {{"id", name}, {"ids", {id}}, {"tokens", {name}}};
            }
        };
        nlohmann::json single = nlohmann::json::array(), pair = nlohmann::json::array();
        put(before, single), single.push_back(sequence("A")), put(after, single);
        pair = single;
        put(before, pair), pair.push_back(sequence("B")), put(after, pair);
        return {{"type", "TemplateProcessing"}, {"single", single}, {"pair", pair}, {"special_tokens", specials}};
    }

    std::shared_ptr<const Tokenizer> bytePairs() const {
        const GgufPreTokenizer way = ggufPreTokenizer(m_keys);
        pipeline::Definition definition;
        definition.file = definition.mergesFile = m_file.name();
        definition.normalizer = way.normalizer;
        definition.preTokenizer = way.preTokenizer;
        definition.decoder = {{"type", "ByteLevel"}};
        definition.model = {{"type", "BPE"}, {"unk_token", nullptr}, {"ignore_merges", way.takesWholeWords}};
        definition.tokens = tokens();
        definition.merges = merges();
        for (int id = 0; id < count(); ++id)
            if (const Type type = m_types[static_cast<size_t>(id)]; type == Type::Control || type == Type::UserDefined)
                definition.added.push_back(added(id, type == Type::Control));
        requireFewAdded(definition.added.size());
        definition.specials.bos = special("bos");
        definition.specials.eos = special("eos");
        definition.specials.unk = special("unknown");
        definition.specials.pad = special("padding");
        std::vector<int> before, after;
        if (adds("bos_token", way.beginsTexts) && definition.specials.bos) before = {*definition.specials.bos};
        if (adds("eos_token", false) && definition.specials.eos) after = {*definition.specials.eos};
        if (!before.empty() || !after.empty()) definition.postProcessor = sentence(before, after);
        definition.size = m_rows;
        return std::make_shared<const PipelineTokenizer>(std::move(definition));
    }

    pipeline::MergeList merges() const {
        constexpr const char* key = "tokenizer.ggml.merges";
        const std::vector<std::string>* listed = m_file.texts(key);
        if (listed == nullptr || listed->size() > pipeline::VocabularyReader::mostMerges)
            throw m_file.fault(std::string("the key ") + key + " lists no merges, or more than " +
                               std::to_string(pipeline::VocabularyReader::mostMerges) + ": convert the model again");
        pipeline::MergeList merges;
        merges.reserve(listed->size());
        for (const std::string& merge : *listed) {
            const size_t space = merge.find(' ', 1);
            if (space == std::string::npos || space + 1 >= merge.size())
                throw m_file.fault("merge " + std::to_string(merges.size() + 1) + " of " + key +
                                   " is not two tokens with a space between them: the file is damaged");
            merges.emplace_back(merge.substr(0, space), merge.substr(space + 1));
        }
        return merges;
    }

    void requireFewAdded(size_t there) const {
        if (there > pipeline::VocabularyReader::mostAdded)
            throw m_file.fault("it has " + std::to_string(there) +
                               " tokens that are not cut out of words, and at most " +
                               std::to_string(pipeline::VocabularyReader::mostAdded) + " are read: it is damaged");
    }

    SentencePieceParts pieces(std::optional<int> unknown) const {
        SentencePieceParts parts;
        constexpr const char* key = "tokenizer.ggml.scores";
        const std::optional<std::vector<double>> scores = m_file.numbers(key);
        if (!scores)
            throw m_file.fault(std::string("it lacks the key ") + key +
                               ", by which such a tokenizer cuts words: convert the model again");
        requireCount(key, scores->size());
        const bool hasUnknown = std::ranges::find(m_types, Type::Unknown) != m_types.end();
        for (int id = 0; id < count(); ++id) {
            const auto at = static_cast<size_t>(id);
            SentencePieceParts::Piece piece{tokens()[at], static_cast<float>((*scores)[at]), m_types[at]};
            // Some converters take every token that stands for no text for a control token.
            if (!hasUnknown && id == unknown) piece.type = Type::Unknown;
            // The converter writes their spaces plain.
            if (piece.type == Type::UserDefined) piece.text = withMarks(piece.text);
            parts.pieces.push_back(std::move(piece));
        }
        parts.fallsBackToBytes = std::ranges::find(m_types, Type::Byte) != m_types.end();
        parts.beginsWithSpace = m_file.flag("tokenizer.ggml.add_space_prefix").value_or(true);
        parts.dropsExtraSpaces = m_file.flag("tokenizer.ggml.remove_extra_whitespaces").value_or(false);
        return parts;
    }

    std::shared_ptr<const Tokenizer> sentencePieces() const {
        constexpr int usualUnknown = 0, usualBegin = 1, usualEnd = 2;
        SentencePieceTokenizer::Parts parts{.file = m_file.name(), .model = {}};
        parts.specials.bos = special("bos", usualBegin);
        parts.specials.eos = special("eos", usualEnd);
        parts.specials.unk = special("unknown", usualUnknown);
        parts.specials.pad = special("padding");
        const SentencePieceParts pieces = this->pieces(parts.specials.unk);
        for (int id = 0; id < count(); ++id)
            if (const Type type = pieces.pieces[static_cast<size_t>(id)].type;
                type == Type::Control || type == Type::Unknown)
                parts.added.push_back(added(id, true));
        requireFewAdded(parts.added.size());
        parts.model = sentencePieceModel(pieces);
        if (adds("bos_token", true) && parts.specials.bos) parts.before = {*parts.specials.bos};
        if (adds("eos_token", false) && parts.specials.eos) parts.after = {*parts.specials.eos};
        parts.size = m_rows;
        return std::make_shared<const SentencePieceTokenizer>(std::move(parts));
    }

    const gguf::File& m_file;
    GgufKeys m_keys;
    int m_rows;
    const std::vector<std::string>* m_tokens = nullptr;
    std::vector<Type> m_types;
};

}  // namespace

Tokenizers ggufTokenizers(const gguf::File& file, const ModelConfig& config) {
    const std::shared_ptr<const Tokenizer> one = GgufTokenizer(file, config.sourceVocabSize).make();
    return {one, one};
}

}  // namespace headlight
