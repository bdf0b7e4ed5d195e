// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lessons/lesson.h"

namespace headlight {

/// A lesson file as it is written. Never throws for what stands in it: each mistake is added to `mistakes` with its
/// line, and what can be understood is kept. `path` ends in LANGUAGE/NN-slug.md.
Lesson parseLesson(const std::string& text, const std::string& path, std::vector<LessonMistake>& mistakes);

/// `terms.yaml`: word → meaning.
std::map<std::string, std::string> parseTerms(const std::string& text, const std::string& path,
                                              std::vector<LessonMistake>& mistakes);

}  // namespace headlight
