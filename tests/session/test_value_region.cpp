// SPDX-License-Identifier: GPL-3.0-or-later
// Which numbers of a record are meant: the head that belongs to another one's, the largest of a row.
#include <QTest>
#include <algorithm>
#include <numeric>
#include <random>

#include "ui/session/trace/value_region.h"

using namespace headlight;

namespace {

TraceRecord recordOf(const std::vector<int>& shape, int heads) {
    TraceRecord record;
    record.shape = shape;
    record.values.resize(static_cast<size_t>(std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>())));
    record.module = std::make_shared<const Module>(Module{.kind = ModuleKind::Attention, .heads = heads});
    return record;
}

}  // namespace

class TestValueRegion : public QObject {
    Q_OBJECT
private slots:
    void queriesThatShareKeysHaveTheKeysOfTheirGroup() {
        const TraceRecord keys = recordOf({2, 3, 4}, 8), scores = recordOf({8, 3, 3}, 8);
        for (int head = 0; head < 8; ++head) {
            QCOMPARE(headOf(keys, head), head / 4);
            QCOMPARE(headOf(scores, head), head);
        }
        QCOMPARE(headOf(scores, 99), 7);
        QCOMPARE(headOf(scores, -1), 0);
        QCOMPARE(headOf(recordOf({3, 4}, 8), 5), 0);
        QCOMPARE(headOf(recordOf({5, 3, 4}, 1), 3), 3);  // a module that says nothing of heads
    }

    void theLargestOfARowAreThoseOfASortedRow() {
        std::mt19937 random(7);
        for (int round = 0; round < 200; ++round) {
            std::vector<float> row(random() % 40);
            for (float& each : row)
                each = static_cast<float>(random() % 9);  // so that many are equal
            std::vector<int> sorted(row.size());
            std::iota(sorted.begin(), sorted.end(), 0);
            std::ranges::stable_sort(sorted, std::ranges::greater(), [&](int at) { return row[size_t(at)]; });
            const size_t most = random() % 12;
            sorted.resize(std::min(sorted.size(), most));
            QCOMPARE(largestColumns(row, most), sorted);
        }
    }
};

QTEST_GUILESS_MAIN(TestValueRegion)
#include "test_value_region.moc"
