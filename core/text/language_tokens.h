// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/text/pipeline/definition.h"
#include "core/text/tokenizer_settings.h"

namespace headlight {

// Models that translate between many languages have a token for each of them: NLLB, mBART and mBART-50.

/// Where the source's language stands.
enum class LanguagePlace {
    BeforeText,  ///< NLLB, mBART-50: eng_Latn … </s>
    BehindEnd,   ///< mBART, and NLLB as it was first published: … </s> en_XX
};

/// How the languages of a type of models are told.
struct LanguageTokens {
    std::span<const std::string_view> codes;  ///< behind the pieces, in the order of their ids
    std::string usualSource;                  ///< what is read where no file says it
    LanguagePlace place = LanguagePlace::BeforeText;
};
/// Nothing for types of models that have none.
/// `behindPieces`: ids that the model has behind its pieces. They tell mBART-50 from mBART where no file names a class.
std::optional<LanguageTokens> languageTokens(const std::string& modelType, const TokenizerSettings& settings,
                                             int behindPieces);

/// Puts the source's language and the end around what `definition` reads, as the `src_lang` of tokenizer_config.json
/// says. Throws Error where that is no token.
void readLanguage(pipeline::Definition& definition, const LanguageTokens& languages, const TokenizerSettings& settings);
/// The id of its `tgt_lang`, which is written first; nothing where there is none. Throws Error likewise.
std::optional<int> writtenLanguage(const pipeline::Definition& definition, const TokenizerSettings& settings);

/// The id of a token, its own or added; −1 where there is none.
int idOfToken(const pipeline::Definition& definition, const std::string& token);

}  // namespace headlight
