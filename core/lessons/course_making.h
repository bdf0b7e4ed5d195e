// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/lessons/course.h"

namespace headlight {

// What an instructor does who makes a course, or changes one. `path` is all lessons there are, in their order.

/// Null: it is not in the course.
const Course::Stop* stopOf(const Course& course, const std::string& lesson);
/// With all its steps, before the lessons that come later on the path, and after those that it needs.
void addLesson(Course& course, const std::string& lesson, const std::vector<Lesson>& path);
void removeLesson(Course& course, const std::string& lesson);
/// Takes one step (from 1) of a lesson, or leaves it out. The first that is taken brings the lesson, the last that is
/// left out takes it away.
void takeStep(Course& course, const std::string& lesson, int step, bool taken, const std::vector<Lesson>& path);

struct MissingNeeds {
    const Lesson* lesson = nullptr;
    std::vector<const Lesson*> needs;  ///< in the path's order
};
/// The first lesson of the course that builds on some which are not in it.
std::optional<MissingNeeds> missingNeeds(const Course& course, const std::vector<Lesson>& path);

/// As `steps:` has them: "1-3, 5".
std::string stepRanges(const std::vector<int>& steps);
/// The file of a course: parseCourse() of it is the same course.
std::string courseText(const Course& course);
/// Throws Error, one line, where it cannot be written, lacks something, or is larger than readCourse() takes. The file
/// that was there is replaced as a whole or not at all.
void writeCourse(const Course& course, const std::string& path);

}  // namespace headlight
