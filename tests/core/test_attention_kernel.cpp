// SPDX-License-Identifier: GPL-3.0-or-later
// Attention of short sentences in training goes through a kernel of its own: it must say what the plain way says.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/autograd/operations.h"
#include "core/tensor/attention_kernels.h"
#include "tests/core/gradient_check.h"

using namespace headlight;

namespace {

/// Queries, keys and values in one variable, as self-attention has them; some keys masked, one query without any.
template <class T>
struct Sentences {
    int batch, queries, keys, heads, width;
    std::vector<T> numbers, mask;

    Sentences(int b, int length, int h, int w)
        : batch(b), queries(length), keys(length), heads(h), width(w), numbers(size_t(b * length * 3 * h * w)) {
        for (T& number : numbers)
            number = static_cast<T>(headlight::numbers.normal());
        for (int i = 0; i < batch * queries * keys; ++i)
            mask.push_back(i % 7 == 1 || i / keys == 1 ? -std::numeric_limits<T>::infinity() : T(0));
    }

    Variable<T> variable(Tape<T>& tape) const {
        const Variable<T> result = tape.variable({batch * queries, 3 * heads * width});
        std::ranges::copy(numbers, result.value.data);
        return result;
    }

    ops::AttentionInput<T> input(const Variable<T>& all, T dropout) {
        const int d = heads * width;
        ops::AttentionInput<T> result{.query = all.columns(0, d),
                                      .key = all.columns(d, d),
                                      .value = all.columns(2 * d, d),
                                      .mask = {mask.data(), {batch, queries, keys}}};
        result.batch = batch;
        result.queries = queries;
        result.keys = result.keyStride = keys;
        result.numHeads = heads;
        result.dropout = dropout;
        result.seed = 11;
        return result;
    }
};

}  // namespace

class TestAttentionKernel : public QObject {
    Q_OBJECT
private slots:
    void gradients_data();
    void gradients();
    void selfAttentionSetsTheWholeGradientAndAddsToIt();
    void saysWhatThePlainWaySays_data();
    void saysWhatThePlainWaySays();
    void whatIsNoNumberStaysNoNumber();
};

void TestAttentionKernel::gradients_data() {
    QTest::addColumn<int>("keyStride");
    QTest::addColumn<int>("keyHeads");
    QTest::addColumn<double>("dropout");
    QTest::newRow("plain") << 5 << 2 << 0.0;
    QTest::newRow("dropout") << 5 << 2 << 0.3;
    QTest::newRow("room left between sentences") << 7 << 2 << 0.0;
    QTest::newRow("two heads share one of keys") << 5 << 1 << 0.3;
}

void TestAttentionKernel::gradients() {
    QFETCH(int, keyStride);
    QFETCH(int, keyHeads);
    QFETCH(double, dropout);
    constexpr int batch = 2, queries = 3, keys = 5, width = 8;
    QVERIFY(attentionKernels<double>().suits(queries, keys, width));
    ops::AttentionInput<double> input{
        .query = randomVariable({batch * queries, 2 * width}),
        .key = randomVariable({batch * keyStride, keyHeads * width}),
        .value = randomVariable({batch * keyStride, keyHeads * width}),
        .mask = {inputs.allocate<double>(batch * queries * keys), {batch, queries, keys}}};
    for (int i = 0; i < batch * queries * keys; ++i)
        input.mask.data[i] = i % 4 == 1 || i / keys == 2 ? -std::numeric_limits<double>::infinity() : 0.0;
    input.batch = batch;
    input.queries = queries;
    input.keys = keys;
    input.keyStride = keyStride;
    input.numHeads = 2;
    input.numKeyHeads = keyHeads;
    input.dropout = dropout;
    input.seed = 3;
    checkGradients([&](Tape<double>& tape) { return ops::attention(tape, input).context; },
                   {input.query, input.key, input.value});
}

void TestAttentionKernel::selfAttentionSetsTheWholeGradientAndAddsToIt() {
    const Variable<double> all = randomVariable({6, 3 * 16});
    Sentences<double> sentences(2, 3, 2, 8);
    const ops::AttentionInput<double> input = sentences.input(all, 0.2);
    checkGradients([&](Tape<double>& tape) { return ops::attention(tape, input).context; }, {all});
}

void TestAttentionKernel::saysWhatThePlainWaySays_data() {
    QTest::addColumn<int>("length");
    QTest::addColumn<int>("width");
    QTest::addColumn<double>("dropout");
    for (const int length : {1, 2, 7, 16, 20, 33})
        for (const int width : {8, 16, 32})
            QTest::addRow("%d words, heads of %d", length, width) << length << width << 0.1;
    QTest::newRow("without dropout") << 20 << 16 << 0.0;
}

/// With the same words dropped: the plain way draws by the place in all heads of all sentences.
void TestAttentionKernel::saysWhatThePlainWaySays() {
    QFETCH(int, length);
    QFETCH(int, width);
    QFETCH(double, dropout);
    Sentences<float> sentences(3, length, 2, width);
    struct Result {
        std::vector<float> context, gradient;
        bool showsWeights;
    };
    const auto result = [&](bool watched) {
        Arena arena;
        constexpr size_t room = size_t{1} << 22;
        std::memset(arena.allocate(room), 0xFF, room);  // nothing is a number that was not written
        arena.reset();
        Tape<float> tape(arena, Tape<float>::Mode::Training);
        const Variable<float> all = sentences.variable(tape);
        ops::AttentionInput<float> input = sentences.input(all, static_cast<float>(dropout));
        if (watched) input.onScores = [](void*, const Tensor<float>&) {};
        const auto output = ops::attention(tape, input);
        const Variable<float>& context = output.context;
        context.prepareGradient();
        for (size_t i = 0; i < context.value.count(); ++i)
            context.gradient().data[i] = static_cast<float>(weightOf(i));
        tape.backward();
        return Result{{context.value.data, context.value.data + context.value.count()},
                      {all.gradient().data, all.gradient().data + all.value.count()},
                      static_cast<bool>(output.weights)};
    };
    const Result kernel = result(false), plain = result(true);
    QVERIFY(plain.showsWeights);
    QCOMPARE(kernel.showsWeights, !attentionKernels<float>().suits(length, length, width));
    const auto compare = [](const std::vector<float>& found, const std::vector<float>& expected) {
        QCOMPARE(found.size(), expected.size());
        for (size_t i = 0; i < found.size(); ++i)
            QVERIFY2(std::abs(found[i] - expected[i]) <= 1e-5f * (1 + std::abs(expected[i])),
                     qPrintable(QStringLiteral("%1: %2, not %3").arg(i).arg(found[i]).arg(expected[i])));
    };
    compare(kernel.context, plain.context);
    compare(kernel.gradient, plain.gradient);
}

void TestAttentionKernel::whatIsNoNumberStaysNoNumber() {
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity()}) {
        Sentences<float> sentences(1, 5, 1, 16);
        std::ranges::fill(sentences.mask, 0.0f);
        sentences.numbers[3] = bad;  // of the first query
        Arena arena;
        Tape<float> tape(arena, Tape<float>::Mode::Training);
        const Variable<float> context = ops::attention(tape, sentences.input(sentences.variable(tape), 0.0f)).context;
        for (int i = 0; i < context.cols(); ++i)
            QVERIFY(std::isnan(context.value.at(0, i)) && !std::isnan(context.value.at(1, i)));
    }
}

QTEST_APPLESS_MAIN(TestAttentionKernel)
#include "test_attention_kernel.moc"
