// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>

#include "core/lessons/lesson.h"

namespace headlight {

class LessonLibrary;

/// Pictures of steps that come with the program (`resources/pictures`, drawn by `scripts/lesson-pictures`), so that the
/// path of lessons is whole from the first moment. The name holds a hash of the lesson's file: of a lesson whose words
/// have changed there is none, until it is drawn anew.
QString shippedPictureName(const Lesson& lesson, int step, bool dark);
/// Null where there is none.
QImage shippedPicture(const Lesson& lesson, int step, bool dark);

/// Draws what ships into a folder, in every language and both themes, and takes out of it what does not any more. Runs
/// an event loop until it is done. Throws Error where a step cannot be drawn or written.
void drawShippedPictures(LessonLibrary& library, const QString& folder);

}  // namespace headlight
