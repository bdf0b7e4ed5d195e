// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/course.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include <yaml-cpp/yaml.h>

#include "core/error.h"
#include "core/lessons/lesson_blocks.h"
#include "core/number_text.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

constexpr size_t kMostStops = 200;
constexpr int kMostSteps = 400;

/// What stands behind a # that is no part of the line's values.
std::string commentBeside(const std::string& line) {
    try {
        for (size_t at = line.find(" #"); at != std::string::npos; at = line.find(" #", at + 1))
            if (YAML::Dump(YAML::Load(line.substr(0, at))) == YAML::Dump(YAML::Load(line)))
                return std::string(trimmed(std::string_view(line).substr(at)));
    } catch (const YAML::Exception&) {
        // A line that is none by itself, as part of a list in brackets.
    }
    return {};
}

class Reader {
public:
    explicit Reader(const std::string& path) : m_path(path) {}

    Course read(const std::string& text) {
        if (findInvalidUtf8(text)) fail(1, "this is not valid UTF-8: save the file as UTF-8");
        YAML::Node root;
        try {
            root = YAML::Load(text);
        } catch (const YAML::Exception& error) {
            fail(error.mark.line + 1, "this is not YAML: " + error.msg);
        }
        if (!root.IsMap()) fail(1, "a course is lines of title: and lessons:");
        for (const auto& entry : root) {
            const std::string key = flat(entry.first);
            const int line = entry.first.Mark().line + 1;
            if (key != "lessons") m_textLines.insert(line);
            if (key == "title")
                m_course.title = text_(entry.second, line, key);
            else if (key == "words")
                m_course.words = text_(entry.second, line, key);
            else if (key == "lessons")
                readStops(entry.second, m_lessonsLine = line);
            else
                fail(line, "a course has no \"" + key + "\": it knows title, words and lessons");
        }
        if (m_course.title.empty()) fail(1, "the course lacks a title");
        if (m_course.stops.empty()) fail(1, "the course lacks lessons: a list of slugs, as - attention");
        m_course.path = m_path;
        keepComments(text);
        return std::move(m_course);
    }

private:
    [[noreturn]] void fail(int line, const std::string& what) const {
        throw Error(m_path + ":" + std::to_string(std::max(line, 1)) + ": " + what);
    }

    std::string text_(const YAML::Node& node, int line, const std::string& key) const {
        if (!node.IsScalar()) fail(line, "\"" + key + "\" is a text");
        return std::string(trimmed(node.Scalar()));
    }

    void readStops(const YAML::Node& list, int line) {
        if (!list.IsSequence()) fail(line, "\"lessons\" is a list: a line each that begins with -");
        if (list.size() > kMostStops) fail(line, "a course has at most 200 lessons");
        for (const YAML::Node& each : list)
            m_course.stops.push_back(readStop(each));
    }

    Course::Stop readStop(const YAML::Node& node) const {
        Course::Stop stop;
        stop.line = node.Mark().line + 1;
        if (node.IsScalar()) {
            stop.lesson = node.Scalar();
            return stop;
        }
        if (!node.IsMap()) fail(stop.line, "a lesson is its slug, or lesson: SLUG and steps: 1-4, 7");
        for (const auto& entry : node) {
            const std::string key = flat(entry.first);
            const int line = entry.first.Mark().line + 1;
            if (key == "lesson")
                stop.lesson = text_(entry.second, line, key);
            else if (key == "steps")
                stop.steps = readSteps(flat(entry.second), line);
            else
                fail(line, "a lesson of a course has no \"" + key + "\": it knows lesson and steps");
        }
        if (stop.lesson.empty()) fail(stop.line, "which lesson? Give its slug: lesson: attention");
        return stop;
    }

    int readStep(std::string_view text, int line) const {
        const std::string_view digits = trimmed(text);
        int step = 0;
        if (!readNumber(digits, step) || step < 1 || step > kMostSteps) fail(line, "steps count from 1: steps: 1-4, 7");
        return step;
    }

    std::vector<int> readSteps(const std::string& text, int line) const {
        std::vector<int> steps;
        for (size_t from = 0; from <= text.size();) {
            const size_t comma = std::min(text.find(',', from), text.size());
            const std::string part = text.substr(from, comma - from);
            const size_t dash = part.find('-');
            const int first = readStep(part.substr(0, dash), line);
            const int last = dash == std::string::npos ? first : readStep(part.substr(dash + 1), line);
            // What a step shows follows from those before it, and a reader goes on from left to right.
            if (last < first || (!steps.empty() && first <= steps.back()))
                fail(line, "steps go upwards, each once: steps: 1-4, 7");
            for (int step = first; step <= last; ++step)
                steps.push_back(step);
            from = comma + 1;
        }
        return steps;
    }

    /// YAML passes over them; a course that is written again would lose them.
    void keepComments(const std::string& text) {
        std::vector<Course::Stop>& stops = m_course.stops;
        std::istringstream lines(text);
        std::string line;
        bool isText = false;
        for (int at = 1; std::getline(lines, line); ++at) {
            const bool isKey = m_textLines.contains(at);
            isText = isKey || (isText && at != m_lessonsLine);
            // Further lines of a title, or of words, are theirs, whatever they begin with.
            if (isText && !isKey && line.starts_with(' ')) continue;
            const bool isAlone = trimmed(line).starts_with('#');
            const std::string comment = isAlone ? std::string(trimmed(line)) : commentBeside(line);
            if (comment.empty()) continue;
            auto next = std::ranges::find_if(stops, [&](const Course::Stop& stop) { return stop.line > at; });
            if (next == stops.begin() && (!isAlone || at < m_lessonsLine))
                m_course.comments.push_back(comment);
            else if (!isAlone)
                (--next)->comments.push_back(comment);
            else
                (next == stops.end() ? m_course.lastComments : next->comments).push_back(comment);
        }
    }

    std::string m_path;
    Course m_course;
    std::set<int> m_textLines;  ///< where a title or words begin
    int m_lessonsLine = 0;
};

const Lesson* find(const std::vector<Lesson>& lessons, const std::string& slug) {
    const auto at = std::ranges::find(lessons, slug, &Lesson::slug);
    return at == lessons.end() ? nullptr : &*at;
}

/// The step as it stands in its lesson, whatever of the steps before it is left out.
LessonStep alone(const Lesson& lesson, size_t at) {
    LessonStep step = lesson.steps[at];
    step.stage = settingAt(lesson, at);
    if (const LessonTensors* const tensors = lesson.tensorsAt(at)) step.tensors = *tensors;
    return step;
}

}  // namespace

Course parseCourse(const std::string& text, const std::string& path) {
    return Reader(path).read(text);
}

Course readCourse(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        throw Error(path + " is no file: name a course, as course.yaml");
    if (std::filesystem::file_size(path, error) > kLargestCourse || error)
        throw Error(path + " is larger than a course may be (64 KiB), or cannot be read");
    std::ifstream file(path, std::ios::binary);
    return parseCourse(std::string(std::istreambuf_iterator<char>(file), {}), path);
}

std::vector<LessonMistake> checkCourse(const Course& course, const std::vector<Lesson>& lessons) {
    std::vector<LessonMistake> mistakes;
    std::set<std::string> before;
    const auto isLater = [&](const std::string& slug) {
        return !before.contains(slug) &&
               std::ranges::any_of(course.stops, [&](const Course::Stop& stop) { return stop.lesson == slug; });
    };
    for (const Course::Stop& stop : course.stops) {
        const auto say = [&](const std::string& what) { mistakes.push_back({course.path, stop.line, what}); };
        const Lesson* const lesson = find(lessons, stop.lesson);
        if (!lesson) {
            say("there is no lesson \"" + stop.lesson + "\"");
            continue;
        }
        if (before.contains(stop.lesson)) say("\"" + stop.lesson + "\" stands in the course twice");
        for (const std::string& need : lesson->needs)
            if (isLater(need)) say("\"" + stop.lesson + "\" needs \"" + need + "\", which comes later");
        const auto count = static_cast<int>(lesson->steps.size());
        if (!stop.steps.empty() && stop.steps.back() > count)
            say("\"" + stop.lesson + "\" has " + std::to_string(count) + " steps");
        before.insert(stop.lesson);
    }
    return mistakes;
}

std::vector<Lesson> lessonsOf(const Course& course, const std::vector<Lesson>& lessons) {
    std::vector<Lesson> result;
    for (const Course::Stop& stop : course.stops) {
        const Lesson* const lesson = find(lessons, stop.lesson);
        if (!lesson || find(result, stop.lesson)) continue;
        Lesson cut = *lesson;
        if (!stop.steps.empty()) {
            cut.steps.clear();
            for (const int step : stop.steps)
                if (step <= static_cast<int>(lesson->steps.size()))
                    cut.steps.push_back(alone(*lesson, static_cast<size_t>(step) - 1));
            // So is the time that it takes.
            const auto all = static_cast<int>(lesson->steps.size());
            cut.minutes = std::max(1, (lesson->minutes * static_cast<int>(cut.steps.size()) + all / 2) / all);
        }
        if (!cut.steps.empty()) result.push_back(std::move(cut));
    }
    return result;
}

}  // namespace headlight
