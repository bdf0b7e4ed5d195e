// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json_text.h"

#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace headlight {

namespace {

/// Hears what the parser reads, and keeps what is no list.
class FlatObject final : public nlohmann::json_sax<nlohmann::json> {
public:
    bool null() override { return keep({}); }
    bool boolean(bool value) override { return keep(value ? "true" : "false"); }
    bool number_integer(number_integer_t value) override { return keep(std::to_string(value)); }
    bool number_unsigned(number_unsigned_t value) override { return keep(std::to_string(value)); }
    bool number_float(number_float_t, const string_t& text) override { return keep(text); }
    bool string(string_t& value) override { return keep(std::move(value)); }
    bool binary(binary_t&) override { return false; }
    bool key(string_t& key) override {
        m_path.back() = key;
        return true;
    }
    bool start_object(std::size_t) override {
        m_path.emplace_back();
        return m_path.size() <= kDeepest;
    }
    bool end_object() override {
        m_path.pop_back();
        return true;
    }
    bool start_array(std::size_t) override { return !m_path.empty() && ++m_lists <= kDeepest; }
    bool end_array() override {
        --m_lists;
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override { return false; }

    std::vector<std::pair<std::string, std::string>> take() { return std::move(m_values); }

private:
    static constexpr std::size_t kDeepest = 32;

    /// False, which ends the parsing, for a text that is one value and no object.
    bool keep(std::string value) {
        if (m_path.empty()) return false;
        if (m_lists > 0) return true;
        std::string path;
        for (const std::string& key : m_path)
            path += (path.empty() ? "" : ".") + key;
        m_values.emplace_back(std::move(path), std::move(value));
        return true;
    }

    std::vector<std::string> m_path;
    std::size_t m_lists = 0;
    std::vector<std::pair<std::string, std::string>> m_values;
};

/// Builds what the parser reads and throws Error for what no sound file has. (The library's own callback could refuse
/// as well, but looks through an object again for each object in it: seconds for a vocabulary of some thousand tokens.)
class BoundedJson final : public nlohmann::json_sax<nlohmann::json> {
    using Json = nlohmann::json;

public:
    BoundedJson(const std::string& name, const JsonLimits& limits) : m_name(name), m_limits(limits) {}

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t&) override { return put(value); }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t&) override { return false; }
    bool key(string_t& key) override {
        count();
        const auto [member, isNew] = m_open.back()->get_ref<Json::object_t&>().try_emplace(std::move(key));
        if (!isNew)
            throw Error(m_name + " has the key '" + member->first.substr(0, 100) + "' twice in one object: remove one");
        m_member = &member->second;
        return true;
    }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t, const std::string&, const Json::exception& error) override {
        if (const auto* at = dynamic_cast<const Json::parse_error*>(&error))
            throw Error(m_name + " is not JSON (at its byte " + std::to_string(at->byte) +
                        "): it is damaged, copy or download it again");
        throw Error(m_name + " has a number larger than any that is counted with: it is damaged");
    }

    nlohmann::json take() { return std::move(m_root); }

private:
    void count() {
        if (std::cmp_greater(m_open.size(), m_limits.depth))
            throw Error(m_name + " is nested deeper than such a file ever is: it is damaged");
        if (++m_values > m_limits.values)
            throw Error(m_name + " has more than " + std::to_string(m_limits.values) + " values: it is damaged");
    }

    Json* place(Json value) {
        count();
        if (m_open.empty()) return &(m_root = std::move(value));
        if (m_open.back()->is_object()) return &(*m_member = std::move(value));
        return &m_open.back()->get_ref<Json::array_t&>().emplace_back(std::move(value));
    }
    bool put(Json value) {
        place(std::move(value));
        return true;
    }
    bool open(Json value) {
        m_open.push_back(place(std::move(value)));
        return true;
    }
    bool close() {
        m_open.pop_back();
        count();
        return true;
    }

    const std::string& m_name;
    const JsonLimits& m_limits;
    std::size_t m_values = 0;
    Json m_root;
    std::vector<Json*> m_open;  ///< the innermost last
    Json* m_member = nullptr;   ///< whose key was read last
};

}  // namespace

std::string jsonText(const nlohmann::json& json, int indent, BadBytes bad) {
    using Handler = nlohmann::json::error_handler_t;
    try {
        return json.dump(indent, ' ', /*ensure_ascii=*/false,
                         bad == BadBytes::Refuse ? Handler::strict : Handler::replace);
    } catch (const nlohmann::json::type_error&) {
        throw Error("a text that is to be saved is not valid UTF-8: correct it");
    }
}

std::string jsonQuoted(std::string_view text, BadBytes bad) {
    return jsonText(nlohmann::json(text), -1, bad);
}

nlohmann::json parseJson(std::string_view text) {
    return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}

std::optional<std::vector<std::pair<std::string, std::string>>> flatJson(std::string_view text) {
    FlatObject object;
    if (!nlohmann::json::sax_parse(text, &object)) return {};
    return object.take();
}

nlohmann::json parseBoundedJson(std::string_view text, const std::string& name, const JsonLimits& limits) {
    BoundedJson json(name, limits);
    nlohmann::json::sax_parse(text, &json);  // whatever is wrong is thrown
    return json.take();
}

}  // namespace headlight
