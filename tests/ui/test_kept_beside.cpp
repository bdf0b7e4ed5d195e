// SPDX-License-Identifier: GPL-3.0-or-later
// A model that a run has kept, dragged from its curve into Compare: as the open one, or beside it.
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <algorithm>

#include "tests/ui/calm_window.h"
#include "tests/ui/fixture.h"
#include "ui/session/open/shipped.h"
#include "ui/session/open/training_run.h"
#include "ui/shell/compare_room.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/views/compare/compare_view.h"
#include "ui/views/compare/side_drop.h"
#include "ui/views/train/runs_chart.h"
#include "ui/views/train/runs_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"

using namespace headlight;

class TestKeptBeside : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_calm = std::make_unique<fixture::CalmWindow>(QSize(1440, 900));
        apply("headlight:compare?model=vi-en-transformer");
    }
    void cleanup() { m_calm.reset(); }

    void aBeadIsTakenAlong() {
        RunsView view;
        view.resize(1200, 800);
        const auto model = fixture::shippedModel(QStringLiteral("vi-en-gru"));
        for (const int seed : {1, 2}) {  // their lines apart, so that a place is one bead's
            view.begin(QStringLiteral("vi-en, GRU, seed %1").arg(seed));
            for (int step = 1; step <= 4; ++step)
                view.append(std::vector<TrainingPoint>{{step, 5.0 * seed - step, 0, 0, 0, 0}});
            view.append(std::vector<ValidationPoint>{{1, 4.0 * seed, 0.5, 10}, {4, 3.0 * seed, 0.5, 20}});
            view.append(std::vector<TrainingCheckpoint>{{2, model}, {4, model}});
        }
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        // Its chart says so, the list stands on it, and each is called by what nobody else is called by.
        RunsChart* chart = view.chart();
        disconnect(chart, &RunsChart::beadDragged, nullptr, nullptr);  // an operating system's drag has no end here
        QSignalSpy taken(chart, &RunsChart::beadDragged);
        const QPoint bead = chart->placeOf({1, 2}).toPoint();
        QTest::mousePress(chart->viewport(), Qt::LeftButton, {}, bead);
        QMouseEvent move(QEvent::MouseMove, bead + QPointF(40, 0), chart->viewport()->mapToGlobal(bead + QPoint(40, 0)),
                         Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(chart->viewport(), &move);
        QCOMPARE(taken.count(), 1);
        QCOMPARE(taken.first(), (QVariantList{1, 2}));
        QCOMPARE(view.chosenModel()->key, QStringLiteral("run:2:1"));
        QCOMPARE(view.chosenModel()->lastingKey(), QString());
        QCOMPARE(view.chosenModel()->name, QStringLiteral("1. vi-en, step 2"));
        view.checkpoints()->setCurrentCell(0, 0);
        QCOMPARE(view.chosenModel()->key, QStringLiteral("run:4"));
        QCOMPARE(view.chosenModel()->lastingKey(), QStringLiteral("run:4"));
        QCOMPARE(view.chosenModel()->model, model);
        QSignalSpy beside(&view, &RunsView::besideRequested);
        view.besideButton()->click();
        QCOMPARE(beside.count(), 1);
    }

    void onTheRightItStandsBesideTheOpenModel() {
        drop(SideDrop::Side::Second, kept("vi-en-gru", "run:7"));
        QTRY_VERIFY(comparison().isReady());
        QCOMPARE(comparison().second().model(), m_model);
        QCOMPARE(comparison().title(), QStringLiteral("kept 7"));
        QCOMPARE(view()->models()->currentText(), QStringLiteral("kept 7"));
        QCOMPARE(state().compare.against, std::string("run:7"));
        QCOMPARE(state().model, std::string("vi-en-transformer"));
        QVERIFY(!view()->matrix(CompareView::Second)->data().empty());
    }

    void onTheLeftItIsOpened() {
        const auto before = comparison().second().modelName();
        drop(SideDrop::Side::First, kept("vi-en-gru", "run:7"));
        QCOMPARE(window().workbench().session.model(), m_model);
        QCOMPARE(state().model, std::string("run:7"));
        QTRY_VERIFY(comparison().isReady());
        QCOMPARE(comparison().second().modelName(), before);
    }

    void theSameStepOfAnotherRunIsAnotherModel() {
        drop(SideDrop::Side::Second, kept("vi-en-gru", "run:7"));
        QTRY_VERIFY(comparison().isReady());
        drop(SideDrop::Side::Second, kept("vi-en-long-lstm-attention", "run:7"));
        QTRY_VERIFY(comparison().isReady());
        QCOMPARE(comparison().second().model(), m_model);
    }

    void oneThatIsNotHeldIsNamedAndNothingIsShownInItsPlace() {
        apply("headlight:compare?model=vi-en-transformer&against=run:99");
        QVERIFY(comparison().isGone());
        QVERIFY(!comparison().isReady());
        QVERIFY(view()->matrix(CompareView::Second)->isHidden());
        const QList<QLabel*> labels = view()->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(
            labels, [](const QLabel* label) { return label->text().contains(QLatin1String("not held any more")); }));
        apply("headlight:compare?model=vi-en-transformer");
        QTRY_VERIFY(comparison().isReady());
    }

    void heldOverTheRailItOpensTheRoom() {
        apply("headlight:runs?model=vi-en-transformer");
        const KeptModelDrag drag(kept("vi-en-gru", "run:7"));
        const auto rail = window().findChildren<RailButton*>();
        const auto button =
            std::ranges::find_if(rail, [](const RailButton* each) { return each->text() == QLatin1String("Compare"); });
        QVERIFY(button != rail.end());
        const auto over = [&](const QWidget& widget) {
            const QPoint at = widget.mapTo(&window(), widget.rect().center());
            QDragMoveEvent move(at, Qt::CopyAction, &drag, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(&window(), &move);
        };
        QDragEnterEvent enter({4, 4}, Qt::CopyAction, &drag, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window(), &enter);
        QVERIFY(enter.isAccepted());
        over(*rail.first());
        QCOMPARE(window().rooms().view(), ViewName::Runs);
        over(**button);
        QCOMPARE(window().rooms().view(), ViewName::Compare);
    }

    void theHalvesSayWhatTheyMean() {
        const KeptModelDrag drag(kept("vi-en-gru", "run:7"));
        auto* mark = view()->findChild<SideDrop*>();
        QVERIFY(!mark->isVisible());
        QDragEnterEvent enter({10, 100}, Qt::CopyAction, &drag, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(view(), &enter);
        QVERIFY(enter.isAccepted() && mark->isVisible());
        QCOMPARE(mark->side(), SideDrop::Side::First);
        QDragMoveEvent move({view()->width() - 10, 100}, Qt::CopyAction, &drag, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(view(), &move);
        QCOMPARE(mark->side(), SideDrop::Side::Second);
        QDragLeaveEvent leave;
        QApplication::sendEvent(view(), &leave);
        QVERIFY(!mark->isVisible());
    }

private:
    MainWindow& window() const { return *m_calm->window; }
    CompareRoom& room() const { return *window().rooms().find<CompareRoom>(); }
    Comparison& comparison() const { return room().comparison(); }
    CompareView* view() const { return room().view(); }
    StageState state() const { return window().stage().state(); }
    void apply(const std::string& link) {
        window().stage().apply(stageFromLink(link));
        QTRY_VERIFY(window().stage().isSettled());
        QApplication::processEvents();
    }
    KeptModel kept(const char* model, const char* key) {
        m_model = fixture::shippedModel(QString::fromLatin1(model));
        return {m_model, QStringLiteral("kept 7"), QString::fromLatin1(key)};
    }
    void drop(SideDrop::Side side, const KeptModel& model) {
        const KeptModelDrag drag(model);
        const QPointF at(side == SideDrop::Side::First ? 20 : view()->width() - 20, 100);
        QDragEnterEvent enter(at.toPoint(), Qt::CopyAction, &drag, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(view(), &enter);
        QDropEvent event(at, Qt::CopyAction, &drag, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(view(), &event);
        QVERIFY(event.isAccepted());
    }

    std::unique_ptr<fixture::CalmWindow> m_calm;
    std::shared_ptr<const TrainedModel> m_model;
};

QTEST_MAIN(TestKeptBeside)
#include "test_kept_beside.moc"
