// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/counted_tokenizer.h"

namespace headlight {

/// Words and punctuation marks. White space of any kind separates; each punctuation mark or symbol is a token of its
/// own, except inside a word: apostrophes, hyphens and underscores between letters or digits (`don't`, `vingt-deux`),
/// points, commas and colons between digits (`3.14`, `10:30`). Vietnamese syllables stand between spaces and are
/// tokens.
/// `<unk>` in a text is one token. Apostrophes and hyphens of typography are kept as they are written.
class WordTokenizer : public CountedTokenizer {
public:
    static constexpr std::string_view kindName = "word";

    WordTokenizer(Vocabulary vocabulary, bool lowercase)
        : CountedTokenizer(kindName, std::move(vocabulary), lowercase) {}

protected:
    std::vector<std::string> splitLine(std::string_view text) const override;
    /// Spaces between tokens, none before closing punctuation nor after opening; straight double quotes open and close
    /// in turn.
    std::string joinLine(const std::vector<std::string>& tokens) const override;
};

}  // namespace headlight
