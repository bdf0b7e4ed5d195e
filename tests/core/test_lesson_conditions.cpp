// SPDX-License-Identifier: GPL-3.0-or-later
// What a lesson waits for, hides and hints at: conditions over numbers, tries that nobody has done, veils.
#include <QTest>
#include <cmath>
#include <filesystem>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/io/model_file.h"
#include "core/lessons/lesson_check.h"
#include "core/lessons/lesson_parser.h"
#include "core/lessons/lesson_veil.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

const std::string lessonConditionsHead =
    "---\ntitle: T\nsummary: S\nminutes: 5\nneeds: []\nmodel: vi-en-transformer\nsources: [one]\n---\n";
const std::string example = "```tensors\nwords: [a, b]\nQ: [[1, 0], [0, 2]]\n```\n";

Lesson parsed(const std::string& steps) {
    std::vector<LessonMistake> mistakes;
    Lesson lesson = parseLesson(lessonConditionsHead + steps, "x/en/03-gates.md", mistakes);
    return mistakes.empty() ? lesson : Lesson();
}

/// "line: what" of each mistake, but those that say that a lesson needs more of something.
QStringList conditionMistakes(const std::string& steps) {
    LessonFolder folder;
    folder.lessons.push_back(parseLesson(lessonConditionsHead + steps, "x/en/03-gates.md", folder.mistakes));
    QStringList lines;
    for (const LessonMistake& mistake :
         checkLessons(folder, {fixture::openShipped, {HEADLIGHT_SOURCE_DIR "/resources/formulas"}, {}}))
        if (mistake.line > 1)
            lines << QStringLiteral("%1: %2").arg(mistake.line).arg(QString::fromStdString(mistake.what));
    return lines;
}

}  // namespace

class TestLessonConditions : public QObject {
    Q_OBJECT
private slots:
    void numbersAreHeldAgainstEachOther() {
        StageState before, now;
        now.decode.beam = 3;
        now.queryKeyValue.sharpness = 0.5;
        StageFacts facts;
        facts.number = [](const NumberName& name) {
            return name.name == "weights" ? std::optional(0.1 * name.indices.back()) : std::nullopt;
        };
        const auto met = [&](const char* value) { return isMet("holds", value, before, now, facts); };
        QVERIFY(met("weights[1,7] > 0.6") && !met("weights[1,5] > 0.6") && met("weights[1,5] < 0.6"));
        QVERIFY(met("beam >= 3") && !met("beam > 3") && met("sharpness < 1"));
        QVERIFY(met("beam > 2 and weights[1,7] > 0.6") && !met("beam > 2 and weights[1,1] > 0.6"));
        QVERIFY(!met("scores[1,1] > -100"));  // nobody knows it
        QCOMPARE(whyWrongCondition("holds", "weights[1,2] > 0.5"), std::string());
        for (const char* wrong : {"", "weights[1,2]", "weights[1,2] > much", "> 3", "view > 3", "beam > 1 and"})
            QVERIFY2(!whyWrongCondition("holds", wrong).empty(), wrong);
    }

    void aTranslationContainsWordsNotPartsOfThem() {
        StageFacts facts;
        facts.translation = "I am Learning english";
        QVERIFY(isMet("translation", "learning", {}, {}, facts) && isMet("translation", "am learning", {}, {}, facts));
        QVERIFY(!isMet("translation", "learn", {}, {}, facts));
    }

    /// A computer that finishes something is no reader.
    void nothingIsDoneBeforeAReaderDidIt() {
        StageState before, now;
        now.modelHash = "1234";
        now.step = 7;
        QVERIFY(!isTouched({{"head", "1"}}, before, now) && !isTouched({{"holds", "beam > 1"}}, before, now));
        QVERIFY(isTouched({{"step", "moved"}}, before, now));
        now.decode.beam = 4;
        QVERIFY(isTouched({{"holds", "beam > 1"}}, before, now) && isTouched({{"translation", "a"}}, before, now));
        QVERIFY(!isTouched({{"head", "1"}}, before, now) && isTouched({{"beam", "4"}}, before, now));
    }

    void workedNumbersAreThoseOfTheStage() {
        const Lesson lesson = parsed("## A\n" + example);
        LessonNumbers numbers(fixture::openShipped);
        LessonScene scene = sceneOf(lesson, 0);
        const auto score = [&] { return numbers.number(scene, {"scores", {2, 2}}); };
        const auto weight = [&] { return numbers.number(scene, {"weights", {2, 2}}); };
        QVERIFY(std::abs(score() - 4 / std::sqrt(2.0)) < 1e-6);
        const double before = weight();
        scene.state.queryKeyValue.scaled = false;
        QVERIFY(std::abs(score() - 4) < 1e-6);
        QVERIFY(weight() > before);
        scene.state.queryKeyValue.sharpness = 4;
        QVERIFY(std::abs(weight() - std::exp(1.0) / (std::exp(1.0) + 1)) < 1e-5);
        scene.state.queryKeyValue.sharpness = 1;
        scene.state.queryKeyValue.numbers = {"Q[2,2]=-1", "Q[9,9]=5", "rubbish", "K[1,2]=x"};
        QVERIFY(std::abs(score() + 2) < 1e-6);  // K is a matrix of its own
        scene.state = {};
        QVERIFY(std::abs(weight() - before) < 1e-9);
    }

    void wordsNameColumnsOfAVocabulary() {
        const Lesson lesson = parsed("## A\n```stage\nsource: tôi đang học tiếng anh\n```\n");
        LessonNumbers numbers(fixture::openShipped);
        const LessonScene scene = sceneOf(lesson, 0);
        const auto model = fixture::openShipped("vi-en-transformer");
        const Trace trace = traceSentence(*model, "tôi đang học tiếng anh");
        const int id = model->target->vocabulary().id("learning");
        const TraceRecord& record = trace.at("log_probs");
        const double wanted = record.values[static_cast<size_t>(2 * record.shape.back() + id)];
        const auto name = parseNumberName("log_probs[3,\"learning\"]");
        QVERIFY(name && name->word == "learning" && name->indices == std::vector<int>{3});
        QCOMPARE(numbers.number(scene, *name), wanted);
        QCOMPARE(numbers.number(scene, *parseNumberName("probabilities[3,\"learning\"]")), std::exp(wanted));
        QVERIFY(std::exp(wanted) > 0.5);  // it is what the model writes there
        QVERIFY_EXCEPTION_THROWN(numbers.number(scene, *parseNumberName("log_probs[3,\"flieg\"]")), Error);
        QVERIFY(!parseNumberName("a[\"b\"]") && !parseNumberName("a[1,\"b]") && !parseNumberName("a[1,\"]"));
    }

    void whatIsVeiledStandsInNoText() {
        const Lesson lesson = parsed("## A\n" + example);
        LessonNumbers numbers(fixture::openShipped);
        LessonScene scene = sceneOf(lesson, 0);
        scene.veiled = {{"weights", {1}}};
        QCOMPARE(numbers.filledIn(scene, "{{weights[1,2]}} {{scores[1,1]:1}}"), std::string("? 0.7"));
        scene.veiled = {};
        scene.given = {0.25, 0.75};
        QCOMPARE(numbers.filledIn(scene, "{{given[2]:2}} {{given[3]:2}}"), std::string("0.75 {{given[3]:2}}"));
    }

    /// One tenth of the axis off in the middle: by even parts, and by powers of ten, where the same is one of ten.
    void howFarADrawnCurveIs() {
        LessonVeil veil;
        veil.least = 0;
        veil.most = 10;
        const CurveDistance even = curveDistance(veil, {1, 3, 5}, {1, 2, 4.5}, {100, 200, 300});
        QVERIFY(std::abs(even.mean - 0.5) < 1e-12 && even.largest == 1 && even.place == 200);
        // What leaves the axis counts as its end.
        QCOMPARE(curveDistance(veil, {10}, {25}, {1}).largest, 0.0);
        veil.isByTens = true;
        veil.least = 1e-10;
        veil.most = 1;
        const CurveDistance tens = curveDistance(veil, {1, 1e-2, 1e-9}, {1, 1e-3, 0}, {0, 1, 2});
        QVERIFY(std::abs(tens.mean - 2.0 / 3) < 1e-9 && std::abs(tens.largest - 1) < 1e-9);
        QVERIFY(std::abs(placeOnAxis(veil, 1e-3) - 0.7) < 1e-12 && std::abs(numberOnAxis(veil, 0.7) / 1e-3 - 1) < 1e-9);
    }

    void aCurveIsJudgedByWhatItSays() {
        using Run = CurveShape::Run;
        LessonVeil veil;
        veil.least = 0;
        veil.most = 100;
        const std::vector<double> places{0, 10, 20, 30, 40};
        const auto run = [&](const std::vector<double>& curve) { return shapeOf(veil, curve, places).run; };
        QVERIFY(run({50, 52, 48, 51, 50}) == Run::Level);
        QVERIFY(run({10, 15, 30, 60, 90}) == Run::Rises && run({90, 92, 40, 30, 5}) == Run::Falls);
        QVERIFY(run({10, 60, 40, 20, 12}) == Run::RisesAndFalls && run({80, 20, 40, 60, 70}) == Run::FallsAndRises);
        const CurveShape peak = shapeOf(veil, {10, 60, 40, 20, 12}, places);
        QVERIFY(peak.turn == 10 && peak.end == 12);
        QVERIFY(turnTogether(peak, shapeOf(veil, {0, 30, 29, 20, 0}, places), places));
        QVERIFY(!turnTogether(peak, shapeOf(veil, {0, 10, 20, 40, 0}, places), places));
        QCOMPARE(endsAbove(veil, peak, shapeOf(veil, {0, 0, 0, 0, 90}, places)), -1);
        QCOMPARE(endsAbove(veil, peak, shapeOf(veil, {0, 0, 0, 0, 5}, places)), 0);
        QCOMPARE(endsAbove(veil, peak, shapeOf(veil, {0, 0, 0, 0, 0}, places)), 1);
        // By powers of ten what falls out of the axis ends at its foot.
        veil.least = 1e-6;
        veil.most = 1;
        veil.isByTens = true;
        QVERIFY(run({1, 1e-2, 1e-3, 1e-5, 0}) == Run::Falls);
    }

    void mistakesAreNamed_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const std::string& text, const char* expected) {
            QTest::newRow(name) << QString::fromStdString("## A\n" + text) << QString::fromUtf8(expected);
        };
        const std::string laboratory = "```stage\nview: query-key-value\n```\n" + example;  // lines 10 to 16
        const std::string choice = "```check\nask: a\nchoice: [x, y]\nanswer: 2\nright: r\nhint: h\n";
        row("hints", choice + "hints: [no, \"\"]\n```\n", "");
        row("a hint too few", choice + "hints: [no]\n```\n", "16: there are 1 hints for 2 choices");
        row("a hint for the right one", choice + "hints: [no, yes]\n```\n", "16: choice 2 is right, and needs no hint");
        row("hints of a number", "```check\nask: a\nnumber: a[1,1]\nright: r\nhint: h\nhints: [a]\n```\n",
            "15: only a choice has hints");
        row("no comparison", "```try\ndo: d\nwhen:\n  holds: much\n```\n",
            "\"holds: much\": \"much\" compares nothing: write");
        row("no such number", "```try\ndo: d\nwhen:\n  holds: nothing[1,1] > 2\n```\n", "13: there is no \"nothing\"");
        row("no number while one plays",
            "```stage\nview: cost\n```\n```try\ndo: d\nwhen:\n  holds: cost[1,1] > 2\n```\n",
            "16: holds: a try cannot wait for cost");
        row("to be done", laboratory + "```try\ndo: d\nwhen:\n  holds: weights[1,1] > 0.9\n```\n", "");
        row("done already", laboratory + "```try\ndo: d\nwhen:\n  holds: weights[1,1] > 0.5\n```\n",
            "17: the step's own stage meets this already");
        row("chosen already", "```stage\nhead: 2\n```\n```try\ndo: d\nwhen:\n  head: 2\n```\n",
            "13: the step's own stage meets this already");
        row("translated already",
            "```stage\nsource: tôi yêu bạn\n```\n```try\ndo: d\nwhen:\n  translation: love\n```\n",
            "13: the step's own stage meets this already");
        row("not yet translated",
            "```stage\nsource: tôi yêu bạn\n```\n```try\ndo: d\nwhen:\n  translation: learning\n```\n", "");
        row("plays by itself", "```stage\nanimate: true\n```\n```try\ndo: d\nwhen:\n  step: moved\n```\n",
            "16: step: the stage plays by itself");
        row("not on the stage", "```stage\nview: cost\n```\n[it](@encoder.input[1,2])\n",
            "which the view cost does not show");
        row("no such side", "```stage\nview: attention\nside: runs\n```\n", "the view attention has no such side");
        row("another view's side", "```stage\nview: forcing\nside: gradient\n```\n",
            "the view forcing has no such side");
        row("told above",
            laboratory + "It is {{scores[1,1]}}.\n```check\nask: a\nnumber: scores[1,1]\nhint: h\nright: r\n```\n",
            "20: the words of the step tell this number already");
        row("told below",
            laboratory + "```check\nask: a\nnumber: scores[1,1]\nhint: h\nright: r\n```\nIt is {{scores[1,1]}}.\n", "");
        row("written out",
            "```stage\nview: query-key-value\nfocus: scores\ncell: 1, 2\n```\n" + example +
                "```check\nask: a\nnumber: scores[1,2]\nhint: h\nright: r\n```\n",
            "the stage points at this number");
        const auto veil = [&](const std::string& lines) {
            return laboratory + "```veil\nask: a\n" + lines + "after: b\n```\n";
        };
        row("veil", veil("hide: weights[1]\npredict: shares\n"), "");
        row("given",
            laboratory + "```veil\nask: a\nhide: weights[1]\npredict: shares\nafter: \"{{given[2]:2}}\"\n```\n", "");
        row("shares of scores", veil("hide: scores[1]\npredict: shares\n"), "20: predict: shares takes a row");
        row("no row", veil("hide: weights[7]\npredict: cell\n"), "19: weights has 2 rows, not 7");
        row("no number", veil("hide: weights[1]\npredict: number\n"), "weights is named by [row,column]");
        row("no veil", "```veil\nask: a\nafter: b\n```\n", "10: the veil hides nothing");
        row("unknown kind", veil("hide: weights[1]\npredict: luck\n"),
            "20: predict: use one of shares, number, cell, curve");
        const std::string reach = "```stage\nview: cell\nmodel: vi-en-long-rnn\n```\n";  // lines 10 to 13
        const auto curve = [&](const std::string& lines) {
            return reach + "```veil\nask: a\nhide: gradient_reach[1]\npredict: curve\n" + lines + "```\n";
        };
        row("curve", curve("range: [1e-12, 1]\naxis: tens\nacross: back\nafter: \"{{distance[1]:2}}\"\n"), "");
        row("three distances", curve("range: [1e-12, 1]\naxis: tens\nacross: back\nafter: \"{{distance[4]}}\"\n"),
            "21: distance has 3 numbers, not 4");
        row("too low a curve", curve("range: [0, 0.5]\nacross: back\nafter: b\n"),
            "18: range: the engine's curve runs");
        row("no range", curve("across: back\nafter: b\n"), "14: a curve needs the ends of its axis");
        row("no power of ten", curve("range: [0, 1]\naxis: tens\nacross: back\nafter: b\n"), "both above 0");
        row("half a range", curve("range: 4\nacross: back\nafter: b\n"), "18: range: write the two ends");
        row("unknown axis", curve("range: [0, 1]\naxis: odd\nacross: back\nafter: b\n"),
            "19: axis: use one of even, tens");
        row("nothing across", curve("range: [0, 1]\nafter: b\n"), "a curve needs what is counted below it");
        row("a range of shares", veil("hide: weights[1]\npredict: shares\nrange: [0, 1]\n"),
            "21: only a veil that has a curve predicted has \"range\"");
        row("a curve that is elsewhere",
            "```stage\nview: query-key-value\nmodel: vi-en-long-rnn\n```\n"
            "```veil\nask: a\nhide: gradient_reach[1]\npredict: curve\nrange: [1e-12, 1]\naxis: tens\n"
            "across: back\nafter: b\n```\n",
            "hide: gradient_reach is drawn in the view cell");
        const auto hides = [&](const std::string& view, const std::string& number) {
            return "```stage\nview: " + view +
                   "\nsource: tôi đang học tiếng anh\n```\n```veil\nask: a\nhide: " + number +
                   "\npredict: number\nafter: b\n```\n";
        };
        const char* const elsewhere = "does not show it, or cannot hide it";
        row("of a sublayer", hides("residuals", "decoder.layers.0.residual1[3,20]"), "");
        row("of no sublayer", hides("residuals", "decoder.layers.0.ffn.hidden[3,20]"), elsewhere);
        row("of a network", hides("feed-forward", "decoder.layers.1.ffn.activation[3,12]"), "");
        row("of no network", hides("feed-forward", "decoder.layers.0.residual1[3,20]"), elsewhere);
        row("of a loss", hides("loss", "word_losses[3,1]"), "");
        row("of a share", hides("loss", "log_probs[3,9]"), "");
        row("of no loss", hides("loss", "decoder.layers.0.residual1[3,20]"), elsewhere);
        row("of the architecture", hides("architecture", "decoder.layers.0.self_attn.weights[2,1,1]"), "");
    }
    void anAnswerStandsNowhereBeforeItIsAsked_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const std::string& text, const char* expected) {
            QTest::newRow(name) << QString::fromStdString("## A\n" + text) << QString::fromUtf8(expected);
        };
        const std::string laboratory = "```stage\nview: query-key-value\n```\n" + example;  // lines 10 to 16
        const std::string veil = "```veil\nask: a\nhide: weights[1]\npredict: shares\nafter: b\n```\n";
        const std::string number = "```check\nask: a\nnumber: scores[1,2]\nhint: h\nright: r\n```\n";
        const char* const told = "the step \"A\" tells this number before it is asked for (line 17)";
        row("a veil's number in the words", laboratory + "It is {{weights[1,2]}}.\n\n## B\n" + veil, told);
        row("another row", laboratory + "It is {{weights[2,2]}}.\n\n## B\n" + veil, "");
        row("other scores", laboratory + "It is {{weights[1,2]}}.\n\n## B\n```stage\nsharpness: 0.5\n```\n" + veil, "");
        row("what nobody sees is asked",
            laboratory + "```check\nask: a\nnumber: weights[1,1]\nhint: h\nright: r\n```\n\n## B\n" + veil, told);
        row("a number in the words", laboratory + "It is {{scores[1,2]}}.\n\n## B\n" + number, told);
        row("its neighbour", laboratory + "It is {{scores[1,1]}}.\n\n## B\n" + number, "");
        row("pointed at",
            "```stage\nview: query-key-value\nfocus: scores\ncell: 1, 2\n```\n" + example +
                "\n## B\n```stage\ncell: 2, 2\n```\n" + number,
            "the stage of the step \"A\" shows this number before it is asked for");
        const std::string weights = "decoder.layers.0.cross_attn.weights";
        const auto traced = [&](const std::string& view) {
            return "```stage\nview: " + view + "\nfocus: " + weights + "\n```\n\n## B\n```stage\nview: values\n```\n" +
                   "```veil\nask: a\nhide: " + weights + "[1,1]\npredict: shares\nafter: b\n```\n";
        };
        row("a view that hides", traced("attention"), "");
        row("the architecture hides too", traced("architecture"), "");
        row("a view that hides nothing", traced("compare"), "the stage of the step \"A\" shows this number");
    }
    void anAnswerStandsNowhereBeforeItIsAsked() { mistakesAreNamed(); }

    void mistakesAreNamed() {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const QStringList found = conditionMistakes(text.toStdString());
        if (expected.isEmpty())
            QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
        else
            QVERIFY2(!found.filter(expected).isEmpty(), qPrintable(found.join(u'\n')));
    }
};

QTEST_APPLESS_MAIN(TestLessonConditions)
#include "test_lesson_conditions.moc"
