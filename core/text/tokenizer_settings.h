// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/platform/folder.h"
#include "core/text/pipeline/added_tokens.h"

namespace headlight {

/// What a folder says of its tokenizer beside the vocabulary: `tokenizer_config.json`, `special_tokens_map.json`,
/// `added_tokens.json`, as far as they are there. Throws Error, which begins with the file, for what is damaged.
class TokenizerSettings {
public:
    explicit TokenizerSettings(const platform::Folder& folder);

    /// An option of tokenizer_config.json; nothing where it is absent or null.
    std::optional<bool> flag(const char* key) const;
    /// Throws Error for what is no text.
    std::optional<std::string> text(const char* key) const;
    std::optional<int> number(const char* key, int most) const;
    /// The special token of a role ("bos", see specialRoles); nothing where no file names it.
    std::optional<std::string> special(const std::string& role) const;
    /// Tokens that were added to the vocabulary, by rising id.
    const std::vector<pipeline::AddedToken>& added() const { return m_added; }

private:
    void readAddedDecoder();
    void readAddedList(const nlohmann::json& json, const std::string& file);
    bool isNamed(const std::string& content) const;

    std::string m_configFile;
    nlohmann::json m_config = nlohmann::json::object(), m_specials = nlohmann::json::object();
    std::vector<pipeline::AddedToken> m_added;
};

}  // namespace headlight
