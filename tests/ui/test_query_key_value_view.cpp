// SPDX-License-Identifier: GPL-3.0-or-later
// Attention by hand: the decks' own digits, numbers that are changed, and any head of a model.
#include <QApplication>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/io/model_file.h"
#include "tests/ui/fixture.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/session.h"
#include "ui/views/laboratory/batch_shapes.h"
#include "ui/views/laboratory/equation_stage.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/views/laboratory/score_plane.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/theme/theme.h"

using namespace headlight;

class TestQueryKeyValueView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_theme->setMode(ThemeManager::Mode::Light);
    }
    void cleanupTestCase() { m_theme.reset(); }

    void theWorkedExampleHasTheDecksDigits() {
        QueryKeyValueView view;
        const auto row = [&](QueryKeyValueView::Matrix which, int index) {
            const MatrixData& data = view.matrix(which)->data();
            return std::vector<float>(data.values.begin() + index * data.columns,
                                      data.values.begin() + (index + 1) * data.columns);
        };
        const auto close = [](const std::vector<float>& found, const std::vector<double>& expected) {
            for (size_t i = 0; i < expected.size(); ++i)
                if (std::abs(double(found[i]) - expected[i]) > 1e-6) return false;
            return found.size() == expected.size();
        };
        QVERIFY(close(row(QueryKeyValueView::Scores, 0), {.195, .205, .26, .1, .24}));
        QVERIFY(close(row(QueryKeyValueView::Weights, 0), {.19870404, .20070107, .21204881, .18069609, .20784996}));
        QVERIFY(close(row(QueryKeyValueView::Output, 0), {.24194102, .48778105, .32396913, .24687952}));
        QVERIFY(close(row(QueryKeyValueView::Weights, 2), {.1871119, .18993972, .23905815, .17186458, .21202557}));
    }

    void aCellTellsTheSumThatItCameFrom() {
        QueryKeyValueView view;
        view.point(QueryKeyValueView::Scores, 0, 1);
        QVERIFY2(view.arithmetic().contains("0.30×0.40 + 0.50×0.50 + 0.20×0.10 + 0.10×0.20"),
                 qPrintable(view.arithmetic()));
        QVERIFY(view.arithmetic().contains("√4") && view.arithmetic().contains("0.2050"));
        view.point(QueryKeyValueView::Weights, 0, 0);
        QVERIFY(view.arithmetic().contains("0.1987"));
        view.point(QueryKeyValueView::Output, 0, 0);
        QVERIFY(view.arithmetic().contains("0.2419"));
    }

    /// Lengths and angle of the arrows as they are drawn, their product, and what is written of it.
    void aScoreIsTwoLengthsAndAnAngle() {
        QueryKeyValueView view;
        view.resize(1376, 740);
        view.show();
        view.showPage(QueryKeyValueView::Angle);
        view.point(QueryKeyValueView::Scores, 0, 1);
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        const QueryKeyValue example = workedExample();
        double qq = 0, kk = 0, qk = 0;
        for (size_t i = 0; i < 4; ++i) {
            const double q = double(example.query[i]), k = double(example.key[4 + i]);
            qq += q * q;
            kk += k * k;
            qk += q * k;
        }
        const ScoreAngle found = scoreAngle(example, 0, 1);
        QVERIFY(std::abs(found.query - std::sqrt(qq)) < 1e-9 && std::abs(found.key - std::sqrt(kk)) < 1e-9);
        QVERIFY(std::abs(found.query * found.key * found.cosine() - qk) < 1e-9);
        const ScorePlane& plane = *view.plane();
        const QPointF q = plane.queryTip() - plane.origin(), k = plane.keyTip() - plane.origin();
        const double lengthQ = std::hypot(q.x(), q.y()), lengthK = std::hypot(k.x(), k.y());
        QVERIFY(std::abs(lengthQ / lengthK - std::sqrt(qq / kk)) < 1e-6);
        QVERIFY(std::abs((q.x() * k.x() + q.y() * k.y()) / (lengthQ * lengthK) - qk / std::sqrt(qq * kk)) < 1e-6);
        QVERIFY(std::abs((plane.foot() - plane.keyTip()).x()) < 1e-9);
        const auto four = [](double number) { return formatNumber(number, 4); };
        QVERIFY(plane.lines()[0].endsWith(
            QStringLiteral("%1 × %2 × %3")
                .arg(four(std::sqrt(qq)), four(std::sqrt(kk)), four(qk / std::sqrt(qq * kk)))));
        QVERIFY(plane.lines()[1].contains("0.4100") && plane.lines()[1].contains("0.2050"));  // .205 by √4
        const QImage picture = view.plane()->grab().toImage();
        const QPointF middle = (plane.origin() + plane.keyTip()) / 2 * picture.devicePixelRatio();
        const QColor ink = picture.pixelColor(middle.toPoint()), key = Theme::light().key;
        QVERIFY2(std::abs(ink.red() - key.red()) < 40 && std::abs(ink.blue() - key.blue()) < 40,
                 qPrintable(ink.name()));
    }

    void theAngleFollowsTheChosenScoreAndItsVeil() {
        QueryKeyValueView view;
        view.resize(1376, 740);
        view.show();
        view.showPage(QueryKeyValueView::Angle);
        view.point(QueryKeyValueView::Scores, 0, 1);
        const QStringList before = view.plane()->lines();
        const QPoint other = view.planeScores()->cellRect({3, 4}).center().toPoint();
        QTest::mouseClick(view.planeScores()->viewport(), Qt::LeftButton, {}, other);
        QVERIFY(view.plane()->lines() != before);
        QVERIFY(view.plane()->accessibleDescription().contains("learning"));
        view.setVeil({{"scores", {4, 5}}});
        QCOMPARE(view.plane()->lines(), QStringList("Predict it first."));
        QueryKeyValue none = workedExample();
        std::fill_n(none.query.begin(), 4, 0.F);
        view.setVeil({});
        view.setExample(none, {"a", "b", "c", "d", "e"});
        view.point(QueryKeyValueView::Scores, 0, 1);
        QVERIFY(view.plane()->lines().front().contains("no direction"));
    }

    void aChangedNumberMovesEverythingBelow() {
        QueryKeyValueView view;
        const float before = view.matrix(QueryKeyValueView::Scores)->data().value(0, 1);
        const float other = view.matrix(QueryKeyValueView::Scores)->data().value(1, 1);
        view.point(QueryKeyValueView::Query, 0, 0);
        view.findChild<QDoubleSpinBox*>()->setValue(1.3);
        const float after = view.matrix(QueryKeyValueView::Scores)->data().value(0, 1);
        QVERIFY(std::abs(double(after - before) - 0.4 / 2) < 1e-6);  // one more times k, over √4
        QCOMPARE(view.matrix(QueryKeyValueView::Scores)->data().value(1, 1), other);
        for (Button* button : view.findChildren<Button*>())
            if (button->text() == "As it was") QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(view.matrix(QueryKeyValueView::Scores)->data().value(0, 1), before);
    }

    void temperatureFlattensAndTheScalingDoublesTheScores() {
        const QueryKeyValue example = workedExample();
        const QueryKeyValueResult scaled = attend(example, true, 1), raw = attend(example, false, 1),
                                  hot = attend(example, true, 10);
        for (size_t i = 0; i < raw.scores.size(); ++i) {
            QVERIFY(std::abs(raw.scores[i] - 2 * scaled.scores[i]) < 1e-6f);
            QVERIFY(std::abs(hot.scores[i] - scaled.scores[i] / 10) < 1e-6f);
            QVERIFY(std::abs(hot.weights[i] - 0.2f) <= std::abs(scaled.weights[i] - 0.2f) + 1e-6f);
        }
    }

    void aHeadOfTheModelIsReproduced() {
        const auto model = loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors");
        const Session::Reading reading = readSentence(model, QStringLiteral("tôi đang học tiếng anh"));
        const std::string block = "decoder.layers.1.cross_attn";
        const QueryKeyValue head = headOf(*reading.trace, block, 3);
        const QueryKeyValueResult result = attend(head, true, 1);
        const auto expected = reading.trace->at(block + ".weights").head(3);
        for (size_t i = 0; i < expected.size(); ++i)
            QVERIFY(std::abs(result.weights[i] - expected[i]) < 1e-5f);
        const auto output = reading.trace->at(block + ".heads").head(3);
        for (size_t i = 0; i < output.size(); ++i)
            QVERIFY(std::abs(result.output[i] - output[i]) < 1e-5f);
        QueryKeyValueView view;
        view.show();
        view.setTrace(reading.trace);
        for (auto* choice : view.findChildren<SegmentedControl*>())
            if (choice->accessibleName() == QLatin1String("Whose matrices")) {
                choice->setCurrentIndex(1);
                emit choice->currentChanged(1);
            }
        QCOMPARE(view.matrix(QueryKeyValueView::Query)->data().columns, 8);
    }

    void theEquationReadsAsTheLectures() {
        QueryKeyValueView view;
        show(view, {1216, 640});
        const EquationStage& stage = *view.equation();
        using Matrix = EquationStage::Matrix;
        QCOMPARE(stage.products(), (QStringList{"0.30 × 0.40", "0.50 × 0.50", "0.20 × 0.10", "0.10 × 0.20"}));
        QCOMPARE(stage.sum(), QStringLiteral("0.41"));
        QCOMPARE(stage.textOf({Matrix::Query, 0, 1}), QStringLiteral("0.50"));
        QCOMPARE(stage.textOf({Matrix::Scores, 2, 2}), QStringLiteral("1.01"));
        QCOMPARE(stage.textOf({Matrix::Weights, 0, 2}), QStringLiteral("0.212"));
        QCOMPARE(stage.textOf({Matrix::Output, 0, 1}), QStringLiteral("0.488"));
    }

    void everyNumberOfTheEquationCanBeRead_data() {
        QTest::addColumn<QSize>("size");
        // What is left of a window of 1280 × 800, without and with a lesson beside it; and larger ones.
        QTest::newRow("1280, lesson") << QSize(864, 620);
        QTest::newRow("1280") << QSize(1216, 640);
        QTest::newRow("1440") << QSize(1376, 740);
        QTest::newRow("1920") << QSize(1856, 920);
    }
    void everyNumberOfTheEquationCanBeRead() {
        QFETCH(QSize, size);
        QueryKeyValueView view;
        show(view, size);
        EquationStage& stage = *view.equation();
        using Matrix = EquationStage::Matrix;
        const QueryKeyValue& input = stage.equation().input;
        std::vector<QRectF> areas;
        const auto look = [&](Matrix matrix, int rows, int columns) {
            for (int row = 0; row < rows; ++row)
                for (int column = 0; column < columns; ++column) {
                    const QRectF area = stage.areaOf({matrix, row, column});
                    QVERIFY2(!stage.textOf({matrix, row, column}).isEmpty(), "no room for a number");
                    QVERIFY(QRectF(stage.rect()).contains(area));
                    for (const QRectF& other : areas)
                        QVERIFY(!other.adjusted(0.5, 0.5, -0.5, -0.5).intersects(area.adjusted(0.5, 0.5, -0.5, -0.5)));
                    areas.push_back(area);
                }
        };
        look(Matrix::Query, input.queries, input.width);
        look(Matrix::Key, input.keys, input.width);
        look(Matrix::Scores, input.queries, input.keys);
        look(Matrix::Weights, 1, input.keys);
        look(Matrix::Value, input.keys, input.width);
        look(Matrix::Output, 1, input.width);
        QVERIFY2(stage.width() <= view.width() && stage.height() <= view.height(), "nothing is scrolled");
        // Bars of e^s as long as they are large, shares as tall as they are.
        const auto power = [&](int key) { return std::exp(double(stage.equation().result.scores[size_t(key)])); };
        QVERIFY(std::abs(stage.powerBar(1).width() / stage.powerBar(2).width() - power(1) / power(2)) < 1e-9);
        double tall = 0;
        for (int key = 0; key < input.keys; ++key)
            tall += stage.shareBar(key).height();
        for (int key = 0; key < input.keys; ++key)
            QVERIFY(std::abs(stage.shareBar(key).height() / tall -
                             double(stage.equation().result.weights[size_t(key)])) < 1e-6);
    }

    void aNumberIsDraggedAndEverythingFollows() {
        QueryKeyValueView view;
        show(view, {1216, 640});
        EquationStage& stage = *view.equation();
        using Matrix = EquationStage::Matrix;
        const auto drag = [&](const EquationStage::Cell& cell, int pixels, Qt::KeyboardModifiers keys) {
            const QPoint from = stage.areaOf(cell).center().toPoint();
            QTest::mousePress(&stage, Qt::LeftButton, keys, from);
            QMouseEvent move(QEvent::MouseMove, from + QPoint(pixels, 0), stage.mapToGlobal(from + QPoint(pixels, 0)),
                             Qt::NoButton, Qt::LeftButton, keys);
            QApplication::sendEvent(&stage, &move);
            QTest::mouseRelease(&stage, Qt::LeftButton, keys, from + QPoint(pixels, 0));
        };
        drag({Matrix::Query, 0, 1}, 20, {});
        QCOMPARE(stage.textOf({Matrix::Query, 0, 1}), QStringLiteral("0.70"));
        QCOMPARE(stage.sum(), QStringLiteral("0.51"));                        // 0.2 more times 0.50
        QCOMPARE(stage.textOf({Matrix::Key, 0, 1}), QStringLiteral("0.50"));  // K is a copy of its own
        drag({Matrix::Key, 1, 0}, -3, Qt::ShiftModifier);
        QCOMPARE(stage.textOf({Matrix::Key, 1, 0}), QStringLiteral("0.10"));
        drag({Matrix::Value, 4, 3}, 50, {});
        QCOMPARE(stage.textOf({Matrix::Value, 4, 3}), QStringLiteral("0.70"));
        QueryKeyValue expected = workedExample();
        expected.query[1] = 0.7F;
        expected.key[4] = 0.1F;
        expected.value[19] = 0.7F;
        const QueryKeyValueResult result = attend(expected, true, 1);
        for (size_t i = 0; i < result.output.size(); ++i)
            QVERIFY(std::abs(stage.equation().result.output[i] - result.output[i]) < 1e-6F);
        // A computed number is pointed at, and stays.
        drag({Matrix::Scores, 2, 2}, 40, {});
        QCOMPARE(stage.row(), 2);
        QVERIFY(std::abs(view.matrix(QueryKeyValueView::Scores)->data().value(2, 2) - result.scores[12]) < 1e-6F);
    }

    void keysWalkTheEquationAndChangeIt() {
        QueryKeyValueView view;
        show(view, {1216, 640});
        EquationStage& stage = *view.equation();
        using Matrix = EquationStage::Matrix;
        view.point(QueryKeyValueView::Key, 0, 0);
        QTest::keyClick(&stage, Qt::Key_Right);  // Kᵀ: the next word
        QVERIFY((stage.pointed() == EquationStage::Cell{Matrix::Key, 1, 0}));
        QTest::keyClick(&stage, Qt::Key_Down);
        QVERIFY((stage.pointed() == EquationStage::Cell{Matrix::Key, 1, 1}));
        QTest::keyClicks(&stage, "+");
        QCOMPARE(stage.textOf({Matrix::Key, 1, 1}), QStringLiteral("0.51"));
        QSignalSpy typing(&stage, &EquationStage::typingWanted);
        QTest::keyClick(&stage, Qt::Key_Return);
        QTest::keyClick(&stage, Qt::Key_Enter, Qt::KeypadModifier);
        QCOMPARE(typing.count(), 2);
    }

    void maskedScoresTakeNoPart() {
        const auto model = loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors");
        const Session::Reading reading = readSentence(model, QStringLiteral("tôi đang học tiếng anh"));
        QueryKeyValueView view;
        show(view, {1376, 740});
        view.setTrace(reading.trace);
        StageState state;
        state.view = ViewName::QueryKeyValue;
        state.queryKeyValue.matrices = QueryKeyValueOptions::Matrices::Model;
        state.block = "decoder.layers.0.self_attn";
        view.showOptions(state);
        const EquationStage& stage = *view.equation();
        QCOMPARE(stage.textOf({EquationStage::Matrix::Scores, 0, 1}), QStringLiteral("−∞"));
        QCOMPARE(stage.powerBar(1).width(), 0.0);  // of the first row
        QCOMPARE(stage.textOf({EquationStage::Matrix::Weights, 0, 0}), QStringLiteral("1.000"));
    }

    /// q = (1, 0), keys (1, 2) and (0, 1), worked out by hand.
    void fourKindsOfScore() {
        const QueryKeyValue input{1, 2, 2, {1, 0}, {1, 2, 0, 1}, {1, 0, 0, 1}};
        const auto near = [](const std::vector<float>& found, double a, double b) {
            return std::abs(static_cast<double>(found[0]) - a) < 1e-6 &&
                   std::abs(static_cast<double>(found[1]) - b) < 1e-6;
        };
        QVERIFY(near(attendBy(input, ScoreKind::Dot).scores, 1, 0));
        QVERIFY(near(attendBy(input, ScoreKind::Scaled).scores, 1 / std::sqrt(2.0), 0));
        QVERIFY(near(attendBy(input, ScoreKind::General).scores, 2.5, 1));
        QVERIFY(near(attendBy(input, ScoreKind::Additive).scores, 2 * std::tanh(2.0), std::tanh(1.0) + std::tanh(1.0)));
        const QueryKeyValueResult dot = attendBy(input, ScoreKind::Dot);
        const double first = std::exp(1.0) / (std::exp(1.0) + 1);
        QVERIFY(near(dot.weights, first, 1 - first));
        QVERIFY(near(dot.output, first, 1 - first));
        QVERIFY(near(attendBy(input, ScoreKind::Dot, {0, 1}).weights, 1, 0));
    }

    void theFourKindsStandSideBySide() {
        QueryKeyValueView view;
        view.resize(1200, 700);
        view.show();
        view.showKinds(true);
        const QueryKeyValue example = workedExample();
        const ScoreKind kinds[] = {ScoreKind::Dot, ScoreKind::Scaled, ScoreKind::General, ScoreKind::Additive};
        for (int i = 0; i < 4; ++i)
            QCOMPARE(view.kind(i)->data().values, attendBy(example, kinds[i]).weights);
        // W is 4 × 4; two matrices of 4 × 4 and a vector of 4.
        const auto says = [&](int i, const char* text) { return writtenIn(*view.kindCard(i)).contains(text); };
        QVERIFY(says(0, "nothing to learn") && says(1, "nothing to learn"));
        QVERIFY(says(2, "16 parameters to learn"));
        QVERIFY(says(3, "36 parameters to learn"));
        // The scaled one is what the laboratory computes step by step.
        for (size_t i = 0; i < 25; ++i)
            QVERIFY(std::abs(view.kind(1)->data().values[i] -
                             view.matrix(QueryKeyValueView::Weights)->data().values[i]) < 1e-6f);
    }

    /// What is drawn of a batch of two sentences is what the model computes of each alone: in the order of the product,
    /// and once the heads have moved. Padding is masked, and has a score with nobody of the other sentence.
    void aBatchIsCutIntoHeads() {
        const QString first = QStringLiteral("tôi đang học tiếng anh"), second = QStringLiteral("tôi yêu bạn");
        const auto model = std::make_shared<const TrainedModel>(
            loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors"));
        const Session::Reading reading = readSentence(*model, first);
        const Trace alone[] = {*reading.trace, *readSentence(*model, second).trace};
        QueryKeyValueView view;
        show(view, {1376, 740});
        view.setReading(model, reading.trace);
        StageState state = batchOf(second);
        view.showOptions(state);
        const BatchShapes& shapes = *view.shapes();
        QTRY_VERIFY(shapes.batch().sentences.size() == 2);
        const QString texts[] = {"(2, 5, 64)", "(2, 5, 8, 8)", "(2, 8, 5, 8)", "(2, 8, 5, 5)"};
        for (int shape = 0; shape < BatchShapes::kShapes; ++shape)
            QCOMPARE(shapes.shapeText(static_cast<BatchShapes::Shape>(shape)), texts[shape]);
        const HeadBatch& batch = shapes.batch();
        QCOMPARE(batch.sentences[1].rows.mid(0, 3), QStringList({"tôi", "yêu", "bạn"}));
        const QImage picture = view.shapes()->grab().toImage();
        int compared = 0;
        for (int sentence = 0; sentence < 2; ++sentence) {
            const TraceRecord& q = alone[sentence].at("encoder.layers.1.self_attn.q");
            const TraceRecord& scores = alone[sentence].at("encoder.layers.1.self_attn.scores");
            const int words = q.shape[1];
            QCOMPARE(batch.sentences[size_t(sentence)].words, words);
            for (int head = 0; head < 8; ++head)
                for (int word = 0; word < words; ++word) {
                    for (int number = 0; number < 8; ++number, ++compared) {
                        const float value = q.values[size_t((head * words + word) * 8 + number)];
                        QVERIFY(std::abs(batch.query(sentence, word, head, number) - value) < 1e-5F);
                        for (const auto shape : {BatchShapes::Joined, BatchShapes::Cut, BatchShapes::Turned}) {
                            const QRectF cell = shapes.cellRect(shape, {sentence, word, head, number});
                            const QColor ink =
                                picture.pixelColor((cell.center() * picture.devicePixelRatio()).toPoint());
                            const QColor wanted = shapes.scale(shape).color(Theme::light(), double(value));
                            QVERIFY2(std::abs(ink.red() - wanted.red()) < 3 && std::abs(ink.blue() - wanted.blue()) < 3,
                                     qPrintable(ink.name() + wanted.name()));
                        }
                    }
                    for (int key = 0; key < words; ++key)
                        QVERIFY(std::abs(batch.sentences[size_t(sentence)].scores[size_t((head * 5 + word) * 5 + key)] -
                                         scores.values[size_t((head * words + word) * words + key)]) < 1e-4F);
                }
            for (int key = 0; key < 5; ++key)
                QCOMPARE(batch.sentences[size_t(sentence)].blocked[size_t(key)] != 0, key >= words);
        }
        QCOMPARE(compared, (5 + 3) * 64);
    }

    /// Sentence 2, word 3, head 3, number 2 of (2, 5, 64): 320 + 128 + 16 + 2, and once the heads have moved
    /// 320 + 2 × 40 + 2 × 8 + 2.
    void aNumberIsFollowedThroughTheShapes() {
        const auto model = std::make_shared<const TrainedModel>(
            loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors"));
        QueryKeyValueView view;
        show(view, {1376, 740});
        view.setReading(model, readSentence(*model, QStringLiteral("tôi đang học tiếng anh")).trace);
        StageState state = batchOf(QStringLiteral("tôi yêu bạn"));
        state.sentence = 2;
        state.head = 3;
        state.cell = {3, 2};
        view.showOptions(state);
        BatchShapes& shapes = *view.shapes();
        QTRY_VERIFY(shapes.batch().sentences.size() == 2);
        QVERIFY2(shapes.placeText().endsWith("stands at [2, 3, 18], then at [2, 3, 3, 2], then at [2, 3, 3, 2]: number "
                                             "466 in memory, twice, and then number 418"),
                 qPrintable(shapes.placeText()));
        QTest::keyClick(&shapes, Qt::Key_Up);
        QTest::keyClick(&shapes, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(&shapes, Qt::Key_Up, Qt::ShiftModifier);
        QVERIFY((shapes.chosen() == BatchShapes::Place{0, 1, 3, 1}));
        const QPointF cell = shapes.cellRect(BatchShapes::Turned, {1, 0, 6, 5}).center();
        QTest::mouseClick(&shapes, Qt::LeftButton, {}, cell.toPoint());
        view.tellOptions(state);
        QVERIFY(state.queryKeyValue.batch && state.sentence == 2 && state.head == 7 && state.cell.row == 1 &&
                state.cell.column == 6);
    }

    /// A choice that does nothing cannot be made, and says why.
    void withoutHeadsNoneIsChosen() {
        QueryKeyValueView view;
        show(view, {1376, 740});
        SegmentedControl& source = *view.source();
        QVERIFY(!source.isItemEnabled(1));
        const auto read = [&](const char* name) {
            const auto model = fixture::shippedModel(QLatin1String(name));
            view.setReading(model, readSentence(*model, exampleSentence(*model)).trace);
        };
        read("vi-en-gru");
        QVERIFY(!source.isItemEnabled(1));
        read("vi-en-transformer");
        QVERIFY(source.isItemEnabled(1));
        StageState state;
        state.view = ViewName::QueryKeyValue;
        state.queryKeyValue.matrices = QueryKeyValueOptions::Matrices::Model;
        view.showOptions(state);
        QCOMPARE(source.currentIndex(), 1);
        // The worked example stands in for what the next model lacks, and what was wished stays.
        read("vi-en-gru");
        QCOMPARE(source.currentIndex(), 0);
        StageState told;
        told.view = ViewName::QueryKeyValue;
        view.tellOptions(told);
        QVERIFY(told.queryKeyValue.matrices == QueryKeyValueOptions::Matrices::Model);
        read("vi-en-transformer");
        QCOMPARE(source.currentIndex(), 1);
    }

    void aBatchNeedsAModelWithHeads() {
        QueryKeyValueView view;
        show(view, {1376, 740});
        view.showPage(QueryKeyValueView::Batch);
        QVERIFY(view.shapes()->batch().isEmpty() && !view.second()->isEnabled());
        QVERIFY(view.shapes()->accessibleDescription().contains("Open a Transformer that translates"));
    }

private:
    static StageState batchOf(const QString& second) {
        StageState state;
        state.view = ViewName::QueryKeyValue;
        state.queryKeyValue.batch = true;
        state.queryKeyValue.batchSecond = second.toStdString();
        state.block = "encoder.layers.1.self_attn";
        return state;
    }
    static QString writtenIn(const QWidget& card) {
        QString all;
        for (const QLabel* label : card.findChildren<QLabel*>())
            all += label->text() + u'|';
        return all;
    }
    static void show(QueryKeyValueView& view, const QSize& size) {
        view.resize(size);
        view.show();
        QCoreApplication::processEvents();
    }

    std::unique_ptr<ThemeManager> m_theme;
};

QTEST_MAIN(TestQueryKeyValueView)
#include "test_query_key_value_view.moc"
