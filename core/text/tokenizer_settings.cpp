// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer_settings.h"

#include <algorithm>

#include "core/error.h"
#include "core/json_text.h"
#include "core/number_text.h"
#include "core/text/pipeline/component.h"
#include "core/text/pipeline/definition.h"
#include "core/text/special_tokens.h"

namespace headlight {
namespace {

constexpr std::size_t mostSettingsBytes = std::size_t{1} << 22;

nlohmann::json readObject(const platform::Folder& folder, const char* name) {
    if (!folder.has(name)) return nlohmann::json::object();
    nlohmann::json json = parseBoundedJson(folder.read(name, mostSettingsBytes), folder.shown(name));
    if (!json.is_object()) throw Error(folder.shown(name) + " is no JSON object: it is damaged");
    return json;
}

/// A special token stands as its text, or as an object with its `content`.
std::optional<std::string> tokenOf(const nlohmann::json& json, const std::string& key) {
    const auto found = json.find(key);
    if (found == json.end()) return std::nullopt;
    if (found->is_string()) return found->get<std::string>();
    if (found->is_object() && found->contains("content") && (*found)["content"].is_string())
        return (*found)["content"].get<std::string>();
    return std::nullopt;
}

void requireFew(std::size_t added, const std::string& file) {
    constexpr std::size_t most = pipeline::VocabularyReader::mostAdded;
    if (added > most)
        throw Error(file + " adds " + std::to_string(added) + " tokens to the vocabulary, and a few thousand (" +
                    std::to_string(most) + ") are the most: it is damaged");
}

}  // namespace

TokenizerSettings::TokenizerSettings(const platform::Folder& folder)
    : m_configFile(folder.shown("tokenizer_config.json")),
      m_config(readObject(folder, "tokenizer_config.json")),
      m_specials(readObject(folder, "special_tokens_map.json")) {
    readAddedDecoder();
    readAddedList(readObject(folder, "added_tokens.json"), folder.shown("added_tokens.json"));
    std::ranges::sort(m_added, {}, &pipeline::AddedToken::id);
}

std::optional<bool> TokenizerSettings::flag(const char* key) const {
    const auto found = m_config.find(key);
    if (found == m_config.end() || found->is_null()) return std::nullopt;
    if (!found->is_boolean()) throw Error(m_configFile + ": " + key + " is neither true nor false");
    return found->get<bool>();
}

std::optional<std::string> TokenizerSettings::text(const char* key) const {
    const auto found = m_config.find(key);
    if (found == m_config.end() || found->is_null()) return std::nullopt;
    if (!found->is_string()) throw Error(m_configFile + ": " + key + " is no text");
    return found->get<std::string>();
}

std::optional<int> TokenizerSettings::number(const char* key, int most) const {
    const auto found = m_config.find(key);
    if (found == m_config.end() || found->is_null()) return std::nullopt;
    const std::optional<int> number = pipeline::wholeNumber(*found, most);
    if (!number) throw Error(m_configFile + ": " + key + " is no whole number from 0 to " + std::to_string(most));
    return number;
}

std::optional<std::string> TokenizerSettings::special(const std::string& role) const {
    if (auto token = tokenOf(m_specials, role + "_token")) return token;
    return tokenOf(m_config, role + "_token");
}

/// `added_tokens_decoder`: id -> token.
void TokenizerSettings::readAddedDecoder() {
    const auto list = m_config.find("added_tokens_decoder");
    if (list == m_config.end() || !list->is_object()) return;
    requireFew(list->size(), m_configFile);
    for (const auto& [key, value] : list->items()) {
        int id = -1;
        if (!readNumber(key, id) || !value.is_object())
            throw Error(m_configFile + ": added_tokens_decoder does not map ids to tokens: the file is damaged");
        nlohmann::json token = value;
        token["id"] = id;
        m_added.push_back(pipeline::addedTokenFromJson(token, m_configFile));
    }
}

/// Token -> id, as older programs wrote it.
void TokenizerSettings::readAddedList(const nlohmann::json& json, const std::string& file) {
    requireFew(json.size(), file);
    for (const auto& [content, id] : json.items()) {
        const auto isSame = [&listed = content](const auto& token) { return token.content == listed; };
        if (std::ranges::any_of(m_added, isSame)) continue;
        m_added.push_back(pipeline::addedTokenFromJson(
            {{"id", id}, {"content", content}, {"special", isNamed(content)}, {"normalized", false}}, file));
    }
}

bool TokenizerSettings::isNamed(const std::string& content) const {
    return std::ranges::any_of(specialRoles, [&](const SpecialRole& role) { return special(role.name) == content; });
}

}  // namespace headlight
