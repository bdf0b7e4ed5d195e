// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lessons/lesson_folder.h"
#include "core/lessons/lesson_numbers.h"

namespace headlight {

struct LessonCheckOptions {
    LessonNumbers::OpenModel openModel;
    std::vector<std::string> formulaFolders;  ///< where pictures of formulas may lie
    std::string shippedLessons;               ///< a folder whose lessons and terms may be linked to; empty: none
};

/// Everything that is wrong with a folder of lessons, by file and line: what reading it found, and what only the engine
/// can tell: values that no trace has, cells outside of them, answers that are not so, words that a model does not
/// know, links that lead nowhere, formulas without a picture.
std::vector<LessonMistake> checkLessons(const LessonFolder& folder, const LessonCheckOptions& options);

}  // namespace headlight
