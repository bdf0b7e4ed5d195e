// SPDX-License-Identifier: GPL-3.0-or-later
// The recurrent view against the trace: states, gates, weights and words, cell by cell.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/data/evaluation.h"
#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/experiment/gradient_by_word.h"
#include "core/io/model_file.h"
#include "fixture.h"
#include "tests/ui/drawn.h"
#include "ui/session/open/session.h"
#include "ui/views/recurrent/recurrent_side.h"
#include "ui/views/recurrent/recurrent_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/value_strips.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/plain_chart.h"
#include "ui/widgets/time/unrolled_rnn.h"

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

    void aShortSentenceIsDrawnLargerWhereThereIsRoom() {
        RecurrentView view;
        open(view, "vi-en-long-lstm-attention");
        UnrolledRnn* unrolled = view.unrolled();
        QCOMPARE(unrolled->zoom(), 1.0);
        view.resize(4000, 1400);
        QTRY_VERIFY(unrolled->zoom() > 1.5);
        QVERIFY(unrolled->writtenRect(2).height() > 39);
        QTest::mouseClick(unrolled, Qt::LeftButton, {}, unrolled->cellRect(2).center().toPoint());
        QCOMPARE(unrolled->chosen(), 2);
    }

    void theLargestWeightIsTheAmberBar() {
        RecurrentView view;
        const auto trace = open(view, "vi-en-long-lstm-attention");
        const int words = int(trace->sourceTokens.size());
        const TraceRecord& weights = trace->at("decoder.attention.weights");
        QCOMPARE(view.side()->alignment()->data().values, weights.values);
        for (int row = 0; row < 3; ++row) {
            view.chooseStep(words + row);
            const auto first = weights.values.begin() + row * words;
            const int most = int(std::max_element(first, first + words) - first);
            const QRectF bar = view.unrolled()->weightRect(most);
            const QImage image = view.unrolled()->grab().toImage();
            const QPointF foot = QPointF(bar.center().x(), bar.bottom() - 4) * view.unrolled()->devicePixelRatioF();
            QCOMPARE(image.pixelColor(foot.toPoint()), Theme::light().now);
            QCOMPARE(view.side()->alignment()->locked().column, most);
        }
    }

    /// The curve struck through the thought vector, which the text says that it goes around.
    void whatAttentionMixesGoesAroundTheThoughtVector() {
        RecurrentView view;
        const auto trace = open(view, "vi-en-long-lstm-attention");
        const UnrolledRnn& unrolled = *view.unrolled();
        const int words = int(trace->sourceTokens.size());
        const TraceRecord &weights = trace->at("decoder.attention.weights"),
                          &context = trace->at("decoder.attention.context");
        // On a high screen, where both are higher, too.
        const QSize usual = view.size();
        view.resize(2480, 1290);
        QTRY_VERIFY(unrolled.height() > 800);
        view.chooseStep(words);
        QVERIFY(!unrolled.contextRect().intersects(unrolled.thoughtRect()));
        QVERIFY(unrolled.cellRect(0).bottom() > 0.7 * unrolled.height());
        view.resize(usual);
        QTRY_VERIFY(unrolled.height() < 800);
        for (const int row : {0, 3, int(weights.dim(0)) - 1}) {
            view.chooseStep(words + row);
            const QRectF box = unrolled.contextRect(), thought = unrolled.thoughtRect();
            QVERIFY(!box.intersects(thought));
            for (int source = 0; source < words; ++source) {
                const QPainterPath way = unrolled.weightPath(source);
                const QPointF from = way.pointAtPercent(0), to = way.pointAtPercent(1);
                QVERIFY(std::abs(from.x() - unrolled.weightRect(source).center().x()) < 1);
                QVERIFY(std::abs(to.x() - box.left()) < 4 && to.y() > box.top() && to.y() < box.bottom());
                QVERIFY(!way.boundingRect().intersects(thought));
            }
            const QPainterPath way = unrolled.contextPath();
            const QPointF from = way.pointAtPercent(0), to = way.pointAtPercent(1);
            const QRectF written = unrolled.writtenRect(words + row);
            QVERIFY(std::abs(from.x() - box.right()) < 4 && from.y() > box.top() && from.y() < box.bottom());
            QVERIFY(std::abs(to.x() - written.center().x()) < 1 && to.y() < written.top());
            QVERIFY(!way.boundingRect().intersects(thought));
            // Eight numbers stand below one another: the tenth is the second of the second column.
            const QPointF tenth =
                box.topLeft() + QPointF(1.5 * box.width() / (context.dim(1) / 8.0), 1.5 * box.height() / 8);
            const QImage image = view.unrolled()->grab().toImage();
            const QColor found = image.pixelColor((tenth * image.devicePixelRatio()).toPoint());
            const QColor wanted =
                Theme::light().diverging(double(context.values[size_t(row) * size_t(context.dim(1)) + 9]), 1);
            QVERIFY(std::abs(found.red() - wanted.red()) < 24 && std::abs(found.blue() - wanted.blue()) < 24);
        }
        QVERIFY(fixture::drawn(*view.unrolled()).mentions(QStringLiteral("Context")));
        view.chooseStep(0);  // the encoder attends to nothing
        QVERIFY(!fixture::drawn(*view.unrolled()).mentions(QStringLiteral("Context")));
        open(view, "vi-en-long-lstm");
        view.chooseStep(words + 1);
        QVERIFY(!fixture::drawn(*view.unrolled()).mentions(QStringLiteral("Context")));
    }

    void theGradientOfTheChosenWordStandsByDistance() {
        RecurrentView view;
        const auto trace = open(view, "vi-en-gru");
        const auto model = fixture::shippedModel("vi-en-gru");
        view.side()->showPage(RecurrentSide::Page::Gradient);
        const int words = int(trace->sourceTokens.size());
        Settling settling;
        view.setSettling(&settling);
        view.chooseStep(words + 1);
        view.chooseStep(words + 2);
        QVERIFY2(view.side()->isBusy() && !settling.isSettled(), "the window is not held by a way back");
        QTRY_VERIFY(settling.isSettled());
        const GradientByWord expected = gradientByWord(*model, *trace, 2);
        std::vector<double> norms = expected.source;
        norms.insert(norms.end(), expected.target.begin(), expected.target.end());
        const double largest = *std::ranges::max_element(norms);
        const std::vector<double>& bars = view.side()->gradient()->bars();
        QCOMPARE(bars.size(), norms.size());
        for (size_t i = 0; i < bars.size(); ++i)
            QVERIFY(std::abs(bars[i] - norms[norms.size() - 1 - i] / largest) < 1e-9);
        view.chooseStep(words + 1);
        view.chooseStep(0);  // the encoder writes nothing
        QVERIFY2(settling.isSettled(), "what is no longer wanted is not waited for");
        QVERIFY(!view.side()->gradient()->isVisible());
    }

    void theCurveByLengthIsTheEvaluationOfEachLength() {
        RecurrentView view;
        open(view, "vi-en-long-lstm");
        view.side()->showPage(RecurrentSide::Page::Length);
        view.side()->measureButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!view.side()->curves().isMeasuring(), fixture::kLongPatienceMs);
        const auto& points = view.side()->curves().curves().front().points;
        QVERIFY(points.size() >= 4);
        const auto model = fixture::shippedModel("vi-en-long-lstm");
        Corpus shortest;
        for (const SentencePair& pair : findTask("vi-en-long").corpus().test)
            if (int(model->source->split(pair.source).size()) <= points.front().to && shortest.size() < 80)
                shortest.push_back(pair);
        QCOMPARE(points.front().bleu, *evaluate(*model, shortest).bleu);
        QCOMPARE(view.side()->lengths()->lines().front().front().y(), points.front().bleu);
        QVERIFY2(points.back().bleu < points.front().bleu - 10, "long sentences do not fit through a thought vector");
        open(view, "sentiment-transformer");
        open(view, "stories-lstm");
        QVERIFY2(!view.side()->measureButton()->isEnabled(), "it does not translate");
    }

    /// It read the model through a null pointer.
    void whereThereIsNoRecurrentModelThereIsNothingToMeasure() {
        RecurrentView view;
        view.side()->showPage(RecurrentSide::Page::Length);
        QVERIFY(!view.side()->measureButton()->isEnabled());
        view.side()->measureButton()->click();
        QVERIFY(!view.side()->curves().isMeasuring());
        open(view, "vi-en-gru");
        QVERIFY(view.side()->measureButton()->isEnabled());
        open(view, "vi-en-transformer");
        QVERIFY2(!view.side()->measureButton()->isEnabled(), "the one before is gone");
    }

    void anEncoderThatReadsBothWaysIsShownOneWayAtATime() {
        const auto model = std::make_shared<const TrainedModel>(
            loadModel(HEADLIGHT_SOURCE_DIR "/tests/golden/gru_general_two_ways.safetensors"));
        const auto trace = std::make_shared<const Trace>(traceIds(*model, {5, 6, 7}, {1, 5, 6}));
        RecurrentView view;
        view.setReading(model, trace);
        auto* layers = view.findChild<ComboBox*>();
        QCOMPARE(layers->count(), 2 * model->network->config().numLayers);
        view.chooseStep(1);
        const TraceRecord& forward = trace->at("encoder.layers.0.hidden");
        const TraceRecord& backward = trace->at("encoder.layers.0.reverse.hidden");
        QCOMPARE(view.strips()->strips().back().values.data(), forward.values.data() + forward.dim(1));
        layers->setCurrentIndex(1);
        emit layers->activated(1);
        QCOMPARE(view.strips()->strips().back().values.data(), backward.values.data() + backward.dim(1));
    }

    void withoutAttentionThereIsNoAlignmentAndATransformerIsToldOff() {
        RecurrentView view;
        open(view, "vi-en-gru");
        QVERIFY(!view.side()->alignment()->isVisible());
        QVERIFY(view.unrolled()->isVisible());
        // Beside it stands what there is, until the reader chooses.
        const auto* const choice = view.side()->findChild<SegmentedControl*>();
        QCOMPARE(choice->currentIndex(), static_cast<int>(RecurrentSide::Page::Gradient));
        open(view, "vi-en-long-lstm-attention");
        QCOMPARE(choice->currentIndex(), static_cast<int>(RecurrentSide::Page::Alignment));
        view.side()->setSide(StageSide::Alignment);
        open(view, "vi-en-gru");
        QCOMPARE(choice->currentIndex(), static_cast<int>(RecurrentSide::Page::Alignment));
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
        if (!QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs)) return nullptr;
        return reading.trace;
    }

    std::unique_ptr<ThemeManager> m_theme;
};

QTEST_MAIN(TestRecurrentView)
#include "test_recurrent_view.moc"
