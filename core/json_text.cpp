// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json_text.h"

#include <unordered_set>
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
    using Event = nlohmann::json::parse_event_t;
    std::size_t values = 0;
    std::vector<std::unordered_set<std::string>> keys;  // of the objects that are open
    const auto watch = [&](int depth, Event event, const nlohmann::json& value) {
        if (depth > limits.depth) throw Error(name + " is nested deeper than such a file ever is: it is damaged");
        if (++values > limits.values)
            throw Error(name + " has more than " + std::to_string(limits.values) + " values: it is damaged");
        if (event == Event::object_start) keys.emplace_back();
        if (event == Event::object_end) keys.pop_back();
        if (event == Event::key && !keys.back().insert(value.get_ref<const std::string&>()).second)
            throw Error(name + " has the key '" + value.get<std::string>().substr(0, 100) +
                        "' twice in one object: remove one");
        return true;
    };
    try {
        return nlohmann::json::parse(text, watch);
    } catch (const nlohmann::json::parse_error& error) {
        throw Error(name + " is not JSON (at its byte " + std::to_string(error.byte) +
                    "): it is damaged, copy or download it again");
    } catch (const nlohmann::json::out_of_range&) {
        throw Error(name + " has a number larger than any that is counted with: it is damaged");
    }
}

}  // namespace headlight
