// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <limits>

#include "core/experiment/query_key_value.h"
#include "ui/session/trace/operation_motion.h"

using namespace headlight;

namespace {

const std::vector<double> kPhases = {0, 0.25, 0.5, 0.75, 1};

double number(const std::vector<float>& matrix, int row, int column, int columns) {
    return static_cast<double>(
        matrix[static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(column)]);
}

}  // namespace

/// What is to be seen of an operation at a phase, against sums that are added up here from the numbers.
class TestOperationMotion : public QObject {
    Q_OBJECT

    QueryKeyValue m_input = workedExample();
    QueryKeyValueResult m_result = attend(m_input, true, 1);

private slots:
    void aMatrixIsFilledRowByRow() {
        const FillMotion none = FillMotion::at(4, 10, 0), all = FillMotion::at(4, 10, 1);
        QCOMPARE(none.filled, 0L);
        QCOMPARE(none.travel, 0.0);
        QCOMPARE(all.filled, 40L);
        QCOMPARE(all.row, 4);
        for (const int row : {1, 2, 3}) {  // at a quarter one row is there, and nothing of the next
            const FillMotion motion = FillMotion::at(4, 10, row / 4.0);
            QCOMPARE(motion.row, row);
            QCOMPARE(motion.filled, 10L * row);
        }
        const FillMotion within = FillMotion::at(4, 10, (2 + 0.65) / 4);  // half of what is left after the mark's way
        QCOMPARE(within.row, 2);
        QCOMPARE(within.travel, 1.0);
        QCOMPARE(within.column, 5);
    }

    /// Going through the phases backwards passes the same pictures.
    void whatIsFilledNeverGetsLess() {
        long before = 0;
        for (int i = 0; i <= 1000; ++i) {
            const long filled = FillMotion::at(5, 64, i / 1000.0).filled;
            QVERIFY(filled >= before);
            QVERIFY(filled - before <= 2);
            before = filled;
        }
        QCOMPARE(before, 5L * 64);
    }

    void theProductsOfAScoreAddUp() {
        const int width = m_input.width, keys = m_input.keys;
        for (const double phase : kPhases) {
            const ScoreMotion motion = ScoreMotion::at(m_input.query, m_input.key, width, phase);
            QCOMPARE(motion.filled, static_cast<long>(std::floor(phase * m_input.queries * keys)));
            if (phase == 1) {
                QCOMPARE(motion.row, m_input.queries);
                continue;
            }
            QCOMPARE(motion.row, static_cast<int>(motion.filled) / keys);
            QCOMPARE(motion.column, static_cast<int>(motion.filled) % keys);
            double sum = 0;
            for (int i = 0; i < motion.products; ++i)
                sum += number(m_input.query, motion.row, i, width) * number(m_input.key, motion.column, i, width);
            QCOMPARE(motion.sum, sum);
            if (phase == 0) {
                QCOMPARE(motion.products, 0);
                QCOMPARE(motion.sum, 0.0);
                QCOMPARE(motion.fill, 0.0);
            }
        }
    }

    void oneScoreGrowsProductByProduct() {
        const std::vector<float> query = {0.5F, -1, 2, 0.25F}, key = {2, 3, 0.5F, 4};
        const double partial[] = {0, 1, -2, -1, 0};
        const auto at = [&](double phase) { return ScoreMotion::at(query, key, 4, phase); };
        for (int products = 0; products <= 4; ++products) {
            const ScoreMotion motion = at(0.2 + 0.7 * products / 4);
            QCOMPARE(motion.products, products);
            QCOMPARE(motion.sum, partial[products]);
        }
        QCOMPARE(at(0.1).slide, 0.5);
        QCOMPARE(at(0.2 + 0.7 * 1.5 / 4).falling, 0.5);
        QCOMPARE(at(0.95).fill, 0.5);
        QCOMPARE(at(0.95).filled, 0L);
        QCOMPARE(at(1).filled, 1L);
    }

    void theBarsOfASoftmaxShrinkUntilTheyAreOne() {
        const int keys = m_input.keys;
        const std::vector<float> scores(m_result.scores.begin(), m_result.scores.begin() + keys),
            weights(m_result.weights.begin(), m_result.weights.begin() + keys);
        const auto at = [&](double phase) { return SoftmaxMotion::at(scores, weights, {}, keys, phase); };
        const SoftmaxMotion none = at(0);
        for (const double height : none.heights)
            QCOMPARE(height, 0.0);
        QCOMPARE(none.sum, 0.0);
        double sum = 0, most = 0;
        for (const float score : scores) {
            sum += std::exp(static_cast<double>(score));
            most = std::max(most, std::exp(static_cast<double>(score)));
        }
        // All stand, none is counted; then one after another is.
        const SoftmaxMotion risen = at(0.35);
        QCOMPARE(*std::ranges::max_element(risen.heights), 1.0);
        double partial = 0;
        for (int counted = 0; counted <= keys; ++counted) {
            const SoftmaxMotion motion = at(0.35 + 0.25 * counted / keys);
            QCOMPARE(motion.counted, counted);
            QCOMPARE(motion.sum, partial);
            if (counted < keys) partial += std::exp(static_cast<double>(scores[static_cast<size_t>(counted)]));
        }
        QCOMPARE(at(0.6).sum, sum);
        const SoftmaxMotion half = at(0.8);
        for (int i = 0; i < keys; ++i) {
            const auto key = static_cast<size_t>(i);
            const double power = std::exp(static_cast<double>(scores[key]));
            QCOMPARE(half.powers[key], power);
            QVERIFY(std::abs(half.heights[key] - (power / most + static_cast<double>(weights[key])) / 2) < 1e-9);
        }
        QCOMPARE(at(1).row, 1);  // it is done: the picture has the trace's own weights
        const SoftmaxMotion almost = at(1 - 1e-7);
        double shares = 0;
        for (const double height : almost.heights)
            shares += height;
        QVERIFY(std::abs(shares - 1) < 1e-5);
    }

    void whatMayNotBeLookedAtHasNoBar() {
        const std::vector<float> scores = {1, 50}, weights = {1, 0},
                                 mask = {0, -std::numeric_limits<float>::infinity()};
        const SoftmaxMotion motion = SoftmaxMotion::at(scores, weights, mask, 2, 0.6);
        QCOMPARE(motion.powers[1], 0.0);
        QCOMPARE(motion.heights[1], 0.0);
        QCOMPARE(motion.sum, std::exp(1.0));
    }

    void theValuesOfAMixtureAddUp() {
        const int keys = m_input.keys, width = m_input.width;
        for (const double phase : kPhases) {
            const MixMotion motion = MixMotion::at(m_result.weights, m_input.value, keys, phase);
            QCOMPARE(motion.row, static_cast<int>(phase * m_input.queries));
            if (phase == 1) continue;
            std::vector<double> sum(static_cast<size_t>(width), 0);
            for (int key = 0; key < motion.added; ++key)
                for (int i = 0; i < width; ++i)
                    sum[static_cast<size_t>(i)] +=
                        number(m_result.weights, motion.row, key, keys) * number(m_input.value, key, i, width);
            QCOMPARE(motion.sum, sum);
            if (phase == 0) {
                QCOMPARE(motion.added, 0);
                QCOMPARE(motion.strengths, std::vector<double>(static_cast<size_t>(keys), 1.0));
            }
        }
        // When the values have faded they are as strong as their weights, and when all have fallen it is the output.
        const MixMotion faded = MixMotion::at(m_result.weights, m_input.value, keys, 0.3 / m_input.queries);
        for (int key = 0; key < keys; ++key)
            QVERIFY(std::abs(faded.strengths[static_cast<size_t>(key)] - number(m_result.weights, 0, key, keys)) <
                    1e-9);
        const MixMotion last = MixMotion::at(m_result.weights, m_input.value, keys, 0.95 / m_input.queries);
        QCOMPARE(last.added, keys);
        for (int i = 0; i < width; ++i)
            QVERIFY(std::abs(last.sum[static_cast<size_t>(i)] - number(m_result.output, 0, i, width)) < 1e-6);
    }

    void aBranchGrowsBeforeItsWordAndFadesAfterIt() {
        for (const double phase : kPhases) {
            const BranchMotion motion = BranchMotion::at(phase);
            QVERIFY(motion.grow >= motion.word && motion.word >= motion.fade);
        }
        QCOMPARE(BranchMotion::at(0).grow, 0.0);
        QCOMPARE(BranchMotion::at(0.25).grow, 0.5);
        QCOMPARE(BranchMotion::at(0.25).word, 0.0);
        QCOMPARE(BranchMotion::at(0.5).grow, 1.0);
        QVERIFY(BranchMotion::at(0.5).word > 0 && BranchMotion::at(0.5).word < 1);
        QCOMPARE(BranchMotion::at(0.75).word, 1.0);
        QVERIFY(BranchMotion::at(0.75).fade > 0 && BranchMotion::at(0.75).fade < 0.5);
        QCOMPARE(BranchMotion::at(1).fade, 1.0);
    }
};

QTEST_GUILESS_MAIN(TestOperationMotion)
#include "test_operation_motion.moc"
