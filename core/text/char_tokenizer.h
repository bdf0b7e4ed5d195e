// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/counted_tokenizer.h"

namespace headlight {

/// Characters as a reader sees them: each grapheme in NFC is a token. White space of any kind is the token `▁`, one for
/// a run of it, none at either end; join() turns it into a space again. Where line breaks are tokens every space is one
/// too, so that a text comes back as it was written. `<unk>` in a text is five characters.
class CharTokenizer : public CountedTokenizer {
public:
    static constexpr std::string_view kindName = "char";

    CharTokenizer(Vocabulary vocabulary, bool lowercase)
        : CountedTokenizer(kindName, std::move(vocabulary), lowercase) {}

protected:
    std::vector<std::string> splitLine(std::string_view text) const override;
    std::string joinLine(const std::vector<std::string>& tokens) const override;
};

}  // namespace headlight
