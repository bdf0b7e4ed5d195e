// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/view_help.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include <yaml-cpp/yaml.h>

#include "core/lessons/lesson_blocks.h"
#include "core/views/views.h"

namespace headlight {

namespace {

/// What stands around a view, or is all of it that no panel is.
constexpr std::string_view kAround[] = {"picture", "sentence", "timeline"};

bool hasPart(const View& view, const std::string& name) {
    const auto isIt = [&](const char* panel) { return panel == name; };
    return std::ranges::find(kAround, name) != std::end(kAround) || std::ranges::any_of(view.panels, isIt);
}

class HelpReader {
public:
    HelpReader(const std::string& path, std::vector<LessonMistake>& mistakes) : m_path(path), m_mistakes(mistakes) {}

    ViewHelp read(const View& view, const YAML::Node& node) {
        ViewHelp help{.line = node.Mark().line + 1};
        bool isWithoutLesson = false;
        for (const auto& entry : node) {
            const auto key = entry.first.as<std::string>("");
            const YAML::Node& value = entry.second;
            if (key == "shows")
                help.shows = text(value);
            else if (key == "not")
                help.doesNotSay = text(value);
            else if (key == "lesson")
                help.lesson = text(value);
            else if (key == "no_lesson")
                isWithoutLesson = value.as<bool>(false);
            else if (key == "parts")
                pairs(value, "at", "is", [&](std::string at, std::string is) {
                    if (!hasPart(view, at)) mistake(value, std::string(view.name) + " has no part \"" + at + "\"");
                    help.parts.push_back({std::move(at), std::move(is)});
                });
            else if (key == "can")
                pairs(value, "keys", "does", [&](std::string keys, std::string does) {
                    help.can.push_back({std::move(keys), std::move(does)});
                });
            else
                mistake(entry.first, "a view's help has no \"" + key + "\"");
        }
        if (help.shows.empty()) mistake(node, std::string(view.name) + " lacks shows: what the picture is of");
        if (help.lesson.empty() != isWithoutLesson)
            mistake(node, std::string(view.name) + " needs a lesson, or no_lesson: true");
        return help;
    }
    void mistake(const YAML::Node& node, const std::string& what) {
        m_mistakes.push_back({m_path, std::max(0, node.Mark().line) + 1, what});
    }

private:
    /// On one line: a folded text ends with a line end.
    static std::string text(const YAML::Node& node) {
        std::string text = node.IsScalar() ? flat(node) : std::string();
        std::ranges::replace(text, '\n', ' ');
        return text;
    }
    void pairs(const YAML::Node& list, const char* first, const char* second,
               const std::function<void(std::string, std::string)>& take) {
        if (!list.IsSequence()) return mistake(list, "this is a list");
        for (const YAML::Node& each : list) {
            if (!each.IsMap() || each.size() != 2 || !each[first] || !each[second])
                mistake(each, std::string("an entry has ") + first + " and " + second);
            else
                take(text(each[first]), text(each[second]));
        }
    }

    const std::string& m_path;
    std::vector<LessonMistake>& m_mistakes;
};

}  // namespace

std::map<std::string, ViewHelp> parseHelp(const std::string& text, const std::string& path,
                                          std::vector<LessonMistake>& mistakes) {
    std::map<std::string, ViewHelp> help;
    try {
        const YAML::Node node = YAML::Load(text);
        HelpReader reader(path, mistakes);
        if (!node.IsMap()) {
            mistakes.push_back({path, 1, "help is the name of a view, and what is said about it"});
            return help;
        }
        for (const auto& entry : node) {
            const auto name = entry.first.as<std::string>("");
            const auto view = std::ranges::find_if(views(), [&](const View* each) { return each->name == name; });
            if (view == views().end() || !entry.second.IsMap())
                reader.mistake(entry.first, "there is no view \"" + name + "\"");
            else
                help[name] = reader.read(**view, entry.second);
        }
    } catch (const YAML::Exception& error) {
        mistakes.push_back({path, std::max(0, error.mark.line) + 1, "this is not YAML: " + error.msg});
    }
    return help;
}

}  // namespace headlight
