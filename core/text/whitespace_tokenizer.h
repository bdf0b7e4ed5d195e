// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/counted_tokenizer.h"

namespace headlight {

/// Text that another program has cut already, by words or by its own codes (`fin@@ ding`, `▁the`): white space of any
/// kind separates tokens, and nothing else does. join() puts a space between them, so that a line comes back as it was.
class WhitespaceTokenizer : public CountedTokenizer {
public:
    static constexpr std::string_view kindName = "whitespace";

    WhitespaceTokenizer(Vocabulary vocabulary, bool lowercase)
        : CountedTokenizer(kindName, std::move(vocabulary), lowercase) {
        m_marks = {PieceMarks::Kind::GoesOn, "@@"};
    }

protected:
    std::vector<std::string> splitLine(std::string_view text) const override;
    std::string joinLine(const std::vector<std::string>& tokens) const override;
};

}  // namespace headlight
