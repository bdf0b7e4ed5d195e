// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/special_tokens.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/pipeline/component.h"

namespace headlight {

nlohmann::json toJson(const SpecialTokens& specials) {
    nlohmann::json json = nlohmann::json::object();
    for (const SpecialRole& role : specialRoles)
        if (const std::optional<int> id = specials.*role.id) json[role.name] = *id;
    return json;
}

SpecialTokens specialTokensFromJson(const nlohmann::json& json, int size) {
    SpecialTokens specials;
    if (!json.is_object()) throw Error("the special tokens of a tokenizer are no object: the file is damaged");
    for (const SpecialRole& role : specialRoles) {
        const auto found = json.find(role.name);
        if (found == json.end()) continue;
        const std::optional<int> id = pipeline::wholeNumber(*found, size - 1);
        if (!id)
            throw Error(std::string("the special token ") + role.name +
                        " has an id that the vocabulary does not have: the file is damaged");
        specials.*role.id = id;
    }
    return specials;
}

}  // namespace headlight
