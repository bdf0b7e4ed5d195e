// SPDX-License-Identifier: GPL-3.0-or-later
// The mask laboratory: the right way of masking and the wrong ones, by numbers that can be worked out by hand.
#include <QLabel>
#include <QTest>
#include <cmath>

#include "core/data/translate.h"
#include "tests/ui/fixture.h"
#include "ui/session/masking.h"
#include "ui/session/session.h"
#include "ui/views/mask_view.h"
#include "ui/widgets/mask_grid.h"
#include "ui/widgets/matrix_view.h"
#include "ui/widgets/theme.h"

using namespace headlight;

class TestMaskView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_theme->setMode(ThemeManager::Mode::Light);
        m_model = std::make_shared<const TrainedModel>(
            loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors"));
    }
    void cleanupTestCase() { m_theme.reset(); }

    void minusInfinityBeforeTheSoftmaxIsRight() {
        const MaskedAttention result =
            maskedAttention({1, 2, 3, 0, 0, 0}, {0, 0, 1, 1, 1, 1}, 2, 3, MaskingWay::AddMinusInfinity);
        QVERIFY(std::isinf(result.scores[2]) && result.scores[2] < 0);
        QVERIFY(std::abs(result.weights[0] - 1 / (1 + std::exp(1.0))) < 1e-6);
        QCOMPARE(result.weights[2], 0.0f);
        QVERIFY(std::abs(result.sums[0] - 1) < 1e-6);
        QCOMPARE(result.sums[1], 0.0);  // no key left to look at
    }

    void aBillionFailsWhereEverythingIsClosed() {
        const MaskedAttention result =
            maskedAttention({1, 2, 3, 0, 0, 0}, {0, 0, 1, 1, 1, 1}, 2, 3, MaskingWay::AddMinusABillion);
        QCOMPARE(result.weights[2], 0.0f);
        for (size_t i = 3; i < 6; ++i)
            QVERIFY(std::abs(result.weights[i] - 1.0f / 3) < 1e-6f);
    }

    void multiplyingTurnsNegativeScoresIntoInfinityAndZerosIntoNoNumber() {
        const MaskedAttention result =
            maskedAttention({1, -2, 1, 0}, {0, 1, 0, 1}, 2, 2, MaskingWay::MultiplyMinusInfinity);
        QVERIFY(std::isinf(result.scores[1]) && result.scores[1] > 0);
        QVERIFY(std::isnan(result.scores[3]));
        QVERIFY(std::isnan(result.sums[0]) || std::abs(result.sums[0] - 1) > 1e-3 || result.weights[1] > 0.5f);
    }

    void afterTheSoftmaxTheRowsDoNotAddUpToOne() {
        const MaskedAttention result = maskedAttention({0, 0}, {0, 1}, 1, 2, MaskingWay::AfterSoftmax);
        QCOMPARE(result.weights[1], 0.0f);
        QVERIFY(std::abs(result.sums[0] - 0.5) < 1e-6);
    }

    void paddingScoresAsItWouldInABatchAndNothingElseMoves() {
        const Session::Reading reading = readSentence(*m_model, QStringLiteral("tôi yêu bạn"));
        MaskView view;
        view.resize(1376, 800);
        view.setReading(m_model, reading.trace);
        const MatrixData& weights = view.weights()->data();
        const TraceRecord& expected = reading.trace->at("decoder.layers.0.self_attn.weights");
        const int words = expected.dim(1);
        QCOMPARE(weights.rows, words + 1);
        for (int row = 0; row < words; ++row)
            for (int column = 0; column < words; ++column)
                QVERIFY(std::abs(weights.value(row, column) - expected.head(0)[size_t(row * words + column)]) < 1e-5f);
        for (int row = 0; row <= words; ++row)
            QVERIFY(view.combined()->isBlocked(row, words));
    }

    void aCellOpenedByClickTakesWeightAndIsTold() {
        const Session::Reading reading = readSentence(*m_model, QStringLiteral("tôi yêu bạn"));
        MaskView view;
        view.resize(1376, 800);
        view.setReading(m_model, reading.trace);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto banner = [&] {
            for (QLabel* label : view.findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains("can now see")) return label->text();
            return QString();
        };
        QVERIFY(banner().isEmpty());
        QCOMPARE(view.weights()->data().value(1, 2), 0.0f);
        QTest::mouseClick(view.combined(), Qt::LeftButton, {}, view.combined()->cellRect(1, 2).center().toPoint());
        QVERIFY(!view.combined()->isBlocked(1, 2));
        QVERIFY(view.weights()->data().value(1, 2) > 0.0f);
        QVERIFY2(banner().contains("“i”") && banner().contains("“love”"), qPrintable(banner()));
        // The keyboard closes it again.
        view.combined()->setFocus();
        QTest::keyClick(view.combined(), Qt::Key_Space);
        QVERIFY(view.combined()->isBlocked(1, 2));
        QVERIFY(banner().isEmpty());
    }

    void everyWayShowsItsNumbers() {
        const Session::Reading reading = readSentence(*m_model, QStringLiteral("tôi yêu bạn"));
        MaskView view;
        view.setReading(m_model, reading.trace);
        const auto sum = [&](int row) {
            double total = 0;
            for (int column = 0; column < view.weights()->data().columns; ++column)
                total += double(view.weights()->data().value(row, column));
            return total;
        };
        view.setWay(MaskingWay::AfterSoftmax);
        QVERIFY(sum(0) < 0.99);
        view.setWay(MaskingWay::AddMinusInfinity);
        QVERIFY(std::abs(sum(0) - 1) < 1e-5);
    }

    /// One stack: a language model's mask is causal, a classifier has none; and what has no self-attention says so.
    void modelsOfOneStackHaveTheirOwnMasks() {
        for (const QString name : {"stories-transformer", "sentiment-transformer"}) {
            const auto model = fixture::shippedModel(name);
            const Session::Reading reading = readSentence(*model, exampleSentence(*model));
            MaskView view;
            view.resize(1200, 800);
            view.show();
            view.setReading(model, reading.trace);
            const auto* matrix = view.findChildren<MatrixView*>().front();
            const auto scores = reading.trace->at("layers.0.self_attn.scores").head(0);
            QCOMPARE(matrix->data().values, std::vector<float>(scores.begin(), scores.end()));
            bool causal = false;
            for (const auto* each : view.findChildren<MatrixView*>())
                causal = causal || each->data().isMasked(0, 1);
            QCOMPARE(causal, name == QLatin1String("stories-transformer"));
        }
        const auto recurrent = fixture::shippedModel(QStringLiteral("stories-lstm"));
        MaskView view;
        view.show();
        view.setReading(recurrent, readSentence(*recurrent, exampleSentence(*recurrent)).trace);
        QVERIFY(!view.findChildren<MatrixView*>().front()->isVisible());
    }

private:
    std::unique_ptr<ThemeManager> m_theme;
    std::shared_ptr<const TrainedModel> m_model;
};

QTEST_MAIN(TestMaskView)
#include "test_mask_view.moc"
