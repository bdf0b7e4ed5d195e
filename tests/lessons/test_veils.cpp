// SPDX-License-Identifier: GPL-3.0-or-later
// What a lesson hides until the reader has predicted it: on the stage, in its words, and what is kept of the
// prediction.
#include <QClipboard>
#include <QGuiApplication>
#include <QMouseEvent>
#include <QSet>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "tests/lessons/veil_test.h"
#include "tests/ui/drawn.h"
#include "ui/lessons/curve_pad.h"
#include "ui/lessons/lesson_progress.h"
#include "ui/lessons/share_bars.h"
#include "ui/lessons/veil_card.h"
#include "ui/shell/explore_room.h"
#include "ui/views/attention/head_wall.h"
#include "ui/views/attention/rank_strips.h"
#include "ui/views/attention/wall_head.h"
#include "ui/views/attention/wall_page.h"
#include "ui/views/laboratory/equation_stage.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/views/recurrent/cell_side.h"
#include "ui/views/recurrent/cell_view.h"
#include "ui/views/recurrent/reach_chart.h"
#include "ui/views/recurrent/recurrent_side.h"
#include "ui/views/recurrent/recurrent_view.h"
#include "ui/views/train/training_chart.h"
#include "ui/views/train/training_view.h"
#include "ui/views/values/number_panel.h"
#include "ui/views/values/value_panel.h"
#include "ui/views/values/values_view.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/theme/color_scale.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/unrolled_rnn.h"
#include "ui/widgets/words/word_bars.h"

using namespace headlight;

class TestVeils : public fixture::VeilTest {
    Q_OBJECT
private slots:
    void init() { m_calm = std::make_unique<fixture::CalmWindow>(QSize(1440, 900)); }
    void cleanup() { m_calm.reset(); }

    void sharesAlwaysAddUpToOne() {
        ShareBars bars;
        bars.resize(300, 200);
        bars.setWords({"a", "b", "c", "d"});
        QCOMPARE(bars.shares(), std::vector<double>(4, 0.25));
        bars.setShare(1, 0.7);
        QVERIFY(isShared(bars) && bars.shares()[1] == 0.7 && std::abs(bars.shares()[0] - 0.1) < 1e-9);
        bars.setShare(1, 1);
        QVERIFY(isShared(bars) && bars.shares()[0] == 0);
        bars.setShare(1, 0.4);  // the others had nothing that proportions could be kept of
        QVERIFY(isShared(bars) && std::abs(bars.shares()[2] - 0.2) < 1e-9);
        const QRectF track = bars.barOf(2);
        QTest::mouseClick(&bars, Qt::LeftButton, {}, QPointF(track.center().x(), track.center().y()).toPoint());
        QVERIFY(isShared(bars) && std::abs(bars.shares()[2] - 0.5) < 0.02);
        const double before = bars.shares()[2];
        QTest::keyClick(&bars, Qt::Key_Right);
        QVERIFY(isShared(bars) && std::abs(bars.shares()[2] - before - 0.01) < 1e-9);
        bars.setAnswer({0.1, 0.2, 0.3, 0.4}, true);
        QTest::keyClick(&bars, Qt::Key_Right);
        QVERIFY(std::abs(bars.shares()[2] - before - 0.01) < 1e-9);
    }

    /// A curve over the places 0, 10, 20, …: what is drawn is where the mouse was, and what is not lies straight
    /// between.
    void aCurveIsDrawn() {
        LessonVeil veil;
        veil.most = 1;
        veil.across = "step";
        CurvePad pad(veil);
        pad.resize(400, 220);
        pad.setPlaces({0, 10, 20, 40, 100});
        QVERIFY(pad.curve().empty() && pad.accessibleDescription().contains("Nothing"));
        QTest::mousePress(&pad, Qt::LeftButton, {}, pad.pointAt(0, 0.2).toPoint());
        QMouseEvent far(QEvent::MouseMove, pad.pointAt(4, 0.7), pad.pointAt(4, 0.7), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&pad, &far);
        const std::vector<double> drawn = pad.curve(), wanted{0.2, 0.25, 0.3, 0.4, 0.7};
        for (size_t i = 0; i < wanted.size(); ++i)
            QVERIFY2(std::abs(drawn[i] - wanted[i]) < 0.02, qPrintable(QString::number(drawn[i])));
        pad.setAnswer({0, 0, 0, 0, 0}, true);
        QTest::mousePress(&pad, Qt::LeftButton, {}, pad.pointAt(2, 0.9).toPoint());
        QCOMPARE(pad.curve(), drawn);
    }

    void aCurveIsDrawnByKeys() {
        LessonVeil veil;
        veil.least = 1e-4;
        veil.most = 1;
        veil.isByTens = true;
        CurvePad pad(veil);
        pad.setPlaces({0, 1, 2, 3, 4});
        QTest::keyClick(&pad, Qt::Key_Right);
        QVERIFY(pad.curve().empty());
        QTest::keyClick(&pad, Qt::Key_Up, Qt::ShiftModifier);  // from the middle, 10⁻², a tenth of the axis up
        QVERIFY(std::abs(std::log10(pad.curve()[1]) + 1.6) < 1e-9 && pad.curve()[0] == pad.curve()[4]);
        for (int i = 0; i < 2; ++i)
            QTest::keyClick(&pad, Qt::Key_Right);
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(&pad, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(pad.column(), size_t(3));
        QVERIFY(std::abs(std::log10(pad.curve()[3]) + 3.6) < 1e-9 && std::abs(std::log10(pad.curve()[2]) + 2.6) < 1e-9);
        QVERIFY(pad.accessibleDescription().contains(QStringLiteral("2.5e−4 at 3")));
    }

    /// The picture draws nothing of it, the engine's curve is that of the run, and the sentence counts how far they
    /// are.
    void aCurveIsPredictedBeforeItIsSeen() {
        openVeil(QStringLiteral("training"), 2);
        TrainingChart& chart = *m_calm->window->findChild<TrainingView*>()->learningRateChart();
        QVERIFY(chart.isHiddenAway());
        QTRY_VERIFY(card()->curve()->places().size() == 51);
        card()->revealButton()->click();
        QCOMPARE(card()->complaint(), QStringLiteral("Draw a curve first, from left to right."));
        card()->curve()->setCurve(std::vector<double>(51, 0.001));
        card()->revealButton()->click();
        QTRY_VERIFY(player().isSolved(partOfVeil()) && !chart.isHiddenAway());
        const std::vector<double>& steps = card()->curve()->places();
        const auto row = player().hiddenRow(partOfVeil());
        double sum = 0, largest = 0, at = 0;
        for (size_t i = 0; i < steps.size(); ++i) {
            const double planned = chart.points(TrainingChart::Line::Future)[static_cast<size_t>(steps[i]) - 1].y();
            QVERIFY(std::abs(row->values[i] - planned) < 1e-12);
            sum += std::abs(planned - 0.001);
            if (std::abs(planned - 0.001) > largest) at = steps[i];
            largest = std::max(largest, std::abs(planned - 0.001));
        }
        const QString expected = QStringLiteral("Your curve is %1 away from it on average, and furthest at step %2.")
                                     .arg(sum / 51, 0, 'f', 5)
                                     .arg(at);
        QTRY_VERIFY2(words().contains(expected), qPrintable(expected + words()));
        QCOMPARE(card()->curve()->curve(), std::vector<double>(51, 0.001));
        QVERIFY2(card()->verdict().startsWith(
                     QStringLiteral("Your curve stays level; the measured one rises and falls again. Yours ends too ")),
                 qPrintable(card()->verdict()));
    }

    void howFarAGradientReachesIsHidden() {
        openVeil(QStringLiteral("cell"), 5);
        const ReachChart& chart = *m_calm->window->findChild<CellView*>()->side()->chart();
        QVERIFY(chart.lines().empty());
        QTRY_VERIFY(!card()->curve()->places().empty());
        card()->showButton()->click();
        QTRY_VERIFY(!chart.lines().empty());
        QCOMPARE(player().hiddenRow(partOfVeil())->values, chart.lines().front().share);
        QTRY_VERIFY(words().contains(QStringLiteral("Six words back you left …; the engine finds 0.0")));
        QVERIFY(words().contains(QStringLiteral("your curve is … powers of ten away")));
    }

    void whatIsHiddenIsNowhere() {
        openVeil();
        const MatrixView& weights = *view()->matrix(QueryKeyValueView::Weights);
        for (int key = 0; key < 5; ++key) {
            QVERIFY(std::isnan(weights.data().value(0, key)) && weights.data().isLeftOut(0, key));
            QVERIFY(!std::isnan(weights.data().value(1, key)));
            QVERIFY(view()->equation()->textOf({EquationStage::Matrix::Weights, 0, key}).isEmpty());
        }
        QVERIFY(weights.describe({0, 2}).contains(QLatin1String("hidden")));
        QVERIFY(!view()->equation()->isThere({EquationStage::Matrix::Output, 0, 0}));  // it would tell them
        QVERIFY(!words().contains(QLatin1String("0.2120")));
        QVERIFY(words().contains(QStringLiteral("? · ? · ?")));
    }

    /// In the alignment beside the network, and in the bars on top of it.
    void whereAttentionLooksIsHidden() {
        openVeil(QStringLiteral("attention"), 5);
        auto& recurrent = *m_calm->window->findChild<RecurrentView*>();
        auto* const alignment = recurrent.side()->findChild<MatrixView*>();
        const auto hasBars = [&] { return fixture::drawn(*recurrent.unrolled()).texts().contains("0.00"); };
        QVERIFY(alignment->isVisible());
        QVERIFY(std::isnan(alignment->data().value(3, 6)) && !std::isnan(alignment->data().value(4, 6)));
        const int sourceWords = alignment->data().columns;
        recurrent.chooseStep(sourceWords + 4);
        QVERIFY(hasBars() && alignment->locked() == (MatrixView::Cell{4, 5}));
        recurrent.chooseStep(sourceWords + 3);
        QVERIFY(!hasBars() && !alignment->locked().valid());
        card()->showButton()->click();
        QTRY_VERIFY(!std::isnan(alignment->data().value(3, 6)));
        QVERIFY(hasBars());
        QCOMPARE(alignment->locked(), (MatrixView::Cell{3, 6}));
    }

    /// A closed cell is hatched as well: what is hidden has a question mark on it.
    void whatIsHiddenIsNoClosedCell() {
        openVeil(QStringLiteral("masks"), 5);
        int asked = 0;
        for (MatrixView* const matrix : m_calm->window->findChild<MaskView*>()->findChildren<MatrixView*>()) {
            if (!matrix->isVisible()) continue;
            const int here = static_cast<int>(fixture::drawn(*matrix).texts().count(QStringLiteral("?")));
            QVERIFY(here == 0 || here == 6);  // one of the fourth row, and the fifth
            asked += here;
        }
        QCOMPARE(asked, 6);
    }

    /// In the matrix, the histogram, the sum, the softmax beside it and what may be copied.
    void valuesHideWhatIsToBePredicted() {
        openVeil(QStringLiteral("attention"), 6);
        auto& values = *m_calm->window->findChild<ValuesView*>();
        QVERIFY(values.isVisible());
        const auto hasNumbers = [&](int row) {
            const MatrixData& shown = values.value()->matrix()->data();
            int numbers = 0;
            for (int column = 0; column < shown.columns; ++column)
                numbers += !std::isnan(shown.value(row, column));
            return numbers == shown.columns ? 1 : numbers == 0 ? 0 : -1;
        };
        QCOMPARE(hasNumbers(3), 0);
        QCOMPARE(hasNumbers(2), 1);
        Selection& selection = m_calm->window->workbench().selection;
        selection.setNumber({0, 3, 1});
        QVERIFY(!values.number()->lines()->isVisible() && !values.number()->row()->isVisible());
        QGuiApplication::clipboard()->setText(QStringLiteral("before"));
        values.value()->copyTsv();
        values.value()->copyNumPy();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("before"));
        card()->shares()->setShare(4, 0.9);
        card()->revealButton()->click();
        QTRY_COMPARE(hasNumbers(3), 1);
        selection.setNumber({0, 3, 1});
        QTRY_VERIFY(values.number()->row()->isVisible());
        values.value()->copyTsv();
        QVERIFY(QGuiApplication::clipboard()->text() != QStringLiteral("before"));
        QTRY_VERIFY2(words().contains(QStringLiteral("and the second 0.90; the model gives them 0.")),
                     qPrintable(words()));
    }

    void theWallHidesWhatIsToBePredicted() {
        openVeil(QStringLiteral("heads-look-at"), 2);
        auto& page = *m_calm->window->findChild<WallPage*>();
        QVERIFY(page.isVisible());
        const int hidden = page.wall()->current();
        const HeadSurvey::Head& head = page.survey().heads()[static_cast<size_t>(hidden)];
        QCOMPARE(head.layer, 1);
        QCOMPARE(head.head, 4);
        for (int each = 0; each < static_cast<int>(page.survey().heads().size()); ++each)
            QCOMPARE(page.wall()->hasVeil(each), each == hidden);
        const MatrixData& large = page.head()->matrix()->data();
        QVERIFY(std::isnan(large.value(3, 0)) && !std::isnan(large.value(2, 0)));
        QVERIFY2(!page.head()->ranks()->isVisible(), "what it does on average would tell it");
        // In the small picture the row is hatched from edge to edge, whatever it weighs.
        const auto rowOf = [&] {
            const QRectF box = page.wall()->headRect(hidden);
            const double high = box.height() / page.survey().rows();
            const QRectF row(box.left(), box.top() + 3 * high, box.width(), high);
            const QImage drawn = page.wall()->grab(row.toAlignedRect().adjusted(1, 1, -1, -1)).toImage();
            QSet<QRgb> colours;
            for (int y = 0; y < drawn.height(); ++y)
                for (int x = 0; x < drawn.width(); ++x)
                    colours.insert(drawn.pixel(x, y));
            return colours;
        };
        const QColor full = ColorScale::weights().color(Theme::of(page.wall()), 0.9);
        const auto hasDark = [&](const QSet<QRgb>& colours) {
            return std::ranges::any_of(colours, [&](QRgb each) { return qGray(each) <= qGray(full.rgb()) + 8; });
        };
        QVERIFY(!hasDark(rowOf()));
        card()->showButton()->click();
        QTRY_VERIFY(!page.wall()->hasVeil(hidden));
        QVERIFY(hasDark(rowOf()));
        QVERIFY(page.head()->ranks()->isVisible());
        QVERIFY(!std::isnan(page.head()->matrix()->data().value(3, 0)));
    }

    /// Who comes to the prediction has not seen it; who made it sees it in the steps before as well.
    void theStepsBeforeDoNotShowIt() {
        openVeil();
        const auto isHidden = [&] {
            return std::isnan(view()->matrix(QueryKeyValueView::Weights)->data().value(0, 2));
        };
        for (int before = 0; before < m_step; ++before) {
            player().goTo(before);
            settle();
            QVERIFY(isHidden() && !std::isnan(view()->matrix(QueryKeyValueView::Weights)->data().value(1, 2)));
        }
        player().goTo(m_step + 1);
        settle();
        QVERIFY(!isHidden());
        player().goTo(m_step);
        settle();
        card()->showButton()->click();
        player().goTo(0);
        settle();
        QVERIFY(!isHidden());
    }

    void theRunsBeforeDoNotShowIt() {
        openVeil(QStringLiteral("training"), 2);
        for (int before = 0; before < m_step; ++before) {
            player().goTo(before);
            settle();
            QVERIFY(m_calm->window->findChild<TrainingView*>()->learningRateChart()->isHiddenAway());
        }
    }

    void aPredictionStaysBesideWhatIsSo() {
        openVeil();
        card()->shares()->setShare(2, 0.6);
        card()->revealButton()->click();
        QTRY_VERIFY(player().isSolved(partOfVeil()) && card()->shares()->accessibleDescription().contains("0.21"));
        seesTheAnswer();
        player().goTo(0);
        player().goTo(m_step);
        settle();
        seesTheAnswer();
        const QByteArray table = exportedAnswers(m_calm->window->workbench().lessons, QStringLiteral("An \"An\" Bùi"));
        QVERIFY2(table.contains("\"An \"\"An\"\" Bùi\",\"by-hand\",4,\"From scores to weights\",prediction,"), table);
        QVERIFY2(table.contains(",1,1,1,\"0.1 0.1 0.6 0.1 0.1\"\r\n"), table);
    }

    void whoGivesUpSeesItToo() {
        openVeil();
        card()->showButton()->click();
        QTRY_VERIFY(!std::isnan(view()->matrix(QueryKeyValueView::Weights)->data().value(0, 2)));
        QTRY_VERIFY(words().contains(QStringLiteral("You gave học … and tiếng …; the softmax gives 0.212")));
        QVERIFY(player().predicted(partOfVeil()).empty());
    }

    void paperShowsAllThereIs() {
        openVeil();
        player().setVeilsLifted(true);
        QVERIFY(player().veiled().empty());
        QVERIFY(!std::isnan(view()->matrix(QueryKeyValueView::Weights)->data().value(0, 2)));
        player().setVeilsLifted(false);
        QCOMPARE(player().veiled().size(), size_t(1));
        QVERIFY(std::isnan(view()->matrix(QueryKeyValueView::Weights)->data().value(0, 2)));
        player().close();
        QVERIFY(!std::isnan(view()->matrix(QueryKeyValueView::Weights)->data().value(0, 2)));
    }

private:
    static bool isShared(const ShareBars& bars) {
        double sum = 0;
        for (const double share : bars.shares())
            sum += share;
        return std::abs(sum - 1) < 1e-9;
    }

    QueryKeyValueView* view() { return m_calm->window->findChild<QueryKeyValueView*>(); }

    void seesTheAnswer() {
        QVERIFY(!std::isnan(view()->matrix(QueryKeyValueView::Weights)->data().value(0, 2)));
        QTRY_VERIFY2(words().contains(QStringLiteral("You gave học 0.60 and tiếng 0.10; the softmax gives 0.212")),
                     qPrintable(words()));
        QVERIFY(words().contains(QLatin1String("0.2120")));
        QVERIFY(std::abs(card()->shares()->shares()[2] - 0.6) < 1e-6);
    }
};

QTEST_MAIN(TestVeils)
#include "test_veils.moc"
