// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that a lesson names and no trace holds: a search's, merges', a score's, a loss's.
#include <QTest>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/cell_figures.h"
#include "core/io/model_file.h"
#include "core/lessons/lesson_numbers.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

/// Numbers of a stage by their names.
struct Told {
    explicit Told(const StageSetting& setting) : scene{stageFrom(setting), nullptr} {}
    double operator()(const char* name) { return numbers.number(scene, *parseNumberName(name)); }
    LessonNumbers numbers{fixture::openShipped};
    LessonScene scene;
};

bool isNear(double value, double wanted, double tolerance = 1e-6) {
    return std::abs(value - wanted) < tolerance;
}

}  // namespace

class TestLessonFigures : public QObject {
    Q_OBJECT
private slots:
    /// The example of Sennrich, Haddow, Birch 2016: low 5, lower 2, newest 6, widest 3. s and t at the end, e before
    /// them, l and o, and w before est: 79 pieces at first, and each merge takes away as many as it counts.
    void mergesAreCounted() {
        std::string text;
        for (const auto& [word, count] : {std::pair("low ", 5), {"lower ", 2}, {"newest ", 6}, {"widest ", 3}})
            for (int i = 0; i < count; ++i)
                text += word;
        Told told({{"model", "vi-en-transformer"}, {"own_text", text}, {"merges", "4"}});
        const double counts[] = {9, 9, 7, 6}, pieces[] = {70, 61, 54, 48};
        for (int merge = 1; merge <= 4; ++merge) {
            const std::string row = "merges[" + std::to_string(merge);
            QCOMPARE(told((row + ",1]").c_str()), counts[merge - 1]);
            QCOMPARE(told((row + ",2]").c_str()), pieces[merge - 1]);
        }
        QVERIFY_EXCEPTION_THROWN(told("merges[5,1]"), Error);
        // Another step, another text.
        told.scene.state.subwords.ownText = "aa aa";
        told.scene.state.subwords.merges = 1;
        QCOMPARE(told("merges[1,1]"), 2.0);
    }

    /// Up to 0.003 in 200 steps, then half a cosine down to 0 at the last: 1,500 where no setting says otherwise.
    void theRateOfARunIsItsSchedules() {
        Told told(StageSetting{{"model", "vi-en-transformer"}});
        QVERIFY(isNear(told("learning_rate[1,1]"), 0.003 / 200, 1e-9));
        QVERIFY(isNear(told("learning_rate[1,51]"), 0, 1e-9));
        const std::vector<double> steps = told.numbers.columnPlaces(told.scene, "learning_rate");
        QCOMPARE(steps.size(), size_t(51));
        QVERIFY(steps[0] == 1 && steps[1] == 30 && steps[50] == 1500);
        const double share = (600.0 - 200) / (1500 - 200);
        QVERIFY(isNear(told("learning_rate[1,21]"), 0.0015 * (1 + std::cos(std::numbers::pi * share)), 1e-9));
        told.scene.state.training.settings = {"steps=500", "schedule=constant", "warmup_steps=0", "learning_rate=x2"};
        QVERIFY(isNear(told("learning_rate[1,30]"), 0.002, 1e-9));
    }

    /// All of it at the last word, and less at each word before: the engine's own walk back through the test sentences.
    void theReachOfAGradientIsTheCells() {
        Told told(StageSetting{{"model", "vi-en-long-rnn"}});
        const std::vector<double> shares = told.numbers.row(told.scene, {"gradient_reach", {1}});
        const std::vector<double> back = told.numbers.columnPlaces(told.scene, "gradient_reach");
        const auto model = fixture::openShipped("vi-en-long-rnn");
        const GradientReach reach =
            gradientReach(*model, taskOf(model->training)->corpus().test, {Stack::Encoder, 0}, kLongestFollowed);
        QCOMPARE(shares, reach.share);
        QVERIFY(shares[0] == 1 && shares.back() < 1e-3 && back[0] == 0 && back.size() == shares.size());
        told.scene.state.model = "vi-en-transformer";
        QVERIFY_EXCEPTION_THROWN(told("gradient_reach[1,1]"), Error);
    }

    /// A right translation of three words: three words, two pairs and a three are found. There are no four in a row,
    /// so that with fours it scores 0.
    void ngramsAreThoseOfTheModelsTranslation() {
        const StageSetting right{{"model", "vi-en-fed-truth"}, {"source", "họ hiểu tiếng việt"}, {"ngram", "3"}};
        Told told(right);
        for (const char* name : {"ngrams[1,1]", "ngrams[1,2]"})
            QCOMPARE(told(name), 3.0);
        QCOMPARE(told("ngrams[2,1]"), 2.0);
        QCOMPARE(told("ngrams[3,1]"), 1.0);
        QVERIFY(isNear(told("bleu[1,1]"), 100));
        told.scene.state.bleu.ngram = 4;
        QCOMPARE(told("bleu[1,1]"), 0.0);
        QVERIFY_EXCEPTION_THROWN(told("ngrams[5,1]"), Error);
        Told other({{"model", "vi-en-fed-truth"}, {"source", "tôi hiểu"}, {"ngram", "2"}});
        QVERIFY_EXCEPTION_THROWN(other("bleu[1,1]"), Error);  // none of the task's sentences
        const std::string written = respond(*fixture::openShipped("vi-en-fed-truth"), "tôi hiểu").text;
        other.scene.state.bleu.references = {written};
        QVERIFY(isNear(other("bleu[1,1]"), 100));
        other.scene.state.bleu.references = {"not " + written + " at all"};
        // Everything is found, and the reference is three words longer.
        const auto length = other("ngrams[1,2]");
        QVERIFY(isNear(other("bleu[1,1]"), 100 * std::exp(1 - (length + 3) / length)));
    }

    /// The greedy sentence's log P is the sum over its words; a beam of two finds one that is no worse.
    void hypothesesAreTheSearchs() {
        const char* source = "ngày mai chúng tôi sẽ học bài ở nhật bản";
        Told told({{"model", "vi-en-transformer"}, {"source", source}, {"beam", "1"}, {"scoring", "none"}});
        const double greedy = told("hypotheses[1,1]");
        QCOMPARE(told("hypotheses[1,2]"), greedy);
        QVERIFY_EXCEPTION_THROWN(told("hypotheses[2,1]"), Error);
        double log = 0;
        for (int word = 1; word <= 8; ++word)
            log += std::log(told(("word_probs[" + std::to_string(word) + ",1]").c_str()));
        QVERIFY(isNear(greedy, log + told("log_probs[9,\"<eos>\"]"), 1e-4));
        told.scene.state.decode.beam = 2;
        QVERIFY(told("hypotheses[1,1]") > greedy);
        QVERIFY(isNear(told("hypotheses[2,1]"), greedy, 1e-4));
        told.scene.state.decode.scoring = DecodeOptions::Scoring::Gnmt;
        told.scene.state.decode.penalty = 1;
        QVERIFY(isNear(told("hypotheses[1,2]"), told("hypotheses[1,1]") / ((5 + 8) / 6.0)));  // seven words and <eos>
        Told classifier({{"model", "sentiment-transformer"}, {"source", "emma is rude"}});
        QVERIFY_EXCEPTION_THROWN(classifier("hypotheses[1,1]"), Error);
    }

    /// −log p; and with ε a share ε/V of every word's −log p beside it.
    void lossesAreOfTheTargetsWords() {
        Told told({{"model", "vi-en-transformer"},
                   {"source", "tôi yêu bạn"},
                   {"target", "i love you"},
                   {"smoothing", "0.1"}});
        const std::vector<double> all = told.numbers.row(told.scene, *parseNumberName("log_probs[2]"));
        double sum = 0;
        for (const double logProb : all)
            sum -= logProb;
        const double plain = -told("log_probs[2,\"love\"]");
        QVERIFY(isNear(told("word_losses[2,1]"), plain, 1e-5));
        QVERIFY(isNear(told("word_losses[2,2]"), 0.9 * plain + 0.1 * sum / static_cast<double>(all.size()), 1e-5));
        QVERIFY(isNear(told("word_losses[4,1]"), -told("log_probs[4,\"<eos>\"]"), 1e-5));
        QVERIFY_EXCEPTION_THROWN(told("word_losses[5,1]"), Error);
        double mean = 0;
        for (const char* name : {"word_losses[1,2]", "word_losses[2,2]", "word_losses[3,2]", "word_losses[4,2]"})
            mean += told(name) / 4;
        QVERIFY(isNear(told("sentence_loss[1,2]"), mean));
    }
};

QTEST_APPLESS_MAIN(TestLessonFigures)
#include "test_lesson_figures.moc"
