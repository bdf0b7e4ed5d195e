// SPDX-License-Identifier: GPL-3.0-or-later
// Exported pages, played in Chromium: what they say when they are scrubbed, pointed at and answered is what the program
// says. check_page.py plays them; it is told here what is expected.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocument>

#include <nlohmann/json.hpp>

#include "tests/ui/calm_theme.h"
#include "tests/ui/fixture.h"
#include "ui/export/web_page.h"
#include "ui/lessons/lesson_player.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/session.h"
#include "ui/session/page/reading_record.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/cell_arithmetic.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/shell/lesson_export.h"
#include "ui/shell/main_window.h"
#include "ui/shell/stage.h"

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

}  // namespace

class TestPlayedPage : public QObject {
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

    void aLessonAsksAndJudgesAsTheProgramDoes() {
        const auto theme = fixture::calmTheme(m_folder);
        MainWindow window(*theme);
        window.setAttribute(Qt::WA_DontShowOnScreen);
        window.resize(1280, 800);
        window.show();
        LessonPlayer& player = window.workbench().player;
        player.open(QStringLiteral("by-hand"));
        auto* page = new LessonExport(window.workbench(), window.stage(), window.rooms(), path("page.html"));
        QSignalSpy finished(page, &LessonExport::finished), failed(page, &LessonExport::failed);
        json expected{{"title", player.lesson().title}, {"steps", json::array()}};
        connect(page, &LessonExport::drawn, this, [&](int) {
            expected["steps"].push_back({{"title", player.current().title}, {"questions", questionsOf(player)}});
        });
        page->start();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 120000);
        QCOMPARE(failed.count(), 0);
        QCOMPARE(expected["steps"].size(), static_cast<size_t>(player.steps()));
        play("lesson", expected);
    }

private:
    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    void play(const char* what, const json& expected) {
        QFile file(path("expected.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(expected.dump()));
        file.close();
        QProcess player;
        player.setProcessChannelMode(QProcess::MergedChannels);
        player.start(QStringLiteral("python3"), {QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/web/check_page.py"),
                                                 QStringLiteral(HEADLIGHT_CHROMIUM), QString::fromLatin1(what),
                                                 path("page.html"), file.fileName()});
        QVERIFY(player.waitForFinished(300000));
        QVERIFY2(player.exitStatus() == QProcess::NormalExit && player.exitCode() == 0, player.readAll().constData());
    }

    QTemporaryDir m_folder;
};

QTEST_MAIN(TestPlayedPage)
#include "test_played_page.moc"
