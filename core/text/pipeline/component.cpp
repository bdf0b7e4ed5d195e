// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/component.h"

#include "core/error.h"

namespace headlight::pipeline {

namespace {

constexpr std::size_t longestShortText = 32, mostParts = 64;

void addParts(const ComponentJson& sequence, const char* key, const nlohmann::json& list,
              std::vector<const nlohmann::json*>& parts) {
    if (!list.is_array()) sequence.refuse(key, "is no list");
    for (const nlohmann::json& each : list) {
        const auto inner =
            each.is_object() && each.value("type", nlohmann::json()) == "Sequence" ? each.find(key) : each.end();
        if (inner != each.end())
            addParts(sequence, key, *inner, parts);
        else
            parts.push_back(&each);
        if (parts.size() > mostParts) sequence.refuse(key, "is no list of a few");
    }
}

}  // namespace

std::vector<const nlohmann::json*> partsOfSequence(const ComponentJson& sequence, const char* key) {
    std::vector<const nlohmann::json*> parts;
    addParts(sequence, key, sequence.at(key), parts);
    return parts;
}

void requireBounded(std::size_t before, std::size_t now, const std::string& file) {
    constexpr std::size_t shortText = 65536, mostGrowth = 16;
    if (now > shortText && now / mostGrowth > before)
        throw Error(file + " has parts that swell a text without end: use a model with another tokenizer");
}

bool isAbsent(const nlohmann::json& json) {
    return json.is_null();
}

std::optional<int> wholeNumber(const nlohmann::json& json, int most) {
    if (!json.is_number_integer()) return std::nullopt;
    // What is built here counts with a sign, what is parsed without.
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) return std::nullopt;
    const auto value = json.get<std::int64_t>();
    return value >= 0 && value <= most ? std::optional(static_cast<int>(value)) : std::nullopt;
}

ComponentJson::ComponentJson(const nlohmann::json& json, std::string_view role, const std::string& file)
    : m_json(json), m_role(role), m_file(file) {
    if (!json.is_object()) throw Error(file + " has a " + m_role + " that is no object: it is damaged");
    const auto type = json.find("type");
    if (type == json.end()) return;
    if (!type->is_string()) throw Error(file + " has a " + m_role + " whose type is no text: it is damaged");
    m_type = type->get<std::string>();
}

const nlohmann::json* ComponentJson::find(const char* key) const {
    const auto found = m_json.find(key);
    return found == m_json.end() || found->is_null() ? nullptr : &*found;
}

bool ComponentJson::flag(const char* key, bool fallback) const {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return fallback;
    if (!value->is_boolean()) refuse(key, "is neither true nor false");
    return value->get<bool>();
}

std::string ComponentJson::text(const char* key, const std::string& fallback) const {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return fallback;
    if (!value->is_string()) refuse(key, "is no text");
    return value->get<std::string>();
}

std::string ComponentJson::shortText(const char* key, const std::string& fallback) const {
    std::string value = text(key, fallback);
    if (value.size() > longestShortText)
        refuse(key, "is longer than " + std::to_string(longestShortText) + " bytes: such texts are a few characters");
    return value;
}

int ComponentJson::number(const char* key, int fallback, int most) const {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return fallback;
    const std::optional<int> number = wholeNumber(*value, most);
    if (!number) refuse(key, "is no whole number from 0 to " + std::to_string(most));
    return *number;
}

const nlohmann::json& ComponentJson::at(const char* key) const {
    const nlohmann::json* value = find(key);
    if (value == nullptr) refuse(key, "is missing");
    return *value;
}

void ComponentJson::refuseType() const {
    throw Error(m_file + " has the " + m_role + " '" + m_type.substr(0, 100) +
                "', which Headlight does not know: use a model with another tokenizer");
}

void ComponentJson::refuse(const char* key, const std::string& what) const {
    throw Error(m_file + ": " + key + " of the " + m_role + (m_type.empty() ? "" : " " + m_type.substr(0, 100)) + ' ' +
                what);
}

}  // namespace headlight::pipeline
