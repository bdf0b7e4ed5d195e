// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/counted_tokenizer.h"

#include <nlohmann/json.hpp>

#include "core/text/unicode.h"

namespace headlight {

CountedTokenizer::CountedTokenizer(std::string_view kind, Vocabulary vocabulary, bool lowercase)
    : m_kind(kind), m_lowercase(lowercase) {
    m_vocabulary = std::move(vocabulary);
}

std::string CountedTokenizer::normalText(std::string_view text) const {
    return m_lowercase ? toLowercase(text) : toNfc(text);
}

nlohmann::json CountedTokenizer::toJson() const {
    return {{"kind", m_kind}, {"lowercase", m_lowercase}, {"tokens", m_vocabulary.tokens()}};
}

}  // namespace headlight
