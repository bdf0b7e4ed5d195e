// SPDX-License-Identifier: GPL-3.0-or-later
// What a step's words rely on (`holds:`): how it is written, and that it is held against the engine.
#include <QTest>
#include <cmath>

#include "core/data/evaluation.h"
#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/lessons/claim_values.h"
#include "core/lessons/lesson_check.h"
#include "core/lessons/lesson_parser.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

const std::string claimsHead =
    "---\ntitle: T\nsummary: S\nminutes: 5\nneeds: []\nmodel: vi-en-transformer\nsources: [one]\n---\n";

/// Of a step whose stage block ends in these lines, "line: what" of each mistake that is about them.
QStringList claimMistakes(const std::string& claims, const std::string& more = {}) {
    LessonFolder folder;
    folder.lessons.push_back(
        parseLesson(claimsHead + "## First\n```stage\nview: loss\nsource: tôi yêu bạn\n" + claims + "```\n" + more,
                    "x/en/03-gates.md", folder.mistakes));
    QStringList lines;
    for (const LessonMistake& mistake :
         checkLessons(folder, {fixture::openShipped, {HEADLIGHT_SOURCE_DIR "/resources/formulas"}, {}}))
        if (mistake.line > 1)
            lines << QStringLiteral("%1: %2").arg(mistake.line).arg(QString::fromStdString(mistake.what));
    return lines;
}

std::string why(const std::string& claim, const std::string& model = "vi-en-transformer",
                const std::string& source = "tôi yêu bạn") {
    LessonNumbers numbers(fixture::openShipped);
    LessonScene scene;
    scene.state.model = model;
    scene.state.source = source;
    return whyNotHeld(parseClaim(claim), scene, numbers);
}

}  // namespace

class TestLessonClaims : public QObject {
    Q_OBJECT
private slots:
    void aStepsClaimIsHeldAgainstTheEngine() {
        const std::shared_ptr<const TrainedModel> model = fixture::openShipped("vi-en-transformer");
        const Trace trace = traceSentence(*model, "tôi yêu bạn");
        const double first = numberIn(trace, *model, {"log_probs", {1, 5}});
        QVERIFY(first < 0);
        QCOMPARE(claimMistakes("holds: log_probs[1,5] < 0\n"), QStringList());
        const QStringList told = claimMistakes("holds:\n  - log_probs[1,5] < 0\n  - log_probs[1,5] > 0\n");
        QCOMPARE(told.size(), 1);
        QVERIFY2(told[0].startsWith("15: step 1, \"First\": what its words rely on is not so: log_probs[1,5] > 0 does "
                                    "not hold; log_probs[1,5] is -"),
                 qPrintable(told[0]));
    }

    void anotherSeedsModelBreaksTheClaimAndNotTheLesson() {
        const std::string claim = "translation = \"i love you\"";
        QCOMPARE(why(claim), std::string());
        const std::string broken = why(claim, "vi-en-no-residuals", "cô ấy có hai con mèo trắng");
        QVERIFY2(broken.find("does not hold; translation is \"") != std::string::npos, broken.c_str());
    }

    void functionsOfRowsAreThoseOfTheRow() {
        LessonNumbers numbers(fixture::openShipped);
        LessonScene scene;
        scene.state.model = "vi-en-transformer";
        scene.state.source = "tôi yêu bạn";
        const NumberName name{"encoder.layers.0.self_attn.weights", {1, 2}};
        const std::vector<double> row = numbers.row(scene, name);
        const auto held = [&](const std::string& claim) {
            return whyNotHeld(parseClaim(claim), scene, numbers).empty();
        };
        const std::string w = "encoder.layers.0.self_attn.weights[1,2]", o = "encoder.output";
        const auto most = static_cast<int>(std::ranges::max_element(row) - row.begin()) + 1;
        QVERIFY(held("abs(sum(" + w + ") - 1) < 1e-5"));
        QVERIFY(held("largest(" + w + ") >= smallest(" + w + ") and place(" + w + ") = " + std::to_string(most)));
        QVERIFY(held("rank(encoder.layers.0.self_attn.weights[1,2," + std::to_string(most) + "]) = 1"));
        QVERIFY(held("abs(mean(" + w + ") - 1 / " + std::to_string(row.size()) + ") < 1e-5"));
        QVERIFY(held("entropy(" + w + ") > 0 and entropy(" + w + ") < ln(" + std::to_string(row.size()) + ")"));
        QVERIFY(held("distance(" + o + "[1], " + o + "[1]) = 0 and distance(" + o + "[1], " + o + "[2]) > 0"));
        QVERIFY(held("abs(cosine(" + o + "[1], " + o + "[1]) - 1) < 1e-9 and norm(" + o + "[1]) > 0"));
        QVERIFY(!held("rank(encoder.layers.0.self_attn.weights[1,2," + std::to_string(most) + "]) = 2"));
    }

    void theTestSetIsReadWhole() {
        LessonNumbers numbers(fixture::openShipped);
        LessonScene scene;
        scene.state.model = "vi-en-gru";
        const auto model = fixture::openShipped("vi-en-gru");
        const Evaluation by = evaluate(*model, taskOf(model->training)->corpus().test);
        QCOMPARE(numbers.number(scene, {"test_bleu", {1, 1}}), *by.bleu);
        QVERIFY(std::abs(numbers.number(scene, {"test_loss", {1, 1}}) - by.loss) < 1e-9);
        QVERIFY(std::abs(numbers.number(scene, {"test_perplexity", {1, 1}}) - by.perplexity) < 1e-6);
        QCOMPARE(whyNotHeld(parseClaim("test_bleu[1,1] < test_bleu[1,1]{model=vi-en-transformer}"), scene, numbers),
                 std::string());
    }

    void aTermMayStandOnAnotherStage() {
        QCOMPARE(why("translation{model=vi-en-gru} != translation{source=mẹ tôi đang nấu cơm}"), std::string());
        QCOMPARE(why("hypotheses[1,1]{beam=4} >= hypotheses[1,1]{beam=1}"), std::string());
        QCOMPARE(why("beam{beam=4} = 4 and translation has \"love\""), std::string());
        // A muted head is another reading.
        QCOMPARE(why("word(log_probs[1]) = \"i\" and log_probs[1,5] != "
                     "log_probs[1,5]{mute=encoder.layers.0.self_attn.0}"),
                 std::string());
    }

    void whatIsNoClaimIsSaidWithItsLine_data() {
        QTest::addColumn<QString>("claim");
        QTest::addColumn<QString>("told");
        const auto row = [](const char* name, const char* claim, const char* told) {
            QTest::newRow(name) << QString(claim) << QString(told);
        };
        row("nothing compared", "holds: log_probs[1,5]\n", "13: holds: \"log_probs[1,5]\" compares nothing");
        row("no such value", "holds: nothing[1,1] > 2\n", "13: there is no \"nothing\"");
        row("no name", "holds: much > 2\n", "13: holds: \"much\" is no number's name");
        row("a row too few", "holds: cosine(log_probs[1]) > 2\n", "13: holds: cosine is of two rows");
        row("a formula", "holds: log_probs[1,1] > > 2\n", "13: holds: \"log_probs[1,1] > > 2\": ");
        row("no key", "holds: log_probs[1,1]{colour=red} > 2\n", "13: holds: colour: ");
        row("numbers alone", "holds: 1 < 2\n", "13: holds: \"1 < 2\" names no value of the engine");
        row("words and no quote", "holds: translation = i love you\n", "13: holds: \"i love you\" are no words");
        row("braces inside", "holds: word(log_probs[2]{beam=2}) = \"a\"\n",
            "13: holds: write word(NAME[row]), and what");
        row("an open brace", "holds: log_probs[1,1]{beam=2 > 2\n", "13: holds: a brace is not closed");
        row("rows that differ", "holds: distance(log_probs[1], encoder.output[1]) > 2\n",
            "13: distance(log_probs[1], encoder.output[1]): the two rows are not of one length");
    }
    void whatIsNoClaimIsSaidWithItsLine() {
        QFETCH(QString, claim);
        QFETCH(QString, told);
        const QStringList lines = claimMistakes(claim.toStdString());
        QVERIFY2(lines.join('|').contains(told), qPrintable(lines.join('|')));
    }

    /// What the stage shows is met by numbers that it has computed: no other sentence is read for a `try`.
    void aTryWaitsForNumbersOfItsOwnStage() {
        QVERIFY(!whyWrongCondition("holds", "largest(weights[1]) > 0.5").empty());
        QVERIFY(!whyWrongCondition("holds", "weights[1,1]{beam=2} > 0.5").empty());
        QVERIFY(!whyWrongCondition("holds", "translation = \"a\"").empty());
        QCOMPARE(whyWrongCondition("holds", "weights[1,1] > 2 * weights[1,2] and beam > 1"), std::string());
    }
};

QTEST_APPLESS_MAIN(TestLessonClaims)
#include "test_lesson_claims.moc"
