// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lessons/lesson.h"

namespace headlight {

/// A lesson file as it is written. Never throws for what stands in it: each mistake is added to `mistakes` with its
/// line, and what can be understood is kept. `path` ends in LANGUAGE/NN-slug.md.
Lesson parseLesson(const std::string& text, const std::string& path, std::vector<LessonMistake>& mistakes);

/// Formulas within prose, without their dollars; a dollar behind a backslash is one. A formula that is not closed is
/// `std::string::npos` long in `end`.
struct InlineFormula {
    size_t begin = 0, end = 0;  ///< of the text with its dollars
    std::string tex;
};
std::vector<InlineFormula> inlineFormulas(const std::string& markdown);

/// A `{{NAME[…]}}` or `{{NAME[…]:DECIMALS}}` in a text.
struct NumberPlace {
    size_t begin = 0, end = 0;
    std::string written;               ///< what stands between the braces
    std::optional<NumberName> number;  ///< empty: it is no number's name
    int decimals = 3;
};
std::vector<NumberPlace> numberPlaces(const std::string& text);

/// The targets of `[text](target)`.
struct LessonLink {
    std::string text, target;
    size_t begin = 0;
};
std::vector<LessonLink> lessonLinks(const std::string& markdown);

/// `terms.yaml`: word → meaning.
std::map<std::string, std::string> parseTerms(const std::string& text, const std::string& path,
                                              std::vector<LessonMistake>& mistakes);

}  // namespace headlight
