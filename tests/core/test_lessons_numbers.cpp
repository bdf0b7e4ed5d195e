// SPDX-License-Identifier: GPL-3.0-or-later
// Worked numbers of the curriculum, from the engine, to the digits in which they are printed.
#include <QTest>
#include <cmath>
#include <limits>

#include "core/autograd/operations.h"
#include "core/nn/sinusoids.h"
#include "core/tensor/kernels.h"

using namespace headlight;

namespace {

// The matrix that is query, key and value alike: five words of four numbers.
double words[5][4] = {{.3, .5, .2, .1}, {.4, .5, .1, .2}, {.2, .6, .5, .6}, {.1, .2, .3, .1}, {.2, .6, .5, .2}};

/// The decks computed in single precision: their eighth digit is rounding.
constexpr double printed = 5e-8;

void compareRow(const double* found, std::initializer_list<double> expected, double tolerance) {
    for (double value : expected) {
        QVERIFY2(std::abs(*found - value) <= tolerance,
                 qPrintable(QString("%1 instead of %2").arg(*found, 0, 'g', 10).arg(value, 0, 'g', 10)));
        ++found;
    }
}

}  // namespace

class TestLessonsNumbers : public QObject {
    Q_OBJECT
private slots:
    void scaledDotProductAttentionByHand();
    void sinusoidalEncodingWithBase100();
    void maskedSoftmaxFinishesTheRowsThatTheDeckLeaves();
};

void TestLessonsNumbers::scaledDotProductAttentionByHand() {
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Inference);
    const Variable<double> x{{&words[0][0], {5, 4}}, {}};
    ops::AttentionInput<double> input{.query = x, .key = x, .value = x, .mask = {}};
    input.queries = input.keys = input.keyStride = 5;
    std::vector<double> scores;
    input.observer = &scores;
    input.onScores = [](void* observer, const Tensor<double>& view) {
        static_cast<std::vector<double>*>(observer)->assign(view.data, view.data + view.count());
    };
    const auto output = ops::attention(tape, input);
    compareRow(scores.data(), {.195, .205, .26, .1, .24}, 1e-12);
    compareRow(output.weights.data, {.19870404, .20070107, .21204881, .18069609, .20784996}, printed);
    compareRow(output.weights.data + 10, {.1871119, .18993972, .23905815, .17186458, .21202557}, printed);
    compareRow(output.context.value.data, {.24194102, .48778105, .32396913, .24687952}, printed);
}

void TestLessonsNumbers::sinusoidalEncodingWithBase100() {
    const std::vector<float> table = sinusoidalTable(5, 5, 100);
    const std::vector<double> rows(table.begin(), table.end());
    compareRow(rows.data() + 5, {.84147096, .5403023, .15782665, .9874668, .02511622}, 6e-8);
    compareRow(rows.data() + 20, {-.7568025, -.6536436, .5923377, .80568975, .10030649}, 6e-8);
    // P₃₄, which the deck prints as 0.141 and as 0.07
    QVERIFY(std::abs(rows[3 * 5 + 4] - 0.0753) < 5e-5);
}

void TestLessonsNumbers::maskedSoftmaxFinishesTheRowsThatTheDeckLeaves() {
    const double no = -std::numeric_limits<double>::infinity();
    // <start> i am learning English: scores, with a large number wherever the mask of the future must hide it
    double scores[5][5] = {
        {1.2, 9, 9, 9, 9}, {2.3, 1.5, 9, 9, 9}, {.5, 1.4, 1.6, 9, 9}, {.6, 1.8, 2.4, .3, 9}, {2.1, 2.3, .2, 2, 2.5}};
    double mask[5][5];
    for (int q = 0; q < 5; ++q)
        for (int k = 0; k < 5; ++k)
            mask[q][k] = k > q ? no : 0;
    kernels<double>().softmaxRows(5, 5, &mask[0][0], &scores[0][0]);
    compareRow(scores[0], {1, 0, 0, 0, 0}, 0);
    compareRow(scores[1], {.69, .31, 0}, 5e-3);
    compareRow(scores[2], {.155, .381, .465, 0}, 1e-3);
    compareRow(scores[3], {.090, .299, .544, .067, 0}, 5e-4);
    compareRow(scores[4], {.210, .256, .031, .190, .313}, 5e-4);
}

QTEST_APPLESS_MAIN(TestLessonsNumbers)
#include "test_lessons_numbers.moc"
