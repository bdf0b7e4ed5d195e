// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_parser.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include <yaml-cpp/yaml.h>

#include "core/lessons/inline_markup.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

/// A YAML value as a `stage` block keeps it: a scalar, or a list of them. Aliases could blow up what is deeper.
std::string flat(const YAML::Node& node) {
    constexpr size_t longest = 20000;
    if (node.IsScalar()) return trimmed(node.Scalar());
    std::string joined;
    if (node.IsSequence())
        for (const YAML::Node& each : node)
            if (each.IsScalar() && joined.size() < longest)
                joined += (joined.empty() ? "" : ", ") + trimmed(each.Scalar());
    return joined;
}

class Parser {
public:
    Parser(const std::string& text, const std::string& path, std::vector<LessonMistake>& mistakes)
        : m_path(path), m_mistakes(mistakes) {
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) {
            if (!line.empty() && line.back() == '\r') line.pop_back();
            m_lines.push_back(line);
            if (!findInvalidUtf8(line)) continue;
            mistakes.push_back(
                {path, static_cast<int>(m_lines.size()), "this line is not valid UTF-8: save the file as UTF-8"});
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
    void mistake(int line, const std::string& what) { m_mistakes.push_back({m_path, line, what}); }
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

    /// YAML whose first line is `first`; mistakes are told by the file's lines.
    std::optional<YAML::Node> yaml(const std::string& text, int first) {
        try {
            YAML::Node node = YAML::Load(text);
            if (node.IsMap()) return node;
            mistake(first, "\"key: value\" lines are expected here");
        } catch (const YAML::Exception& error) {
            mistake(first + std::max(0, error.mark.line), "this is not YAML: " + error.msg);
        }
        return {};
    }

    void readHead() {
        if (m_lines.empty() || m_lines[0] != "---")
            return mistake(1, "the file must begin with --- and title, summary, minutes, needs, model, sources");
        std::string text;
        for (m_at = 1; m_at < m_lines.size() && m_lines[m_at] != "---"; ++m_at)
            text += m_lines[m_at] + "\n";
        if (m_at == m_lines.size()) return mistake(1, "the head is not closed: a line --- is missing");
        ++m_at;
        const std::optional<YAML::Node> head = yaml(text, 2);
        if (!head) return;
        for (const auto& entry : *head) {
            const std::string key = flat(entry.first);
            m_lesson.headLines[key] = 2 + entry.first.Mark().line;
            if (std::ranges::find(kHeadKeys, key) == std::end(kHeadKeys))
                mistake(2 + entry.first.Mark().line,
                        "the head has no \"" + key + "\": it knows title, summary, minutes, needs, model, sources");
        }
        for (const char* key : kHeadKeys)
            if (!(*head)[key]) mistake(2, std::string("the head lacks \"") + key + "\"");
        m_lesson.title = text_((*head)["title"]);
        m_lesson.summary = text_((*head)["summary"]);
        m_lesson.model = text_((*head)["model"]);
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
            step.title = trimmed(now.substr(3));
            ++m_at;
        } else if (now.starts_with("```")) {
            endProse();
            readBlock(trimmed(now.substr(3)));
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
            m_lesson.steps.back().parts.emplace_back(LessonProse{m_proseLine, trimmed(m_prose)});
        m_prose.clear();
    }

    void readFormula() {
        const int first = line();
        std::string text = trimmed(m_lines[m_at++]).substr(2);
        size_t end = text.find("$$");
        while (end == std::string::npos && m_at < m_lines.size()) {
            const size_t from = text.size();
            text += "\n" + m_lines[m_at++];
            end = text.find("$$", from);
        }
        if (end == std::string::npos) return mistake(first, "the formula that begins here is not closed with $$");
        if (m_lesson.steps.empty()) return;
        m_lesson.steps.back().parts.emplace_back(LessonFormula{first, trimmed(text.substr(0, end))});
    }

    void readBlock(const std::string& kind) {
        const int first = line();
        std::string text;
        for (++m_at; m_at < m_lines.size() && !m_lines[m_at].starts_with("```"); ++m_at)
            text += m_lines[m_at] + "\n";
        if (m_at == m_lines.size()) return mistake(first, "the block \"" + kind + "\" is not closed with ```");
        ++m_at;
        if (m_lesson.steps.empty()) return mistake(first, "a block before the first step");
        if (kind != "stage" && kind != "tensors" && kind != "check" && kind != "try")
            return mistake(first, "there is no block \"" + kind + "\": use stage, tensors, check or try");
        const std::optional<YAML::Node> node = yaml(text, first + 1);
        if (!node) return;
        LessonStep& step = m_lesson.steps.back();
        if (kind == "stage") {
            if (step.stage) mistake(first, "the step has two stage blocks");
            step.stage = setting(*node, first + 1, {"a stage block", stageKeyNames(), whyWrong}, step.stageLines);
            step.stageLine = first;
        } else if (kind == "tensors") {
            if (step.tensors) mistake(first, "the step has two tensors blocks");
            step.tensors = tensors(*node, first + 1);
        } else if (kind == "check") {
            if (const auto read = check(*node, first)) step.parts.emplace_back(*read);
        } else {
            step.parts.emplace_back(task(*node, first));
        }
    }

    /// The keys that a block may have, and what tells what is wrong with a value.
    struct Known {
        const char* of;
        std::vector<std::string> keys;
        std::string (*whyWrong)(const std::string& key, const std::string& value);
    };

    StageSetting setting(const YAML::Node& node, int first, const Known& known, KeyLines& lines) {
        StageSetting result;
        for (const auto& entry : node) {
            const std::string name = flat(entry.first), key = presentKey(name);
            const int at = first + entry.first.Mark().line;
            const std::string value = key == "view" ? presentViewName(flat(entry.second)) : flat(entry.second);
            lines[key] = at;
            if (std::ranges::find(known.keys, key) == known.keys.end()) {
                std::string all;
                for (const std::string& each : known.keys)
                    all += (all.empty() ? "" : ", ") + each;
                mistake(at, std::string(known.of) + " has no \"" + name + "\": it knows " + all);
            } else if (const std::string wrong =
                           value.empty() ? "something must stand here" : known.whyWrong(key, value);
                       !wrong.empty()) {
                mistake(at, "\"" + name + ": " + value + "\": " + wrong);
            } else {
                result[key] = value;
            }
        }
        return result;
    }

    std::optional<LessonTensors> tensors(const YAML::Node& node, int first) {
        LessonTensors result;
        const size_t before = m_mistakes.size();
        for (const auto& entry : node) {
            const std::string name = flat(entry.first);
            const int at = first + entry.first.Mark().line;
            if (name == "words") {
                for (const YAML::Node& word : entry.second)
                    result.words.push_back(flat(word));
                continue;
            }
            if (name != "Q" && name != "K" && name != "V" && name != "scores") {
                mistake(at, "tensors has no \"" + name + "\": it knows words, Q, K, V, scores");
                continue;
            }
            if (auto read = matrix(entry.second, at, name)) result.matrices[name] = std::move(*read);
        }
        const bool hasQ = result.matrices.contains("Q"), hasScores = result.matrices.contains("scores");
        if (hasQ == hasScores) {
            mistake(first, "tensors needs Q (and K and V where they differ), or scores");
            return {};
        }
        if (hasQ) {
            result.matrices.try_emplace("K", result.matrices["Q"]);
            result.matrices.try_emplace("V", result.matrices["Q"]);
            const auto &q = result.matrices["Q"], &k = result.matrices["K"], &v = result.matrices["V"];
            if (q.columns != k.columns || k.rows != v.rows || k.columns != v.columns)
                mistake(first, "Q, K and V must be of one width, and K and V of one height");
            if (!result.words.empty() && static_cast<int>(result.words.size()) != k.rows)
                mistake(first, "there are " + std::to_string(result.words.size()) + " words for " +
                                   std::to_string(k.rows) + " rows");
        } else if (const auto& s = result.matrices["scores"];
                   s.rows != s.columns || (!result.words.empty() && static_cast<int>(result.words.size()) != s.rows)) {
            mistake(first, "scores has as many rows as columns, and a word for each");
        }
        // The engine takes it that the sizes fit.
        return m_mistakes.size() == before ? std::optional(result) : std::nullopt;
    }

    std::optional<LessonMatrix> matrix(const YAML::Node& node, int at, const std::string& name) {
        constexpr size_t mostRows = 24;
        LessonMatrix result;
        if (!node.IsSequence() || node.size() == 0 || node.size() > mostRows) {
            mistake(at, name + " is a list of 1 to 24 rows: [[1, 2], [3, 4]]");
            return {};
        }
        result.rows = static_cast<int>(node.size());
        for (const YAML::Node& row : node) {
            if (!row.IsSequence() || row.size() == 0 || row.size() > mostRows ||
                (result.columns != 0 && static_cast<int>(row.size()) != result.columns)) {
                mistake(at, "the rows of " + name + " must be lists of one length, 1 to 24 numbers");
                return {};
            }
            result.columns = static_cast<int>(row.size());
            for (const YAML::Node& number : row) {
                float value = 0;
                if (!number.IsScalar() || !YAML::convert<float>::decode(number, value)) {
                    mistake(at, name + " holds something that is no number");
                    return {};
                }
                result.values.push_back(value);
            }
        }
        return result;
    }

    std::optional<LessonCheck> check(const YAML::Node& node, int first) {
        LessonCheck result;
        result.line = first;
        const size_t before = m_mistakes.size();
        for (const auto& entry : node) {
            const std::string key = flat(entry.first), value = flat(entry.second);
            const int at = first + 1 + entry.first.Mark().line;
            result.lines[key] = at;
            if (key == "ask")
                result.ask = value;
            else if (key == "hint")
                result.hint = value;
            else if (key == "right")
                result.right = value;
            else if (key == "choice")
                for (const YAML::Node& choice : entry.second)
                    result.choices.push_back(flat(choice));
            else if (key == "number" || key == "cell" || key == "largest") {
                const auto number = parseNumberName(value);
                const size_t fewest = key == "largest" ? 1 : 2;
                if (number && number->indices.size() >= fewest)
                    result.number = *number;
                else
                    mistake(at, "\"" + value + "\" is no number's name: write NAME[row,column], from 1 on");
            } else if (key == "answer" || key == "tolerance") {
                double number = 0;
                if (!YAML::convert<double>::decode(entry.second, number))
                    mistake(at, "\"" + key + "\" is a number");
                else if (key == "answer")
                    result.answer = number;
                else
                    result.tolerance = number;
            } else {
                mistake(at, "a check has no \"" + key +
                                "\": it knows ask, number, choice, cell, answer, largest, tolerance, hint, right");
            }
        }
        for (const auto& [key, value] :
             {std::pair("ask", &result.ask), std::pair("hint", &result.hint), std::pair("right", &result.right)})
            if (value->empty()) mistake(first, std::string("the check lacks \"") + key + "\"");
        const bool number = static_cast<bool>(node["number"]), choice = static_cast<bool>(node["choice"]),
                   cell = static_cast<bool>(node["cell"]);
        if (number + choice + cell != 1) mistake(first, "a check is one of number, choice or cell");
        if (choice) {
            result.kind = LessonCheck::Kind::Choice;
            if (result.choices.size() < 2) mistake(first, "a choice needs two answers or more: choice: [a, b]");
            if (!node["largest"] &&
                !(result.answer && *result.answer >= 1 && *result.answer <= static_cast<double>(result.choices.size())))
                mistake(first, "say which choice is right: answer: 1 to " + std::to_string(result.choices.size()) +
                                   ", or largest: NAME[row]");
            else if (!node["largest"])
                result.rightChoice = static_cast<int>(*result.answer) - 1;
        } else if (cell) {
            result.kind = LessonCheck::Kind::Cell;
        }
        return m_mistakes.size() == before ? std::optional(result) : std::nullopt;
    }

    LessonTask task(const YAML::Node& node, int first) {
        LessonTask result;
        result.line = first;
        for (const auto& entry : node) {
            const std::string key = flat(entry.first);
            result.lines[key] = first + 1 + entry.first.Mark().line;
            if (key == "do")
                result.what = flat(entry.second);
            else if (key == "when" && entry.second.IsMap())
                result.when =
                    setting(entry.second, first + 1, {"a condition", stageKeyNames(), whyWrongCondition}, result.lines);
            else
                mistake(first + 1 + entry.first.Mark().line,
                        "a try has \"do\", and under \"when\" what tells that it was done");
        }
        if (result.what.empty() || result.when.empty()) mistake(first, "a try needs both \"do\" and \"when\"");
        return result;
    }

    static constexpr const char* kHeadKeys[] = {"title", "summary", "minutes", "needs", "model", "sources"};

    std::string m_path;
    std::vector<LessonMistake>& m_mistakes;
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
        mistakes.push_back({path, error.mark.line + 1, "this is not YAML: " + error.msg});
    }
    return terms;
}

}  // namespace headlight
