// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizer.h"

namespace headlight {

/// What Headlight's own tokenizers have alike: a line break is white space like any other, unless "\n" is among the
/// tokens. Then each break is that token, and the lines between are cut one by one; join() writes the breaks again.
class LineTokenizer : public Tokenizer {
public:
    static constexpr std::string_view lineBreak = "\n";

    std::vector<std::string> split(std::string_view text) const final;
    std::string join(const std::vector<std::string>& tokens) const final;
    /// A break is written as `↵`.
    std::vector<std::string> written(const std::vector<int>& ids) const override;

protected:
    bool keepsLines() const { return m_vocabulary.find(lineBreak) != Vocabulary::none; }
    /// Of a text in which line breaks mean nothing.
    virtual std::vector<std::string> splitLine(std::string_view line) const = 0;
    virtual std::string joinLine(const std::vector<std::string>& tokens) const = 0;
};

/// Whether a model that reads so is given line breaks as tokens.
bool keepsLines(const Tokenizer& tokenizer);

}  // namespace headlight
