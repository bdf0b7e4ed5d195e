// SPDX-License-Identifier: GPL-3.0-or-later
// What heads are found to look at, on matrices that were made to do it.
#include <QTest>
#include <cmath>
#include <limits>

#include "core/experiment/head_habits.h"

using namespace headlight;

namespace {

using Rows = std::vector<std::vector<float>>;

enum class Sees { All, Before };

/// A trace of one block of one head.
struct Made {
    Trace trace;
    std::vector<float> head;

    Made(const std::vector<std::string>& words, const Rows& rows, Sees sees = Sees::All,
         AttentionOver over = AttentionOver::Itself) {
        trace.sourceTokens = words;
        const int columns = static_cast<int>(words.size());
        const int count = static_cast<int>(rows.size());
        for (const std::vector<float>& row : rows)
            head.insert(head.end(), row.begin(), row.end());
        const auto module = std::make_shared<const Module>(
            Module{.kind = ModuleKind::Attention, .scope = "layers.0.self_attn", .over = over});
        const auto record = [&](const char* part, Part which, std::vector<int> shape) {
            TraceRecord made;
            made.name = module->scope + part;
            made.module = module;
            made.part = which;
            made.shape = std::move(shape);
            return made;
        };
        TraceRecord mask = record(".mask", Part::Mask, {count, columns});
        for (int row = 0; row < count; ++row)
            for (int column = 0; column < columns; ++column)
                mask.values.push_back(sees == Sees::Before && column > row ? -std::numeric_limits<float>::infinity()
                                                                           : 0.0F);
        trace.append(std::move(mask));
        TraceRecord weights = record(".weights", Part::Weights, {1, count, columns});
        weights.values = head;
        trace.append(std::move(weights));
    }
    HabitPlaces places(const GoldLinks& gold = {}) const { return {trace, trace.records().back(), gold}; }
    HeadFacts facts(FirstWord first = FirstWord::Kept, const GoldLinks& gold = {}) const {
        return places(gold).read(head, first).facts();
    }
};

bool closeTo(double a, double b) {
    return std::abs(a - b) < 1e-6;
}

const std::vector<std::string> kWords = {"a", "b", "c", "d"};
const Rows kSink = {{1, 0, 0, 0}, {1, 0, 0, 0}, {.9f, .1f, 0, 0}, {.8f, .1f, .1f, 0}};

}  // namespace

class TestHeadHabits : public QObject {
    Q_OBJECT
private slots:
    void theWordsBesideAreFound() {
        const HeadFacts back =
            Made(kWords, {{1, 0, 0, 0}, {.9f, .1f, 0, 0}, {0, .8f, .2f, 0}, {0, .1f, .7f, .2f}}, Sees::Before).facts();
        QCOMPARE(back.habit, HeadHabit::Previous);
        QVERIFY(closeTo(back.share, (0.9 + 0.8 + 0.7) / 3));
        QVERIFY(closeTo(back.distance, (0.9 + 0.8 + (0.2 + 0.7)) / 4));
        QVERIFY(closeTo(back.first, 0.9 / 3));

        const HeadFacts on = Made(kWords, {{0, 1, 0, 0}, {0, .5f, .5f, 0}, {0, 0, .2f, .8f}, {0, 0, 0, 1}}).facts();
        QCOMPARE(on.habit, HeadHabit::Next);
        QVERIFY(closeTo(on.share, (1 + .5 + .8) / 3));

        const HeadFacts own =
            Made(kWords, {{.6f, .4f, 0, 0}, {0, .6f, .4f, 0}, {0, 0, .7f, .3f}, {.5f, 0, 0, .5f}}).facts();
        QCOMPARE(own.habit, HeadHabit::Itself);
        QVERIFY(closeTo(own.share, 2.4 / 4));
    }

    void theFirstWordIsOneOfThoseBehindTheSecond() {
        const HeadFacts facts = Made(kWords, kSink, Sees::Before).facts();
        QCOMPARE(facts.habit, HeadHabit::First);
        QVERIFY(closeTo(facts.share, (0.9 + 0.8) / 2));
        QVERIFY(closeTo(facts.first, (1 + 0.9 + 0.8) / 3));
    }

    void theSameWordAndWhatFollowedItAreFound() {
        // Rows:                 x        y             x                    y
        const std::vector<std::string> words = {"x", "y", "z", "x", "y"};
        const Rows same = {
            {1, 0, 0, 0, 0}, {.5f, .5f, 0, 0, 0}, {.3f, .3f, .4f, 0, 0}, {.9f, 0, .1f, 0, 0}, {0, .5f, .2f, .2f, .1f}};
        const HeadFacts before = Made(words, same, Sees::Before).facts();
        QCOMPARE(before.habit, HeadHabit::SameWord);
        QVERIFY(closeTo(before.share, (0.9 + 0.5) / 2));

        const Rows after = {
            {1, 0, 0, 0, 0}, {.5f, .5f, 0, 0, 0}, {.3f, .3f, .4f, 0, 0}, {.1f, .8f, .1f, 0, 0}, {0, 0, .6f, .2f, .2f}};
        const HeadFacts induction = Made(words, after, Sees::Before).facts();
        QCOMPARE(induction.habit, HeadHabit::AfterSame);
        QVERIFY(closeTo(induction.share, (0.8 + 0.6) / 2));
    }

    void whatFollowsTheSameWordFurtherOnIsNoInduction() {
        // An encoder may look there: the first "a" at what stands behind the second.
        const Rows rows = {{0, 0, 0, .9f, .1f},
                           {.2f, .2f, .2f, .2f, .2f},
                           {.3f, .5f, 0, 0, .2f},
                           {.2f, .2f, .2f, .2f, .2f},
                           {.2f, .2f, .2f, .2f, .2f}};
        QCOMPARE(Made({"a", "b", "a", "c", "d"}, rows).facts().habit, HeadHabit::AfterSame);
        const Rows further = {{0, 0, 0, .9f, .1f},
                              {.2f, .2f, .2f, .2f, .2f},
                              {.3f, .1f, .2f, .2f, .2f},
                              {.2f, .2f, .2f, .2f, .2f},
                              {.2f, .2f, .2f, .2f, .2f}};
        QVERIFY(Made({"a", "b", "a", "c", "d"}, further).facts().habit != HeadHabit::AfterSame);
    }

    void whatFollowedAMarkIsNoInduction() {
        const Rows rows = {{1, 0, 0, 0}, {.5f, .5f, 0, 0}, {.2f, .4f, .4f, 0}, {0, 0, .9f, .1f}};
        // Only the second full stop follows an equal word; it is a mark, so the head looks at the previous word alone.
        const HeadFacts facts = Made({"a", ".", "b", "."}, rows, Sees::Before).facts();
        QCOMPARE(facts.habit, HeadHabit::Previous);
    }

    void marksAndSeparatorsAreFoundInAnyVocabularysSpelling() {
        const Rows rows = {{.1f, .8f, .1f, 0}, {.3f, .3f, .4f, 0}, {.1f, .5f, .2f, .2f}, {0, .9f, 0, .1f}};
        for (const char* mark : {",", "Ġ,", "▁.", "##)", "[SEP]", "</s>", "<eos>"}) {
            const HeadFacts facts = Made({"a", mark, "c", "d"}, rows).facts();
            QCOMPARE(facts.habit, HeadHabit::Punctuation);
            QVERIFY(closeTo(facts.share, (0.8 + 0.5 + 0.9) / 3));
        }
        QVERIFY(Made({"a", "b", "c", "d"}, rows).facts().habit != HeadHabit::Punctuation);
        QVERIFY(!isPunctuation("a.") && !isPunctuation("") && !isPunctuation("▁") && isPunctuation("…"));
    }

    void alignmentCountsTheWordsThatGoldLinks() {
        const Made made(kWords, {{.9f, .1f, 0, 0}, {.1f, .2f, .7f, 0}, {.1f, .7f, .2f, 0}, {.7f, .1f, .1f, .1f}},
                        Sees::All, AttentionOver::Memory);
        // Word 3 has no link and does not count; of the others, two of three are hit.
        const HeadFacts facts = made.facts(FirstWord::Kept, {{0, 0}, {2, 1}, {3, 2}});
        QCOMPARE(facts.habit, HeadHabit::Alignment);
        QVERIFY(closeTo(facts.share, 2.0 / 3));
        QCOMPARE(facts.distance, 0.0);
        QVERIFY(made.facts().habit != HeadHabit::Alignment);
    }

    void everythingALittleIsByTheEntropyOfWhatMayBeSeen() {
        const HeadFacts broad = Made(kWords, Rows(4, std::vector<float>(4, .25f))).facts();
        QCOMPARE(broad.habit, HeadHabit::Broad);
        QVERIFY(closeTo(broad.entropy, 2) && closeTo(broad.mostEntropy, 2) && closeTo(broad.share, 1));

        const float third = 1 / 3.0F;
        const HeadFacts causal = Made({"a", "b", "c", "d", "e", "f"},
                                      {{1, 0, 0, 0, 0, 0},
                                       {.5f, .5f, 0, 0, 0, 0},
                                       {third, third, third, 0, 0, 0},
                                       {.25f, .25f, .25f, .25f, 0, 0},
                                       {.2f, .2f, .2f, .2f, .2f, 0},
                                       {.2f, .2f, .2f, .2f, .1f, .1f}},
                                      Sees::Before)
                                     .facts();
        QCOMPARE(causal.habit, HeadHabit::Broad);
        // The first row can look nowhere else: it counts for the entropy and not for the share of it.
        const double last = -(4 * .2 * std::log2(.2) + 2 * .1 * std::log2(.1));
        QVERIFY(closeTo(causal.relativeEntropy, (4 + last / std::log2(6)) / 5));
        QVERIFY(closeTo(causal.mostEntropy, (0 + 1 + std::log2(3) + 2 + std::log2(5) + std::log2(6)) / 6));
    }

    void aHeadMayHaveNoHabit() {
        const HeadFacts none =
            Made({"a", "b", "c", "d", "e"},
                 {{.1f, 0, .9f, 0, 0}, {0, .1f, 0, .9f, 0}, {.1f, 0, 0, 0, .9f}, {0, .9f, 0, .1f, 0}, {0, 0, 1, 0, 0}})
                .facts();
        QCOMPARE(none.habit, HeadHabit::None);
        QCOMPARE(none.share, 0.0);
    }

    void withoutTheFirstWordARowIsWhatIsLeftOfIt() {
        const std::vector<float> left =
            withoutFirstWord(std::vector<float>{.5f, .25f, .25f, .96f, .04f, 0, 0, .3f, .7f}, 3);
        QCOMPARE(left, (std::vector<float>{0, .5f, .5f, 0, 0, 0, 0, .3f, .7f}));
    }

    void behindASinkAHabitAppears() {
        const Rows rows = {{1, 0, 0, 0, 0},
                           {.9f, .1f, 0, 0, 0},
                           {.9f, .08f, .02f, 0, 0},
                           {.8f, .02f, .16f, .02f, 0},
                           {.9f, 0, 0, .1f, 0}};
        const Made made({"a", "b", "c", "d", "e"}, rows, Sees::Before);
        QCOMPARE(made.facts().habit, HeadHabit::First);
        const HeadFacts left = made.facts(FirstWord::LeftOut);
        QCOMPARE(left.habit, HeadHabit::Previous);
        // Row 1 can look at nothing but itself and the first word, row 2 looks back with .08 of .1.
        QVERIFY(std::abs(left.share - (.8 + .8 + 1) / 3) < 1e-5);
        // What a head does as a whole stays as it is.
        QVERIFY(closeTo(left.first, made.facts().first) && closeTo(left.entropy, made.facts().entropy));
    }

    void whereNothingIsLeftTheFirstWordIsTheHabit() {
        const Rows rows = {{1, 0, 0, 0}, {.99f, .01f, 0, 0}, {.98f, .01f, .01f, 0}, {.97f, .01f, .01f, .01f}};
        const HeadFacts facts = Made(kWords, rows, Sees::Before).facts(FirstWord::LeftOut);
        QCOMPARE(facts.habit, HeadHabit::First);
        QVERIFY(closeTo(facts.share, 1));
    }

    void talliesOfSeveralTextsAddUpByTheirRows() {
        const Made one({"a", "b"}, {{.2f, .8f}, {.6f, .4f}});
        const Made other({"a", "b", "c"}, {{0, 1, 0}, {0, 0, 1}, {0, 1, 0}});
        HabitTally sum = one.places().read(one.head);
        sum += other.places().read(other.head);
        const auto next = static_cast<size_t>(HeadHabit::Next);
        QCOMPARE(sum.habits[next].rows, 3L);
        QVERIFY(closeTo(sum.habits[next].value(), (.8 + 1 + 1) / 3));
        QCOMPARE(sum.entropy.rows, 5L);
        QCOMPARE(sum.facts().habit, HeadHabit::Next);
    }

    void theHeaviestCellOfAHabitIsNamed() {
        const Made made(kWords, {{.6f, .4f, 0, 0}, {.7f, 0, .3f, 0}, {0, .9f, 0, .1f}, {0, 0, .8f, .2f}});
        QCOMPARE(made.places().heaviest(HeadHabit::Previous, made.head), std::pair(2, 1));
        QCOMPARE(made.places().heaviest(HeadHabit::Next, made.head), std::pair(0, 1));
        QCOMPARE(made.places().heaviest(HeadHabit::Broad, made.head), std::pair(0, 0));
        QCOMPARE(made.places().heaviest(HeadHabit::None, made.head), std::pair(-1, -1));
    }
};

QTEST_APPLESS_MAIN(TestHeadHabits)
#include "test_head_habits.moc"
