// SPDX-License-Identifier: GPL-3.0-or-later
// The recurrent view against the trace: states, gates, weights and words, cell by cell.
#include <QTest>
#include <cmath>

#include "ui/session/session.h"
#include "ui/views/recurrent_view.h"
#include "ui/widgets/matrix_view.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/unrolled_rnn.h"
#include "ui/widgets/value_strips.h"

using namespace headlight;

class TestRecurrentView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_theme->setMode(ThemeManager::Mode::Light);
    }
    void cleanupTestCase() { m_theme.reset(); }

    void gatesAndStatesAreTheTraces_data() {
        QTest::addColumn<QStringList>("rows");
        QTest::newRow("vi-en-long-lstm-attention")
            << QStringList{"gates.input", "gates.forget", "gates.cell_candidate", "gates.output", "cell", "hidden"};
        QTest::newRow("vi-en-gru") << QStringList{"gates.reset", "gates.update", "gates.candidate", "hidden"};
        QTest::newRow("vi-en-rnn") << QStringList{"hidden"};
    }
    void gatesAndStatesAreTheTraces() {
        QFETCH(QStringList, rows);
        RecurrentView view;
        const auto trace = open(view, QTest::currentDataTag());
        const int words = int(trace->sourceTokens.size());
        for (const auto& [step, scope, at] : {std::tuple(1, "encoder", 1), std::tuple(words + 2, "decoder", 2)}) {
            view.chooseStep(step);
            const auto& strips = view.strips()->strips();
            QCOMPARE(strips.size(), size_t(rows.size()));
            for (size_t i = 0; i < strips.size(); ++i) {
                const TraceRecord& record =
                    trace->at(std::string(scope) + ".layers.0." + rows[qsizetype(i)].toStdString());
                QCOMPARE(strips[i].values.data(), record.values.data() + at * record.dim(1));
                QCOMPARE(strips[i].isShare,
                         rows[qsizetype(i)].startsWith("gates") && !rows[qsizetype(i)].endsWith("candidate"));
            }
        }
    }

    void aStripsPixelHasTheColourOfItsNumber() {
        RecurrentView view;
        open(view, "vi-en-gru");
        view.chooseStep(0);
        const ValueStrips* strips = view.strips();
        const QImage image = view.strips()->grab().toImage();
        for (int dimension : {0, 17, 90}) {
            const QPointF middle = strips->cellRect(0, dimension).center() * strips->devicePixelRatioF();
            const double value = double(strips->strips()[0].values[size_t(dimension)]);
            const QColor expected = Theme::light().sequential(value), found = image.pixelColor(middle.toPoint());
            QVERIFY2(std::abs(expected.red() - found.red()) < 24 && std::abs(expected.blue() - found.blue()) < 24,
                     qPrintable(expected.name() + " " + found.name()));
        }
    }

    void stepsAreChosenByMouseAndByKey() {
        RecurrentView view;
        open(view, "vi-en-long-lstm-attention");
        UnrolledRnn* unrolled = view.unrolled();
        QTest::mouseClick(unrolled, Qt::LeftButton, {}, unrolled->cellRect(1).center().toPoint());
        QCOMPARE(unrolled->chosen(), 1);
        QTest::keyClick(unrolled, Qt::Key_Right);
        QCOMPARE(unrolled->chosen(), 2);
        QTest::keyClick(unrolled, Qt::Key_Left);
        QTest::keyClick(unrolled, Qt::Key_Left);
        QTest::keyClick(unrolled, Qt::Key_Left);
        QCOMPARE(unrolled->chosen(), 0);
    }

    void theLargestWeightIsTheAmberBar() {
        RecurrentView view;
        const auto trace = open(view, "vi-en-long-lstm-attention");
        const int words = int(trace->sourceTokens.size());
        const TraceRecord& weights = trace->at("decoder.attention.weights");
        QCOMPARE(view.alignment()->data().values, weights.values);
        for (int row = 0; row < 3; ++row) {
            view.chooseStep(words + row);
            const auto first = weights.values.begin() + row * words;
            const int most = int(std::max_element(first, first + words) - first);
            const QRectF bar = view.unrolled()->weightRect(most);
            const QImage image = view.unrolled()->grab().toImage();
            const QPointF foot = QPointF(bar.center().x(), bar.bottom() - 4) * view.unrolled()->devicePixelRatioF();
            QCOMPARE(image.pixelColor(foot.toPoint()), Theme::light().now);
            QCOMPARE(view.alignment()->locked().column, most);
        }
    }

    void withoutAttentionThereIsNoAlignmentAndATransformerIsToldOff() {
        RecurrentView view;
        open(view, "vi-en-gru");
        QVERIFY(!view.alignment()->isVisible());
        QVERIFY(view.unrolled()->isVisible());
        open(view, "vi-en-transformer");
        QVERIFY(!view.unrolled()->isVisible());
        open(view, "stories-lstm");
        QVERIFY(view.unrolled()->isVisible());
    }

private:
    std::shared_ptr<const Trace> open(RecurrentView& view, const char* name) {
        const auto model = std::make_shared<const TrainedModel>(
            loadModel(std::string(HEADLIGHT_SOURCE_DIR "/resources/models/") + name + ".safetensors"));
        const Session::Reading reading = readSentence(*model, exampleSentence(*model));
        view.resize(1376, 800);
        view.setReading(model, reading.trace);
        view.show();
        if (!QTest::qWaitForWindowExposed(&view)) return nullptr;
        return reading.trace;
    }

    std::unique_ptr<ThemeManager> m_theme;
};

QTEST_MAIN(TestRecurrentView)
#include "test_recurrent_view.moc"
