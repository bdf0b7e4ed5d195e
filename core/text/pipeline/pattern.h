// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::pipeline {

/// What becomes of the places where a pattern matches, when a text is split there (tokenizer.json's names).
enum class SplitBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

/// A regular expression, or a plain text, over text that may be broken UTF-8: a byte that is not UTF-8 is a character
/// of its own that is neither space, letter nor number, as it is to Python under errors="surrogateescape". `\s`,
/// `\w`, `.`, `^` and `$` mean what they mean to Oniguruma, for which such patterns are written. Matching takes bounded
/// time and memory whatever the pattern. May be used by several threads at once.
class Pattern {
public:
    /// Throws Error, which begins with `name`, for what ICU does not read as a regular expression.
    static Pattern regex(const std::string& expression, const std::string& name);
    static Pattern literal(const std::string& text);

    /// Begin and end of each match, in bytes; matches of nothing are left out. Throws Error where the expression takes
    /// longer than any that one meets.
    struct Span {
        std::size_t begin, end;
    };
    std::vector<Span> find(std::string_view text) const;
    /// The text cut where the pattern matches; pieces of no length are left out. With `inverted` the matches and what
    /// is between them change places.
    enum class Matches { AsTheyAre, Inverted };
    std::vector<std::string_view> split(std::string_view text, SplitBehavior behavior,
                                        Matches matches = Matches::AsTheyAre) const;
    /// The text with every match replaced.
    std::string replace(std::string_view text, std::string_view replacement) const;

private:
    struct Compiled;
    std::shared_ptr<const Compiled> m_compiled;  ///< null: a plain text
    std::string m_literal;
};

}  // namespace headlight::pipeline
