// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/lessons/lesson.h"

namespace headlight {

constexpr size_t kLargestCourse = 64 << 10;  ///< bytes of its file

/// An instructor's choice of lessons and of their steps, in an order of their own: one YAML file.
struct Course {
    struct Stop {
        std::string lesson;      ///< its slug
        std::vector<int> steps;  ///< from 1, in the order of the file; empty: all
        int line = 0;
        std::vector<std::string> comments = {};  ///< over it or beside it in the file, with their #
    };
    std::string path;
    std::string title;
    std::string words;  ///< the instructor's own; may be empty
    std::vector<Stop> stops;
    std::vector<std::string> comments;      ///< before the lessons
    std::vector<std::string> lastComments;  ///< behind them
};

/// Throws Error, `FILE:LINE: what`, for what is no course: not YAML, no title, no lessons, a key that is not known.
Course parseCourse(const std::string& text, const std::string& path);
/// As parseCourse(), of a file of at most 64 KiB.
Course readCourse(const std::string& path);

/// What a course says of lessons that is not so: a lesson that there is not, or twice; a step that it has not; a lesson
/// that needs one which the course brings only later.
std::vector<LessonMistake> checkCourse(const Course& course, const std::vector<Lesson>& lessons);

/// What Lesson::stateAt() is made of.
StageSetting settingAt(const Lesson& lesson, size_t step);

/// The lessons of the course, in its order, each with the chosen steps alone; a step shows what it shows in its lesson.
/// Lessons and steps that there are not are left out.
std::vector<Lesson> lessonsOf(const Course& course, const std::vector<Lesson>& lessons);

}  // namespace headlight
