// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lessons/inline_markup.h"
#include "core/lessons/lesson_numbers.h"

namespace headlight {

// What is wrong with a part of a step beside what the step shows; empty: nothing. See checkLessons().

/// Throws Error for a number to be dragged that the stage has not, or whose range the step's own value is out of.
void checkDial(const NumberPlace& place, const StageState& shown);
/// Has the view of that state the panel or card that its `side` names?
std::string whyNoSide(const StageState& shown);
/// Has the view of that state the panels that its `show` names?
std::string whyNoPanel(const StageState& shown);
/// Does the view of the scene have that number somewhere? Views that show a part of a trace each are taken at their
/// word.
bool canShow(const LessonScene& scene, const NumberName& number);
/// Does the view hide that number, of a trace or of a worked example, where it is to be predicted?
bool canHide(ViewName view, const NumberName& number);
/// Of a check for a number: does its answer stand before the reader already, in the words of the step above it, or as
/// the cell that the stage points at and writes out?
std::string whyAnswered(const LessonCheck& check, const LessonStep& step, const StageState& shown);
/// Can a `try` wait for that number: is it one of the reading, or of the matrices by hand? What else the engine can
/// compute is not at hand while the reader plays.
std::string whyNotAwaited(const NumberName& number, const LessonScene& scene, LessonNumbers& numbers);
/// Is it met by what the step shows, before the reader has done anything? Throws Error where that cannot be computed.
std::string whyDone(const LessonTask& task, const LessonScene& scene, LessonNumbers& numbers);
/// Of lines of Python: too many or too few to be taken in at a look, too long to stand on paper.
std::vector<std::string> wrongInCode(const std::string& code);
/// Of what a veil hides. Throws Error where there is no such number.
std::string whyNotHidden(const NumberName& hidden, const LessonScene& scene, LessonNumbers& numbers);
/// Of what a veil has predicted: a row of shares, a number, a curve. Throws Error where there is no such row or number.
std::string whyNotPredicted(const LessonVeil& veil, const LessonScene& scene, LessonNumbers& numbers);

}  // namespace headlight
