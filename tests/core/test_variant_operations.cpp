// SPDX-License-Identifier: GPL-3.0-or-later
// What Transformers after the paper's compute: gradients against central differences in double precision, as
// test_operations.cpp has them, and values against their formulas.
#include <QTest>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/autograd/operations.h"
#include "core/autograd/variant_operations.h"
#include "core/tensor/variant_kernels.h"
#include "tests/core/gradient_check.h"

using namespace headlight;

class TestVariantOperations : public QObject {
    Q_OBJECT
private slots:
    void rmsNorm();
    void rmsNormIsItsFormula();
    void rmsNormOfEachHead();
    void addNumber();
    void softCap();
    void attentionWithCappedScores();
    void rotateAPartOfEachHead();
    void layerNormWithoutBias();
    void layerNormWithoutBiasIsOneWithZeros();
    void multiply();
    void multiplyOfAValueByItself();
    void scale();
    void rotate();
    void rotateColumnsOfAWiderMatrix();
    void rotationTurnsBothSidesOfAProductByTheirDistance();
    void relativeBias();
    void activations_data();
    void activations();
    void sigmoidUnitsAreTheirFormulas();
    void attentionOfGroupedQueries();
    void attentionOfGroupedQueriesIsThatOfKeysRepeated();
    void attentionWithABias();
    void scoreFactorScalesTheScores();
};

/// Operations that work in place are given what nobody else reads.
static Variable<double> copyOf(Tape<double>& tape, const Variable<double>& x) {
    std::vector<int> rows(static_cast<size_t>(x.rows()));
    std::iota(rows.begin(), rows.end(), 0);
    return ops::embedding(tape, std::span<const int>(rows), x, 1.0);
}

void TestVariantOperations::rmsNorm() {
    const auto x = randomVariable({3, 11}), w = randomVariable({11});
    checkGradients([&](Tape<double>& tape) { return ops::rmsNorm(tape, x, w, 1e-6); }, {x, w});
}

void TestVariantOperations::rmsNormIsItsFormula() {
    const int rows = 2, cols = 19;
    std::vector<float> x(rows * cols), weight(cols), y(rows * cols), inverse(rows);
    for (size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<float>(std::sin(1.3 * static_cast<double>(i)) * 3);
    for (size_t i = 0; i < weight.size(); ++i)
        weight[i] = 0.5f + static_cast<float>(i) / 10;
    variantKernels<float>().rmsNorm(rows, cols, x.data(), weight.data(), 1e-6f, y.data(), inverse.data());
    for (size_t r = 0; r < rows; ++r) {
        double squares = 0;
        for (size_t c = 0; c < cols; ++c)
            squares += static_cast<double>(x[r * cols + c]) * static_cast<double>(x[r * cols + c]);
        const double size = std::sqrt(squares / cols + 1e-6);
        for (size_t c = 0; c < cols; ++c)
            QVERIFY(std::abs(static_cast<double>(y[r * cols + c]) -
                             static_cast<double>(x[r * cols + c]) / size * static_cast<double>(weight[c])) < 1e-6);
    }
}

void TestVariantOperations::layerNormWithoutBias() {
    const auto x = randomVariable({3, 11}), w = randomVariable({11});
    checkGradients([&](Tape<double>& tape) { return ops::layerNorm(tape, x, w, {}, 1e-5); }, {x, w});
}

void TestVariantOperations::layerNormWithoutBiasIsOneWithZeros() {
    const auto x = randomVariable({3, 11}), w = randomVariable({11}), zeros = randomVariable({11});
    std::fill_n(zeros.value.data, 11, 0.0);
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Inference);
    const auto without = ops::layerNorm(tape, x, w, {}, 1e-5), with = ops::layerNorm(tape, x, w, zeros, 1e-5);
    for (size_t i = 0; i < 33; ++i)
        QCOMPARE(without.value.data[i], with.value.data[i]);
}

void TestVariantOperations::multiply() {
    const auto x = randomVariable({3, 11}), y = randomVariable({3, 11});
    checkGradients([&](Tape<double>& tape) { return ops::multiply(tape, x, y); }, {x, y});
}

void TestVariantOperations::multiplyOfAValueByItself() {
    const auto x = randomVariable({3, 11});
    checkGradients([&](Tape<double>& tape) { return ops::multiply(tape, x, x); }, {x});
}

void TestVariantOperations::scale() {
    const auto x = randomVariable({3, 11});
    checkGradients([&](Tape<double>& tape) { return ops::scale(tape, x, -0.3); }, {x});
}

void TestVariantOperations::rmsNormOfEachHead() {
    // Three heads of four numbers; alone, and as columns of a wider matrix.
    const auto x = randomVariable({2, 12}), wide = randomVariable({2, 17}), w = randomVariable({4});
    checkGradients([&](Tape<double>& tape) { return ops::rmsNorm(tape, x, w, 1e-6); }, {x, w});
    checkGradients([&](Tape<double>& tape) { return ops::rmsNorm(tape, wide.columns(3, 12), w, 1e-6); }, {wide, w});
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Inference);
    const auto y = ops::rmsNorm(tape, wide.columns(3, 12), w, 1e-6);
    for (int head = 0; head < 3; ++head) {
        const auto alone = ops::rmsNorm(tape, wide.columns(3 + 4 * head, 4), w, 1e-6);
        for (int i = 0; i < 4; ++i)
            QCOMPARE(y.value.at(1, 4 * head + i), alone.value.at(1, i));
    }
}

void TestVariantOperations::addNumber() {
    const auto x = randomVariable({7});
    checkGradients([&](Tape<double>& tape) { return ops::addNumber(tape, x, 1.0); }, {x});
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Inference);
    QCOMPARE(ops::addNumber(tape, x, 1.0).value.data[3], x.value.data[3] + 1);
}

void TestVariantOperations::softCap() {
    const auto x = randomVariable({3, 11});
    checkGradients([&](Tape<double>& tape) { return ops::softCap(tape, x, 0.8); }, {x});
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Inference);
    const auto y = ops::softCap(tape, x, 0.8);
    for (size_t i = 0; i < x.value.count(); ++i) {
        QCOMPARE(y.value.data[i], 0.8 * std::tanh(x.value.data[i] / 0.8));
        QVERIFY(std::abs(y.value.data[i]) < 0.8);
    }
}

/// Angles that no two pairs and positions share.
static ops::Rotation<double> rotationOf(int length, int half) {
    const ops::Rotation<double> rotation{{inputs.allocate<double>(static_cast<size_t>(length * half)), {length, half}},
                                         {inputs.allocate<double>(static_cast<size_t>(length * half)), {length, half}}};
    for (int p = 0; p < length; ++p)
        for (int i = 0; i < half; ++i) {
            rotation.cosines.at(p, i) = std::cos((p + 1) / (i + 2.0));
            rotation.sines.at(p, i) = std::sin((p + 1) / (i + 2.0));
        }
    return rotation;
}

void TestVariantOperations::rotate() {
    // Two sentences of three words, two heads of six numbers.
    const auto x = randomVariable({6, 12});
    const auto rotation = rotationOf(3, 3);
    checkGradients([&](Tape<double>& tape) { return ops::rotate(tape, x, rotation); }, {x});
}

void TestVariantOperations::rotateColumnsOfAWiderMatrix() {
    const auto x = randomVariable({4, 19});
    const auto rotation = rotationOf(2, 4);
    checkGradients([&](Tape<double>& tape) { return ops::rotate(tape, x.columns(3, 8), rotation); }, {x});
}

void TestVariantOperations::rotateAPartOfEachHead() {
    // Two heads of seven numbers, of which the first four are turned.
    const auto x = randomVariable({4, 19});
    auto rotation = rotationOf(2, 2);
    rotation.headWidth = 7;
    checkGradients([&](Tape<double>& tape) { return ops::rotate(tape, x.columns(3, 14), rotation); }, {x});
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Inference);
    const auto y = ops::rotate(tape, x.columns(3, 14), rotation);
    const auto first = ops::rotate(tape, x.columns(10, 4), rotationOf(2, 2));
    for (int i = 0; i < 7; ++i)
        QCOMPARE(y.value.at(3, 7 + i), i < 4 ? first.value.at(3, i) : x.value.at(3, 10 + i));
}

void TestVariantOperations::rotationTurnsBothSidesOfAProductByTheirDistance() {
    // One query and one key, the same at every position, turned by position · speed.
    const int length = 5, half = 3;
    const ops::Rotation<double> rotation{{inputs.allocate<double>(length * half), {length, half}},
                                         {inputs.allocate<double>(length * half), {length, half}}};
    for (int p = 0; p < length; ++p)
        for (int i = 0; i < half; ++i) {
            rotation.cosines.at(p, i) = std::cos(p / (1.0 + i));
            rotation.sines.at(p, i) = std::sin(p / (1.0 + i));
        }
    const auto one = randomVariable({1, 2 * half}), other = randomVariable({1, 2 * half});
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Inference);
    const std::vector<int> same(length, 0);
    const auto q = ops::rotate(tape, ops::embedding(tape, std::span<const int>(same), one, 1.0), rotation),
               k = ops::rotate(tape, ops::embedding(tape, std::span<const int>(same), other, 1.0), rotation);
    const auto product = [&](int i, int j) {
        return std::inner_product(q.value.row(i), q.value.row(i) + 2 * half, k.value.row(j), 0.0);
    };
    for (int distance = 0; distance < length; ++distance)
        for (int first = 0; first + distance < length; ++first)
            QVERIFY(std::abs(product(first, first + distance) - product(0, distance)) < 1e-12);
    QVERIFY(std::abs(product(0, 1) - product(0, 2)) > 1e-3);
}

void TestVariantOperations::relativeBias() {
    const auto table = randomVariable({4, 3});
    const std::vector<int> buckets{0, 1, 3, 1, 0, 1, 1, 1};  // one never
    checkGradients(
        [&](Tape<double>& tape) {
            const auto bias = ops::relativeBias(tape, table, std::span<const int>(buckets), 2);
            return bias;
        },
        {table});
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Inference);
    const auto bias = ops::relativeBias(tape, table, std::span<const int>(buckets), 2);
    QCOMPARE(bias.shape(), (Shape{3, 2, 4}));
    for (int h = 0; h < 3; ++h)
        for (int i = 0; i < 8; ++i)
            QCOMPARE(bias.value.data[h * 8 + i], table.value.at(buckets[static_cast<size_t>(i)], h));
}

void TestVariantOperations::activations_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("silu") << static_cast<int>(ops::Activation::Silu);
    QTest::newRow("quick_gelu") << static_cast<int>(ops::Activation::QuickGelu);
}

void TestVariantOperations::activations() {
    QFETCH(int, kind);
    const auto x = randomVariable({3, 11});
    checkGradients(
        [&](Tape<double>& tape) {
            return ops::activationInPlace(tape, static_cast<ops::Activation>(kind), copyOf(tape, x));
        },
        {x});
}

void TestVariantOperations::sigmoidUnitsAreTheirFormulas() {
    std::vector<float> x{-1e4f, 1e4f, 0.0f, -88.0f, 88.0f, -104.0f};
    for (int i = -4000; i <= 4000; ++i)
        x.push_back(static_cast<float>(i) / 200);
    std::vector<float> y(x.size());
    for (const double slope : {1.0, 1.702}) {
        variantKernels<float>().sigmoidUnit(x.size(), static_cast<float>(slope), x.data(), y.data());
        for (size_t i = 0; i < x.size(); ++i) {
            const double v = static_cast<double>(x[i]), expected = v / (1 + std::exp(-slope * v));
            // The last place of the exponent counts for as many as the exponent is large.
            const double tolerance = 2e-7 * (5 + std::abs(slope * v)) * std::abs(expected) + 1e-30;
            QVERIFY2(std::abs(static_cast<double>(y[i]) - expected) <= tolerance,
                     qPrintable(QString("%1: %2, not %3").arg(v).arg(static_cast<double>(y[i])).arg(expected)));
        }
    }
}

/// Two sentences, three queries, four keys, four heads of two numbers each; every fourth key of the first sentence and
/// every third of the second is hidden.
static ops::AttentionInput<double> fourHeads(int keyHeads) {
    ops::AttentionInput<double> input{.query = randomVariable({6, 8}),
                                      .key = randomVariable({8, 2 * keyHeads}),
                                      .value = randomVariable({8, 2 * keyHeads}),
                                      .mask = {inputs.allocate<double>(24), {2, 3, 4}}};
    input.batch = 2;
    input.queries = 3;
    input.keys = input.keyStride = 4;
    input.numHeads = 4;
    input.numKeyHeads = keyHeads;
    for (int i = 0; i < 24; ++i)
        input.mask.data[i] = i % (i < 12 ? 4 : 3) == 1 ? -std::numeric_limits<double>::infinity() : 0.0;
    return input;
}

void TestVariantOperations::attentionOfGroupedQueries() {
    for (const int keyHeads : {1, 2}) {
        const auto input = fourHeads(keyHeads);
        checkGradients([&](Tape<double>& tape) { return ops::attention(tape, input).context; },
                       {input.query, input.key, input.value});
    }
}

void TestVariantOperations::attentionOfGroupedQueriesIsThatOfKeysRepeated() {
    const auto grouped = fourHeads(2);
    auto repeated = grouped;
    repeated.numKeyHeads = 0;
    repeated.key = randomVariable({8, 8});
    repeated.value = randomVariable({8, 8});
    for (int r = 0; r < 8; ++r)
        for (int head = 0; head < 4; ++head)
            for (int i = 0; i < 2; ++i) {
                repeated.key.value.at(r, head * 2 + i) = grouped.key.value.at(r, head / 2 * 2 + i);
                repeated.value.value.at(r, head * 2 + i) = grouped.value.value.at(r, head / 2 * 2 + i);
            }
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Inference);
    const auto one = ops::attention(tape, grouped), other = ops::attention(tape, repeated);
    for (size_t i = 0; i < one.context.value.count(); ++i)
        QCOMPARE(one.context.value.data[i], other.context.value.data[i]);
    for (size_t i = 0; i < one.weights.count(); ++i)
        QCOMPARE(one.weights.data[i], other.weights.data[i]);
}

void TestVariantOperations::attentionWithABias() {
    auto input = fourHeads(4);
    input.bias = randomVariable({4, 3, 4});
    input.scaled = false;
    checkGradients([&](Tape<double>& tape) { return ops::attention(tape, input).context; },
                   {input.query, input.key, input.value, input.bias});
}

void TestVariantOperations::attentionWithCappedScores() {
    for (const bool biased : {false, true}) {
        auto input = fourHeads(2);
        input.scoreCap = 0.6;
        input.bias = biased ? randomVariable({4, 3, 4}) : Variable<double>();
        std::vector<Variable<double>> all{input.query, input.key, input.value};
        if (biased) all.push_back(input.bias);
        checkGradients([&](Tape<double>& tape) { return ops::attention(tape, input).context; }, all);
    }
    // A cap that nothing comes near changes nothing.
    auto plain = fourHeads(2), capped = plain;
    capped.scoreCap = 1e7;
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Inference);
    const auto one = ops::attention(tape, plain).context, other = ops::attention(tape, capped).context;
    for (size_t i = 0; i < one.value.count(); ++i)
        QVERIFY(std::abs(one.value.data[i] - other.value.data[i]) < 1e-9);
}

void TestVariantOperations::scoreFactorScalesTheScores() {
    auto input = fourHeads(4);
    input.scoreFactor = 0.25;
    checkGradients([&](Tape<double>& tape) { return ops::attention(tape, input).context; },
                   {input.query, input.key, input.value});
    auto smaller = fourHeads(4);
    smaller.key = input.key;
    smaller.value = input.value;
    for (size_t i = 0; i < input.query.value.count(); ++i)
        smaller.query.value.data[i] = input.query.value.data[i] / 4;
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Inference);
    const auto one = ops::attention(tape, input), other = ops::attention(tape, smaller);
    for (size_t i = 0; i < one.weights.count(); ++i)
        QVERIFY(std::abs(one.weights.data[i] - other.weights.data[i]) < 1e-14);
}

QTEST_APPLESS_MAIN(TestVariantOperations)
#include "test_variant_operations.moc"
