// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/autograd/activation.h"
#include "core/error.h"
#include "core/platform/folder.h"

namespace headlight {

/// A setting of another program's search that this one does not keep to.
struct SearchSetting {
    const char* key;
    double without;  ///< the value with which it changes nothing
};
inline constexpr std::array<SearchSetting, 7> searchSettingsLeftOut{{{"no_repeat_ngram_size", 0},
                                                                     {"encoder_no_repeat_ngram_size", 0},
                                                                     {"min_length", 0},
                                                                     {"min_new_tokens", 0},
                                                                     {"repetition_penalty", 1},
                                                                     {"num_beam_groups", 1},
                                                                     {"diversity_penalty", 0}}};

/// Another program's config.json: asked key by key, as such files have many that nothing here depends on. What is
/// missing, of a wrong type or out of range is an Error that names file and key.
class ForeignConfig {
public:
    /// config.json, and of generation_config.json what it lacks of ids and of the search. What ends a text in either of
    /// them ends it. Throws Error for what is no JSON object.
    static ForeignConfig ofFolder(const platform::Folder& folder);
    /// The file of that name in the folder.
    static ForeignConfig beside(const platform::Folder& folder, const std::string& name);
    ForeignConfig(nlohmann::json json, std::string name);

    /// Is the key there, and not null?
    bool has(const char* key) const;
    /// A size: a whole number from 1.
    int size(const char* key) const;
    int size(const char* key, int fallback) const;
    /// A token's id; of several (`eos_token_id` may be a list) the first. Nothing where the key is missing or null.
    std::optional<int> id(const char* key) const;
    /// All of them.
    std::vector<int> ids(const char* key) const;
    double number(const char* key, double fallback) const;
    bool flag(const char* key, bool fallback) const;
    std::string text(const char* key, const std::string& fallback) const;
    /// As activation functions are called there. Throws Error for one that the engine does not compute.
    ops::Activation activation(const char* key, const std::string& fallback) const;

    /// Throws Error where a switch stands otherwise than the engine computes.
    void requireFlag(const char* key, bool value) const;
    /// Throws Error where the number is there and is another.
    void requireNumber(const char* key, double value) const;
    /// Throws Error where the two sizes differ, which the engine has as one.
    void requireEqual(const char* key, const char* other) const;

    const nlohmann::json& json() const { return m_json; }
    const std::string& name() const { return m_name; }
    /// An Error of this file.
    Error fault(const std::string& what) const { return Error(m_name + ": " + what); }

private:
    /// Code that comes with a model may compute anything, whatever kind the model says it is.
    void refuseOwnProgram() const;
    const nlohmann::json* find(const char* key) const;
    int wholeNumber(const char* key, const nlohmann::json& value, int lowest) const;

    nlohmann::json m_json;
    std::string m_name;
};

}  // namespace headlight
