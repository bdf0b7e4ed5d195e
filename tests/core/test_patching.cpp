// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces of one reading in another: everything moves the answer, nothing moves nothing, and a place moves it by what
// the mock-up shows.
#include <QTest>
#include <cmath>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/interventions.h"
#include "core/experiment/patching.h"
#include "core/io/model_file.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

double shareAt(const Patching& patching, const std::string& value, int position) {
    for (size_t depth = 0; depth < patching.depths().size(); ++depth)
        if (patching.depths()[depth].values.front() == value)
            if (const auto cell = patching.read(depth, position)) return cell->share.value_or(NAN);
    return NAN;
}

}  // namespace

class TestPatching : public QObject {
    Q_OBJECT
private slots:
    void theMockUpsSharesAreTheEngines();
    void everythingMovesTheAnswerAndNothingMovesNothing_data();
    void everythingMovesTheAnswerAndNothingMovesNothing();
    void wordsStandForEachOtherAcrossLengths();
    void aMapCanBeStopped();
    void readingsThatAnswerAlikeAreRefused();
    void headsThatAreOffAreAReadingToTakeFrom();
    void readingsOfOneSentenceThatAnswerAlikeAreHeldTogetherWhereTheyLieFurthestApart();
    void aModelTrainedOtherwiseIsAReadingToTakeFrom();
    void modelsWhosePiecesDoNotFitAreRefused();
    void whatFollowsAPieceMovesAndNothingElse_data();
    void whatFollowsAPieceMovesAndNothingElse();
};

void TestPatching::theMockUpsSharesAreTheEngines() {
    const TrainedModel model = fixture::loadShipped("vi-en-transformer");
    const Patching patching(model, "tôi đang học tiếng anh", "tôi đang học lịch sử");
    const auto closeTo = [](double found, double expected) { return std::abs(found - expected) < 0.0051; };
    QCOMPARE(patching.answerRow(), 2);
    QCOMPARE(model.target->displayOne(patching.wordOfA()), std::string("learning"));
    QCOMPARE(model.target->displayOne(patching.wordOfB()), std::string("studying"));
    QVERIFY(closeTo(patching.differenceOfA(), -6.054) && closeTo(patching.differenceOfB(), 6.634));
    QVERIFY(closeTo(shareAt(patching, "encoder.layers.0.norm1", 3), 0.69));
    QVERIFY(closeTo(shareAt(patching, "encoder.input", 4), 0.65));
    QVERIFY(closeTo(shareAt(patching, "decoder.layers.1.norm1", 2), 0.03));
    QVERIFY(closeTo(shareAt(patching, "decoder.layers.1.norm2", 2), 1.00));
    QCOMPARE(shareAt(patching, "encoder.input", 0), 0.0);
}

void TestPatching::everythingMovesTheAnswerAndNothingMovesNothing_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::newRow("pre-norm") << "vi-en-pre-norm"
                              << "tôi đang học tiếng anh"
                              << "tôi đang học lịch sử";
    QTest::newRow("gru") << "vi-en-gru"
                         << "tôi yêu bạn"
                         << "tôi ghét bạn";
    QTest::newRow("lstm with attention") << "vi-en-long-lstm-attention"
                                         << "tôi yêu bạn"
                                         << "tôi ghét bạn";
    QTest::newRow("language model") << "stories-transformer"
                                    << "the cat"
                                    << "the king";
    QTest::newRow("labels") << "sentiment-transformer"
                            << "a good film"
                            << "a boring film";
}

void TestPatching::everythingMovesTheAnswerAndNothingMovesNothing() {
    QFETCH(QString, name);
    QFETCH(QString, a);
    QFETCH(QString, b);
    const TrainedModel model = fixture::loadShipped(name);
    const Patching patching(model, a.toStdString(), b.toStdString());
    QVERIFY(patching.differenceOfA() <= 0 && patching.differenceOfB() >= 0);
    QVERIFY(std::abs(patching.differenceUnder({}) - patching.differenceOfA()) < 1e-5);
    // All states of a depth that everything has to pass, and each head's piece by hand.
    std::vector<Intervention> everything;
    double sharpest = 0;
    for (size_t depth = 0; depth < patching.depths().size(); ++depth) {
        const PatchDepth& at = patching.depths()[depth];
        QVERIFY(at.positions > 0);
        for (int position = 0; position < at.positions; ++position) {
            const std::vector<Intervention> changes = patching.changes(at, position);
            if (at.kind == PatchDepth::Kind::State && at.after == PatchDepth::After::Embedding)
                everything.insert(everything.end(), changes.begin(), changes.end());
            const auto cell = patching.read(depth, position);
            QVERIFY(cell);
            if (cell->share) sharpest = std::max(sharpest, *cell->share);
        }
    }
    QVERIFY(sharpest > 0.3);
    QVERIFY(std::abs(patching.differenceUnder(everything) - patching.differenceOfB()) < 1e-4);
}

void TestPatching::wordsStandForEachOtherAcrossLengths() {
    QCOMPARE(alignPlaces({1, 2, 3}, {1, 5, 3}), (std::vector<int>{0, 1, 2}));
    QCOMPARE(alignPlaces({1, 2, 3}, {1, 5, 6, 3}), (std::vector<int>{0, 1, 3}));
    QCOMPARE(alignPlaces({1, 5, 6, 3}, {1, 2, 3}), (std::vector<int>{0, 1, -1, 2}));
    QCOMPARE(alignPlaces({7, 7, 7}, {7, 7}), (std::vector<int>{0, 1, -1}));
    QCOMPARE(alignPlaces({4}, {5, 6}), (std::vector<int>{0}));
}

void TestPatching::aMapCanBeStopped() {
    const TrainedModel model = fixture::loadShipped("vi-en-transformer");
    const Patching patching(model, "tôi yêu bạn", "tôi ghét bạn");
    int cells = 0;
    patching.readAll(PatchDepth::Kind::State, [&](const PatchCell&) { return ++cells < 5; });
    QCOMPARE(cells, 5);
}

void TestPatching::readingsThatAnswerAlikeAreRefused() {
    const TrainedModel model = fixture::loadShipped("vi-en-transformer");
    QVERIFY_THROWS_EXCEPTION(Error, Patching(model, "tôi yêu bạn", "tôi yêu bạn"));
}

void TestPatching::headsThatAreOffAreAReadingToTakeFrom() {
    const TrainedModel model = fixture::loadShipped("vi-en-transformer");
    const std::string sentence = "tôi đang học tiếng anh", block = "decoder.layers.1.cross_attn";
    std::vector<MutedHead> muted;
    for (int head = 0; head < model.network->config().numHeads; ++head)
        muted.push_back({block, head});
    const Patching patching(model, sentence, sentence, {}, {.muted = muted});
    // Of the reading without that block's heads all that the block adds makes the whole difference, and nothing before
    // it makes any.
    std::vector<Intervention> block1;
    for (const PatchDepth& depth : patching.depths())
        for (int position = 0; position < depth.positions; ++position) {
            const std::vector<Intervention> changes = patching.changes(depth, position);
            if (depth.values.front() == block + ".output") block1.insert(block1.end(), changes.begin(), changes.end());
            if (depth.ofSource) QVERIFY(std::abs(patching.differenceUnder(changes) - patching.differenceOfA()) < 1e-5);
        }
    QVERIFY(!block1.empty());
    QVERIFY(std::abs(patching.differenceUnder(block1) - patching.differenceOfB()) < 1e-4);
    // What B says is what the model says with those heads off.
    const Trace off = traceIds(model, patching.b().at("source.ids").ids(), patching.b().at("target.ids").ids(), muted);
    QVERIFY(off.at("logits").values == patching.b().at("logits").values);
}

void TestPatching::readingsOfOneSentenceThatAnswerAlikeAreHeldTogetherWhereTheyLieFurthestApart() {
    const TrainedModel model = fixture::loadShipped("vi-en-transformer");
    const std::string sentence = "tôi đang học tiếng anh";
    const Patching patching(model, sentence, sentence, {}, {.muted = {{"decoder.layers.1.cross_attn", 0}}});
    QVERIFY(patching.answerAlike());
    QVERIFY(patching.wordOfA() != patching.wordOfB());
    // No row's likeliest other word moves by more.
    const TraceRecord &a = patching.a().at("logits"), &b = patching.b().at("logits");
    const double apart = std::abs(patching.differenceOfB() - patching.differenceOfA());
    const auto at = [](const TraceRecord& logits, int row, int column) {
        return static_cast<double>(
            logits.values[static_cast<size_t>(row) * static_cast<size_t>(logits.dim(1)) + static_cast<size_t>(column)]);
    };
    bool seen = false;
    for (int row = 0; row < a.dim(0); ++row) {
        int said = 0, other = -1;
        for (int column = 0; column < a.dim(1); ++column)
            if (at(a, row, column) > at(a, row, said)) said = column;
        for (int column = 0; column < a.dim(1); ++column)
            if (column != said && (other < 0 || at(b, row, column) > at(b, row, other))) other = column;
        const double moves = std::abs(at(b, row, other) - at(b, row, said) - at(a, row, other) + at(a, row, said));
        QVERIFY(moves < apart + 1e-9);
        seen = seen || (row == patching.answerRow() && std::abs(moves - apart) < 1e-9);
    }
    QVERIFY(seen);
}

void TestPatching::aModelTrainedOtherwiseIsAReadingToTakeFrom() {
    const TrainedModel model = fixture::loadShipped("vi-en-fed-itself"),
                       other = fixture::loadShipped("vi-en-fed-truth");
    const Patching patching(model, "tôi yêu bạn", "tôi ghét bạn", {}, {.model = &other});
    const Trace own = traceIds(other, patching.b().at("source.ids").ids(), patching.b().at("target.ids").ids());
    QVERIFY(own.at("logits").values == patching.b().at("logits").values);
    QVERIFY(patching.differenceOfA() <= 0 && patching.differenceOfB() >= 0);
}

void TestPatching::modelsWhosePiecesDoNotFitAreRefused() {
    const TrainedModel model = fixture::loadShipped("vi-en-transformer"), gru = fixture::loadShipped("vi-en-gru");
    QVERIFY_THROWS_EXCEPTION(Error, Patching(model, "tôi yêu bạn", "tôi ghét bạn", {}, {.model = &gru}));
}

void TestPatching::whatFollowsAPieceMovesAndNothingElse_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("post-norm") << "vi-en-transformer";
    QTest::newRow("pre-norm") << "vi-en-pre-norm";
    QTest::newRow("gru") << "vi-en-gru";
    QTest::newRow("lstm with attention") << "vi-en-long-lstm-attention";
    // Every word of it had moved by a place, as it was given its beginning twice.
    QTest::newRow("labels") << "sentiment-transformer";
    QTest::newRow("a text") << "stories-transformer";
}

/// Recomputed from outside: two traces, and the difference of their numbers.
void TestPatching::whatFollowsAPieceMovesAndNothingElse() {
    QFETCH(QString, name);
    const TrainedModel model = fixture::loadShipped(name);
    const bool isText = name == "stories-transformer", isLabel = name == "sentiment-transformer";
    const Patching patching(model,
                            isText    ? "once there was a little girl"
                            : isLabel ? "the book is awesome"
                                      : "tôi yêu bạn",
                            isText    ? "once there was a little forest"
                            : isLabel ? "the book is awful"
                                      : "tôi ghét bạn");
    for (const auto& row : patching.moved(patching.under({})))
        for (const auto& cell : row)
            QVERIFY(!cell.has_value());
    const auto& depths = patching.depths();
    for (size_t put = 0; put < depths.size(); ++put) {
        const int position = depths[put].ofSource ? 1 : 0;
        const auto changes = patching.changes(depths[put], position);
        const Trace now = patching.under(changes);
        const auto moved = patching.moved(now);
        QCOMPARE(moved.size(), depths.size());
        for (size_t at = 0; at < depths.size(); ++at) {
            QCOMPARE(static_cast<int>(moved[at].size()), depths[at].positions);
            for (int row = 0; row < depths[at].positions; ++row) {
                double apart = 0, length = 0;
                for (const std::string& value : depths[at].values) {
                    const TraceRecord &x = patching.a().at(value), &y = now.at(value);
                    const size_t width = static_cast<size_t>(x.shape.back()),
                                 rows = static_cast<size_t>(x.shape[x.shape.size() - 2]);
                    const size_t head = depths[at].head < 0 ? 0 : static_cast<size_t>(depths[at].head);
                    for (size_t i = 0; i < width; ++i) {
                        const size_t k = (head * rows + static_cast<size_t>(row)) * width + i;
                        apart += std::pow(double(y.values[k]) - double(x.values[k]), 2);
                        length += std::pow(double(x.values[k]), 2);
                    }
                }
                const auto& cell = moved[at][static_cast<size_t>(row)];
                QCOMPARE(cell.has_value(), apart > 0);
                if (cell) QVERIFY(std::abs(*cell - std::sqrt(apart / length)) < 1e-9 * std::max(1.0, *cell));
            }
        }
        // A piece of the encoder reaches no word of its own depth but its own, one of the decoder no encoder.
        if (depths[put].direction == Direction::Backward || !model.network->config().encoderDecoder()) continue;
        if (depths[put].ofSource && depths[put].after != PatchDepth::After::Recurrent) {
            QVERIFY(!moved[put][0].has_value());
            if (!changes.empty() && depths[put].after == PatchDepth::After::Embedding)
                QVERIFY(moved[put][1].has_value());
        }
        for (size_t at = 0; at < depths.size(); ++at)
            if (!depths[put].ofSource && depths[at].ofSource)
                for (const auto& cell : moved[at])
                    QVERIFY(!cell.has_value());
    }
}

QTEST_APPLESS_MAIN(TestPatching)
#include "test_patching.moc"
