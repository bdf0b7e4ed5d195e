// SPDX-License-Identifier: GPL-3.0-or-later
// The lesson file: what is read of it, what is wrong in it and where, and what the engine says to its numbers.
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "core/data/evaluation.h"
#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/io/model_file.h"
#include "core/lessons/inline_markup.h"
#include "core/lessons/lesson_check.h"
#include "core/lessons/lesson_parser.h"
#include "tests/core/opened.h"
#include "tests/thread_time.h"

using namespace headlight;

namespace {

const std::string lessonsHead =
    "---\ntitle: T\nsummary: S\nminutes: 5\nneeds: []\nmodel: vi-en-transformer\nsources: [one, two]\n---\n";

/// "line: what" of each mistake.
QStringList mistakesOf(const std::string& text, bool withEngine = false) {
    std::vector<LessonMistake> mistakes;
    LessonFolder folder;
    folder.lessons.push_back(parseLesson(text, "x/en/03-gates.md", mistakes));
    folder.terms["en"]["query"] = "what a word asks";
    folder.mistakes = mistakes;
    if (withEngine)
        mistakes = checkLessons(folder, {fixture::openShipped, {HEADLIGHT_SOURCE_DIR "/resources/formulas"}, {}});
    QStringList lines;
    for (const LessonMistake& mistake : mistakes)
        lines << QStringLiteral("%1: %2").arg(mistake.line).arg(QString::fromStdString(mistake.what));
    return lines;
}

const std::string askedTwice =
    "```check\nask: a\nchoice: [x, y]\nanswer: 1\nhint: h\nright: r\n```\n"
    "```check\nask: a\nchoice: [x, y]\nanswer: 2\nhint: h\nright: r\n```\n"
    "```try\ndo: d\nwhen:\n  source: changed\n```\n";

}  // namespace

class TestLessons : public QObject {
    Q_OBJECT
private slots:
    void textThatIsNoUtf8IsNamedByItsLine() {
        const QString told =
            mistakesOf(lessonsHead + "\n## A\n```stage\nsource: t\xf4i y\xeau\n```\nb\xff\n\n" + askedTwice, true)
                .filter("UTF-8")
                .join("|");
        QCOMPARE(told, QStringLiteral("12: this line is not valid UTF-8: save the file as UTF-8|"
                                      "14: this line is not valid UTF-8: save the file as UTF-8"));
    }

    void aLessonIsReadAsItIsWritten() {
        std::vector<LessonMistake> mistakes;
        const Lesson lesson =
            parseLesson(lessonsHead +
                            "\n## One step\n\nText with $d_k$.\n\n$$ a\n= b $$\n\n```stage\nview: values\n"
                            "mute: [a.0, b.1]\ncell: 2, 3\n```\n\nMore.\n\n## Two\n\n" +
                            askedTwice,
                        "x/en/03-gates.md", mistakes);
        QVERIFY(mistakes.empty());
        QCOMPARE(lesson.language, std::string("en"));
        QCOMPARE(lesson.number, 3);
        QCOMPARE(lesson.slug, std::string("gates"));
        QCOMPARE(lesson.minutes, 5);
        QCOMPARE(lesson.sources.size(), size_t(2));
        QCOMPARE(lesson.steps.size(), size_t(2));
        QCOMPARE(lesson.steps[0].parts.size(), size_t(3));
        QCOMPARE(std::get<LessonProse>(lesson.steps[0].parts[0]).markdown, std::string("Text with $d_k$."));
        QCOMPARE(std::get<LessonFormula>(lesson.steps[0].parts[1]).tex, std::string("a\n= b"));
        QCOMPARE(lesson.steps[0].stage->at("mute"), std::string("a.0, b.1"));
        QVERIFY(lesson.stateAt(1).view == ViewName::Values);
        QCOMPARE(std::get<LessonCheck>(lesson.steps[1].parts[1]).rightChoice, 1);
    }

    void whatBelongsToOneStepDoesNotLiveOn() {
        std::vector<LessonMistake> mistakes;
        const Lesson lesson =
            parseLesson(lessonsHead +
                            "## A\n```stage\nview: train\ntrain: 20\nfocus: a.b\ncell: 1, 2\n```\n## B\n"
                            "```stage\nfocus: c.d\n```\n",
                        "x/en/03-gates.md", mistakes);
        const StageState second = lesson.stateAt(1);
        QCOMPARE(second.training.train, 0);
        QVERIFY(!second.cell.valid());
        QVERIFY(second.view == ViewName::Training);
    }

    void everyMistakeIsNamedWithItsLine_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const std::string& text, const char* expected) {
            QTest::newRow(name) << QString::fromStdString(text) << QString::fromUtf8(expected);
        };
        row("no head", "## A\n", "1: the file must begin with ---");
        row("open head", "---\ntitle: T\n", "1: the head is not closed");
        row("lacking", "---\ntitle: T\n---\n## A\n", "2: the head lacks \"summary\"");
        row("unknown head key",
            "---\ntitle: T\nsummary: S\nminute: 5\nminutes: 5\nneeds: []\nmodel: m\nsources: []\n---\n## A\n",
            "4: the head has no \"minute\"");
        row("bad minutes", "---\ntitle: T\nsummary: S\nminutes: soon\nneeds: []\nmodel: m\nsources: []\n---\n## A\n",
            "4: \"minutes\" is a whole number");
        row("no step", lessonsHead, "1: the lesson has no step");
        row("text before", lessonsHead + "Hello\n## A\n", "9: text before the first step");
        row("unknown block", lessonsHead + "## A\n\n```picture\n```\n", "11: there is no block \"picture\"");
        row("open block", lessonsHead + "## A\n```stage\nview: values\n", "10: the block \"stage\" is not closed");
        row("unknown view", lessonsHead + "## A\n```stage\nhead: 1\nview: atention\n```\n",
            "12: \"view: atention\": use one of lessons, architecture");
        row("unknown key", lessonsHead + "## A\n```stage\nfocuss: x\n```\n", "11: a stage block has no \"focuss\"");
        row("bad cell", lessonsHead + "## A\n```stage\ncell: 3\n```\n", "11: \"cell: 3\": give ROW, COLUMN");
        row("not YAML", lessonsHead + "## A\n```stage\nview: [\n```\n", "this is not YAML");
        row("two stages", lessonsHead + "## A\n```stage\nhead: 1\n```\n```stage\nhead: 2\n```\n",
            "13: the step has two stage blocks");
        row("ragged", lessonsHead + "## A\n```tensors\nQ: [[1, 2], [3]]\n```\n",
            "11: the rows of Q must be lists of one length");
        row("no number", lessonsHead + "## A\n```tensors\nQ: [[1, x]]\n```\n",
            "11: Q holds something that is no number");
        row("words", lessonsHead + "## A\n```tensors\nwords: [a]\nQ: [[1], [2]]\n```\n", "1 words for 2 rows");
        row("no kind", lessonsHead + "## A\n```check\nask: a\nhint: h\nright: r\n```\n",
            "10: a check is one of number, choice or cell");
        row("no hint", lessonsHead + "## A\n```check\nask: a\nright: r\ncell: a[1,2]\n```\n",
            "10: the check lacks \"hint\"");
        row("no right choice",
            lessonsHead + "## A\n```check\nask: a\nright: r\nhint: h\nchoice: [a, b]\nanswer: 3\n```\n",
            "10: say which choice is right: answer: 1 to 2");
        row("bad name", lessonsHead + "## A\n```check\nask: a\nright: r\nhint: h\nnumber: scores(3)\n```\n",
            "14: \"scores(3)\" is no number's name");
        row("bad condition", lessonsHead + "## A\n```try\ndo: d\nwhen:\n  heads: 3\n```\n",
            "a condition has no \"heads\"");
        row("no condition", lessonsHead + "## A\n```try\ndo: d\n```\n", "10: a try needs both");
        row("no output", lessonsHead + "## A\n```pytorch\ncode: a\n```\n",
            "10: pytorch needs both \"code\" and \"prints\"");
        row("unknown key of code", lessonsHead + "## A\n```pytorch\ncode: a\nprint: b\n```\n",
            "12: pytorch has \"code\"");
        row("open formula", lessonsHead + "## A\n$$ a\n", "10: the formula that begins here is not closed");
    }
    void everyMistakeIsNamedWithItsLine() {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const QStringList found = mistakesOf(text.toStdString());
        QVERIFY2(!found.filter(expected).isEmpty(), qPrintable(found.join(u'\n')));
    }

    void whatOnlyTheEngineKnowsIsNamedToo_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const std::string& text, const char* expected) {
            QTest::newRow(name) << QString::fromStdString(lessonsHead + "## A\n" + text + askedTwice)
                                << QString::fromUtf8(expected);
        };
        row("nothing wrong", "A [query](#query), {{encoder.input[1,2]}}.\n", "");
        row("focus", "```stage\nfocus: encoder.layers.7.norm1\n```\n",
            "11: focus: the trace of vi-en-transformer has no \"encoder.layers.7.norm1\"");
        row("cell", "```stage\nsource: tôi yêu bạn\nfocus: encoder.input\ncell: 4, 1\n```\n",
            "13: cell: encoder.input has 3 rows and 64 columns");
        row("head", "```stage\nhead: 9\n```\n", "11: head: vi-en-transformer has 8 heads");
        row("word", "```stage\nsource: tôi flieg bạn\n```\n", "11: source: vi-en-transformer does not know \"flieg\"");
        row("not recurrent", "```stage\nview: recurrent\n```\n", "11: view: vi-en-transformer is not recurrent");
        row("no lens", "```stage\nview: lens\nmodel: vi-en-gru\n```\n",
            "11: view: vi-en-gru has no layers that could say a word before the last");
        row("beside the lens", "```stage\nview: lens\nsource: tôi yêu bạn\nlens_cell: 8,1\n```\n",
            "13: lens_cell: the lens has 7 depths and 4 positions here");
        row("too many steps", "```stage\nview: recurrent\nmodel: vi-en-gru\nsource: tôi yêu bạn\nstep: 99\n```\n",
            "14: step: there are 7 steps here");
        row("layer", "```stage\nview: recurrent\nmodel: vi-en-gru\nlayer: 7\n```\n",
            "13: layer: vi-en-gru has 1 layer");
        row("no clicks",
            "```stage\nview: masks\n```\n```check\nask: a\ncell: encoder.input[1,1]\nhint: h\nright: r\n```\n",
            "15: cell: numbers can be clicked in architecture, values and attention");
        row("target", "```stage\nsource: tôi yêu bạn\ntarget: i luv you\n```\n",
            "12: target: vi-en-transformer does not know \"luv\"");
        row("muted", "```stage\nmute: decoder.layers.5.cross_attn.0\n```\n",
            "11: there is no head \"decoder.layers.5.cross_attn.0\"");
        row("model", "```stage\nmodel: big\n```\n", "11: there is no shipped model \"big\"");
        row("number", "Line one.\nSee {{encoder.input[1,99]}}.\n", "11: encoder.input has 64 columns, not 99");
        row("indices", "{{encoder.layers.0.self_attn.weights[1,2]}}\n",
            "10: encoder.layers.0.self_attn.weights is named by [head,row,column]");
        row("words that point", "[the cell](@encoder.input[1,2])\n", "");
        row("words that point nowhere", "[the cell](@encoder.input[1,99])\n",
            "10: encoder.input has 64 columns, not 99");
        row("words that point at no number", "[the cell](@encoder.input)\n",
            "10: the words point at \"@encoder.input\", which is no number's name");
        row("no such value", "{{nothing[1,2]}}\n", "10: there is no \"nothing\"");
        row("answer",
            "```check\nask: a\nnumber: scores[1,1]\nanswer: 0.9\nhint: h\nright: r\n```\n```tensors\nQ: [[0.3, "
            "0.5]]\n```\n",
            "13: the answer is given as 0.9000, and the engine says 0.2404");
        row("largest",
            "```check\nask: a\nchoice: [x, y]\nlargest: decoder.layers.0.cross_attn.weights[1,1]\nhint: h\nright: "
            "r\n```\n",
            "is not among the choices");
        row("code", "```pytorch\ncode: |\n  a\n  b\n\n  c\nprints: x {{encoder.input[1,2]}}\n```\n", "");
        row("short code", "```pytorch\ncode: |\n  a\n  b\n  c\nprints: x\n```\n", "11: the code has 3 lines: 4 to 14");
        row("wide code", "```pytorch\ncode: |\n  a\n  b\n  c\n  d" + std::string(88, 'x') + "\nprints: x\n```\n",
            "11: the code has a line of 89 characters");
        row("what code prints", "```pytorch\ncode: |\n  a\n  b\n  c\n  d\nprints: \"{{encoder.input[1,99]}}\"\n```\n",
            "16: encoder.input has 64 columns, not 99");
        row("term", "\nA [key](#key).\n", "11: the term \"#key\" is not explained");
        row("link", "A [lesson](nowhere).\n", "10: the link \"nowhere\" leads nowhere");
        row("picture", "One.\n\nAnd $\\mathfrak{q}^{17}$.\n", "12: $\\mathfrak{q}^{17}$ has no picture yet");
        row("braces", "$\\frac{a}{b$\n", "10: $\\frac{a}{b$: a brace is not closed");
    }
    void whatOnlyTheEngineKnowsIsNamedToo() {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const QStringList found = mistakesOf(text.toStdString(), true);
        if (expected.isEmpty())
            QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
        else
            QVERIFY2(!found.filter(expected).isEmpty(), qPrintable(found.join(u'\n')));
    }

    /// Whoever always takes the same place learns nothing, and is right no more often than by chance.
    void theRightAnswerStandsInEveryPlaceAlike() {
        std::array<int, 3> right{};
        int asked = 0;
        for (const Lesson& lesson : readLessonFolder(HEADLIGHT_SOURCE_DIR "/lessons").inLanguage("en"))
            for (const LessonStep& step : lesson.steps)
                for (const LessonPart& part : step.parts)
                    if (const auto* check = std::get_if<LessonCheck>(&part))
                        if (check->choices.size() == right.size() && check->answer) {
                            ++right.at(static_cast<size_t>(*check->answer) - 1);
                            ++asked;
                        }
        QVERIFY(asked > 100);
        for (const int count : right)
            QVERIFY2(count * 4 > asked && count * 5 < asked * 2,
                     qPrintable(QStringLiteral("%1 of %2 questions").arg(count).arg(asked)));
    }

    void theDecksNumbersComeOutOfTheLessonsThatShowThem() {
        const LessonFolder folder = readLessonFolder(HEADLIGHT_SOURCE_DIR "/lessons");
        LessonNumbers numbers(fixture::openShipped);
        const auto holds = [&](const char* slug, const std::vector<std::string>& shown) {
            const Lesson* lesson = folder.find(slug, "en");
            std::string all;
            for (size_t i = 0; i < lesson->steps.size(); ++i)
                for (const LessonPart& part : lesson->steps[i].parts) {
                    std::string text;
                    if (const auto* prose = std::get_if<LessonProse>(&part)) text = prose->markdown;
                    if (const auto* check = std::get_if<LessonCheck>(&part)) text = check->ask + check->right;
                    if (const auto* veil = std::get_if<LessonVeil>(&part)) text = veil->ask + veil->after;
                    all += numbers.filledIn(sceneOf(*lesson, i), text) + "\n";
                }
            for (const std::string& number : shown)
                QVERIFY2(all.find(number) != std::string::npos, (std::string(slug) + " lacks " + number).c_str());
        };
        // To four decimals; test_lessons_numbers compares all eight.
        holds("by-hand", {"0.195", "0.205", "0.260", "0.100", "0.240", "0.1987", "0.2007", "0.2120", "0.1807", "0.2078",
                          "0.2419", "0.4878", "0.3240", "0.2469", "0.1871", "0.1899", "0.2391", "0.1719", "0.2120"});
        holds("positions", {"0.841470", "0.540302", "0.157826", "0.987466", "0.025116", "−0.756802", "−0.653643",
                            "0.592337", "0.805689", "0.100306", "0.0753"});
        holds("masks", {"0.69", "0.31", "0.155", "0.381", "0.465", "0.090", "0.299", "0.544", "0.067", "0.210", "0.256",
                        "0.031", "0.190", "0.313"});
    }

    /// Python's minus is the keyboard's.
    void whatCodePrintsIsWrittenAsPythonWritesIt() {
        std::vector<LessonMistake> mistakes;
        const Lesson lesson = parseLesson(lessonsHead + "## A\n```tensors\nscores: [[-1, 2], [1, 3]]\n```\n",
                                          "x/en/03-gates.md", mistakes);
        QVERIFY(mistakes.empty());
        LessonNumbers numbers(fixture::openShipped);
        const std::string text = "[a](@scores[1,1]) {{scores[1,1]:2}} {{weights[1,2]:1}}";
        QCOMPARE(numbers.filledIn(sceneOf(lesson, 0), text, LessonNumbers::Form::Code),
                 std::string("[a](@scores[1,1]) -1.00 0.0"));
        QCOMPARE(numbers.filledIn(sceneOf(lesson, 0), text), std::string("a −1.00 0.0"));
    }

    /// A step that mutes heads speaks of the model without them.
    void numbersOfAStepAreThoseOfItsMutedHeads() {
        const std::string head2 = "decoder.layers.0.cross_attn.2",
                          number = "decoder.layers.1.cross_attn.weights[3,2,1]";
        std::vector<LessonMistake> mistakes;
        const Lesson lesson = parseLesson(lessonsHead + "## A\n{{" + number + ":6}}\n## B\n```stage\nmute: " + head2 +
                                              "\n```\n## C\n```stage\nmute: none\n```\n",
                                          "x/en/03-gates.md", mistakes);
        QVERIFY(mistakes.empty());
        LessonNumbers numbers(fixture::openShipped);
        const auto model = fixture::openShipped("vi-en-transformer");
        const auto expected = [&](const std::vector<std::string>& mute) {
            const Trace trace =
                traceSentence(*model, "tôi đang học tiếng anh", {}, parseMutedHeads(mute, *model->network));
            return static_cast<double>(trace.at("decoder.layers.1.cross_attn.weights").head(2)[5]);
        };
        const auto told = [&](size_t step) { return numbers.number(sceneOf(lesson, step), *parseNumberName(number)); };
        QVERIFY(expected({}) != expected({head2}));
        QCOMPARE(told(0), expected({}));
        QCOMPARE(told(1), expected({head2}));
        QCOMPARE(told(2), expected({}));
    }

    /// Numbers of matrices by hand are those of the stage, scaled or not, and by each way to score.
    void matricesByHandAreComputedAsTheStageShowsThem() {
        const std::string stage = "```stage\nview: query-key-value\n";
        std::vector<LessonMistake> mistakes;
        const Lesson lesson = parseLesson(
            lessonsHead + "## A\n" + stage +
                "```\n```tensors\nQ: [[2, 0], [0, 1]]\nK: [[1, 3], [2, 0]]\nV: " + "[[1, 0], [0, 1]]\n```\n## B\n" +
                stage + "scaled: off\n```\n## C\n" + stage + "scaled: on\nsharpness: 0.5\n```\n",
            "x/en/03-gates.md", mistakes);
        QVERIFY(mistakes.empty());
        LessonNumbers numbers(fixture::openShipped);
        const auto told = [&](size_t step, const char* name) {
            return numbers.number(sceneOf(lesson, step), *parseNumberName(name));
        };
        const auto isNear = [](double found, double expected) { return std::abs(found - expected) < 1e-6; };
        const double root = std::sqrt(2.0);
        QVERIFY(isNear(told(0, "scores[1,2]"), 4 / root));
        QVERIFY(isNear(told(1, "scores[1,2]"), 4));
        QVERIFY(isNear(told(2, "scores[1,2]"), 8 / root));
        QVERIFY(isNear(told(1, "weights[1,2]"), 1 / (1 + std::exp(-2.0))));
        // W moves a key's numbers on by one and adds half of each: (1, 3) becomes (3.5, 2.5).
        QVERIFY(isNear(told(0, "scores_dot[1,1]"), 2));
        QVERIFY(isNear(told(0, "scores_scaled[1,1]"), 2 / root));
        QVERIFY(isNear(told(0, "scores_general[1,1]"), 7));
        QVERIFY(isNear(told(0, "scores_additive[1,1]"), std::tanh(3.0) + std::tanh(3.0)));
        QVERIFY(isNear(told(0, "weights_dot[1,2]"), 1 / (1 + std::exp(-2.0))));
        QCOMPARE(told(0, "weights_scaled[2,1]"), told(0, "weights[2,1]"));
        const std::string learned =
            "{{score_parameters[1,1]:0}} {{score_parameters[2,1]:0}} "
            "{{score_parameters[3,1]:0}} {{score_parameters[4,1]:0}}";
        QCOMPARE(numbers.filledIn(sceneOf(lesson, 0), learned), std::string("0 0 4 10"));
    }

    /// n = 100, d = 1000, k = 3, and the translator of two LSTMs with one bias a gate and with two.
    void costsAreThoseOfTheStepsSizes() {
        LessonNumbers numbers(fixture::openShipped);
        const auto told = [&](const StageSetting& sizes, const std::string& text) {
            return numbers.filledIn({stageFrom(sizes), nullptr}, text);
        };
        const StageSetting small{{"cost_words", "100"}, {"cost_width", "1000"}},
            large{{"cost_words", "1000"}, {"cost_width", "1000"}};
        const std::string ways = "{{cost[1,1]:0}} {{cost[2,1]:0}} {{cost[3,1]:0}} {{cost[4,1]:0}} {{cost[5,1]:0}}";
        QCOMPARE(told(small, ways), std::string("100,000,000 300,000,000 10,000,000 410,000,000 420,000,000"));
        QCOMPARE(told(large, ways),
                 std::string("1,000,000,000 3,000,000,000 1,000,000,000 5,000,000,000 6,000,000,000"));
        QCOMPARE(told(small, "{{cost[1,2]:0}} {{cost[2,2]:0}} {{cost[1,3]:0}} {{cost[2,3]:0}} {{cost[3,3]:0}}"),
                 std::string("100 1 100 5 1"));
        const std::string parts =
            "{{parameters[1,1]:0}} {{parameters[3,1]:0}} {{parameters[4,1]:0}} {{parameters[5,1]:0}} "
            "{{parameters[6,1]:0}}";
        QCOMPARE(told({}, parts), std::string("3,211,000 7,251,200 467,968 9,317,792 20,715,928"));
        QCOMPARE(told({{"cost_biases", "2"}}, parts), std::string("3,211,000 7,251,200 468,992 9,317,792 20,717,976"));
    }

    void perplexityIsOfTheWordsThatFollow() {
        LessonNumbers numbers(fixture::openShipped);
        const StageState state = stageFrom({{"model", "stories-transformer"}, {"source", "anna laughed and her"}});
        const auto told = [&](const char* name) { return numbers.number({state, nullptr}, *parseNumberName(name)); };
        const auto model = fixture::openShipped("stories-transformer");
        const Trace trace = traceSentence(*model, state.source);
        const TraceRecord& logProbs = trace.at("log_probs");
        double loss = 0;
        for (size_t word = 1; word < trace.sourceTokens.size(); ++word) {
            const auto id = static_cast<size_t>(model->source->vocabulary().id(trace.sourceTokens[word]));
            const auto log = static_cast<double>(logProbs.values[(word - 1) * logProbs.shape[1] + id]);
            QCOMPARE(told(("word_probs[" + std::to_string(word) + ",1]").c_str()), std::exp(log));
            loss -= log / static_cast<double>(trace.sourceTokens.size() - 1);
        }
        QVERIFY(trace.sourceTokens.size() == 5);
        QVERIFY(std::abs(told("perplexity[1,1]") - std::exp(loss)) < 1e-9);
        QVERIFY(told("word_probs[4,1]") > 0.5);  // “her” after “anna laughed and”
        const Evaluation whole = evaluate(*model, findTask("stories").corpus().test);
        QVERIFY(std::abs(told("test_perplexity[1,1]") - whole.perplexity) < 1e-6);
        QVERIFY_EXCEPTION_THROWN(told("word_probs[5,1]"), Error);
        const StageState translator = stageFrom({{"model", "vi-en-transformer"}});
        QVERIFY(numbers.number({translator, nullptr}, *parseNumberName("perplexity[1,1]")) < 1.5);
        const StageState classifier = stageFrom({{"model", "sentiment-transformer"}});
        QVERIFY_EXCEPTION_THROWN(numbers.number({classifier, nullptr}, *parseNumberName("perplexity[1,1]")), Error);
    }

    void formulaNamesAreThoseOfTheScript() {
        // scripts/formulas.js has the same function; these are names of pictures that it wrote.
        const std::string folder = HEADLIGHT_SOURCE_DIR "/resources/formulas/";
        QVERIFY(std::filesystem::exists(folder + formulaName("d_k", false) + ".svg"));
        QVERIFY(!std::filesystem::exists(folder + formulaName("d_k ", false) + ".svg"));
        QCOMPARE(formulaName("", false).size(), size_t(16));
    }

    void aHostileFileCanDoNothingButFailToLoad() {
        std::vector<LessonMistake> mistakes;
        // A tower of aliases, deep nesting, endless lists, binary rubbish, unfinished everything.
        std::string tower = "a: &a [x, x, x, x, x, x, x, x, x]\n";
        for (char c = 'b'; c < 'k'; ++c)
            tower += std::string(1, c) + ": &" + c + " [" + "*" + char(c - 1) + ", *" + char(c - 1) + ", *" +
                     char(c - 1) + "]\n";
        parseLesson("---\n" + tower + "title: [*j, *j, *j]\n---\n## A\n", "en/01-a.md", mistakes);
        parseLesson(lessonsHead + "## A\n```stage\nview: " + std::string(100000, '[') + "\n```\n", "en/01-a.md",
                    mistakes);
        parseLesson(lessonsHead + "## A\n```tensors\nQ: [" + std::string(50000, '[') + "]\n```\n", "en/01-a.md",
                    mistakes);
        // A megabyte of one thing: nothing recurses by the letter, nothing takes the square of its length.
        const auto secondsForGiantsOf = [&](size_t size) {
            const auto repeated = [size](const std::string& piece) {
                std::string text;
                while (text.size() < size)
                    text += piece;
                return text;
            };
            return fixture::secondsFor([&] {
                for (const std::string& giant :
                     {repeated("]("), repeated("{{"), repeated("a\n"), "$$" + repeated("b\n"), repeated("[a](b "),
                      std::string(size, '['), std::string(size, '$'), std::string(size, '1'),
                      "[" + std::string(size, 'a') + "](b)"}) {
                    const Lesson lesson = parseLesson(
                        lessonsHead + "## A\n" + giant + "\n```stage\npenalty: " + giant.substr(0, 4000) + "\n```\n",
                        "en/01-a.md", mistakes);
                    lessonLinks(giant);
                    numberPlaces(giant);
                    inlineFormulas(giant);
                    parseNumberName(giant + "[1,2]");
                }
            });
        };
        const double eighth = secondsForGiantsOf(1 << 17), whole = secondsForGiantsOf(1 << 20);
        QVERIFY2(whole < 32 * eighth, qPrintable(QStringLiteral("%1 s, not %2 s").arg(whole).arg(eighth)));
        std::mt19937 random(5);
        for (int round = 0; round < 300; ++round) {
            std::string text = lessonsHead + "## A\n" + askedTwice + "$a$ {{b[1,2]}} [c](#d)\n";
            for (int change = 0; change < 6; ++change)
                text[random() % text.size()] = static_cast<char>(random());
            if (round % 3 == 0) text.resize(random() % text.size());
            const Lesson lesson = parseLesson(text, "en/01-a.md", mistakes);
            for (const LessonStep& step : lesson.steps)
                for (const LessonPart& part : step.parts)
                    if (const auto* prose = std::get_if<LessonProse>(&part)) {
                        inlineFormulas(prose->markdown);
                        numberPlaces(prose->markdown);
                        lessonLinks(prose->markdown);
                    }
        }
        QVERIFY(!mistakes.empty());
    }

    void linksAndGiantsAreNotRead() {
        QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString();
        std::filesystem::create_directories(root / "en");
        std::filesystem::create_symlink("/etc/passwd", root / "en/01-link.md");
        std::ofstream(root / "en/02-giant.md") << std::string(2 << 20, 'x');
        const LessonFolder read = readLessonFolder(root.string());
        QVERIFY(read.lessons.empty());
        QCOMPARE(read.mistakes.size(), size_t(2));
        QVERIFY_EXCEPTION_THROWN(readLessonFolder("/nowhere/at/all"), Error);
    }

    void numbersAreNamedAndWritten() {
        QVERIFY(!parseNumberName("scores"));
        QVERIFY(!parseNumberName("scores[]"));
        QVERIFY(!parseNumberName("scores[0,1]"));
        QVERIFY(!parseNumberName("[1]"));
        QCOMPARE(parseNumberName("a.b[3, 4]")->indices, (std::vector<int>{3, 4}));
        QCOMPARE(writtenNumber(-0.0004, 3), std::string("0.000"));
        QCOMPARE(writtenNumber(-1.25, 1), std::string("−1.2"));
        QCOMPARE(writtenNumber(1234.5, 1), std::string("1234.5"));
        QCOMPARE(writtenNumber(-1234567, 0), std::string("−1,234,567"));
        QCOMPARE(writtenNumber(999, 0), std::string("999"));
        QCOMPARE(numberPlaces("x {{ a[1,2]:5 }} y").front().decimals, 5);
    }

    void numbersAndWordsThatPointAtOneAreLinksWhereTheyCanBeFollowed() {
        const NumberName name{"decoder.attention.weights", {2, 14}};
        QCOMPARE(pointerTarget(name), std::string("@decoder.attention.weights/2/14"));
        QVERIFY(parsePointerTarget("@decoder.attention.weights/2/14") == name);
        for (const char* wrong :
             {"", "@", "@a", "@a/", "@a/0", "@a/1x", "@a/1/", "@/1", "a/1", "#a/1", "@a/99999999999"})
            QVERIFY2(!parsePointerTarget(wrong), wrong);
        const LessonTensors tensors{{"a", "b"}, {{"scores", {2, 2, {1, 9, 1, 1}}}}};
        const LessonScene scene{{}, &tensors};
        LessonNumbers numbers(fixture::openShipped);
        const std::string text =
            "[Half](@weights[2,1]) is {{weights[2,1]:2}}; [all of {{weights[1,1]:0}}](masks), [nobody](@a).";
        QCOMPARE(numbers.filledIn(scene, text), std::string("Half is 0.50; [all of 1](masks), nobody."));
        QCOMPARE(numbers.filledIn(scene, text, LessonNumbers::Form::Pointing),
                 std::string("[Half](@weights/2/1) is [0.50](@weights/2/1); [all of 1](masks), nobody."));
        QCOMPARE(withoutNumbers(text), std::string("Half is …; [all of …](masks), nobody."));
    }
};

QTEST_GUILESS_MAIN(TestLessons)
#include "test_lessons.moc"
