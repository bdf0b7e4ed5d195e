// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of an embedding and its position.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <span>

#include "core/nn/attention_positions.h"
#include "core/nn/context.h"
#include "core/nn/positional_encoding.h"
#include "core/nn/sinusoids.h"

using namespace headlight;

class TestPositions : public QObject {
    Q_OBJECT
private slots:
    void concatenatedTheEmbeddingComesFirstAndThePositionAfterIt_data() { kinds(); }
    void concatenatedTheEmbeddingComesFirstAndThePositionAfterIt();
    void addedTheyAreSummed_data() { kinds(); }
    void addedTheyAreSummed();
    void inHalvesTheSinesComeFirst();
    void positionsBehindWhatIsKeptAreComputed();
    void aTableWithAnOffsetBeginsThere();
    void typesAreAddedAndTheSumIsNormed();
    void distancesFallIntoPyTorchsBuckets_data();
    void distancesFallIntoPyTorchsBuckets();

private:
    static constexpr int width = 4, length = 3, first = 2;

    static void kinds() {
        QTest::addColumn<bool>("learned");
        QTest::newRow("sinusoidal") << false;
        QTest::newRow("learned") << true;
    }

    /// Two sentences of three words each, from the third position on: rows of embedding, position and what the module
    /// makes of them.
    static void compare(bool learned, PositionalCombine combine,
                        const std::function<void(const float*, const float*, const float*, int)>& check) {
        ParameterSet parameters;
        const PositionalEncoding positions(
            parameters, "positions.weight",
            {learned ? PositionalKind::Learned : PositionalKind::Sinusoidal, combine, 10000, width, 8},
            {{Stack::Encoder, "encoder"}});
        parameters.initialize(3);
        Arena arena;
        Tape<float> tape(arena, Tape<float>::Mode::Inference);
        ForwardContext context(tape, parameters);
        std::vector<float> embedded(2 * length * width);
        for (size_t i = 0; i < embedded.size(); ++i)
            embedded[i] = 10 + static_cast<float>(i);
        const std::vector<float> before = embedded;
        Value value{{Tensor<float>(embedded.data(), {2 * length, width}), {}}};
        const Value input = positions.forward(context, value, {Stack::Encoder, length, first, Axis::SourceToken});
        const std::vector<float> table = sinusoidalTable(8, width, 10000);
        QCOMPARE(input.variable.rows(), 2 * length);
        for (int row = 0; row < 2 * length; ++row) {
            const int position = first + row % length;
            const float* const encoding = learned ? std::as_const(parameters).value("positions.weight").row(position)
                                                  : table.data() + position * width;
            check(before.data() + row * width, encoding, input.variable.value.row(row), input.variable.cols());
        }
    }
};

void TestPositions::concatenatedTheEmbeddingComesFirstAndThePositionAfterIt() {
    QFETCH(bool, learned);
    compare(learned, PositionalCombine::Concat,
            [](const float* embedding, const float* encoding, const float* input, int columns) {
                QCOMPARE(columns, 2 * width);
                for (int i = 0; i < width; ++i) {
                    QCOMPARE(input[i], embedding[i]);
                    QCOMPARE(input[width + i], encoding[i]);
                }
            });
}

void TestPositions::addedTheyAreSummed() {
    QFETCH(bool, learned);
    compare(learned, PositionalCombine::Add,
            [](const float* embedding, const float* encoding, const float* input, int columns) {
                QCOMPARE(columns, width);
                for (int i = 0; i < width; ++i)
                    QCOMPARE(input[i], embedding[i] + encoding[i]);
            });
}

void TestPositions::inHalvesTheSinesComeFirst() {
    const std::vector<float> inTurn = sinusoidalTable(5, 8, 10000),
                             halves = sinusoidalTable(5, 8, 10000, SinusoidLayout::Halves);
    for (size_t row = 0; row < 5; ++row)
        for (size_t i = 0; i < 4; ++i) {
            QCOMPARE(halves[row * 8 + i], inTurn[row * 8 + 2 * i]);
            QCOMPARE(halves[row * 8 + 4 + i], inTurn[row * 8 + 2 * i + 1]);
        }
}

/// A module's rows of one sentence of zeros, from a position on.
static std::vector<float> rowsOf(const PositionalEncoding& positions, const ParameterSet& parameters, int width,
                                 int first) {
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext context(tape, parameters);
    std::vector<float> zeros(static_cast<size_t>(2 * width));
    const Value input = positions.forward(context, {{Tensor<float>(zeros.data(), {2, width}), {}}},
                                          {Stack::Only, 2, first, Axis::SourceToken});
    return {input.variable.value.data, input.variable.value.data + zeros.size()};
}

void TestPositions::positionsBehindWhatIsKeptAreComputed() {
    // A table of these sizes would take a gigabyte: a file of a few megabytes may ask for it.
    ParameterSet parameters;
    const int wide = 1 << 12, many = 1 << 16;
    const PositionalEncoding positions(parameters, "positions.weight",
                                       {PositionalKind::Sinusoidal, PositionalCombine::Add, 10000, wide, many},
                                       {{Stack::Only, ""}});
    const std::vector<float> table = sinusoidalTable(1026, wide, 10000);
    // The last that is kept, and the first that is not.
    for (const int position : {0, 1022, 1023, 1024})
        QVERIFY(std::ranges::equal(rowsOf(positions, parameters, wide, position),
                                   std::span(table).subspan(static_cast<size_t>(position * wide), 2 * wide)));
    const std::vector<float> last = rowsOf(positions, parameters, wide, many - 2);
    QCOMPARE(last[wide], static_cast<float>(std::sin(many - 1.0)));
}

void TestPositions::aTableWithAnOffsetBeginsThere() {
    ParameterSet parameters;
    const PositionalEncoding positions(parameters, "positions.weight",
                                       {.kind = PositionalKind::Learned, .width = width, .maxLength = 8, .offset = 2},
                                       {{Stack::Only, ""}});
    parameters.initialize(3);
    const Tensor<const float> table = std::as_const(parameters).value("positions.weight");
    QCOMPARE(table.rows(), 10);
    for (const int position : {0, 3, 6})
        QVERIFY(std::ranges::equal(rowsOf(positions, parameters, width, position),
                                   std::span(table.row(position + 2), 2 * width)));
}

void TestPositions::typesAreAddedAndTheSumIsNormed() {
    ParameterSet parameters;
    const PositionalEncoding positions(parameters, "positions.weight",
                                       {.kind = PositionalKind::Learned, .width = width, .maxLength = 8},
                                       {{Stack::Only, ""}});
    const Norm norm(parameters, parameters.addModule({ModuleKind::Norm, "n", {Stack::Only, Section::Start}}), "n",
                    {.width = width});
    parameters.initialize(3);
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext context(tape, parameters);
    std::vector<float> words{1, 2, 3, 5}, types{4, -1, 0, 2};
    const Value input = positions.forward(context, {{Tensor<float>(words.data(), {1, width}), {}}},
                                          {Stack::Only, 1, 1, Axis::SourceToken},
                                          {{{Tensor<float>(types.data(), {1, width}), {}}}, &norm});
    const float* place = std::as_const(parameters).value("positions.weight").row(1);
    const double given[] = {1, 2, 3, 5};
    double sum[width], mean = 0, variance = 0;
    for (int i = 0; i < width; ++i)
        mean += (sum[i] = given[i] + static_cast<double>(types[static_cast<size_t>(i)] + place[i])) / width;
    for (const double each : sum)
        variance += (each - mean) * (each - mean) / width;
    for (int i = 0; i < width; ++i)
        QVERIFY(std::abs(static_cast<double>(input.variable.value.at(0, i)) -
                         (sum[i] - mean) / std::sqrt(variance + 1e-5)) < 1e-5);
}

void TestPositions::distancesFallIntoPyTorchsBuckets_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("farthest");
    QTest::addColumn<bool>("bothWays");
    QTest::addColumn<QList<int>>("firsts");
    QTest::addColumn<QList<int>>("buckets");
    // Where a new bucket begins, from −140 to 140: what torch.log in float32 makes of T5's formula.
    QTest::newRow("T5's encoder") << 32 << 128 << true
                                  << QList<int>{-140, -90, -63, -45, -31, -22, -15, -11, -7, -6, -5, -4, -3, -2, -1, 0,
                                                1,    2,   3,   4,   5,   6,   7,   8,   12, 16, 23, 32, 46, 64, 91}
                                  << QList<int>{15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1, 0,
                                                17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    QTest::newRow("T5's decoder") << 32 << 128 << false
                                  << QList<int>{-140, -112, -98, -86, -76, -66, -58, -51, -45, -39, -34,
                                                -30,  -26,  -23, -20, -18, -15, -14, -13, -12, -11, -10,
                                                -9,   -8,   -7,  -6,  -5,  -4,  -3,  -2,  -1,  0}
                                  << QList<int>{31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
                                                15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0};
    QTest::newRow("few") << 8 << 10 << true << QList<int>{-140, -4, -1, 0, 1, 2, 5} << QList<int>{3, 2, 1, 0, 5, 6, 7};
    QTest::newRow("narrow") << 16 << 64 << false
                            << QList<int>{-140, -49, -38, -29, -22, -17, -13, -10, -7, -6, -5, -4, -3, -2, -1, 0}
                            << QList<int>{15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
}

void TestPositions::distancesFallIntoPyTorchsBuckets() {
    QFETCH(int, count);
    QFETCH(int, farthest);
    QFETCH(bool, bothWays);
    QFETCH(QList<int>, firsts);
    QFETCH(QList<int>, buckets);
    const RelativeBuckets found{count, farthest, bothWays};
    qsizetype at = 0;
    for (int distance = -140; distance <= 140; ++distance) {
        if (at + 1 < firsts.size() && distance == firsts[at + 1]) ++at;
        QCOMPARE(found.of(distance), buckets[at]);
    }
    QCOMPARE(at, firsts.size() - 1);
    QCOMPARE(found.of(-1000000), buckets[0]);
}

QTEST_APPLESS_MAIN(TestPositions)
#include "test_positions.moc"
