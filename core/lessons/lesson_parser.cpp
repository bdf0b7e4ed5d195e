// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_parser.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include <yaml-cpp/yaml.h>

#include "core/lessons/lesson_blocks.h"
#include "core/lessons/vignette.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

class Parser {
public:
    Parser(const std::string& text, const std::string& path, std::vector<LessonMistake>& mistakes)
        : m_path(path), m_mistakes{path, mistakes} {
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) {
            if (!line.empty() && line.back() == '\r') line.pop_back();
            m_lines.push_back(line);
            if (!findInvalidUtf8(line)) continue;
            mistake(static_cast<int>(m_lines.size()), "this line is not valid UTF-8: save the file as UTF-8");
            m_lines.back() = repairedUtf8(line);
        }
    }

    Lesson parse() {
        m_lesson.path = m_path;
        readName();
        readHead();
        while (m_at < m_lines.size())
            readLine();
        endProse();
        if (m_lesson.steps.empty()) mistake(1, "the lesson has no step: begin each with \"## \" and a title");
        return std::move(m_lesson);
    }

private:
    void mistake(int line, const std::string& what) { m_mistakes.add(line, what); }
    int line() const { return static_cast<int>(m_at) + 1; }

    void readName() {
        const std::filesystem::path path(m_path);
        m_lesson.language = path.parent_path().filename().string();
        const std::string stem = path.stem().string();
        const auto digit = [](char c) { return c >= '0' && c <= '9'; };
        const auto plain = [&](char c) { return (c >= 'a' && c <= 'z') || digit(c) || c == '-'; };
        if (stem.size() < 4 || !digit(stem[0]) || !digit(stem[1]) || stem[2] != '-' ||
            !std::all_of(stem.begin() + 3, stem.end(), plain))
            return mistake(1, "the file's name must be NN-slug.md, as 03-gates.md");
        m_lesson.number = (stem[0] - '0') * 10 + stem[1] - '0';
        m_lesson.slug = stem.substr(3);
    }

    void readHead() {
        if (m_lines.empty() || m_lines[0] != "---")
            return mistake(1, "the file must begin with --- and title, summary, minutes, needs, model, sources");
        std::string text;
        for (m_at = 1; m_at < m_lines.size() && m_lines[m_at] != "---"; ++m_at)
            text += m_lines[m_at] + "\n";
        if (m_at == m_lines.size()) return mistake(1, "the head is not closed: a line --- is missing");
        ++m_at;
        const std::optional<YAML::Node> head = readYaml(text, 2, m_mistakes);
        if (!head) return;
        for (const auto& entry : *head) {
            const std::string key = flat(entry.first);
            m_lesson.headLines[key] = 2 + entry.first.Mark().line;
            if (std::ranges::find(kHeadKeys, key) == std::end(kHeadKeys) && key != "vignette")
                mistake(2 + entry.first.Mark().line,
                        "the head has no \"" + key +
                            "\": it knows title, summary, minutes, needs, model, sources, vignette");
        }
        for (const char* key : kHeadKeys)
            if (!(*head)[key]) mistake(2, std::string("the head lacks \"") + key + "\"");
        m_lesson.title = text_((*head)["title"]);
        m_lesson.summary = text_((*head)["summary"]);
        m_lesson.model = text_((*head)["model"]);
        m_lesson.vignette = text_((*head)["vignette"]);
        if (const std::string& name = m_lesson.vignette;
            !name.empty() && std::ranges::find(vignetteNames, name) == vignetteNames.end())
            mistake(m_lesson.headLines["vignette"],
                    "there is no vignette \"" + name + "\": take the slug of a lesson of Headlight's, such as heads");
        for (const auto& [key, list] : {std::pair("needs", &m_lesson.needs), std::pair("sources", &m_lesson.sources)})
            if (const YAML::Node node = (*head)[key]; node && node.IsSequence())
                for (const YAML::Node& each : node)
                    list->push_back(flat(each));
            else if (node)
                mistake(2 + node.Mark().line,
                        std::string("\"") + key + "\" is a list: [a, b], or lines that begin with -");
        if (const YAML::Node minutes = (*head)["minutes"]) {
            const std::string written = flat(minutes);
            const auto [end, error] =
                std::from_chars(written.data(), written.data() + written.size(), m_lesson.minutes);
            if (error != std::errc() || *end != '\0' || m_lesson.minutes < 1)
                mistake(2 + minutes.Mark().line, "\"minutes\" is a whole number from 1 on");
        }
    }
    static std::string text_(const YAML::Node& node) { return node ? flat(node) : std::string(); }

    void readLine() {
        const std::string& now = m_lines[m_at];
        if (now.starts_with("## ")) {
            endProse();
            LessonStep& step = m_lesson.steps.emplace_back();
            step.line = line();
            step.title = trimmed(std::string_view(now).substr(3));
            ++m_at;
        } else if (now.starts_with("```")) {
            endProse();
            readBlock(std::string(trimmed(std::string_view(now).substr(3))));
        } else if (trimmed(now).starts_with("$$")) {
            endProse();
            readFormula();
        } else {
            if (m_lesson.steps.empty() && !trimmed(now).empty() && !m_beforeTold) {
                mistake(line(), "text before the first step: begin it with \"## \" and a title");
                m_beforeTold = true;
            }
            if (now.starts_with("# "))
                mistake(line(), "a heading with one #: the title stands in the head, steps begin with ##");
            if (m_prose.empty()) m_proseLine = line();
            if (!m_prose.empty() || !trimmed(now).empty()) m_prose += now + "\n";
            ++m_at;
        }
    }

    void endProse() {
        if (!trimmed(m_prose).empty() && !m_lesson.steps.empty())
            m_lesson.steps.back().parts.emplace_back(LessonProse{m_proseLine, std::string(trimmed(m_prose))});
        m_prose.clear();
    }

    void readFormula() {
        const int first = line();
        std::string text(trimmed(m_lines[m_at++]).substr(2));
        size_t end = text.find("$$");
        while (end == std::string::npos && m_at < m_lines.size()) {
            const size_t from = text.size();
            text += "\n" + m_lines[m_at++];
            end = text.find("$$", from);
        }
        if (end == std::string::npos) return mistake(first, "the formula that begins here is not closed with $$");
        if (m_lesson.steps.empty()) return;
        m_lesson.steps.back().parts.emplace_back(
            LessonFormula{first, std::string(trimmed(std::string_view(text).substr(0, end)))});
    }

    void readBlock(const std::string& kind) {
        const int first = line();
        std::string text;
        for (++m_at; m_at < m_lines.size() && !m_lines[m_at].starts_with("```"); ++m_at)
            text += m_lines[m_at] + "\n";
        if (m_at == m_lines.size()) return mistake(first, "the block \"" + kind + "\" is not closed with ```");
        ++m_at;
        if (m_lesson.steps.empty()) return mistake(first, "a block before the first step");
        if (std::ranges::find(kBlocks, kind) == std::end(kBlocks))
            return mistake(first,
                           "there is no block \"" + kind + "\": use stage, tensors, check, try, veil, more or pytorch");
        const std::optional<YAML::Node> node = readYaml(text, first + 1, m_mistakes);
        if (!node) return;
        LessonStep& step = m_lesson.steps.back();
        if (kind == "stage") {
            if (step.stage) mistake(first, "the step has two stage blocks");
            step.stage = readStage(*node, first + 1, step.stageLines, m_mistakes);
            step.stageLine = first;
            if (const YAML::Node claims = (*node)["holds"]) step.claims = readClaims(claims, first + 1, m_mistakes);
        } else if (kind == "tensors") {
            if (step.tensors) mistake(first, "the step has two tensors blocks");
            step.tensors = readTensors(*node, first + 1, m_mistakes);
        } else if (kind == "check") {
            if (const auto read = readCheck(*node, first, m_mistakes)) step.parts.emplace_back(*read);
        } else if (kind == "try") {
            step.parts.emplace_back(readTry(*node, first, m_mistakes));
        } else if (kind == "more") {
            step.parts.emplace_back(readMore(*node, first, m_mistakes));
        } else if (kind == "veil") {
            if (const auto read = readVeil(*node, first, m_mistakes)) step.parts.emplace_back(*read);
        } else {
            step.parts.emplace_back(readCode(*node, first, m_mistakes));
        }
    }

    static constexpr std::string_view kBlocks[] = {"stage", "tensors", "check", "try", "veil", "more", "pytorch"};
    static constexpr const char* kHeadKeys[] = {"title", "summary", "minutes", "needs", "model", "sources"};

    std::string m_path;
    MistakeList m_mistakes;
    std::vector<std::string> m_lines;
    size_t m_at = 0;
    std::string m_prose;
    int m_proseLine = 0;
    bool m_beforeTold = false;
    Lesson m_lesson;
};

}  // namespace

Lesson parseLesson(const std::string& text, const std::string& path, std::vector<LessonMistake>& mistakes) {
    return Parser(text, path, mistakes).parse();
}

std::map<std::string, std::string> parseTerms(const std::string& text, const std::string& path,
                                              std::vector<LessonMistake>& mistakes) {
    std::map<std::string, std::string> terms;
    try {
        const YAML::Node node = YAML::Load(text);
        if (node.IsNull()) return terms;
        if (!node.IsMap()) {
            mistakes.push_back({path, 1, "terms are lines of \"word: meaning\""});
            return terms;
        }
        for (const auto& entry : node)
            if (entry.second.IsScalar())
                terms[flat(entry.first)] = flat(entry.second);
            else
                mistakes.push_back({path, entry.first.Mark().line + 1, "a term's meaning is one line of text"});
    } catch (const YAML::Exception& error) {
        mistakes.push_back({path, std::max(0, error.mark.line) + 1, "this is not YAML: " + error.msg});
    }
    return terms;
}

}  // namespace headlight
