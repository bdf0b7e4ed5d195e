// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/definition.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/json_text.h"
#include "core/text/pipeline/component.h"
#include "core/text/unicode.h"

namespace headlight::pipeline {
namespace {

constexpr std::size_t longestAdded = 256;
constexpr std::size_t longestScored = 512;  // as SentencePiece's
constexpr std::size_t mostHoles = 1024;

std::string named(std::string_view token) {
    return "'" + repairedUtf8(token.substr(0, 100)) + "'";
}

std::pair<std::string, std::string> mergeFrom(const nlohmann::json& json, std::size_t rank, const std::string& file) {
    if (json.is_array() && json.size() == 2 && json[0].is_string() && json[1].is_string())
        return {json[0].get<std::string>(), json[1].get<std::string>()};
    if (json.is_string()) {
        const auto& text = json.get_ref<const std::string&>();
        const std::size_t space = text.find(' ');
        if (space != std::string::npos && space > 0 && space + 1 < text.size() &&
            text.find(' ', space + 1) == std::string::npos)
            return {text.substr(0, space), text.substr(space + 1)};
    }
    throw Error(file + ": merge " + std::to_string(rank + 1) + " is not two tokens: the file is damaged");
}

MergeList mergesFrom(const nlohmann::json& json, const std::string& file) {
    if (!json.is_array() || json.size() > VocabularyReader::mostMerges)
        throw Error(file + " has merges that are no list, or more than " +
                    std::to_string(VocabularyReader::mostMerges) + ": it is damaged");
    MergeList merges;
    merges.reserve(json.size());
    for (const nlohmann::json& each : json)
        merges.push_back(mergeFrom(each, merges.size(), file));
    return merges;
}

/// Unigram's `[["token", score], …]`.
void readScored(const nlohmann::json& json, Definition& definition) {
    const std::string& file = definition.file;
    if (!json.is_array() || json.empty() || json.size() > static_cast<std::size_t>(VocabularyReader::mostTokens))
        throw Error(file + " has no vocabulary of tokens and their scores: it is damaged");
    for (const nlohmann::json& each : json) {
        const auto number = std::to_string(definition.tokens.size() + 1);
        if (!each.is_array() || each.size() != 2 || !each[0].is_string() || !each[1].is_number())
            throw Error(file + ": token " + number + " is not a text and its score: the file is damaged");
        definition.tokens.push_back(each[0].get<std::string>());
        if (definition.tokens.back().size() > longestScored)
            throw Error(file + ": token " + number + " is longer than " + std::to_string(longestScored) +
                        " bytes: the file is damaged");
        definition.scores.push_back(each[1].get<double>());
    }
}

/// Takes it out: a vocabulary may hold 262,144 tokens, which are not to be copied.
nlohmann::json take(nlohmann::json& json, const char* key) {
    const auto found = json.find(key);
    return found == json.end() ? nlohmann::json() : std::exchange(*found, nullptr);
}

}  // namespace

AddedToken addedTokenFromJson(const nlohmann::json& json, const std::string& file) {
    const ComponentJson part(json, "added token", file);
    AddedToken token;
    token.id = part.number("id", -1, VocabularyReader::mostTokens - 1);
    token.content = part.text("content", "");
    if (token.id < 0) part.refuse("id", "is missing");
    if (token.content.empty() || token.content.size() > longestAdded)
        part.refuse("content", "is empty, or longer than " + std::to_string(longestAdded) + " bytes");
    token.special = part.flag("special", false);
    token.singleWord = part.flag("single_word", false);
    token.leftStrip = part.flag("lstrip", false);
    token.rightStrip = part.flag("rstrip", false);
    token.normalized = part.flag("normalized", !token.special);
    return token;
}

nlohmann::json toJson(const AddedToken& token) {
    return {{"id", token.id},
            {"content", token.content},
            {"special", token.special},
            {"single_word", token.singleWord},
            {"lstrip", token.leftStrip},
            {"rstrip", token.rightStrip},
            {"normalized", token.normalized}};
}

const std::string& VocabularyReader::checked(const std::string& token) const {
    if (token.size() > longestToken)
        throw Error(m_file + " has a token of " + std::to_string(token.size()) + " bytes, and they have at most " +
                    std::to_string(longestToken) + ": " + named(token));
    return token;
}

std::vector<std::string> VocabularyReader::fromJson(const nlohmann::json& json) const {
    if (!json.is_object() || json.empty())
        throw Error(m_file + " has no vocabulary of tokens and their ids: it is damaged");
    std::vector<std::string> tokens;
    std::vector<bool> taken;
    for (const auto& [token, id] : json.items()) {
        const std::optional<int> number = wholeNumber(id, mostTokens - 1);
        if (!number)
            throw Error(m_file + " gives " + named(token) + " the id " + jsonText(id).substr(0, 40) +
                        ": ids are whole numbers from 0 to " + std::to_string(mostTokens - 1));
        const auto at = static_cast<std::size_t>(*number);
        if (at >= tokens.size()) {
            tokens.resize(at + 1);
            taken.resize(at + 1);
        }
        if (taken[at])
            throw Error(m_file + " gives the id " + std::to_string(at) + " twice, to " + named(tokens[at]) + " and " +
                        named(token) + ": the file is damaged");
        taken[at] = true;
        tokens[at] = checked(token);
    }
    return tokens;
}

std::vector<std::string> VocabularyReader::fromLines(std::string_view text) const {
    std::vector<std::string> tokens;
    std::unordered_map<std::string, std::size_t> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        const std::string number = std::to_string(tokens.size() + 1);
        if (tokens.size() >= static_cast<std::size_t>(mostTokens))
            throw Error(m_file + " has more than " + std::to_string(mostTokens) + " lines: it is no vocabulary");
        if (findInvalidUtf8(line)) throw Error(m_file + ", line " + number + " is not valid UTF-8: it is damaged");
        tokens.push_back(checked(std::string(line)));
        const auto [other, isNew] = lines.emplace(tokens.back(), tokens.size());
        if (!isNew)
            throw Error(m_file + ", line " + number + " has the token " + named(line) + " of line " +
                        std::to_string(other->second) + " again: a token has one id");
    }
    if (tokens.empty()) throw Error(m_file + " is empty: a vocabulary has a token a line");
    return tokens;
}

std::vector<std::string> allTokens(const Definition& definition) {
    std::vector<std::string> tokens = definition.tokens;
    std::vector<bool> isAdded;
    std::unordered_map<std::string_view, int> own;
    own.reserve(definition.tokens.size() + definition.added.size());
    for (std::size_t id = 0; id < definition.tokens.size(); ++id)
        if (!definition.tokens[id].empty()) own.emplace(definition.tokens[id], static_cast<int>(id));
    for (const AddedToken& token : definition.added) {
        const auto id = static_cast<std::size_t>(token.id);
        if (id >= tokens.size()) tokens.resize(id + 1);
        if (id >= isAdded.size()) isAdded.resize(id + 1);
        isAdded[id] = true;
        if (!tokens[id].empty() && tokens[id] != token.content)
            throw Error(definition.file + " gives the id " + std::to_string(id) + " twice, to " + named(tokens[id]) +
                        " and " + named(token.content) + ": the file is damaged");
        const auto [other, isNew] = own.emplace(token.content, token.id);
        if (!isNew && other->second != token.id)
            throw Error(definition.file + " gives " + named(token.content) + " two ids, " +
                        std::to_string(other->second) + " and " + std::to_string(id) + ": the file is damaged");
        tokens[id] = token.content;
    }
    std::size_t endOfOwn = definition.tokens.size();
    while (endOfOwn > 0 && (tokens[endOfOwn - 1].empty() || (endOfOwn <= isAdded.size() && isAdded[endOfOwn - 1])))
        --endOfOwn;
    std::vector<std::size_t> holes;
    for (std::size_t id = 0; id < tokens.size(); ++id)
        if (tokens[id].empty()) holes.push_back(id);
    // One token may be the empty text; more of them are ids that nothing has.
    const bool hasOwnHoles = holes.size() > 1 && holes[1] < endOfOwn;
    if (hasOwnHoles || holes.size() > mostHoles)
        throw Error(definition.file + " has no token of id " + std::to_string(holes.front()) +
                    ": ids must have no holes");
    for (const std::size_t id : holes)
        if (id >= endOfOwn) tokens[id] = Vocabulary::nameOfNoToken(static_cast<int>(id));
    return tokens;
}

SpecialTokens specialsByName(const std::vector<AddedToken>& added) {
    struct Named {
        std::string_view content;
        std::optional<int> SpecialTokens::*role;
    };
    static constexpr std::array all = {Named{"[PAD]", &SpecialTokens::pad},
                                       Named{"<pad>", &SpecialTokens::pad},
                                       Named{"<s>", &SpecialTokens::bos},
                                       Named{"<|endoftext|>", &SpecialTokens::bos},
                                       Named{"<|begin_of_text|>", &SpecialTokens::bos},
                                       Named{"</s>", &SpecialTokens::eos},
                                       Named{"<|endoftext|>", &SpecialTokens::eos},
                                       Named{"<|end_of_text|>", &SpecialTokens::eos},
                                       Named{"[UNK]", &SpecialTokens::unk},
                                       Named{"<unk>", &SpecialTokens::unk},
                                       Named{"[CLS]", &SpecialTokens::cls},
                                       Named{"[SEP]", &SpecialTokens::sep},
                                       Named{"[MASK]", &SpecialTokens::mask},
                                       Named{"<mask>", &SpecialTokens::mask}};
    SpecialTokens specials;
    for (const Named& each : all)
        for (const AddedToken& token : added)
            if (token.content == each.content && !(specials.*each.role)) specials.*each.role = token.id;
    return specials;
}

Definition::Definition() = default;

Definition definitionFromTokenizerJson(nlohmann::json json, const std::string& file) {
    if (!json.is_object() || !json.contains("model") || !json["model"].is_object())
        throw Error(file + " has no model: it is not a tokenizer's");
    if (const auto version = json.find("version"); version != json.end() && *version != "1.0")
        throw Error(file + " is of version " + jsonText(*version).substr(0, 40) +
                    ", and Headlight reads version \"1.0\"");
    Definition definition;
    definition.file = definition.mergesFile = file;
    definition.normalizer = take(json, "normalizer");
    definition.preTokenizer = take(json, "pre_tokenizer");
    definition.postProcessor = take(json, "post_processor");
    definition.decoder = take(json, "decoder");
    definition.model = take(json, "model");
    const std::string type = modelType(definition.model);
    const nlohmann::json vocabulary = take(definition.model, "vocab");
    const nlohmann::json merges = take(definition.model, "merges");
    definition.model.erase("vocab");
    definition.model.erase("merges");
    definition.model["type"] = type.empty() ? take(definition.model, "type") : nlohmann::json(type);
    if (type == "Unigram") readScored(vocabulary, definition);
    if (type == "BPE" || type == "WordPiece" || type == "WordLevel") {  // others are refused by name when they are made
        definition.tokens = VocabularyReader(file).fromJson(vocabulary);
        if (type == "BPE") definition.merges = mergesFrom(merges, file);
    }
    if (const nlohmann::json added = take(json, "added_tokens"); !added.is_null()) {
        if (!added.is_array() || added.size() > VocabularyReader::mostAdded)
            throw Error(file + " has added_tokens that are no list, or more than " +
                        std::to_string(VocabularyReader::mostAdded) + ": it is damaged");
        for (const nlohmann::json& each : added)
            definition.added.push_back(addedTokenFromJson(each, file));
    }
    definition.specials = specialsByName(definition.added);
    return definition;
}

nlohmann::json toTokenizerJson(const Definition& definition) {
    nlohmann::json model = definition.model;
    const bool hasScores = !definition.scores.empty();
    nlohmann::json& vocabulary = model["vocab"] = hasScores ? nlohmann::json::array() : nlohmann::json::object();
    for (std::size_t id = 0; id < definition.tokens.size(); ++id)
        if (hasScores)
            vocabulary.push_back({definition.tokens[id], definition.scores[id]});
        else if (!definition.tokens[id].empty())
            vocabulary[definition.tokens[id]] = id;
    if (model["type"] == "BPE") {
        // The short form is what every reader knows; it cannot write a token with a space in it.
        const bool isPlain = std::ranges::none_of(definition.merges, [](const auto& merge) {
            return merge.first.find(' ') != std::string::npos || merge.second.find(' ') != std::string::npos;
        });
        nlohmann::json& merges = model["merges"] = nlohmann::json::array();
        for (const auto& [left, right] : definition.merges)
            merges.push_back(isPlain ? nlohmann::json(left + ' ' + right) : nlohmann::json{left, right});
    }
    nlohmann::json added = nlohmann::json::array();
    for (const AddedToken& token : definition.added)
        added.push_back(toJson(token));
    return {{"version", "1.0"},
            {"truncation", nullptr},
            {"padding", nullptr},
            {"added_tokens", added},
            {"normalizer", definition.normalizer},
            {"pre_tokenizer", definition.preTokenizer},
            {"post_processor", definition.postProcessor},
            {"decoder", definition.decoder},
            {"model", model}};
}

}  // namespace headlight::pipeline
