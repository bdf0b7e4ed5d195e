// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_check.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/logit_lens.h"
#include "core/lessons/claim_values.h"
#include "core/lessons/inline_markup.h"
#include "core/lessons/part_check.h"
#include "core/lessons/steps_before.h"
#include "core/views/views.h"

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
        const auto same = [](const LessonMistake& a, const LessonMistake& b) {
            return a.path == b.path && a.line == b.line && a.what == b.what;
        };
        m_mistakes.erase(std::unique(m_mistakes.begin(), m_mistakes.end(), same), m_mistakes.end());
        return std::move(m_mistakes);
    }

private:
    void mistake(int line, const std::string& what) { m_mistakes.push_back({m_lesson->path, line, what}); }
    void tell(int line, const std::string& why) {
        if (!why.empty()) mistake(line, why);
    }
    size_t stepNumber() const { return static_cast<size_t>(m_step - m_lesson->steps.data()); }

    /// Runs what asks the engine; what it throws is a mistake of this line.
    template <class Ask>
    void ask(int line, Ask ask) {
        try {
            ask();
        } catch (const Error& error) {
            mistake(line, error.what());
        }
    }

    static int lineOf(const KeyLines& lines, const std::string& key, int otherwise) {
        const auto at = lines.find(key);
        return at == lines.end() ? otherwise : at->second;
    }

    void checkLesson(const Lesson& lesson) {
        m_lesson = &lesson;
        for (const std::string& need : lesson.needs)
            if (!exists(need))
                mistake(lineOf(lesson.headLines, "needs", 1), "needs: there is no lesson \"" + need + "\"");
        ask(lineOf(lesson.headLines, "model", 1), [&] { m_numbers.model(lesson.model); });
        size_t checks = 0, tasks = 0;
        for (size_t i = 0; i < lesson.steps.size(); ++i) {
            const LessonStep& step = lesson.steps[i];
            m_scene = sceneOf(lesson, i);
            m_hasModel = true;
            // Told where the name stands, and not again by every step that goes on with it.
            if (step.stage && step.stage->contains("model"))
                ask(lineOf(step.stageLines, "model", step.stageLine), [&] { m_numbers.model(m_scene.state.model); });
            try {
                m_numbers.model(m_scene.state.model);
            } catch (const Error&) {
                m_hasModel = false;
            }
            if (m_hasModel && step.stage) checkStage(step);
            m_step = &step;
            for (const LessonClaim& each : step.claims)
                if (m_hasModel || m_scene.tensors) checkClaim(each);
            for (const LessonPart& part : step.parts) {
                if (const auto* prose = std::get_if<LessonProse>(&part)) checkText(prose->line, prose->markdown);
                if (const auto* formula = std::get_if<LessonFormula>(&part))
                    checkFormula(formula->line, formula->tex, true);
                if (const auto* question = std::get_if<LessonCheck>(&part)) {
                    ++checks;
                    checkQuestion(*question);
                }
                if (const auto* task = std::get_if<LessonTask>(&part)) {
                    ++tasks;
                    checkTask(*task);
                }
                if (const auto* code = std::get_if<LessonCode>(&part)) checkCode(*code);
                if (const auto* veil = std::get_if<LessonVeil>(&part)) checkVeil(*veil);
                if (const auto* more = std::get_if<LessonMore>(&part))
                    checkText(lineOf(more->lines, "text", more->line), more->text);
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
            if (!place.number && isDialText(place.written))
                ask(line, [&] { checkDial(place, m_scene.state); });
            else if (!place.number)
                mistake(line, "{{" + place.written + "}} is no number's name: write NAME[row,column], from 1 on");
            else if (m_hasModel || m_scene.tensors)
                ask(line, [&] { m_numbers.number(m_scene, *place.number); });
        }
    }

    void checkLink(int line, const LessonLink& link) {
        const std::string& to = link.target;
        if (to.starts_with("https://")) return;
        if (link.isPointer()) return checkPointer(line, to.substr(1));
        if (to.starts_with("#")) {
            const std::string& language = m_lesson->language;
            if (m_folder.meaning(to.substr(1), language).empty() && m_shipped.meaning(to.substr(1), language).empty())
                mistake(line, "the term \"" + to + "\" is not explained: add it to " + language + "/terms.yaml");
        } else if (!exists(to)) {
            mistake(line, "the link \"" + to + "\" leads nowhere: name a lesson's slug, #term or https://…");
        }
    }

    void checkPointer(int line, const std::string& name) {
        const std::optional<NumberName> number = parseNumberName(name);
        if (!number)
            mistake(line, "the words point at \"@" + name + "\", which is no number's name: write @NAME[row,column]");
        else if (m_hasModel || m_scene.tensors)
            ask(line, [&] {
                m_numbers.number(m_scene, *number);
                if (!canShow(m_scene, *number))
                    mistake(line, "the words point at \"@" + name + "\", which the view " + nameOf(m_scene.state.view) +
                                      " does not show");
            });
    }

    void checkFormula(int line, const std::string& tex, bool display) {
        if (const std::string wrong = wrongTex(tex); !wrong.empty()) return mistake(line, "$" + tex + "$: " + wrong);
        const std::string file = formulaName(tex, display) + ".svg";
        for (const std::string& folder : m_options.formulaFolders)
            if (std::filesystem::exists(std::filesystem::path(folder) / file)) return;
        mistake(line, "$" + tex + "$ has no picture yet: run scripts/formulas " + m_folder.path);
    }

    void checkStage(const LessonStep& step) {
        const auto line = [&](const char* key) { return lineOf(step.stageLines, key, step.stageLine); };
        const auto says = [&](const char* key) { return step.stage->contains(key); };
        const TrainedModel& model = m_numbers.model(m_scene.state.model);
        if (says("task")) ask(line("task"), [&] { findTask(m_scene.state.training.task); });
        if (says("source") || says("model")) checkWords(line("source"), "source", *model.source, m_scene.state.source);
        if (says("target")) checkWords(line("target"), "target", *model.target, m_scene.state.target);
        if (says("mute")) checkHeads(line("mute"), m_scene.state.mute, model);
        if (says("focus") || says("cell")) checkFocus(line("focus"), line("cell"));
        const int heads = std::max(1, model.network->attentionHeads());
        if (says("head") && m_scene.state.head > heads)
            mistake(line("head"), "head: " + m_scene.state.model + " has " + std::to_string(heads) + " heads");
        if (says("view") || says("model")) checkView(line("view"), model);
        const ModelConfig& config = model.network->config();
        if (says("layer") && m_scene.state.layer > config.numLayers * (config.bidirectional ? 2 : 1))
            mistake(line("layer"), "layer: " + m_scene.state.model + " has " + std::to_string(config.numLayers) +
                                       (config.numLayers == 1 ? " layer" : " layers"));
        if (says("step")) ask(line("step"), [&] { checkStep(line("step"), config); });
        if (says("lens_cell")) ask(line("lens_cell"), [&] { checkLensCell(line("lens_cell"), model); });
        if (says("side")) tell(line("side"), whyNoSide(m_scene.state));
        if (says("show")) tell(line("show"), whyNoPanel(m_scene.state));
        if (says("cell_unit") && config.recurrent() && m_scene.state.recurrentCell.unit > config.hiddenSize)
            mistake(line("cell_unit"),
                    "cell_unit: " + m_scene.state.model + " has " + std::to_string(config.hiddenSize) + " units");
    }

    void checkWords(int line, const std::string& side, const Tokenizer& tokenizer, const std::string& text) {
        ask(line, [&] {
            for (const std::string& word : tokenizer.split(text))
                if (!tokenizer.vocabulary().contains(word))
                    mistake(line, side + ": " + m_scene.state.model + " does not know \"" + word + "\"");
        });
    }

    /// Has the view anything to show of this model?
    void checkView(int line, const TrainedModel& model) {
        if (m_scene.state.view == ViewName::Masks && m_scene.tensors) return;
        const std::string why = whyNothingToShow(m_scene.state.view, model);
        if (!why.empty()) mistake(line, "view: " + m_scene.state.model + " " + why);
    }

    void checkStep(int line, const ModelConfig& config) {
        const Trace& trace = m_numbers.trace(m_scene.state);
        const auto steps = m_scene.state.view == ViewName::Recurrent && config.recurrent()
                               ? trace.sourceTokens.size() + trace.targetTokens.size()
                               : trace.records().size();
        if (static_cast<size_t>(m_scene.state.step) > steps)
            mistake(line, "step: there are " + std::to_string(steps) + " steps here");
    }

    void checkLensCell(int line, const TrainedModel& model) {
        const LogitLens lens(model, m_numbers.trace(m_scene.state), 1);
        const StageCell& cell = m_scene.state.lens.cell;
        const int depths = static_cast<int>(lens.depths().size());
        if (cell.row > depths || cell.column > lens.positions())
            mistake(line, "lens_cell: the lens has " + std::to_string(depths) + " depths and " +
                              std::to_string(lens.positions()) + " positions here");
    }

    void checkHeads(int line, const StageTexts& heads, const TrainedModel& model) {
        for (const std::string& head : heads)
            ask(line, [&] { parseMutedHead(head, *model.network); });
    }

    void checkFocus(int line, int cellLine) {
        const std::string& focus = m_scene.state.focus;
        if (focus.empty() || m_scene.state.view == ViewName::Positions) return;
        const StageCell cell = m_scene.state.cell.valid() ? m_scene.state.cell : StageCell{1, 1};
        if (m_scene.tensors && focus.find('.') == std::string::npos)
            return ask(line, [&] { m_numbers.number(m_scene, {focus, {cell.row, cell.column}}); });
        ask(line, [&] {
            const std::string& model = m_scene.state.model;
            const TraceRecord* record = m_numbers.trace(m_scene.state).find(focus);
            if (!record) return mistake(line, "focus: the trace of " + model + " has no \"" + focus + "\"");
            if (record->shape.size() < 2) return;
            const int rows = record->shape[record->shape.size() - 2], columns = record->shape.back();
            if (cell.row > rows || cell.column > columns)
                mistake(cellLine, "cell: " + focus + " has " + std::to_string(rows) + " rows and " +
                                      std::to_string(columns) + " columns");
        });
    }

    void checkQuestion(const LessonCheck& check) {
        const auto line = [&](const char* key) { return lineOf(check.lines, key, check.line); };
        checkText(line("ask"), check.ask);
        checkText(line("hint"), check.hint);
        for (const std::string& hint : check.hints)
            checkText(line("hints"), hint);
        checkText(line("right"), check.right);
        if (!m_hasModel && !m_scene.tensors) return;
        if (check.kind == LessonCheck::Kind::Number) tell(line("number"), whyAnswered(check, *m_step, m_scene.state));
        if (check.kind == LessonCheck::Kind::Number)
            tell(line("number"), whyToldBefore(*m_lesson, stepNumber(), check.number, Asking::Openly));
        if (check.kind == LessonCheck::Kind::Choice) {
            if (check.rightChoice < 0) ask(line("largest"), [&] { checkLargest(line("largest"), check); });
            return;
        }
        if (check.kind == LessonCheck::Kind::Cell) {
            const ViewName view = m_scene.state.view;
            const bool byHand = m_scene.tensors && check.number.name.find('.') == std::string::npos;
            const bool clickable =
                view == ViewName::Architecture || view == ViewName::Values || view == ViewName::Attention;
            if (byHand ? view != ViewName::QueryKeyValue : !clickable)
                mistake(line("cell"), byHand ? "cell: the matrices by hand can be clicked in the view query-key-value"
                                             : "cell: numbers can be clicked in architecture, values and attention");
        }
        ask(line(check.kind == LessonCheck::Kind::Cell ? "cell" : "number"), [&] {
            const double value = m_numbers.number(m_scene, check.number);
            if (check.answer && !(std::abs(*check.answer - value) <= check.tolerance))
                mistake(line("answer"), "the answer is given as " + writtenNumber(*check.answer, 4) +
                                            ", and the engine says " + writtenNumber(value, 4));
        });
    }

    void checkLargest(int line, const LessonCheck& check) {
        const int best = m_numbers.largestColumn(m_scene, check.number);
        const std::vector<std::string> words = m_numbers.columnWords(m_scene, check.number.name);
        if (words.empty()) return mistake(line, "largest: the columns of " + check.number.name + " are no words");
        const std::string& right = words[static_cast<size_t>(best)];
        if (std::ranges::find(check.choices, right) == check.choices.end())
            mistake(line, "the engine's answer, \"" + right + "\", is not among the choices");
    }

    void checkClaim(const LessonClaim& each) {
        ask(each.line, [&] {
            if (const std::string why = whyNotHeld(each.claim, m_scene, m_numbers); !why.empty())
                mistake(each.line, "step " + std::to_string(stepNumber() + 1) + ", \"" + m_step->title +
                                       "\": what its words rely on is not so: " + why);
        });
    }

    void checkTask(const LessonTask& task) {
        const auto line = [&](const char* key) { return lineOf(task.lines, key, task.line); };
        checkText(line("do"), task.what);
        const auto wanted = [&](const char* key) {
            const auto at = task.when.find(key);
            return at == task.when.end() ? std::string() : at->second;
        };
        if (const std::string model = wanted("model"); !model.empty() && model != "changed")
            ask(line("model"), [&] { m_numbers.model(model); });
        if (!m_hasModel) return;
        if (const std::string holds = wanted("holds"); !holds.empty())
            for (const auto& relation : parseClaim(holds).relations)
                for (const ClaimTerm& term : std::get<NumberRelation>(relation).terms)
                    for (const NumberName& number : term.numbers)
                        ask(line("holds"), [&] { tell(line("holds"), whyNotAwaited(number, m_scene, m_numbers)); });
        ask(task.line, [&] { tell(task.line, whyDone(task, m_scene, m_numbers)); });
        if (task.when.contains("step") && m_scene.state.animate)
            mistake(line("step"), "step: the stage plays by itself here (animate)");
        if (const std::string head = wanted("mute"); head == "any") {
            if (m_numbers.model(m_scene.state.model).network->attentionBlocks().empty())
                mistake(line("mute"), m_scene.state.model + " has no heads that could be silent");
        } else if (!head.empty()) {
            checkHeads(line("mute"), {head}, m_numbers.model(m_scene.state.model));
        }
        ask(line("focus"), [&] {
            if (const std::string focus = wanted("focus");
                !focus.empty() && !m_numbers.trace(m_scene.state).find(focus))
                mistake(line("focus"), "focus: the trace of " + m_scene.state.model + " has no \"" + focus + "\"");
        });
    }

    void checkVeil(const LessonVeil& veil) {
        const auto line = [&](const char* key) { return lineOf(veil.lines, key, veil.line); };
        size_t columns = 64;
        checkText(line("ask"), veil.ask);
        if (!m_hasModel && !m_scene.tensors) return;
        for (const NumberName& hidden : veil.hidden)
            ask(line("hide"), [&] {
                tell(line("hide"), whyNotHidden(hidden, m_scene, m_numbers));
                tell(line("hide"), whyToldBefore(*m_lesson, stepNumber(), hidden, Asking::UnderVeil));
            });
        ask(line("predict"), [&] {
            if (const std::string why = whyNotPredicted(veil, m_scene, m_numbers); !why.empty())
                mistake(line(why.starts_with("range") ? "range" : "predict"), why);
            if (veil.predict == LessonVeil::Predict::Curve) columns = m_numbers.row(m_scene, veil.hidden[0]).size();
        });
        // What the reader gives is known when it is given: any number serves.
        const LessonScene before = m_scene;
        m_scene.given.assign(columns, 0.5);
        if (veil.predict == LessonVeil::Predict::Curve) m_scene.drawn = veil;
        checkText(line("after"), veil.after);
        m_scene = before;
    }

    /// That it prints so is found out by running it (tests/export/check_export.py).
    void checkCode(const LessonCode& code) {
        const auto line = [&](const char* key) { return lineOf(code.lines, key, code.line); };
        for (const std::string& wrong : wrongInCode(code.code))
            mistake(line("code"), wrong);
        checkText(line("prints"), code.prints);
    }

    const LessonFolder& m_folder;
    const LessonCheckOptions& m_options;
    LessonFolder m_shipped;
    LessonNumbers m_numbers;
    std::vector<LessonMistake> m_mistakes;
    const Lesson* m_lesson = nullptr;
    const LessonStep* m_step = nullptr;
    LessonScene m_scene;
    bool m_hasModel = false;  ///< of the scene
};

}  // namespace

std::vector<LessonMistake> checkLessons(const LessonFolder& folder, const LessonCheckOptions& options) {
    return Checker(folder, options).check();
}

}  // namespace headlight
