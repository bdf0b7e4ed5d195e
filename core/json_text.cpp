// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json_text.h"

#include <unordered_set>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace headlight {

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
