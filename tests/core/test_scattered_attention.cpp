// SPDX-License-Identifier: GPL-3.0-or-later
// A step of decoding attends to keys that lie apart: what its kernel says, and what hypotheses share of a cache.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/autograd/operations.h"
#include "core/nn/multi_head_attention.h"
#include "core/tensor/scattered_attention.h"
#include "tests/core/gradient_check.h"

using namespace headlight;

namespace {

Tensor<double> randomMatrix(Tape<double>& tape, int rows, int cols) {
    const Tensor<double> result = tape.allocate({rows, cols});
    std::generate_n(result.data, result.count(), [] { return numbers.normal(); });
    return result;
}

/// The rows of `all` named, one behind the other.
Tensor<double> gathered(Tape<double>& tape, const Tensor<double>& all, const std::vector<int>& rows) {
    const Tensor<double> result = tape.allocate({static_cast<int>(rows.size()), all.cols()});
    for (size_t i = 0; i < rows.size(); ++i)
        std::copy_n(all.row(rows[i]), all.cols(), result.row(static_cast<int>(i)));
    return result;
}

/// A row of a number, as wide as a key.
Tensor<float> rowsOf(Tape<float>& tape, const std::vector<float>& values) {
    const Tensor<float> result = tape.allocate({static_cast<int>(values.size()), 1});
    std::ranges::copy(values, result.data);
    return result;
}

/// What a hypothesis of the cache has read.
std::vector<float> wordsOf(const KeyValueCache& cache, int hypothesis) {
    std::vector<float> result;
    for (int word = 0; word < cache.length; ++word)
        result.push_back(cache.key.row(cache.places[static_cast<size_t>(hypothesis * cache.capacity + word)])[0]);
    return result;
}

}  // namespace

class TestScatteredAttention : public QObject {
    Q_OBJECT
private slots:
    void keysThatLieApartAreAttendedToAsIfInOrder_data();
    void keysThatLieApartAreAttendedToAsIfInOrder();
    void hypothesesShareWhatTheyBeganWith();
};

void TestScatteredAttention::keysThatLieApartAreAttendedToAsIfInOrder_data() {
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("keyHeads");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("queries");
    QTest::newRow("whole vectors") << 4 << 4 << 32 << 5;
    QTest::newRow("a vector and a rest") << 2 << 2 << 19 << 3;
    QTest::newRow("less than a vector") << 3 << 3 << 3 << 1;
    QTest::newRow("queries share keys") << 6 << 2 << 8 << 2;
    QTest::newRow("one key for all queries") << 4 << 1 << 17 << 1;
}

void TestScatteredAttention::keysThatLieApartAreAttendedToAsIfInOrder() {
    QFETCH(int, heads);
    QFETCH(int, keyHeads);
    QFETCH(int, width);
    QFETCH(int, queries);
    Arena arena;
    Tape<double> tape(arena, Tape<double>::Mode::Inference);
    constexpr int batch = 2, keys = 7, room = 9;
    // Rows that serve twice, in no order, with places left over that are never read.
    const std::vector<int> places{3, 17, 0, 5, 5, 12, 9, -1, -1, 16, 3, 3, 1, 8, 0, 14, -1, -1};
    std::vector<int> inOrder;
    for (int b = 0; b < batch; ++b)
        inOrder.insert(inOrder.end(), places.begin() + b * room, places.begin() + b * room + keys);
    const Tensor<double> key = randomMatrix(tape, 18, keyHeads * width),
                         value = randomMatrix(tape, 18, keyHeads * width);
    const Tensor<double> query = randomMatrix(tape, batch * queries, heads * width);
    const Tensor<double> mask = tape.allocate({batch, queries, keys});
    for (size_t i = 0; i < mask.count(); ++i)
        mask.data[i] = i % 5 == 3 ? -std::numeric_limits<double>::infinity() : 0;

    ops::AttentionInput<double> apart{.query = {query, {}}, .key = {key, {}}, .value = {value, {}}, .mask = mask};
    apart.batch = batch;
    apart.queries = queries;
    apart.keys = keys;
    apart.keyStride = room;
    apart.keyRows = places.data();
    apart.numHeads = heads;
    apart.numKeyHeads = keyHeads;
    ops::AttentionInput<double> together = apart;
    together.key.value = gathered(tape, key, inOrder);
    together.value.value = gathered(tape, value, inOrder);
    together.keyStride = keys;
    together.keyRows = nullptr;

    const ops::AttentionOutput<double> found = ops::attention(tape, apart), wanted = ops::attention(tape, together);
    for (size_t i = 0; i < wanted.weights.count(); ++i)
        QVERIFY(std::abs(found.weights.data[i] - wanted.weights.data[i]) < 1e-12);
    for (size_t i = 0; i < wanted.context.value.count(); ++i)
        QVERIFY(std::abs(found.context.value.data[i] - wanted.context.value.data[i]) < 1e-12);
}

void TestScatteredAttention::hypothesesShareWhatTheyBeganWith() {
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    KeyValueCache cache(tape.allocate({3 * 4, 1}), tape.allocate({3 * 4, 1}), 4, 0);
    const auto add = [&](const std::vector<float>& words) { cache.add(rowsOf(tape, words), rowsOf(tape, words)); };
    add({1, 2, 3});
    add({4, 5, 6});
    cache.select(std::vector<int>{2, 2, 0});
    add({7, 8, 9});
    cache.select(std::vector<int>{1, 2});  // the second and the third go on alone
    add({10, 11});
    QCOMPARE(cache.length, 4);
    QCOMPARE(wordsOf(cache, 0), (std::vector<float>{3, 6, 8, 10}));
    QCOMPARE(wordsOf(cache, 1), (std::vector<float>{1, 4, 9, 11}));
}

QTEST_GUILESS_MAIN(TestScatteredAttention)
#include "test_scattered_attention.moc"
