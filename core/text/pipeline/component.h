// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace headlight::pipeline {

// The parts of a tokenizer.json (https://huggingface.co/docs/tokenizers/components, version "1.0"). Each is an object
// with a `type` and the options of that type.

/// A part of the file, and what to call it in messages.
class ComponentJson {
public:
    /// `role`: "normalizer", "pre_tokenizer", …; `file` begins every message.
    ComponentJson(const nlohmann::json& json, std::string_view role, const std::string& file);

    const std::string& type() const { return m_type; }
    const nlohmann::json& json() const { return m_json; }
    const std::string& file() const { return m_file; }
    const std::string& role() const { return m_role; }

    /// An option, or `fallback` where it is absent or null. Throws Error where it is of another kind.
    bool flag(const char* key, bool fallback) const;
    std::string text(const char* key, const std::string& fallback) const;
    /// A text of a few characters, which is put into texts or looked for in them again and again.
    std::string shortText(const char* key, const std::string& fallback) const;
    /// From 0 to `most`.
    int number(const char* key, int fallback, int most) const;
    /// An option that must be there.
    const nlohmann::json& at(const char* key) const;

    /// Refuses this part because its type is not one of those that are read.
    [[noreturn]] void refuseType() const;
    /// Refuses an option: `what` follows its name in the message.
    [[noreturn]] void refuse(const char* key, const std::string& what) const;

private:
    const nlohmann::json* find(const char* key) const;  // null: absent or null

    const nlohmann::json& m_json;
    std::string m_role;
    const std::string& m_file;
    std::string m_type;
};

/// The parts of a Sequence, which stand in the list `key`; those of a Sequence within it in their places. Throws Error
/// for more than a few.
std::vector<const nlohmann::json*> partsOfSequence(const ComponentJson& sequence, const char* key);

/// Throws Error where the parts of a Sequence have swollen a text: each of them could make it as many times as long.
/// `before`, `now`: bytes of all pieces together.
void requireBounded(std::size_t before, std::size_t now, const std::string& file);

/// A whole number from 0 to `most`; nothing where the value is none.
std::optional<int> wholeNumber(const nlohmann::json& json, int most);

/// Is there no such part in the file (absent or null)?
bool isAbsent(const nlohmann::json& json);

}  // namespace headlight::pipeline
