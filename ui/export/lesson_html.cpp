// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/lesson_html.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "ui/export/formula_html.h"
#include "ui/export/page_words.h"
#include "ui/export/prose_html.h"
#include "ui/export/web_page.h"
#include "ui/lessons/code_card.h"
#include "ui/lessons/formula.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_player.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

using nlohmann::json;

QByteArray element(const char* tag, const char* kind, const QByteArray& inside) {
    return QByteArray("<") + tag + " class=\"" + kind + "\">" + inside + "</" + tag + ">\n";
}

class StepWriter {
public:
    explicit StepWriter(const LessonPlayer& player) : m_player(player), m_words(player.lesson().language) {
        const LessonLibrary& library = player.library();
        m_means = {library.formulaFolders(), [&library](const QString& term) { return library.meaning(term); },
                   [&library](const QString& slug) {
                       const Lesson* lesson = library.find(slug);
                       return lesson ? QString::fromStdString(lesson->title) : QString();
                   }};
    }

    QByteArray write() const {
        const LessonStep& step = m_player.current();
        QByteArray html =
            element("p", "kicker", escaped(say("Step %1 of %2").arg(m_player.step() + 1).arg(m_player.steps())));
        html += "<h2>" + escaped(QString::fromStdString(step.title)) + "</h2>\n";
        for (size_t i = 0; i < step.parts.size(); ++i)
            html += partHtml(step.parts[i], static_cast<int>(i));
        return html;
    }

private:
    QByteArray partHtml(const LessonPart& part, int place) const {
        if (const auto* words = std::get_if<LessonProse>(&part)) return prose(words->markdown);
        if (const auto* formula = std::get_if<LessonFormula>(&part))
            return formulaBox(QString::fromStdString(formula->tex));
        if (const auto* check = std::get_if<LessonCheck>(&part)) return question(*check);
        if (const auto* code = std::get_if<LessonCode>(&part)) return program(*code);
        if (const auto* veil = std::get_if<LessonVeil>(&part))
            return element("details", "task veil",
                           "<summary>" + element("span", "kind", escaped(say("Predict"))) + prose(veil->ask) +
                               "</summary>" + element("div", "prose", proseHtml(m_player.afterVeil(place), m_means)));
        if (const auto* more = std::get_if<LessonMore>(&part))
            return element("details", "task more",
                           "<summary>" + element("span", "kind", escaped(say("More"))) + " " +
                               escaped(QString::fromStdString(more->title)) + "</summary>" + prose(more->text));
        return element("div", "task try",
                       element("p", "kind", escaped(say("Try it"))) + prose(std::get<LessonTask>(part).what) +
                           "<p class=\"state\" role=\"status\"></p>\n");
    }

    QByteArray prose(const std::string& markdown) const {
        return element("div", "prose", proseHtml(m_player.pointing(markdown), m_means));
    }

    QByteArray formulaBox(const QString& tex) const {
        const auto formula = Formula::find(tex, true, m_means.formulas);
        return element("div", "formula-box",
                       formula ? formulaHtml(*formula, 1.1) : "<code>" + escaped(tex) + "</code>");
    }

    QByteArray program(const LessonCode& code) const {
        const LessonPlayer& player = m_player;
        const std::string model = player.lesson().stateAt(static_cast<size_t>(player.step())).model;
        // The sentence with its place for the name, in the page's language.
        const QString where =
            m_words.say(whereCodeRuns(code, "%1")).replace(QStringLiteral("%1"), QString::fromStdString(model));
        const QByteArray copy = "<button type=\"button\" class=\"button copy\">" + escaped(say("Copy")) + "</button>";
        return element("div", "task program",
                       element("p", "kind", escaped(say("Try it in PyTorch"))) +
                           element("div", "prose", proseHtml(where, m_means)) +
                           element("pre", "code", escaped(QString::fromStdString(code.code))) +
                           element("div", "row-of-buttons", copy) + element("p", "quiet", escaped(say("It prints:"))) +
                           element("pre", "printed", escaped(player.asPrinted(code.prints))));
    }

    QByteArray question(const LessonCheck& check) const {
        QByteArray html = element("p", "kind", escaped(say("Question"))) + prose(check.ask);
        const QByteArray showMe =
            "<button type=\"button\" class=\"button plain show-me\">" + escaped(say("Show me")) + "</button>";
        if (check.kind == LessonCheck::Kind::Number) {
            html += "<form><input maxlength=\"32\" autocomplete=\"off\" aria-label=\"" + escaped(say("Your answer")) +
                    "\"><button class=\"button primary\">" + escaped(say("Check")) + "</button>" + showMe + "</form>\n";
        } else if (check.kind == LessonCheck::Kind::Choice) {
            for (const std::string& choice : check.choices)
                html += "<button type=\"button\" class=\"answer\">" + escaped(QString::fromStdString(choice)) +
                        "</button>\n";
            html += element("div", "row-of-buttons", showMe);
        } else {
            html += element("div", "row-of-buttons",
                            "<p class=\"quiet\">" + escaped(say("Click it on the stage.")) + "</p>" + showMe);
        }
        html += "<div class=\"verdict\" role=\"status\" hidden></div>\n";
        html += reply("hint", check.hint) + reply("right", check.right);
        for (const std::string& hint : check.hints)
            html += reply("own-hint", hint);
        return element("div", "check", html);
    }

    /// What the page says to an answer.
    QByteArray reply(const char* kind, const std::string& words) const {
        return QByteArray("<div class=\"") + kind + " prose\" hidden>" +
               proseHtml(m_player.filledIn(words, QString(givenMark)), m_means) + "</div>\n";
    }

    QString say(const char* text) const { return m_words.say(QString::fromUtf8(text)); }

    const LessonPlayer& m_player;
    PageWords m_words;
    ProseMeans m_means;
};

/// Nothing where the engine has no such number: the page then says what it said while the lesson was written.
void addNumber(const LessonPlayer& player, int part, const LessonCheck& check, json& record) {
    const LessonPlayer::Neighbours near = player.neighbours(part);
    const PageWords words(player.lesson().language);
    record["answer"] = near.right;
    record["tolerance"] = check.tolerance;
    record["signWords"] = words.say(near.signWords).toStdString();
    if (near.swapped) {
        const std::vector<int>& at = check.number.indices;
        const QString swapped =
            words.say(QStringLiteral("{{given}} stands in row %1, column %2: row and column are swapped."))
                .arg(at.back())
                .arg(at[at.size() - 2]);
        record["swapped"] = {{"value", *near.swapped}, {"words", swapped.toStdString()}};
    }
    record["row"] = {{"values", near.row}, {"words", words.say(near.rowWords).toStdString()}};
}

}  // namespace

QByteArray stepHtml(const LessonPlayer& player) {
    return StepWriter(player).write();
}

json checkRecords(const LessonPlayer& player) {
    json records = json::array();
    const PageWords words(player.lesson().language);
    const std::vector<LessonPart>& parts = player.current().parts;
    for (size_t i = 0; i < parts.size(); ++i) {
        const auto* check = std::get_if<LessonCheck>(&parts[i]);
        if (!check) continue;
        json record{{"solution", player.solution(static_cast<int>(i)).toStdString()}};
        if (check->kind == LessonCheck::Kind::Number) addNumber(player, static_cast<int>(i), *check, record);
        if (check->kind == LessonCheck::Kind::Cell) {
            const std::vector<int>& at = check->number.indices;
            record["solution"] =
                words.say(QStringLiteral("row %1, column %2")).arg(at[at.size() - 2]).arg(at.back()).toStdString();
            record["cell"] = {{"name", check->number.name},
                              {"head", at.size() > 2 ? at[0] - 1 : 0},
                              {"row", at[at.size() - 2] - 1},
                              {"column", at.back() - 1}};
        }
        records.push_back(std::move(record));
    }
    return records;
}

json taskRecords(const LessonPlayer& player) {
    json records = json::array();
    for (const LessonPart& part : player.current().parts)
        if (const auto* task = std::get_if<LessonTask>(&part)) {
            json when = json::array();
            for (const auto& [key, value] : task->when)
                when.push_back({key, value});
            records.push_back(std::move(when));
        }
    return records;
}

QByteArray lessonPage(const Lesson& lesson, const QByteArrayList& steps, json record) {
    const PageWords words(lesson.language);
    const auto say = [&words](const char* text) { return words.say(QString::fromUtf8(text)); };
    if (!words.table().is_null()) record["words"] = words.table();
    const QString title = QString::fromStdString(lesson.title);
    const QByteArray head =
        "<h1>" + escaped(title) + "</h1><p class=\"facts\" id=\"progress\"></p><div id=\"stage-choice\"></div>";
    QByteArray body = "<div class=\"lesson\">\n<aside class=\"lesson-pane\"><div id=\"words\">\n";
    for (qsizetype i = 0; i < steps.size(); ++i) {
        body += "<section class=\"step\">\n" + steps[i];
        if (i + 1 == steps.size())
            body += element("p", "sources",
                            escaped(say("Sources: %1").arg(wordList(lesson.sources).join(QStringLiteral("; ")))));
        body += "</section>\n";
    }
    body += "</div><nav class=\"lesson-foot\"><button type=\"button\" class=\"button\" id=\"previous\">" +
            escaped(say("Previous")) +
            "</button><div id=\"dots\"></div><button type=\"button\" class=\"button primary\" id=\"next\">" +
            escaped(say("Next")) + "</button></nav></aside>\n<main id=\"stage\"></main>\n</div>\n";
    return htmlOf({title, head, body, record, words});
}

}  // namespace headlight
