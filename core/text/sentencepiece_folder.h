// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/text/folder_tokenizers.h"
#include "core/text/tokenizer_settings.h"

namespace headlight {

/// Which files to look for.
enum class SentencePieceFiles {
    OfTheseModels,  ///< what models of this type are known to read first: Marian's, T5's
    OfAnyModel      ///< `tokenizer.model`, `spiece.model`
};

/// The tokenizers of a folder that has SentencePiece models; nothing where it has none. Throws Error as
/// openTokenizers().
std::optional<FolderTokenizers> openSentencePiece(const platform::Folder& folder, const TokenizerFacts& facts,
                                                  const TokenizerSettings& settings, SentencePieceFiles files);

}  // namespace headlight
