// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayList>

#include <nlohmann/json_fwd.hpp>

namespace headlight {

class LessonPlayer;
struct Lesson;

/// The words of the player's step as a section of a web page: prose, formulas, questions with all that they may be
/// answered by, what there is to try. Its numbers have to be there.
QByteArray stepHtml(const LessonPlayer& player);

/// What the step's questions are judged by, in their order: `solution` as it is shown; of a number `answer`,
/// `tolerance` and LessonPlayer::neighbours(); of a cell its place, from 0.
nlohmann::json checkRecords(const LessonPlayer& player);

/// What there is to try, in its order: of each the conditions, as pairs of a key and its value.
nlohmann::json taskRecords(const LessonPlayer& player);

/// The page of a lesson from the sections of its steps. `record` has `steps`, `readings` and `figures`.
QByteArray lessonPage(const Lesson& lesson, const QByteArrayList& steps, nlohmann::json record);

}  // namespace headlight
