// SPDX-License-Identifier: GPL-3.0-or-later
// Products of inference: against a plain loop, and that neither threads nor what stands beside a row change a bit.
#include <QTest>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/autograd/operations.h"
#include "core/platform/shared_work.h"
#include "core/tensor/packed_weights.h"
#include "core/tensor/random.h"
#include "core/tensor/weight_products.h"

using namespace headlight;

namespace {

/// A matrix of random numbers inside a wider one.
struct WeightMatrix {
    WeightMatrix(int rows, int columns, Random& random)
        : memory(static_cast<size_t>(rows) * static_cast<size_t>(columns + 3)),
          view(memory.data(), {rows, columns}, columns + 3) {
        for (float& number : memory)
            number = static_cast<float>(random.uniform(-1, 1));
    }
    std::vector<float> memory;
    Tensor<float> view;
};

struct Sizes {
    int rows, out, in;
};

template <class Multiply>
void compareWithAPlainLoop(const Sizes& sizes, Multiply&& multiply) {
    Random random(3);
    const WeightMatrix x(sizes.rows, sizes.in, random), weights(sizes.out, sizes.in, random),
        y(sizes.rows, sizes.out, random);
    const std::vector<float> before = y.memory;
    multiply(x.view, weights.view, y.view);
    for (int i = 0; i < sizes.rows; ++i) {
        for (int j = 0; j < sizes.out; ++j) {
            double sum = 0;
            for (int k = 0; k < sizes.in; ++k)
                sum += static_cast<double>(x.view.at(i, k)) * static_cast<double>(weights.view.at(j, k));
            const double error = std::abs(static_cast<double>(y.view.at(i, j)) - sum);
            QVERIFY2(error < 1e-4, qPrintable(QStringLiteral("[%1, %2]: off by %3").arg(i).arg(j).arg(error)));
        }
        // What lies between the rows belongs to somebody else.
        for (int j = sizes.out; j < y.view.ld; ++j)
            QCOMPARE(y.view.row(i)[j], before[static_cast<size_t>(i * y.view.ld + j)]);
    }
}

}  // namespace
Q_DECLARE_METATYPE(Sizes)

class TestWeightProducts : public QObject {
    Q_OBJECT
private slots:
    void cleanup() { SharedWork::useThreads(0); }
    void aProductIsThatOfAPlainLoop_data();
    void aProductIsThatOfAPlainLoop();
    void aProductWithPackedWeightsIsThatOfAPlainLoop_data() { aProductIsThatOfAPlainLoop_data(); }
    void aProductWithPackedWeightsIsThatOfAPlainLoop();
    void theBitsAreThoseOfOneThread_data() { aProductIsThatOfAPlainLoop_data(); }
    void theBitsAreThoseOfOneThread();
    void aRowIsTheSameAloneAndAmongOthers();
    void aRowByPackedWeightsIsTheSameAloneAndAmongOthers();
    void threadsThatMeetWeightsAtOnceGetTheSame();
    void longSentencesAttendWithTheSameBitsOnAnyNumberOfThreads();
    void whatAJobThrowsIsThrown();
    void aJobThatSharesItsWorkDoesItAlone();
};

void TestWeightProducts::aProductIsThatOfAPlainLoop_data() {
    QTest::addColumn<Sizes>("sizes");
    const auto row = [](int rows, int out, int in) {
        QTest::newRow(qPrintable(QStringLiteral("%1 x %2 x %3").arg(rows).arg(out).arg(in))) << Sizes{rows, out, in};
    };
    row(1, 7, 5);         // small: whole
    row(1, 1031, 259);    // a word, several pieces, nothing even
    row(1, 130, 2100);    // in parts along what is summed
    row(7, 515, 600);     // rows left over
    row(64, 400, 700);    // a sentence
    row(193, 1000, 300);  // many rows: BLAS, in pieces
}

void TestWeightProducts::aProductIsThatOfAPlainLoop() {
    QFETCH(Sizes, sizes);
    compareWithAPlainLoop(sizes, [](const Tensor<float>& x, const Tensor<float>& weights, const Tensor<float>& y) {
        multiplyByWeights(x, weights, y);
    });
}

void TestWeightProducts::aProductWithPackedWeightsIsThatOfAPlainLoop() {
    QFETCH(Sizes, sizes);
    compareWithAPlainLoop(sizes, [](const Tensor<float>& x, const Tensor<float>& weights, const Tensor<float>& y) {
        PackedWeights packed;
        packed.multiply(x.rowRange(0, 1), weights, y.rowRange(0, 1));  // met for the first time
        packed.multiply(x, weights, y);
    });
}

void TestWeightProducts::theBitsAreThoseOfOneThread() {
    QFETCH(Sizes, sizes);
    Random random(4);
    const WeightMatrix x(sizes.rows, sizes.in, random), weights(sizes.out, sizes.in, random);
    std::vector<std::vector<float>> found;
    for (const int threads : {1, 2, 3}) {
        SharedWork::useThreads(threads);
        std::vector<float> y(static_cast<size_t>(sizes.rows) * static_cast<size_t>(sizes.out));
        multiplyByWeights(x.view, weights.view, Tensor<float>(y.data(), {sizes.rows, sizes.out}));
        found.push_back(std::move(y));
    }
    QVERIFY(found[0] == found[1]);
    QVERIFY(found[0] == found[2]);
}

/// So a word that is read with what was kept of the others gets the numbers that it has when all are read at once.
void TestWeightProducts::aRowIsTheSameAloneAndAmongOthers() {
    Random random(5);
    constexpr int rows = 47;  // few, on every processor
    const WeightMatrix x(rows, 700, random), weights(500, 700, random), all(rows, 500, random), one(1, 500, random);
    multiplyByWeights(x.view, weights.view, all.view);
    for (int i = 0; i < rows; ++i) {
        multiplyByWeights(x.view.rowRange(i, 1), weights.view, one.view);
        QVERIFY(std::equal(one.view.row(0), one.view.row(0) + 500, all.view.row(i)));
    }
}

void TestWeightProducts::aRowByPackedWeightsIsTheSameAloneAndAmongOthers() {
    Random random(5);
    constexpr int rows = 250;
    const WeightMatrix x(rows, 300, random), weights(137, 300, random), all(rows, 137, random), one(1, 137, random);
    PackedWeights packed;
    packed.multiply(x.view, weights.view, all.view);
    for (int i = 0; i < rows; ++i) {
        packed.multiply(x.view.rowRange(i, 1), weights.view, one.view);
        QVERIFY(std::equal(one.view.row(0), one.view.row(0) + 137, all.view.row(i)));
    }
}

/// Parts of one matrix begin at the same place: they are other weights.
void TestWeightProducts::threadsThatMeetWeightsAtOnceGetTheSame() {
    Random random(7);
    const WeightMatrix x(9, 64, random), weights(96, 64, random);
    PackedWeights packed;
    std::vector<std::vector<float>> found(4, std::vector<float>(9 * 96));
    std::vector<std::thread> threads;
    for (std::vector<float>& y : found)
        threads.emplace_back([&] {
            packed.multiply(x.view, weights.view.rowRange(0, 32), Tensor<float>(y.data(), {9, 32}, 96));
            packed.multiply(x.view, weights.view, Tensor<float>(y.data(), {9, 96}));
        });
    for (std::thread& thread : threads)
        thread.join();
    std::vector<float> part(9 * 32);
    packed.multiply(x.view, weights.view.rowRange(0, 32), Tensor<float>(part.data(), {9, 32}));
    for (size_t i = 0; i < found.size(); ++i)
        QVERIFY(found[i] == found[0]);
    for (size_t row = 0; row < 9; ++row)
        QVERIFY(std::equal(part.begin() + row * 32, part.begin() + (row + 1) * 32, found[0].begin() + row * 96));
}

void TestWeightProducts::longSentencesAttendWithTheSameBitsOnAnyNumberOfThreads() {
    constexpr int tokens = 600, heads = 4, width = 64;
    Random random(6);
    const WeightMatrix q(tokens, width, random), k(tokens, width, random), v(tokens, width, random);
    std::vector<std::vector<float>> found;
    for (const int threads : {1, 2}) {
        SharedWork::useThreads(threads);
        Arena arena;
        Tape<float> tape(arena, Tape<float>::Mode::Inference);
        ops::AttentionInput<float> in;
        in.query.value = q.view;
        in.key.value = k.view;
        in.value.value = v.view;
        in.numHeads = heads;
        in.queries = in.keys = in.keyStride = tokens;
        const Tensor<float> joined = ops::attention(tape, in).context.value;
        found.emplace_back(joined.data, joined.data + joined.count());
    }
    QVERIFY(found[0] == found[1]);
}

void TestWeightProducts::whatAJobThrowsIsThrown() {
    for (const int threads : {1, 2}) {
        SharedWork::useThreads(threads);
        QVERIFY_EXCEPTION_THROWN(SharedWork::run(8,
                                                 [](int i) {
                                                     if (i == 5) throw std::runtime_error("no");
                                                 }),
                                 std::runtime_error);
        std::atomic<int> done = 0;
        SharedWork::run(8, [&](int) { ++done; });
        QCOMPARE(done.load(), 8);
    }
}

void TestWeightProducts::aJobThatSharesItsWorkDoesItAlone() {
    SharedWork::useThreads(2);
    std::atomic<int> done = 0, elsewhere = 0;
    SharedWork::run(4, [&](int) {
        const std::thread::id here = std::this_thread::get_id();
        SharedWork::run(16, [&](int) {
            ++done;
            if (std::this_thread::get_id() != here) ++elsewhere;
        });
    });
    QCOMPARE(done.load(), 64);
    QCOMPARE(elsewhere.load(), 0);
}

QTEST_APPLESS_MAIN(TestWeightProducts)
#include "test_weight_products.moc"
