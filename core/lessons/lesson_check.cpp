// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_check.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/lessons/lesson_parser.h"

namespace headlight {

namespace {

/// Does every brace that opens close, and every \left have its \right?
std::string wrongTex(const std::string& tex) {
    int depth = 0, left = 0;
    for (size_t i = 0; i < tex.size(); ++i) {
        if (tex[i] == '\\') {
            left += tex.compare(i, 6, "\\left(") == 0 || tex.compare(i, 6, "\\left[") == 0 ||
                    tex.compare(i, 7, "\\left\\{") == 0;
            left -= tex.compare(i, 7, "\\right)") == 0 || tex.compare(i, 7, "\\right]") == 0 ||
                    tex.compare(i, 8, "\\right\\}") == 0;
            ++i;
        } else if (tex[i] == '{') {
            ++depth;
        } else if (tex[i] == '}' && --depth < 0) {
            return "a brace closes that was not opened";
        }
    }
    if (depth != 0) return "a brace is not closed";
    if (tex.empty()) return "nothing stands between the dollars";
    return left == 0 ? "" : "\\left and \\right do not pair";
}

class Checker {
public:
    Checker(const LessonFolder& folder, const LessonCheckOptions& options)
        : m_folder(folder), m_options(options), m_numbers(options.openModel), m_mistakes(folder.mistakes) {
        if (!options.shippedLessons.empty() && std::filesystem::is_directory(options.shippedLessons))
            m_shipped = readLessonFolder(options.shippedLessons);
    }

    std::vector<LessonMistake> check() {
        for (const Lesson& lesson : m_folder.lessons)
            checkLesson(lesson);
        std::ranges::stable_sort(m_mistakes, [](const LessonMistake& a, const LessonMistake& b) {
            return std::tie(a.path, a.line) < std::tie(b.path, b.line);
        });
        return std::move(m_mistakes);
    }

private:
    void mistake(int line, const std::string& what) { m_mistakes.push_back({m_lesson->path, line, what}); }

    /// Runs what asks the engine; what it throws is a mistake of this line.
    template <class Ask>
    void ask(int line, Ask ask) {
        try {
            ask();
        } catch (const Error& error) {
            mistake(line, error.what());
        }
    }

    void checkLesson(const Lesson& lesson) {
        m_lesson = &lesson;
        for (const std::string& need : lesson.needs)
            if (!exists(need)) mistake(1, "needs: there is no lesson \"" + need + "\"");
        bool hasModel = true;
        try {
            m_numbers.model(lesson.model);
        } catch (const Error& error) {
            hasModel = false;
            mistake(1, "model: " + std::string(error.what()));
        }
        size_t checks = 0, tasks = 0;
        for (size_t i = 0; i < lesson.steps.size(); ++i) {
            const LessonStep& step = lesson.steps[i];
            m_scene = sceneOf(lesson, i);
            if (hasModel && step.stage) checkStage(step, lesson.settingAt(i));
            for (const LessonPart& part : step.parts) {
                if (const auto* prose = std::get_if<LessonProse>(&part)) checkText(prose->line, prose->markdown);
                if (const auto* formula = std::get_if<LessonFormula>(&part))
                    checkFormula(formula->line, formula->tex, true);
                if (const auto* question = std::get_if<LessonCheck>(&part)) {
                    ++checks;
                    if (hasModel) checkQuestion(*question);
                }
                if (const auto* task = std::get_if<LessonTask>(&part)) {
                    ++tasks;
                    if (hasModel) checkTask(*task);
                }
            }
        }
        // A translation may lack what English has.
        if (lesson.language != "en" && m_folder.find(lesson.slug, "en")) return;
        if (checks < 2) mistake(1, "a lesson asks at least two questions: this one has " + std::to_string(checks));
        if (tasks < 1) mistake(1, "a lesson has at least one thing to try");
    }

    bool exists(const std::string& slug) const {
        const auto has = [&](const LessonFolder& folder) {
            return std::ranges::any_of(folder.lessons, [&](const Lesson& each) { return each.slug == slug; });
        };
        return has(m_folder) || has(m_shipped);
    }

    /// `first`: the line on which the text begins.
    void checkText(int first, const std::string& text) {
        const auto lineOf = [&](size_t at) {
            return first +
                   static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        };
        for (const InlineFormula& formula : inlineFormulas(text))
            if (formula.end == std::string::npos)
                mistake(lineOf(formula.begin), "a formula is not closed: a $ is missing, or write \\$ for a dollar");
            else
                checkFormula(lineOf(formula.begin), formula.tex, false);
        for (const LessonLink& link : lessonLinks(text))
            checkLink(lineOf(link.begin), link);
        for (const NumberPlace& place : numberPlaces(text)) {
            if (place.written == "given") continue;
            const int line = lineOf(place.begin);
            if (!place.number)
                mistake(line, "{{" + place.written + "}} is no number's name: write NAME[row,column], from 1 on");
            else
                ask(line, [&] { m_numbers.number(m_scene, *place.number); });
        }
    }

    void checkLink(int line, const LessonLink& link) {
        const std::string& to = link.target;
        if (to.starts_with("https://")) return;
        if (to.starts_with("#")) {
            const std::string& language = m_lesson->language;
            if (m_folder.meaning(to.substr(1), language).empty() && m_shipped.meaning(to.substr(1), language).empty())
                mistake(line, "the term \"" + to + "\" is not explained: add it to " + language + "/terms.yaml");
        } else if (!exists(to)) {
            mistake(line, "the link \"" + to + "\" leads nowhere: name a lesson's slug, #term or https://…");
        }
    }

    void checkFormula(int line, const std::string& tex, bool display) {
        if (const std::string wrong = wrongTex(tex); !wrong.empty()) return mistake(line, "$" + tex + "$: " + wrong);
        const std::string file = formulaName(tex, display) + ".svg";
        for (const std::string& folder : m_options.formulaFolders)
            if (std::filesystem::exists(std::filesystem::path(folder) / file)) return;
        mistake(line, "$" + tex + "$ has no picture yet: run scripts/formulas " + m_folder.path);
    }

    void checkStage(const LessonStep& step, const StageSetting& setting) {
        const int line = step.stageLine;
        const auto said = [&](const char* key) {
            const auto at = setting.find(key);
            return at == setting.end() ? std::string() : at->second;
        };
        if (const std::string task = said("task"); !task.empty()) ask(line, [&] { findTask(task); });
        ask(line, [&] {
            const TrainedModel& model = m_numbers.model(m_scene.model);
            for (const std::string& word : model.source->split(m_scene.source))
                if (!model.source->vocabulary().contains(word))
                    mistake(line, "source: " + m_scene.model + " does not know \"" + word + "\"");
            checkHeads(line, said("mute"), model);
            if (step.stage->contains("focus") || step.stage->contains("cell")) checkFocus(line, setting);
            if (step.stage->contains("head") && std::stoi(said("head")) > std::max(1, model.network->attentionHeads()))
                mistake(line, "head: " + m_scene.model + " has " + std::to_string(model.network->attentionHeads()) +
                                  " heads");
        });
    }

    void checkHeads(int line, const std::string& heads, const TrainedModel& model) {
        if (heads.empty() || heads == "none" || heads == "any") return;
        for (size_t from = 0; from < heads.size();) {
            const size_t comma = std::min(heads.find(", ", from), heads.size());
            ask(line, [&] { parseMutedHead(heads.substr(from, comma - from), *model.network); });
            from = comma + 2;
        }
    }

    /// Of a worked example there is no trace that a focus could name.
    void checkFocus(int line, const StageSetting& setting) {
        const auto focus = setting.find("focus");
        if (focus == setting.end()) return;
        if (setting.contains("view") && setting.at("view") == "positions") return;
        if (m_scene.tensors && focus->second.find('.') == std::string::npos) {
            const std::string cell = setting.contains("cell") ? setting.at("cell") : "1, 1";
            m_numbers.number(m_scene, {focus->second, {std::stoi(cell), std::stoi(cell.substr(cell.find(',') + 1))}});
            return;
        }
        const TraceRecord* record = m_numbers.trace(m_scene).find(focus->second);
        if (!record) return mistake(line, "focus: the trace of " + m_scene.model + " has no \"" + focus->second + "\"");
        const auto cell = setting.find("cell");
        if (cell == setting.end() || record->shape.size() < 2) return;
        const size_t comma = cell->second.find(',');
        const int row = std::stoi(cell->second), column = std::stoi(cell->second.substr(comma + 1));
        const int rows = record->shape[record->shape.size() - 2], columns = record->shape.back();
        if (row > rows || column > columns)
            mistake(line, "cell: " + focus->second + " has " + std::to_string(rows) + " rows and " +
                              std::to_string(columns) + " columns");
    }

    void checkQuestion(const LessonCheck& check) {
        for (const std::string* text : {&check.ask, &check.hint, &check.right})
            checkText(check.line, *text);
        ask(check.line, [&] {
            if (check.kind == LessonCheck::Kind::Choice) {
                if (check.rightChoice >= 0) return;
                const int best = m_numbers.largestColumn(m_scene, check.number);
                const std::vector<std::string> words = m_numbers.columnWords(m_scene, check.number.name);
                if (words.empty())
                    return mistake(check.line, "largest: the columns of " + check.number.name + " are no words");
                if (std::ranges::find(check.choices, words[static_cast<size_t>(best)]) == check.choices.end())
                    mistake(check.line, "the engine's answer, \"" + words[static_cast<size_t>(best)] +
                                            "\", is not among the choices");
                return;
            }
            const double value = m_numbers.number(m_scene, check.number);
            if (check.answer && !(std::abs(*check.answer - value) <= check.tolerance))
                mistake(check.line, "the answer is given as " + writtenNumber(*check.answer, 4) +
                                        ", and the engine says " + writtenNumber(value, 4));
        });
    }

    void checkTask(const LessonTask& task) {
        checkText(task.line, task.what);
        const auto said = [&](const char* key) {
            const auto at = task.when.find(key);
            return at == task.when.end() ? std::string() : at->second;
        };
        ask(task.line, [&] {
            if (const std::string model = said("model"); !model.empty()) m_numbers.model(model);
            checkHeads(task.line, said("muted"), m_numbers.model(m_scene.model));
            if (const std::string focus = said("focus"); !focus.empty() && !m_numbers.trace(m_scene).find(focus))
                mistake(task.line, "focus: the trace of " + m_scene.model + " has no \"" + focus + "\"");
        });
    }

    const LessonFolder& m_folder;
    const LessonCheckOptions& m_options;
    LessonFolder m_shipped;
    LessonNumbers m_numbers;
    std::vector<LessonMistake> m_mistakes;
    const Lesson* m_lesson = nullptr;
    LessonScene m_scene;
};

}  // namespace

std::vector<LessonMistake> checkLessons(const LessonFolder& folder, const LessonCheckOptions& options) {
    return Checker(folder, options).check();
}

}  // namespace headlight
