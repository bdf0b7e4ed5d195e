// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of a lesson's sentence that the reader drags: how they are written, checked and printed.
#include <QTest>
#include <filesystem>

#include "core/error.h"
#include "core/io/model_file.h"
#include "core/lessons/inline_markup.h"
#include "core/lessons/lesson_check.h"
#include "core/lessons/lesson_parser.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

QString whyNoDial(const std::string& text) {
    try {
        parseDial(text);
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

}  // namespace

class TestLessonDials : public QObject {
    Q_OBJECT
private slots:
    void aDialIsReadAsItIsWritten() {
        const StageDial dial = parseDial("sharpness from 0.1 to 5");
        QVERIFY((dial == StageDial{"sharpness", 0.1, 5, 0.1}));
        QCOMPARE(dial.decimals(), 1);
        QVERIFY((parseDial("beam from 1 to 5") == StageDial{"beam", 1, 5, 1}));
        QVERIFY((parseDial("smoothing from 0 to 0.5 by 0.05") == StageDial{"smoothing", 0, 0.5, 0.05}));
        QVERIFY(parseDialTarget(dialTarget(dial)) == dial);
        QVERIFY(!parseDialTarget("dial:view/1/2/1") && !parseDialTarget("masks"));
    }

    void whatIsNoneIsRefusedByItsReason_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* text, const char* why) { QTest::newRow(text) << text << why; };
        row("warmth from 0 to 1", "warmth: the stage has no number");
        row("view from 0 to 1", "view: the stage has no number");
        row("page from 1 to 9", "page: the stage has no number");
        row("train from 0 to 100", "train: the stage has no number");
        row("sharpness from 5 to 0.1", "from the smaller number");
        row("sharpness from 1 to 2 by 3", "no larger than the range");
        row("sharpness from 1 to 2 by 0", "the step is positive");
        row("sharpness from 1 to 2 by -1", "the step is positive");
        row("sharpness from 1 to 1.000001", "too small");
        row("sharpness from 1 to nan", "write it as");
        row("sharpness from 1", "write it as");
        row("beam from 0 to 5", "a whole number from 1 to 1000");
        row("beam from 1 to 2.5", "a whole number from 1 to 1000");
    }
    void whatIsNoneIsRefusedByItsReason() {
        QFETCH(QString, text);
        QFETCH(QString, why);
        QVERIFY2(whyNoDial(text.toStdString()).contains(why), qPrintable(whyNoDial(text.toStdString())));
    }

    void turningStaysInTheRangeAndOnTheGrid() {
        const StageDial dial = parseDial("sharpness from 0.1 to 5");
        QCOMPARE(dial.turned(1, -7), 0.3);  // not 0.30000000000000004
        QCOMPARE(dial.turned(1, -40), 0.1);
        QCOMPARE(dial.turned(1, 400), 5.0);
        QCOMPARE(dial.turned(1.04, 1), 1.1);
        const StageDial odd = parseDial("penalty from 0.25 to 1 by 0.1");
        QCOMPARE(odd.turned(0.4, -1), 0.3);
        QCOMPARE(odd.turned(0.3, -1), 0.25);
        QCOMPARE(odd.turned(0.25, 1), 0.4);
    }

    void aNumberOfTheStageIsReadAndSet() {
        StageState state;
        setNumber(state, "sharpness", 0.3);
        setNumber(state, "beam", 3.6);
        setNumber(state, "view", 3);
        QCOMPARE(state.queryKeyValue.sharpness, 0.3);
        QCOMPARE(state.decode.beam, 4);
        QVERIFY(state.view == ViewName::Attention);
        QCOMPARE(numberOf(state, "beam"), std::optional(4.0));
        QVERIFY(!numberOf(state, "source") && !numberOf(state, "page"));
    }

    void itIsPrintedAsThePlainNumberAndDraggedAsALink() {
        LessonNumbers numbers(fixture::openShipped);
        LessonScene scene;
        scene.state.queryKeyValue.sharpness = 0.5;
        const std::string text = "At {{sharpness from 0.1 to 5}}, or {{beam from 1 to 5:2}}.";
        QCOMPARE(numbers.filledIn(scene, text), std::string("At 0.5, or 2.00."));
        QCOMPARE(numbers.filledIn(scene, text, LessonNumbers::Form::Pointing),
                 std::string("At [0.5](dial:sharpness/0.1/5/0.1), or [2.00](dial:beam/1/5/1)."));
        QCOMPARE(numbers.filledIn(scene, "{{warmth from 1 to 5}}"), std::string("{{warmth from 1 to 5}}"));
    }

    void theCheckNamesAnUnknownFieldARangeAndAValueOutsideOfIt() {
        LessonFolder folder;
        folder.lessons.push_back(parseLesson(
            "---\ntitle: T\nsummary: S\nminutes: 5\nneeds: []\nmodel: vi-en-transformer\nsources: [a]\n---\n"
            "## A\n\n{{warmth from 0 to 1}} {{sharpness from 2 to 5}}\n{{beam from 1 to 5}}\n"
            "{{beam from 5 to 1}}\n",
            "x/en/03-gates.md", folder.mistakes));
        QStringList lines;
        for (const LessonMistake& each : checkLessons(folder, {fixture::openShipped, {}, {}}))
            if (each.line > 1) lines << QStringLiteral("%1: %2").arg(each.line).arg(QString::fromStdString(each.what));
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[0].startsWith("11: warmth: the stage has no number"), qPrintable(lines[0]));
        QCOMPARE(lines[1], QStringLiteral("11: sharpness: the step shows 1, which is out of the range that it can be "
                                          "dragged over"));
        QVERIFY2(lines[2].startsWith("13: beam: the range"), qPrintable(lines[2]));
    }
};

QTEST_GUILESS_MAIN(TestLessonDials)
#include "test_lesson_dials.moc"
