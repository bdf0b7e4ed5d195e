// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of recurrent networks against central differences in double precision.
#include <QTest>
#include <limits>

#include "core/autograd/operations.h"
#include "core/autograd/recurrent.h"
#include "tests/core/gradient_check.h"

using namespace headlight;

class TestRecurrentOperations : public QObject {
    Q_OBJECT
private slots:
    void recurrent_data();
    void recurrent();
    void tanh();
    void gatherRowsWithARowTakenTwice();
    void dotScores();
    void additiveScores();
    void attendOverPaddedKeys();
};

void TestRecurrentOperations::recurrent_data() {
    QTest::addColumn<int>("cell");
    QTest::addColumn<bool>("started");
    for (const bool started : {false, true}) {
        const char* from = started ? " from a state" : " from zeros";
        QTest::addRow("rnn%s", from) << static_cast<int>(Cell::Rnn) << started;
        QTest::addRow("gru%s", from) << static_cast<int>(Cell::Gru) << started;
        QTest::addRow("lstm%s", from) << static_cast<int>(Cell::Lstm) << started;
    }
}

void TestRecurrentOperations::recurrent() {
    QFETCH(int, cell);
    QFETCH(bool, started);
    constexpr int steps = 4, batch = 2, in = 3, h = 5;
    const Cell kind = static_cast<Cell>(cell);
    const int gates = gatesOf(kind) * h;
    const auto x = randomVariable({steps * batch, in}), inputWeight = randomVariable({gates, in});
    const auto inputBias = randomVariable({gates}), weight = randomVariable({gates, h});
    const auto stateBias = randomVariable({gates}), hidden0 = randomVariable({batch, h});
    const auto cell0 = randomVariable({batch, h});
    std::vector<Variable<double>> variables{x, inputWeight, inputBias, weight};
    if (kind == Cell::Gru) variables.push_back(stateBias);
    if (started) variables.push_back(hidden0);
    if (started && kind == Cell::Lstm) variables.push_back(cell0);

    const auto forward = [&](Tape<double>& tape) {
        ops::RecurrentInput<double> input;
        input.cell = kind;
        input.gates = ops::linear(tape, x, inputWeight, inputBias);
        input.weight = weight;
        if (kind == Cell::Gru) input.stateBias = stateBias;
        if (started) input.hidden0 = hidden0;
        if (started && kind == Cell::Lstm) input.cell0 = cell0;
        input.steps = steps;
        input.batch = batch;
        const ops::RecurrentOutput<double> output = ops::recurrent(tape, input);
        return kind == Cell::Lstm ? ops::concatColumns(tape, output.hidden, output.cell) : output.hidden;
    };
    checkGradients(forward, variables);
}

void TestRecurrentOperations::tanh() {
    const auto x = randomVariable({3, 7});
    checkGradients([&](Tape<double>& tape) { return ops::tanh(tape, x); }, {x});
}

void TestRecurrentOperations::gatherRowsWithARowTakenTwice() {
    const auto x = randomVariable({4, 3});
    const std::vector<int> rows{2, 0, 2};
    checkGradients([&](Tape<double>& tape) { return ops::gatherRows(tape, x, std::span<const int>(rows)); }, {x});
}

void TestRecurrentOperations::dotScores() {
    const ops::AlignmentShape shape{2, 3, 4};
    const auto query = randomVariable({6, 5}), key = randomVariable({8, 5});
    checkGradients([&](Tape<double>& tape) { return ops::dotScores(tape, query, key, 0.7, shape); }, {query, key});
}

void TestRecurrentOperations::additiveScores() {
    const ops::AlignmentShape shape{2, 3, 4};
    const auto query = randomVariable({6, 5}), key = randomVariable({8, 5}), v = randomVariable({1, 5});
    checkGradients([&](Tape<double>& tape) { return ops::additiveScores(tape, query, key, v, shape); },
                   {query, key, v});
}

void TestRecurrentOperations::attendOverPaddedKeys() {
    const ops::AlignmentShape shape{2, 2, 3};
    const auto scores = randomVariable({4, 3}), values = randomVariable({6, 4});
    const Variable<double> mask = randomVariable({2, 2, 3});
    for (size_t i = 0; i < mask.value.count(); ++i)
        mask.value.data[i] = i % 3 == 2 && i < 6 ? -std::numeric_limits<double>::infinity() : 0.0;
    checkGradients(
        [&](Tape<double>& tape) {
            const auto [context, weights] = ops::attend(tape, scores, values, mask.value, shape);
            return ops::concatColumns(tape, context, weights);
        },
        {scores, values});
}

QTEST_GUILESS_MAIN(TestRecurrentOperations)
#include "test_recurrent_operations.moc"
