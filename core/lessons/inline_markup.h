// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lessons/lesson.h"
#include "core/lessons/stage_dial.h"

namespace headlight {

/// Formulas within prose, without their dollars; a dollar behind a backslash is one. A formula that is not closed is
/// `std::string::npos` long in `end`.
struct InlineFormula {
    size_t begin = 0, end = 0;  ///< of the text with its dollars
    std::string tex;
};
std::vector<InlineFormula> inlineFormulas(const std::string& markdown);

/// A `{{NAME[…]}}` or `{{NAME[…]:DECIMALS}}` in a text, or a `{{FIELD from LEAST to MOST}}` that can be dragged.
struct NumberPlace {
    size_t begin = 0, end = 0;
    std::string written;               ///< what stands between the braces
    std::optional<NumberName> number;  ///< empty: it is no number's name
    int decimals = 3;
    std::optional<StageDial> dial = {};  ///< `number` is empty then
};
std::vector<NumberPlace> numberPlaces(const std::string& text);

/// The targets of `[text](target)`.
struct LessonLink {
    std::string text, target;
    size_t begin = 0;
    /// Behind its last parenthesis.
    size_t end() const { return begin + text.size() + target.size() + 4; }
    /// Of `[words](@NAME[…])`, words that point at a number.
    bool isPointer() const { return target.starts_with('@'); }
};
std::vector<LessonLink> lessonLinks(const std::string& markdown);

/// A number's name as the address of a link, without the brackets that an address may not have: `@scores/1/3`.
std::string pointerTarget(const NumberName& number);
/// What pointerTarget() wrote; empty where it did not.
std::optional<NumberName> parsePointerTarget(const std::string& target);
/// The text with the words of `[words](@NAME[…])` alone: what stands where there is nothing to point at.
std::string withoutPointers(const std::string& markdown);
/// The text with the addresses of its pointers as pointerTarget() writes them.
std::string withPointers(const std::string& markdown);

}  // namespace headlight
