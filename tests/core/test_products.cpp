// SPDX-License-Identifier: GPL-3.0-or-later
// Products of matrices: which kernels are chosen, and every path of a product against a plain loop.
#include <QTest>
#include <cmath>
#include <vector>

#include "core/tensor/blas.h"
#include "core/tensor/blas_kernels.h"
#include "core/tensor/random.h"

using namespace headlight;
using blas::Path;
using blas::ProcessorFeatures;
using blas::Transpose;

namespace {

constexpr ProcessorFeatures oldest{}, nehalem{.sse42 = true}, sandybridge{.sse42 = true, .avx = true},
    haswell{.sse42 = true, .avx = true, .avx2 = true},
    skylake{.sse42 = true, .avx = true, .avx2 = true, .avx512 = true};

/// A matrix of random numbers inside a wider one.
struct Matrix {
    Matrix(int rows, int columns, Random& random)
        : memory(static_cast<size_t>(rows) * static_cast<size_t>(columns + 3)),
          view(memory.data(), {rows, columns}, columns + 3) {
        for (float& number : memory)
            number = static_cast<float>(random.uniform(-1, 1));
    }
    std::vector<float> memory;
    Tensor<float> view;
};

}  // namespace

class TestProducts : public QObject {
    Q_OBJECT
private slots:
    void kernelsAreChosenByWhatTheProcessorCanDo_data();
    void kernelsAreChosenByWhatTheProcessorCanDo();
    void whatTheProcessorCanDoIsToldFromTheWidestOn();
    void everyPathGivesTheSumsOfAPlainLoop_data();
    void everyPathGivesTheSumsOfAPlainLoop();
    void theFastestPathGivesThemToo();
};

void TestProducts::kernelsAreChosenByWhatTheProcessorCanDo_data() {
    QTest::addColumn<int>("features");
    QTest::addColumn<QString>("found");
    QTest::addColumn<QString>("chosen");  // empty: what was found stays
    const auto row = [](int features, const char* found, const char* chosen) {
        QTest::newRow(qPrintable(QStringLiteral("%1 on %2").arg(found).arg(features))) << features << found << chosen;
    };
    const struct {
        const char* found;
        const char* chosen[5];  // for oldest, nehalem, sandybridge, haswell, skylake
    } rows[] = {
        {"Prescott", {"", "Nehalem", "Sandybridge", "Haswell", "SkylakeX"}},
        {"Core2", {"", "Nehalem", "Sandybridge", "Haswell", "SkylakeX"}},
        {"Opteron_SSE3", {"", "Nehalem", "Sandybridge", "Haswell", "SkylakeX"}},
        {"Unknown", {"", "Nehalem", "Sandybridge", "Haswell", "SkylakeX"}},
        {"Nehalem", {"Prescott", "", "Sandybridge", "Haswell", "SkylakeX"}},
        {"Sandybridge", {"Prescott", "Nehalem", "", "Haswell", "SkylakeX"}},
        {"Piledriver", {"Prescott", "Nehalem", "", "Haswell", "SkylakeX"}},
        {"Excavator", {"Prescott", "Nehalem", "Sandybridge", "", "SkylakeX"}},
        {"Haswell", {"Prescott", "Nehalem", "Sandybridge", "", "SkylakeX"}},
        {"HASWELL", {"Prescott", "Nehalem", "Sandybridge", "", "SkylakeX"}},
        {"Zen", {"Prescott", "Nehalem", "Sandybridge", "", "SkylakeX"}},
        {"SkylakeX", {"Prescott", "Nehalem", "Sandybridge", "Haswell", ""}},
        {"Cooperlake", {"Prescott", "Nehalem", "Sandybridge", "Haswell", ""}},
        {"SapphireRapids", {"Prescott", "Nehalem", "Sandybridge", "Haswell", ""}},
        {"DiamondRapids", {"", "", "", "", ""}},  // of an OpenBLAS to come
        {"neoversen1", {"", "", "", "", ""}},
    };
    for (const auto& [found, chosen] : rows)
        for (int features = 0; features < 5; ++features)
            row(features, found, chosen[features]);
}

void TestProducts::kernelsAreChosenByWhatTheProcessorCanDo() {
    QFETCH(int, features);
    QFETCH(QString, found);
    QFETCH(QString, chosen);
    const ProcessorFeatures processors[]{oldest, nehalem, sandybridge, haswell, skylake};
    QCOMPARE(QString::fromStdString(blas::betterKernels(processors[features], found.toStdString())), chosen);
    // What was chosen is not replaced again: the program starts itself once.
    if (!chosen.isEmpty()) QCOMPARE(blas::betterKernels(processors[features], chosen.toStdString()), std::string());
}

void TestProducts::whatTheProcessorCanDoIsToldFromTheWidestOn() {
    QCOMPARE(blas::featuresText(skylake), std::string("AVX-512, AVX2+FMA, AVX, SSE4.2"));
    QCOMPARE(blas::featuresText(nehalem), std::string("SSE4.2"));
    QVERIFY(!blas::featuresText(oldest).empty());
    const ProcessorFeatures here = blas::processorFeatures();
    QVERIFY(!here.avx512 || here.avx2);
    QVERIFY(!here.avx2 || here.avx);
}

void TestProducts::everyPathGivesTheSumsOfAPlainLoop_data() {
    QTest::addColumn<int>("path");
    QTest::addColumn<bool>("transA");
    QTest::addColumn<bool>("transB");
    const auto row = [](const char* name, Path path, bool transA, bool transB) {
        QTest::newRow(name) << static_cast<int>(path) << transA << transB;
    };
    row("whole", Path::Whole, false, false);
    row("whole, b transposed", Path::Whole, false, true);
    row("whole, a transposed", Path::Whole, true, false);
    row("whole, both transposed", Path::Whole, true, true);
    row("few rows in pieces", Path::FewRowsInPieces, false, false);
    row("few rows in pieces, b transposed", Path::FewRowsInPieces, false, true);
    row("gradient in pieces", Path::GradientInPieces, true, false);
    row("unpacked", Path::Unpacked, false, false);
    row("unpacked, a transposed", Path::Unpacked, true, false);
}

void TestProducts::everyPathGivesTheSumsOfAPlainLoop() {
    QFETCH(int, path);
    QFETCH(bool, transA);
    QFETCH(bool, transB);
    const Transpose a = transA ? Transpose::Yes : Transpose::No, b = transB ? Transpose::Yes : Transpose::No;
    Random random(7);
    // Of each path several pieces in every direction, the last one of each not whole.
    for (const auto& [m, n, k] : {std::tuple(1, 300, 1100), std::tuple(30, 270, 530), std::tuple(150, 70, 250)})
        for (const auto& [alpha, beta] : {std::pair(1.0f, 0.0f), std::pair(1.0f, 1.0f), std::pair(0.5f, -2.0f)}) {
            const Matrix left(transA ? k : m, transA ? m : k, random), right(transB ? n : k, transB ? k : n, random),
                result(m, n, random);
            const std::vector<float> before = result.memory;
            blas::gemmOnPath(static_cast<Path>(path), a, b, alpha, left.view, right.view, beta, result.view);
            for (int i = 0; i < m; ++i)
                for (int j = 0; j < n; ++j) {
                    double sum = 0;
                    for (int inner = 0; inner < k; ++inner)
                        sum += static_cast<double>(transA ? left.view.at(inner, i) : left.view.at(i, inner)) *
                               static_cast<double>(transB ? right.view.at(j, inner) : right.view.at(inner, j));
                    const size_t place = static_cast<size_t>(i * result.view.ld + j);
                    const double expected = static_cast<double>(alpha) * sum +
                                            static_cast<double>(beta) * static_cast<double>(before[place]);
                    const double error = std::abs(static_cast<double>(result.memory[place]) - expected);
                    QVERIFY2(error < 1e-4, qPrintable(QStringLiteral("[%1, %2]: off by %3").arg(i).arg(j).arg(error)));
                }
            // What lies between the rows belongs to somebody else.
            for (int i = 0; i < m; ++i)
                for (int j = n; j < result.view.ld; ++j) {
                    const size_t place = static_cast<size_t>(i * result.view.ld + j);
                    QCOMPARE(result.memory[place], before[place]);
                }
        }
}

void TestProducts::theFastestPathGivesThemToo() {
    Random random(8);
    for (const auto& [m, n, k, transA] : {std::tuple(16, 512, 600, false), std::tuple(100, 120, 300, true),
                                          std::tuple(40, 600, 600, false), std::tuple(4, 5, 6, true)}) {
        const Transpose a = transA ? Transpose::Yes : Transpose::No;
        const Matrix left(transA ? k : m, transA ? m : k, random), right(k, n, random), fastest(m, n, random),
            plain(m, n, random);
        blas::gemm(a, Transpose::No, 1.0f, left.view, right.view, 0.0f, fastest.view);
        blas::gemmOnPath(Path::Whole, a, Transpose::No, 1.0f, left.view, right.view, 0.0f, plain.view);
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j)
                QVERIFY(std::abs(fastest.view.at(i, j) - plain.view.at(i, j)) < 1e-4f);
    }
}

QTEST_APPLESS_MAIN(TestProducts)
#include "test_products.moc"
