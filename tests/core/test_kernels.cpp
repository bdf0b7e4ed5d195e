// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels where the numbers end: what is no number must not come out as one, in whole vectors and behind them.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/tensor/kernels.h"
#include "core/tensor/recurrent_kernels.h"

using namespace headlight;

namespace {

constexpr int kWidest = 37;  ///< two vectors of the widest processors, and some behind

template <class T>
constexpr T noNumber = std::numeric_limits<T>::quiet_NaN();
template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();

template <class T>
std::vector<T> scores(int count) {
    std::vector<T> result(static_cast<size_t>(count));
    for (size_t i = 0; i < result.size(); ++i)
        result[i] = static_cast<T>(std::sin(static_cast<double>(i)));
    return result;
}

template <class T>
bool areNone(const std::vector<T>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](T each) { return std::isnan(each); });
}

/// Every row that holds one NaN, of every length, whatever else it holds: as PyTorch 2's softmax has it.
template <class T>
void softmaxOfNoNumber() {
    for (int columns = 1; columns <= kWidest; ++columns)
        for (size_t at = 0; at < static_cast<size_t>(columns); ++at) {
            for (const T rest : {T(0), -infinity<T>}) {
                std::vector<T> row = scores<T>(columns);
                if (rest != 0) std::fill(row.begin(), row.end(), rest);
                row[at] = noNumber<T>;
                kernels<T>().softmaxRows(1, columns, nullptr, row.data());
                QVERIFY2(areNone(row), qPrintable(QStringLiteral("%1 of %2").arg(at).arg(columns)));
            }
            std::vector<T> row = scores<T>(columns), logarithms(row.size());
            row[at] = noNumber<T>;
            kernels<T>().logSoftmaxRows(1, columns, row.data(), logarithms.data());
            QVERIFY(areNone(logarithms));
            RowSummary<T> summary;
            kernels<T>().rowSummary(columns, row.data(), &summary);
            QVERIFY(std::isnan(summary.logSumExp));
        }
}

template <class T>
void activationsOfNoNumber() {
    for (int count = 1; count <= kWidest; ++count)
        for (size_t at = 0; at < static_cast<size_t>(count); ++at) {
            std::vector<T> x = scores<T>(count), y(x.size());
            x[at] = noNumber<T>;
            const auto keepsIt = [&](auto kernel) {
                kernel(x.size(), x.data(), y.data());
                for (size_t i = 0; i < x.size(); ++i)
                    if (std::isnan(x[i]) != std::isnan(y[i])) return false;
                return true;
            };
            QVERIFY(keepsIt(kernels<T>().relu));
            QVERIFY(keepsIt(kernels<T>().gelu));
            QVERIFY(keepsIt(kernels<T>().geluTanh));
            QVERIFY(keepsIt(recurrentKernels<T>().tanh));
        }
}

}  // namespace

class TestKernels : public QObject {
    Q_OBJECT
private slots:
    void aScoreThatIsNoNumberMakesItsRowNone() {
        softmaxOfNoNumber<float>();
        softmaxOfNoNumber<double>();
    }

    void otherRowsKeepTheirNumbers() {
        std::vector<float> three = scores<float>(3 * kWidest), alone(three.begin(), three.begin() + kWidest);
        three[kWidest + 5] = noNumber<float>;
        kernels<float>().softmaxRows(3, kWidest, nullptr, three.data());
        kernels<float>().softmaxRows(1, kWidest, nullptr, alone.data());
        QVERIFY(std::equal(alone.begin(), alone.end(), three.begin()));
        QVERIFY(std::none_of(three.begin() + 2 * kWidest, three.end(), [](float each) { return std::isnan(each); }));
    }

    void aRowThatIsMaskedEverywhereIsZeros() {
        std::vector<float> row = scores<float>(kWidest), mask(row.size(), -infinity<float>);
        kernels<float>().softmaxRows(1, kWidest, mask.data(), row.data());
        QVERIFY(std::all_of(row.begin(), row.end(), [](float each) { return each == 0; }));
    }

    void anActivationKeepsWhatIsNoNumber() {
        activationsOfNoNumber<float>();
        activationsOfNoNumber<double>();
    }

    /// Gates of an LSTM: one that is no number leaves no state.
    void aGateThatIsNoNumberLeavesNoState() {
        for (size_t gate = 0; gate < 4; ++gate) {
            std::vector<float> gates = scores<float>(4 * kWidest), before = scores<float>(kWidest);
            std::vector<float> cell(kWidest), tanhCell(kWidest), hidden(kWidest);
            gates[gate * kWidest + 3] = noNumber<float>;
            recurrentKernels<float>().lstm(1, kWidest, gates.data(), before.data(), cell.data(), tanhCell.data(),
                                           hidden.data());
            for (size_t i = 0; i < hidden.size(); ++i)
                QCOMPARE(std::isnan(hidden[i]), i == 3);
        }
    }
};

QTEST_APPLESS_MAIN(TestKernels)
#include "test_kernels.moc"
