// SPDX-License-Identifier: GPL-3.0-or-later
// Every operation of the tape against central differences in double precision. To add one: a slot that builds its
// inputs with randomVariable() and hands checkGradients() a function from a tape to the operation's output.
#include <QTest>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "core/autograd/operations.h"
#include "core/tensor/kernels.h"
#include "tests/core/gradient_check.h"

using namespace headlight;

class TestOperations : public QObject {
    Q_OBJECT
private slots:
    void linear();
    void linearWithoutBias();
    void linearOnColumnsOfAWiderMatrix();
    void embeddingWithARepeatedId();
    void addOfAValueToItself();
    void concatColumns();
    void layerNorm();
    void dropoutKeepsTheSameElementsBothWays();
    void activations_data();
    void activations();
    void geluInFloatIsTheExactOneToItsLastPlaces();
    void attention_data();
    void attention();
    void attentionRowWithNoKeyLeftIsZeros();
    void crossEntropy_data();
    void crossEntropy();
    void dropoutKeepsItsShareAndTheMean();
    void dropoutDecidesTheSameWhateverTheVectors();
    void dropoutDecidesApartForEveryElement();
};

/// Operations that work in place are given what nobody else reads.
static Variable<double> copyOf(Tape<double>& tape, const Variable<double>& x) {
    std::vector<int> rows(static_cast<size_t>(x.rows()));
    std::iota(rows.begin(), rows.end(), 0);
    return ops::embedding(tape, std::span<const int>(rows), x, 1.0);
}

void TestOperations::linear() {
    const auto x = randomVariable({3, 4}), w = randomVariable({5, 4}), b = randomVariable({5});
    checkGradients([&](Tape<double>& tape) { return ops::linear(tape, x, w, b); }, {x, w, b});
}

void TestOperations::linearWithoutBias() {
    const auto x = randomVariable({2, 3}), w = randomVariable({4, 3});
    checkGradients([&](Tape<double>& tape) { return ops::linear(tape, x, w, {}); }, {x, w});
}

void TestOperations::linearOnColumnsOfAWiderMatrix() {
    const auto x = randomVariable({3, 7}), w = randomVariable({2, 4}), b = randomVariable({2});
    checkGradients([&](Tape<double>& tape) { return ops::linear(tape, x.columns(2, 4), w, b); }, {x, w, b});
}

void TestOperations::embeddingWithARepeatedId() {
    const auto table = randomVariable({5, 3});
    const std::vector<int> ids{4, 1, 4, 0};
    checkGradients([&](Tape<double>& tape) { return ops::embedding(tape, std::span<const int>(ids), table, 1.5); },
                   {table});
}

void TestOperations::addOfAValueToItself() {
    const auto x = randomVariable({2, 3});
    checkGradients([&](Tape<double>& tape) { return ops::addInPlace(tape, x, copyOf(tape, x)); }, {x});
}

void TestOperations::concatColumns() {
    const auto x = randomVariable({3, 2}), y = randomVariable({3, 4});
    checkGradients([&](Tape<double>& tape) { return ops::concatColumns(tape, x, y); }, {x, y});
}

void TestOperations::layerNorm() {
    const auto x = randomVariable({4, 19}), w = randomVariable({19}), b = randomVariable({19});
    checkGradients([&](Tape<double>& tape) { return ops::layerNorm(tape, x, w, b, 1e-5); }, {x, w, b});
}

void TestOperations::dropoutKeepsTheSameElementsBothWays() {
    const auto x = randomVariable({5, 13});
    checkGradients([&](Tape<double>& tape) { return ops::dropout(tape, x, 0.4, 99u); }, {x});
    checkGradients([&](Tape<double>& tape) { return ops::dropoutInPlace(tape, copyOf(tape, x), 0.4, 99u); }, {x});
}

void TestOperations::activations_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("relu") << static_cast<int>(ops::Activation::Relu);
    QTest::newRow("gelu") << static_cast<int>(ops::Activation::Gelu);
    QTest::newRow("gelu_tanh") << static_cast<int>(ops::Activation::GeluTanh);
}

void TestOperations::activations() {
    QFETCH(int, kind);
    const auto x = randomVariable({3, 11});
    checkGradients(
        [&](Tape<double>& tape) {
            return ops::activationInPlace(tape, static_cast<ops::Activation>(kind), copyOf(tape, x));
        },
        {x});
}

void TestOperations::geluInFloatIsTheExactOneToItsLastPlaces() {
    std::vector<float> x, dy, y, dx;
    for (int i = -4000; i <= 4000; ++i)
        x.push_back(static_cast<float>(i) / 400);
    x.insert(x.end(), {-1e4f, 1e4f, 0.0f});
    dy.assign(x.size(), 1.0f);
    y.resize(x.size());
    dx.resize(x.size());
    kernels<float>().gelu(x.size(), x.data(), y.data());
    kernels<float>().geluBackward(x.size(), x.data(), dy.data(), dx.data());
    for (size_t i = 0; i < x.size(); ++i) {
        const double v = static_cast<double>(x[i]), cumulative = 0.5 * std::erfc(-v / std::numbers::sqrt2);
        const double slope = cumulative + v * std::exp(-0.5 * v * v) / std::sqrt(2 * std::numbers::pi);
        QVERIFY(std::abs(static_cast<double>(y[i]) - v * cumulative) <= 2e-7 * std::max(1.0, std::abs(v)));
        QVERIFY(std::abs(static_cast<double>(dx[i]) - slope) <= 4e-7);
    }
}

void TestOperations::attention_data() {
    QTest::addColumn<bool>("masked");
    QTest::addColumn<int>("keyStride");
    QTest::addColumn<double>("dropout");
    QTest::newRow("every key") << false << 5 << 0.0;
    QTest::newRow("masked") << true << 5 << 0.0;
    QTest::newRow("room left in the cache") << true << 7 << 0.0;
    QTest::newRow("dropout") << true << 5 << 0.3;
    QTest::newRow("not scaled") << true << 5 << 0.0;
}

void TestOperations::attention() {
    QFETCH(bool, masked);
    QFETCH(int, keyStride);
    QFETCH(double, dropout);
    const int batch = 2, queries = 3, keys = 5, width = 6;
    ops::AttentionInput<double> input{.query = randomVariable({batch * queries, width}),
                                      .key = randomVariable({batch * keyStride, width}),
                                      .value = randomVariable({batch * keyStride, width}),
                                      .mask = {}};
    input.batch = batch;
    input.queries = queries;
    input.keys = keys;
    input.keyStride = keyStride;
    input.numHeads = 2;
    input.dropout = dropout;
    input.scaled = std::string_view(QTest::currentDataTag()) != "not scaled";
    input.seed = 3;
    if (masked) {
        input.mask = {inputs.allocate<double>(batch * queries * keys), {batch, queries, keys}};
        for (int i = 0; i < batch * queries * keys; ++i)
            input.mask.data[i] = i % 4 == 1 ? -std::numeric_limits<double>::infinity() : 0.0;
    }
    checkGradients([&](Tape<double>& tape) { return ops::attention(tape, input).context; },
                   {input.query, input.key, input.value});
}

void TestOperations::attentionRowWithNoKeyLeftIsZeros() {
    ops::AttentionInput<double> input{
        .query = randomVariable({2, 4}), .key = randomVariable({3, 4}), .value = randomVariable({3, 4}), .mask = {}};
    input.queries = 2;
    input.keys = input.keyStride = 3;
    input.mask = {inputs.allocate<double>(6), {1, 2, 3}};
    for (int i = 0; i < 6; ++i)
        input.mask.data[i] = i < 3 ? -std::numeric_limits<double>::infinity() : 0.0;
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Inference);
    const auto output = ops::attention(tape, input);
    for (int c = 0; c < 3; ++c)
        QCOMPARE(output.weights.data[c], 0.0);
    for (int c = 0; c < 4; ++c)
        QCOMPARE(output.context.value.at(0, c), 0.0);
    double sum = 0;
    for (int c = 3; c < 6; ++c)
        sum += output.weights.data[c];
    QVERIFY(std::abs(sum - 1) < 1e-12);
    checkGradients([&](Tape<double>& t) { return ops::attention(t, input).context; },
                   {input.query, input.key, input.value});
}

void TestOperations::crossEntropy_data() {
    QTest::addColumn<double>("smoothing");
    QTest::newRow("plain") << 0.0;
    QTest::newRow("smoothed") << 0.1;
}

void TestOperations::crossEntropy() {
    QFETCH(double, smoothing);
    const auto logits = randomVariable({4, 6});
    const std::vector<int> targets{3, 0, 5, 1};  // the second row is padding
    const ops::CrossEntropyOptions options{.labelSmoothing = smoothing, .ignore = 0, .lossScale = 0.25};
    const auto loss = [&] {
        Arena arena;
        Tape<double> tape(arena, Tape<double>::Mode::Training);
        return 0.25 * ops::crossEntropy(tape, logits, std::span<const int>(targets), options).smoothed;
    };
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Training);
    const auto result = ops::crossEntropy(tape, logits, std::span<const int>(targets), options);
    QCOMPARE(result.tokens, 3L);
    tape.backward();
    for (size_t i = 0; i < logits.value.count(); ++i) {
        double& x = logits.value.data[i];
        const double kept = x, h = 1e-5;
        x = kept + h;
        const double above = loss();
        x = kept - h;
        const double below = loss();
        x = kept;
        QVERIFY(std::abs((above - below) / (2 * h) - logits.gradient().data[i]) < 1e-8);
    }
}

void TestOperations::dropoutKeepsItsShareAndTheMean() {
    const int n = 100000;
    Variable<double> ones = randomVariable({1, n});
    std::fill_n(ones.value.data, n, 1.0);
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Training);
    const auto dropped = ops::dropout(tape, ones, 0.25, 12345u);
    int kept = 0;
    for (int i = 0; i < n; ++i)
        kept += dropped.value.data[i] != 0.0;
    QVERIFY2(std::abs(kept - 0.75 * n) < 5 * std::sqrt(0.75 * 0.25 * n), qPrintable(QString::number(kept)));
    QCOMPARE(dropped.value.data[0] == 0.0 || std::abs(dropped.value.data[0] - 4.0 / 3) < 1e-12, true);
}

// The double kernel takes one element at a time, the single one whole vectors.
void TestOperations::dropoutDecidesTheSameWhateverTheVectors() {
    for (const size_t n : {size_t{1}, size_t{31}, size_t{64}, size_t{65}, size_t{127}, size_t{1000}}) {
        const std::vector<float> ones(n, 1.0f);
        const std::vector<double> wideOnes(n, 1.0);
        std::vector<float> single(n), sum(n, 2.0f);
        std::vector<double> wide(n);
        kernels<float>().dropout(n, 0.3f, 77, ones.data(), single.data());
        kernels<float>().dropoutAdd(n, 0.3f, 77, ones.data(), sum.data());
        kernels<double>().dropout(n, 0.3, 77, wideOnes.data(), wide.data());
        for (size_t i = 0; i < n; ++i) {
            QCOMPARE(single[i] != 0.0f, wide[i] != 0.0);
            QCOMPARE(sum[i], single[i] + 2.0f);
        }
    }
}

// Two elements share a hash, 32 places apart, and neighbours hash neighbouring numbers: neither may show.
void TestOperations::dropoutDecidesApartForEveryElement() {
    constexpr size_t n = 1 << 17;
    const std::vector<float> ones(n, 1.0f);
    std::vector<float> first(n), second(n);
    kernels<float>().dropout(n, 0.5f, 1, ones.data(), first.data());
    kernels<float>().dropout(n, 0.5f, 2, ones.data(), second.data());
    const auto agreements = [&](const std::vector<float>& other, size_t apart) {
        double count = 0;
        for (size_t i = 0; i + apart < n; ++i)
            count += (first[i] != 0.0f) == (other[i + apart] != 0.0f);
        return count / static_cast<double>(n - apart);
    };
    const double tolerance = 5 * 0.5 / std::sqrt(static_cast<double>(n));
    for (const size_t apart : {1, 2, 16, 31, 32, 33, 64, 512})
        QVERIFY2(std::abs(agreements(first, apart) - 0.5) < tolerance, qPrintable(QString::number(apart)));
    for (const size_t apart : {0, 1, 32})
        QVERIFY2(std::abs(agreements(second, apart) - 0.5) < tolerance, qPrintable(QString::number(apart)));
}

QTEST_APPLESS_MAIN(TestOperations)
#include "test_operations.moc"
