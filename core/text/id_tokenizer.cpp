// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/id_tokenizer.h"

#include <charconv>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/special_tokens.h"
#include "core/text/unicode.h"

namespace headlight {
namespace {

constexpr int mostIds = 1 << 20;

std::vector<std::string> numbers(int size) {
    if (size < 1 || size > mostIds)
        throw Error("a model of " + std::to_string(size) + " tokens cannot be read: a vocabulary has from 1 to " +
                    std::to_string(mostIds));
    std::vector<std::string> result;
    result.reserve(static_cast<std::size_t>(size));
    for (int id = 0; id < size; ++id)
        result.push_back(std::to_string(id));
    return result;
}

}  // namespace

IdTokenizer::IdTokenizer(int size, const SpecialTokens& specials) {
    m_vocabulary = Vocabulary::ofOthers(numbers(size), Vocabulary::none);
    // A number is what the reader wrote, be it special or not: all of them are shown.
    setSpecials(specials, {});
}

std::shared_ptr<const Tokenizer> IdTokenizer::fromJson(const nlohmann::json& json) {
    const int size = json.at("size").get<int>();
    return std::make_shared<const IdTokenizer>(size, specialTokensFromJson(json.at("specials"), size));
}

std::vector<int> IdTokenizer::encode(std::string_view text) const {
    std::vector<int> ids;
    for (text.remove_prefix(whiteSpaceAtBegin(text)); !text.empty(); text.remove_prefix(whiteSpaceAtBegin(text))) {
        int id = -1;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), id);
        const auto length = static_cast<std::size_t>(end - text.data());
        if (problem != std::errc() || (length < text.size() && whiteSpaceAtBegin(text.substr(length)) == 0) || id < 0 ||
            id >= m_vocabulary.size())
            throw Error("'" + repairedUtf8(text.substr(0, 20)) +
                        "' does not begin with a token id: this model has no tokenizer, write numbers from 0 to " +
                        std::to_string(m_vocabulary.size() - 1) + " with spaces between them");
        ids.push_back(id);
        text.remove_prefix(length);
    }
    return ids;
}

std::vector<std::string> IdTokenizer::split(std::string_view text) const {
    std::vector<std::string> tokens;
    for (const int id : encode(text))
        tokens.push_back(m_vocabulary.token(id));
    return tokens;
}

std::string IdTokenizer::join(const std::vector<std::string>& tokens) const {
    std::string text;
    for (const std::string& token : tokens)
        text += (text.empty() ? "" : " ") + token;
    return text;
}

nlohmann::json IdTokenizer::toJson() const {
    return {{"kind", kindName}, {"size", m_vocabulary.size()}, {"specials", headlight::toJson(specials())}};
}

}  // namespace headlight
