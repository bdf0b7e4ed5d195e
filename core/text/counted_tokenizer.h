// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/line_tokenizer.h"

namespace headlight {

/// What tokenizers have alike that need a list of tokens and nothing else: how text is made alike before it is cut, and
/// what a model file says of them.
class CountedTokenizer : public LineTokenizer {
public:
    /// `{"kind": …, "lowercase": …, "tokens": […]}`
    nlohmann::json toJson() const override;

protected:
    /// `kind`: its name, which outlives it.
    CountedTokenizer(std::string_view kind, Vocabulary vocabulary, bool lowercase);
    /// NFC, and lower case where the tokenizer is so. Throws Error for invalid UTF-8.
    std::string normalText(std::string_view text) const;

private:
    std::string_view m_kind;
    bool m_lowercase;
};

}  // namespace headlight
