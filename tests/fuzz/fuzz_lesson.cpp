// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson and, as second part, a terms.yaml. Their reader throws nothing: what is wrong becomes a mistake with a line.
#include "core/lessons/inline_markup.h"
#include "core/lessons/lesson_parser.h"
#include "tests/fuzz/fuzz.h"

using namespace headlight;

namespace {

void follow(const std::string& text) {
    for (const InlineFormula& formula : inlineFormulas(text))
        fuzz::require(formula.begin < text.size(), "a formula stands in its text");
    for (const NumberPlace& place : numberPlaces(text))
        fuzz::require(place.begin < place.end && place.end <= text.size(), "a number stands in its text");
    for (const LessonLink& link : lessonLinks(text))
        fuzz::require(link.begin < text.size(), "a link stands in its text");
}

void follow(const Lesson& lesson) {
    for (size_t i = 0; i < lesson.steps.size(); ++i) {
        // Values that are wrong are mistakes in the list, and whoever shows the step is told so again.
        fuzz::reads([&] { settingOf(lesson.stateAt(i)); });
        lesson.tensorsAt(i);
        for (const LessonPart& part : lesson.steps[i].parts)
            if (const auto* prose = std::get_if<LessonProse>(&part)) follow(prose->markdown);
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::vector<std::string> parts = fuzz::partsOf(data, size, 2);
    std::vector<LessonMistake> mistakes;
    follow(parseLesson(parts[0], "en/01-stranger.md", mistakes));
    parseTerms(parts[1], "en/terms.yaml", mistakes);
    for (const LessonMistake& mistake : mistakes)
        fuzz::require(mistake.line > 0 && !mistake.what.empty(), "a mistake has a line and says what");
    return 0;
}
