// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of an embedding and its position.
#include <QTest>

#include "core/nn/positional_encoding.h"

using namespace headlight;

class TestPositions : public QObject {
    Q_OBJECT
private slots:
    void concatenatedTheEmbeddingComesFirstAndThePositionAfterIt_data() { kinds(); }
    void concatenatedTheEmbeddingComesFirstAndThePositionAfterIt();
    void addedTheyAreSummed_data() { kinds(); }
    void addedTheyAreSummed();

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

QTEST_APPLESS_MAIN(TestPositions)
#include "test_positions.moc"
