// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/pipeline/token_index.h"

namespace headlight::pipeline {

/// A token that is found in a text before anything else is done with it (tokenizer.json's `added_tokens`).
struct AddedToken {
    int id = 0;
    std::string content;
    bool special = true;      ///< stands for no text
    bool singleWord = false;  ///< only where no word goes on at either end
    bool leftStrip = false;   ///< takes the white space before it
    bool rightStrip = false;  ///< takes the white space behind it
    bool normalized = false;  ///< is looked for in the text as the normalizer leaves it
};

/// Finds added tokens: the leftmost first, of those that begin alike the longest.
class AddedTokens {
public:
    explicit AddedTokens(std::vector<AddedToken> tokens);

    /// A text in parts: tokens, and what is between them.
    struct Part {
        std::string_view text;
        const AddedToken* token;  ///< null: text between
    };
    std::vector<Part> split(std::string_view text) const;

private:
    const AddedToken* longestAt(std::string_view text, std::size_t at) const;

    std::vector<AddedToken> m_tokens;
    TokenIndex m_index;                  ///< content -> place in m_tokens
    std::vector<std::size_t> m_lengths;  ///< that occur, the greatest first
    std::array<bool, 256> m_begins{};    ///< by first byte
};

}  // namespace headlight::pipeline
