// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/course_making.h"

#include <algorithm>
#include <numeric>
#include <span>

#include <yaml-cpp/yaml.h>

#include "core/error.h"
#include "core/io/atomic_write.h"

namespace headlight {

namespace {

auto placeOf(const std::vector<Lesson>& path, const std::string& lesson) {
    return std::ranges::find(path, lesson, &Lesson::slug);
}

/// Plain where YAML reads the same text back, in quotes else.
std::string scalar(const std::string& text) {
    const bool isWords = text.find_first_of("#:\n\r\t\"'\\") == std::string::npos;
    try {
        if (const YAML::Node node = YAML::Load(text); isWords && node.IsScalar() && node.Scalar() == text) return text;
    } catch (const YAML::Exception&) {
        // It means something to YAML, as a bracket does.
    }
    YAML::Emitter quoted;
    quoted << YAML::DoubleQuoted << text;
    return quoted.c_str();
}

}  // namespace

const Course::Stop* stopOf(const Course& course, const std::string& lesson) {
    const auto at = std::ranges::find(course.stops, lesson, &Course::Stop::lesson);
    return at == course.stops.end() ? nullptr : &*at;
}

void addLesson(Course& course, const std::string& lesson, const std::vector<Lesson>& path) {
    const auto place = placeOf(path, lesson);
    if (place == path.end() || stopOf(course, lesson)) return;
    // A course that was written by hand may have an order of its own, which stays.
    auto at = std::ranges::find_if(course.stops,
                                   [&](const Course::Stop& stop) { return placeOf(path, stop.lesson) > place; });
    for (auto stop = at; stop != course.stops.end(); ++stop)
        if (std::ranges::find(place->needs, stop->lesson) != place->needs.end()) at = stop + 1;
    Course::Stop added;
    added.lesson = lesson;
    course.stops.insert(at, std::move(added));
}

void removeLesson(Course& course, const std::string& lesson) {
    std::erase_if(course.stops, [&](const Course::Stop& stop) { return stop.lesson == lesson; });
}

void takeStep(Course& course, const std::string& lesson, int step, bool taken, const std::vector<Lesson>& path) {
    const auto place = placeOf(path, lesson);
    if (place == path.end()) return;
    const bool isNew = !stopOf(course, lesson);
    if (isNew && !taken) return;
    if (isNew) addLesson(course, lesson, path);
    Course::Stop& stop = *std::ranges::find(course.stops, lesson, &Course::Stop::lesson);
    std::vector<int> all(place->steps.size());
    std::iota(all.begin(), all.end(), 1);
    if (stop.steps.empty() && !isNew) stop.steps = all;
    std::erase(stop.steps, step);
    if (taken) stop.steps.insert(std::ranges::upper_bound(stop.steps, step), step);
    if (stop.steps.empty()) return removeLesson(course, lesson);
    if (stop.steps == all) stop.steps.clear();
}

std::optional<MissingNeeds> missingNeeds(const Course& course, const std::vector<Lesson>& path) {
    for (const Course::Stop& stop : course.stops) {
        const auto lesson = placeOf(path, stop.lesson);
        if (lesson == path.end()) continue;
        MissingNeeds missing{&*lesson, {}};
        for (const Lesson& need : path)
            if (std::ranges::find(lesson->needs, need.slug) != lesson->needs.end() && !stopOf(course, need.slug))
                missing.needs.push_back(&need);
        if (!missing.needs.empty()) return missing;
    }
    return {};
}

std::string stepRanges(const std::vector<int>& steps) {
    std::string text;
    for (size_t from = 0, to = 0; from < steps.size(); from = to) {
        for (to = from + 1; to < steps.size() && steps[to] == steps[to - 1] + 1;)
            ++to;
        text += (text.empty() ? "" : ", ") + std::to_string(steps[from]);
        if (to > from + 1) text += "-" + std::to_string(steps[to - 1]);
    }
    return text;
}

std::string courseText(const Course& course) {
    std::string text;
    const auto comments = [&](const std::vector<std::string>& lines, const char* before) {
        for (const std::string& line : lines)
            text += before + line + "\n";
    };
    comments(course.comments, "");
    text += "title: " + scalar(course.title) + "\n";
    if (!course.words.empty()) text += "words: " + scalar(course.words) + "\n";
    text += "lessons:\n";
    for (const Course::Stop& stop : course.stops) {
        comments(stop.comments, "  ");
        text += "  - " + std::string(stop.steps.empty() ? "" : "lesson: ") + scalar(stop.lesson) + "\n";
        if (!stop.steps.empty()) text += "    steps: " + stepRanges(stop.steps) + "\n";
    }
    comments(course.lastComments, "");
    return text;
}

void writeCourse(const Course& course, const std::string& path) {
    const std::string text = courseText(course);
    if (text.size() > kLargestCourse) throw Error(path + ": a course may be no larger than 64 KiB");
    (void)parseCourse(text, path);  // says what it lacks
    atomicWrite(path, std::span(text.data(), text.size()));
}

}  // namespace headlight
