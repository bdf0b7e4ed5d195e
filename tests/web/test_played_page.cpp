// SPDX-License-Identifier: GPL-3.0-or-later
// Exported pages, played in Chromium: what they say when they are scrubbed, pointed at and answered is what the program
// says. check_page.py plays them; it is told here what is expected.
#include <QDir>
#include <QFile>
#include <QTest>
#include <QTextDocument>
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/experiment/query_key_value.h"
#include "tests/ui/fixture.h"
#include "tests/web/played_page.h"
#include "ui/export/page_words.h"
#include "ui/export/web_page.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_player.h"
#include "ui/session/format/number_format.h"
#include "ui/session/format/piece_text.h"
#include "ui/session/open/decoding.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/session.h"
#include "ui/session/page/reading_record.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/cell_arithmetic.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/shell/main_window.h"

using namespace headlight;
using nlohmann::json;

namespace {

json linesOf(const CellArithmetic& arithmetic) {
    json lines = json::array();
    for (const CellArithmetic::Step& step : arithmetic.steps)
        lines.push_back({step.text.toStdString(), formatNumber(step.value, 4).toStdString()});
    return lines;
}

/// What the program says of one cell of a block's value.
json cellOf(const TrainedModel& model, const Trace& trace, const AttentionBlock& block, const TraceRecord& record,
            const char* part, const ValueCell& cell) {
    json lines = json::array();
    for (const TraceRecord* each : {record.part == Part::Weights ? block.scores : &record, &record}) {
        if (each == &record && !lines.empty() && record.part != Part::Weights) break;
        const auto arithmetic = cellArithmetic(model, trace, *each, cell);
        if (arithmetic)
            for (const json& line : linesOf(*arithmetic))
                lines.push_back(line);
    }
    return {{"head", QStringLiteral("%1, head %2").arg(scopeTitle(record)).arg(cell.head + 1).toStdString()},
            {"part", part},
            {"row", cell.row},
            {"column", cell.column},
            {"value", formatPrecise(static_cast<double>(numberAt(record, cell))).toStdString()},
            {"lines", lines}};
}

/// Some cells of every block: each head once, scores, weights and outputs in turn.
json cellsOf(const TrainedModel& model, const Trace& trace) {
    json cells = json::array();
    for (const AttentionBlock& block : attentionBlocks(trace))
        for (int head = 0; head < block.heads; ++head) {
            const int row = head % block.rows, column = (2 * head + 1) % block.columns;
            if (head % 3 == 0)
                cells.push_back(cellOf(model, trace, block, *block.scores, "Scores", {head, row, column}));
            else if (head % 3 == 1)
                cells.push_back(cellOf(model, trace, block, *block.weights, "Weights", {head, row, column}));
            else
                cells.push_back(cellOf(model, trace, block, *trace.find(block.weights->owner(), Part::Heads), "Z",
                                       {head, row, column}));
        }
    return cells;
}

QString plain(const QString& markdown) {
    QTextDocument document;
    document.setMarkdown(markdown, QTextDocument::MarkdownNoHTML);
    return document.toPlainText().simplified();
}

/// A step's questions: what is answered rightly, and what the program says to it.
json questionsOf(LessonPlayer& player) {
    json questions = json::array();
    const std::vector<LessonPart>& parts = player.current().parts;
    for (size_t i = 0; i < parts.size(); ++i) {
        const auto* check = std::get_if<LessonCheck>(&parts[i]);
        if (!check) continue;
        const int part = static_cast<int>(i);
        json question{{"solution", player.solution(part).toStdString()},
                      {"right", plain(player.filledInAll(check->right, player.solution(part))).toStdString()}};
        if (check->kind == LessonCheck::Kind::Number) {
            question["number"] = true;
            question["wrong"] = plain(player.judgeNumber(part, QStringLiteral("123.5")).text).toStdString();
            const double elsewhere = player.neighbours(part).row.front();
            const QString given = QString::number(elsewhere);
            question["elsewhere"] = {given.toStdString(), plain(player.judgeNumber(part, given).text).toStdString()};
        } else if (check->kind == LessonCheck::Kind::Cell) {
            const std::vector<int>& at = check->number.indices;
            question["cell"] = {at[at.size() - 2] - 1, at.back() - 1};
        } else {
            const size_t wrong = player.solution(part).toStdString() == check->choices[0] ? 1 : 0;
            question["wrongChoice"] = wrong;
            question["wrong"] = plain(player.judgeChoice(part, static_cast<int>(wrong)).text).toStdString();
        }
        questions.push_back(std::move(question));
    }
    return questions;
}

constexpr auto kTried = R"(---
title: Tried
summary: Three things to try.
minutes: 1
needs: []
model: vi-en-transformer
sources: [nobody]
---

## Through the network

```stage
view: architecture
level: model
source: tôi đang học tiếng anh
```

```try
do: Step once.
when:
  step: moved
```

```try
do: Mute a head.
when:
  mute: any
```

## A head

```stage
view: attention
focus: encoder.layers.0.self_attn.weights
head: 1
```

```try
do: Find the third.
when:
  head: 3
```

## Two hypotheses

The better one has {{hypotheses[1,2]:3}}.

```stage
view: decode
beam: 2
penalty: 0.7
```

```try
do: Search with four.
when:
  beam: 4
```
)";

size_t questionsIn(const Lesson& lesson) {
    size_t count = 0;
    for (const LessonStep& step : lesson.steps)
        for (const LessonPart& part : step.parts)
            count += std::holds_alternative<LessonCheck>(part) ? 1 : 0;
    return count;
}

/// Of matrices by hand with Q = K, divided by the root.
double scoreOf(const LessonMatrix& q, int query, int key) {
    double sum = 0;
    for (int i = 0; i < q.columns; ++i)
        sum += static_cast<double>(q.values[static_cast<size_t>(query * q.columns + i)]) *
               static_cast<double>(q.values[static_cast<size_t>(key * q.columns + i)]);
    return sum / std::sqrt(static_cast<double>(q.columns));
}

/// A number of Q that is changed to two in the first step that asks for it, and the first weight of its row then.
json byHand(const Lesson& lesson) {
    for (size_t step = 0; step < lesson.steps.size(); ++step)
        for (const LessonPart& part : lesson.steps[step].parts) {
            const auto* task = std::get_if<LessonTask>(&part);
            if (!task || !task->when.contains("numbers")) continue;
            const auto& matrices = lesson.tensorsAt(step)->matrices;
            QueryKeyValue input;
            const LessonMatrix &q = matrices.at("Q"), &k = matrices.at("K"), &v = matrices.at("V");
            input = {q.rows, k.rows, q.columns, q.values, k.values, v.values};
            const double before = static_cast<double>(input.query[static_cast<size_t>(q.columns)]);
            input.query[static_cast<size_t>(q.columns)] = 2;
            const StageState state = lesson.stateAt(step);
            const QueryKeyValueResult result = attend(input, state.queryKeyValue.scaled, state.queryKeyValue.sharpness);
            const double weight = static_cast<double>(result.weights[static_cast<size_t>(k.rows)]);
            return {{"step", step},
                    {"cell", {1, 0}},
                    {"number", "2"},
                    {"before", formatPrecise(before).toStdString()},
                    {"weight", formatPrecise(weight).toStdString()}};
        }
    return {};
}

}  // namespace

class TestPlayedPage : public QObject, fixture::PlayedPage {
    Q_OBJECT
private slots:
    void aReadingScrubsAndItsNumbersAreTheProgramsOwn() {
        const auto model = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
        const Session::Reading reading = readSentence(*model, QStringLiteral("tôi đang học tiếng anh"));
        const Trace& trace = *reading.trace;
        writePage(path("page.html"), readingPage(readingRecord({.model = *model,
                                                                .trace = trace,
                                                                .modelName = QStringLiteral("vi-en-transformer"),
                                                                .text = reading.source,
                                                                .says = reading.translation}),
                                                 json::object()));
        json expected{{"cells", cellsOf(*model, trace)}, {"steps", json::array()}, {"words", json::array()}};
        for (const TraceRecord& record : trace.records()) {
            const QString scope = scopeTitle(record), title = valueTitle(record);
            expected["steps"].push_back((scope.isEmpty() ? title : scope + QStringLiteral(": ") + title).toStdString());
        }
        for (qsizetype row = 0; row < reading.baseline.words.size(); ++row) {
            const float probability = reading.baseline.probabilities[static_cast<size_t>(row)];
            expected["words"].push_back({reading.baseline.words[row].toStdString(),
                                         formatNumber(static_cast<double>(probability), 3).toStdString()});
        }
        play("reading", expected);
    }

    void piecesOfAWordLieAgainstEachOther() {
        const auto model = fixture::shippedModel(QStringLiteral("en-fr-transformer"));
        const Session::Reading reading =
            readSentence(*model, QStringLiteral("The children are playing in the garden."));
        writePage(path("page.html"), readingPage(readingRecord({.model = *model,
                                                                .trace = *reading.trace,
                                                                .modelName = QStringLiteral("en-fr-transformer"),
                                                                .text = reading.source,
                                                                .says = reading.translation}),
                                                 json::object()));
        json expected{{"source", json::array()}, {"written", json::array()}};
        for (const std::string& word : reading.trace->sourceTokens)
            expected["source"].push_back(PieceText(QString::fromStdString(word)).text.toStdString());
        for (const QString& word : writtenWords(*reading.trace))
            expected["written"].push_back(PieceText(word).text.toStdString());
        play("pieces", expected);
    }

    void aLessonAsksAndJudgesAsTheProgramDoes() {
        const auto window = openWindow();
        LessonPlayer& player = window->workbench().player;
        player.open(QStringLiteral("by-hand"));
        json expected{{"title", player.lesson().title}, {"steps", json::array()}, {"byHand", byHand(player.lesson())}};
        exportLesson(*window, this, [&] {
            expected["steps"].push_back({{"title", player.current().title}, {"questions", questionsOf(player)}});
        });
        QCOMPARE(expected["steps"].size(), static_cast<size_t>(player.steps()));
        play("lesson", expected);
    }

    void whatThereIsToTryIsSeenAndASearchIsDrawn() {
        const auto window = openWindow();
        openLesson(*window, "en", "tried", kTried);
        exportLesson(*window, this, [] {});
        const auto model = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
        const auto found = searchNow(model, QStringLiteral("tôi đang học tiếng anh"),
                                     {.beam = 2, .penalty = LengthPenalty::parse("gnmt:0.7")});
        const SearchTree& tree = found->search.tree;
        json expected{{"nodes", tree.nodes.size()}, {"words", tree.steps}, {"hypotheses", json::array()}};
        expected["firstNodes"] = std::ranges::count(tree.nodes, 1, &SearchNode::step);
        for (const Written& each : found->search.translation.hypotheses) {
            expected["hypotheses"].push_back(
                QStringLiteral("%1 log P %2 %3")
                    .arg(QString::fromStdString(each.text), formatNumber(each.logProb, 3), formatNumber(each.score, 3))
                    .toStdString());
            expected["scores"].push_back(formatPrecise(each.score).toStdString());
        }
        const Written& last = found->search.translation.hypotheses.back();
        expected["lastLines"] = {formatNumber(last.logProb, 4).toStdString(),
                                 formatNumber(last.score, 4).toStdString()};
        const Session::Reading reading = readSentence(*model, QStringLiteral("tôi đang học tiếng anh"));
        expected["firstPart"] = reading.trace->indexOf("encoder.input") + 1;
        play("tried", expected);
    }

    void aPageSpeaksTheLanguageOfItsLesson_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("Vietnamese") << QStringLiteral("vi");
        QTest::newRow("Russian") << QStringLiteral("ru");
    }
    void aPageSpeaksTheLanguageOfItsLesson() {
        QFETCH(QString, language);
        const auto window = openWindow();
        window->workbench().lessons.setLanguage(language);
        LessonPlayer& player = window->workbench().player;
        player.open(QStringLiteral("by-hand"));
        exportLesson(*window, this, [] {});
        const PageWords words(language.toStdString());
        const auto say = [&words](const char* text) { return words.say(QString::fromUtf8(text)); };
        json expected{{"language", language.toStdString()}, {"weights", say("Weights").toStdString()}};
        const std::pair<const char*, QString> texts[] = {
            {".step:not([hidden]) .kicker", say("Step %1 of %2").arg(1).arg(player.steps())},
            {"#next", say("Next")},
            {"#progress", say("%1 of %2 questions answered").arg(0).arg(questionsIn(player.lesson()))},
            {".step:not([hidden]) .check .kind", say("Question")},
            {".step:not([hidden]) .show-me", say("Show me")},
            {".number-box .part h3", say("Score")},
            {".temperature", say("Temperature")}};
        for (const auto& [selector, text] : texts)
            expected["texts"].push_back({selector, text.toStdString()});
        double sum = 0;
        const LessonMatrix& q = player.lesson().tensorsAt(0)->matrices.at("Q");
        for (int key = 0; key < q.rows; ++key)
            sum += std::exp(scoreOf(q, 0, key));
        expected["lines"] = {say("e to the power of the score").toStdString(),
                             say("Divide by the sum of the row, %1").arg(formatNumber(sum, 4)).toStdString()};
        play("language", expected);
    }
};

QTEST_MAIN(TestPlayedPage)
#include "test_played_page.moc"
