// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QSignalSpy>
#include <QtTest>
#include <algorithm>

#include "tests/thread_time.h"
#include "tests/ui/fixture.h"
#include "ui/session/format/number_format.h"
#include "ui/views/train/film_strip.h"
#include "ui/views/train/training_bar.h"
#include "ui/views/train/training_chart.h"
#include "ui/views/train/training_view.h"

using namespace headlight;

namespace {

std::vector<TrainingPoint> run(int from, int to) {
    std::vector<TrainingPoint> points;
    for (int step = from; step <= to; ++step) {
        const double x = step / 40.0;
        points.push_back({step, 4.6 * std::exp(-x) + 0.15 + 0.05 * std::sin(step), 1 - std::exp(-x * x), step * 1.55e-5,
                          28000 + 4000 * std::sin(step / 3.0), 4 * std::exp(-x) + 0.2});
    }
    return points;
}

void fill(TrainingView& view) {
    view.setTasks({{"vi-en", "Vietnamese to English"}, {"reverse", "Reverse"}});
    view.setTotalSteps(400);
    std::vector<double> schedule;
    for (int s = 1; s <= 400; ++s)
        schedule.push_back(0.044 * std::min(std::pow(s, -0.5), s * std::pow(200, -1.5)));
    view.setSchedule(schedule);
    view.appendPoints(run(1, 120));
    std::vector<ValidationPoint> tested;
    for (int s = 0; s <= 120; s += 10) {
        const double x = s / 40.0;
        tested.push_back({s, 4.5 * std::exp(-x) + 0.15, 1 - std::exp(-x * x), 98.5 * (1 - std::exp(-x * x * x / 4))});
    }
    view.appendValidation(tested);
    const QStringList written = {"stories you stories i stories stories stories stories",
                                 "he english english",
                                 "i english",
                                 "i am english",
                                 "i am reading english",
                                 "",
                                 "i am speaking english",
                                 "i am learning english"};
    for (int i = 0; i < written.size(); ++i)
        view.appendFrame({i * 17 + 1, fixture::makeTrace({2, 8, 5}, static_cast<unsigned>(i)), written[i]});
    view.setProbe("tôi đang học tiếng anh", 2, 2);
    using Role = TrainingSummary::Role;
    view.setSummary({{{"Layers", "2 + 2"},
                      {"d model", "64"},
                      {"Heads", "8"},
                      {"Feed-forward", "128"},
                      {"Positions", "sinusoid"},
                      {"Label smoothing", "0.1"},
                      {"Batch", "64 pairs"},
                      {"Optimiser", "Adam"},
                      {"Warm-up", "200 steps"}},
                     {{"Source embedding", 2496, Role::Encoder},
                      {"Target embedding", 4160, Role::Decoder},
                      {"Encoder attention", 33280, Role::Encoder},
                      {"Encoder feed-forward", 33152, Role::Encoder},
                      {"Decoder cross-attention", 33280, Role::Decoder},
                      {"Layer norm", 1280, Role::Neutral}},
                     {{"Training pairs", "3,049"}, {"For validation", "200"}, {"Vocabulary vi / en", "39 / 65"}}});
    view.setClipNorm(1);
    view.setTimes(2.9, 6.4);
    view.setState(TrainingState::Running);
}

}  // namespace

class TestTrainingView : public QObject {
    Q_OBJECT
private slots:
    void pointsArriveInTheCharts() {
        TrainingView view;
        view.appendPoints(run(1, 10));
        view.appendPoints(run(11, 15));
        view.appendValidation({{10, 1.5, 0.4, 12}});
        const auto& train = view.lossChart()->points(TrainingChart::Line::Train);
        QCOMPARE(train.size(), size_t(15));
        QCOMPARE(train.back().x(), 15.0);
        QCOMPARE(view.lossChart()->points(TrainingChart::Line::Test).front(), QPointF(10, 1.5));
        view.clear();
        QVERIFY(view.lossChart()->points(TrainingChart::Line::Train).empty());
        QCOMPARE(view.lossChart()->drawnPoints(TrainingChart::Line::Train), 0);
    }

    void theThroughputSaysWhatItsLastBarDoes() {
        TrainingView view;
        view.setTotalSteps(400);
        view.appendPoints(run(1, 37));
        const QList<TrainingChart*> charts = view.findChildren<TrainingChart*>();
        const auto barred = std::ranges::find_if(
            charts, [](const TrainingChart* chart) { return chart->title() == QLatin1String("Throughput"); });
        QVERIFY(barred != charts.end());
        const QString last = formatCount(std::llround((*barred)->bars().back()));
        QVERIFY(last != formatCount(std::llround(run(37, 37).front().tokensPerSecond)));
        const QList<QLabel*> labels = (*barred)->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == last; }));
    }

    /// One line has dropout and smoothing in it, the other has not: nothing said so.
    void theLossSaysWhatOnlyTheTrainingLineHasInIt() {
        TrainingView view;
        const auto says = [&](const QString& words) {
            const QList<QLabel*> labels = view.lossChart()->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == words; });
        };
        view.setLossMeasure(0.1, 0.05);
        QVERIFY(says(QStringLiteral("training: dropout 0.10, smoothing 0.05")));
        view.setLossMeasure(0, 0.05);
        QVERIFY(says(QStringLiteral("training: smoothing 0.05")));
        view.setLossMeasure(0, 0);
        QVERIFY(says(QStringLiteral("cross-entropy")));
    }

    void manyPointsAreThinnedButKeepTheirExtremes() {
        std::vector<QPointF> points;
        for (int i = 0; i < 10000; ++i)
            points.emplace_back(i, 1);
        points[7777].setY(42);
        points[1234].setY(-3);
        const std::vector<QPointF> few = decimated(points, 600);
        QVERIFY(few.size() <= 600);
        QVERIFY(std::find(few.begin(), few.end(), QPointF(7777, 42)) != few.end());
        QVERIFY(std::find(few.begin(), few.end(), QPointF(1234, -3)) != few.end());
        QVERIFY(std::is_sorted(few.begin(), few.end(), [](QPointF a, QPointF b) { return a.x() < b.x(); }));
        QCOMPARE(decimated({{1, 2}, {2, 3}}, 600).size(), size_t(2));
    }

    void tenThousandStepsAreAddedWithinTheirDeadline() {
        TrainingView view;
        view.resize(1376, 852);
        view.show();
        const double seconds = fixture::secondsFor([&] {
            for (int step = 1; step <= 10000; step += 100)
                view.appendPoints(run(step, step + 99));
        });
        QVERIFY2(seconds < 30, qPrintable(QString::number(seconds)));
        QVERIFY(view.lossChart()->drawnPoints(TrainingChart::Line::Train) <= 600);
    }

    void axesEndOnRoundNumbers() {
        QCOMPARE(roundedUp(4.6), 5.0);
        QCOMPARE(roundedUp(0.0031), 0.004);
        QCOMPARE(roundedUp(31999), 40000.0);
        QCOMPARE(roundedUp(1), 1.0);
    }

    void buttonsAskAndTheStateAnswers() {
        TrainingView view;
        fill(view);
        QSignalSpy start(&view, &TrainingView::startRequested), pause(&view, &TrainingView::pauseRequested);
        const auto click = [&view](const QString& label) {
            for (auto* button : view.findChildren<QAbstractButton*>())
                if (button->text() == label) return button->click(), true;
            return false;
        };
        QVERIFY(click("Pause"));
        QCOMPARE(pause.count(), 1);
        view.setState(TrainingState::Paused);
        QVERIFY(click("Go on"));
        QCOMPARE(start.count(), 1);
        QCOMPARE(view.taskName(), QStringLiteral("vi-en"));
        view.setState(TrainingState::Failed, "the loss is not a number at step 7: lower the learning rate");
        QVERIFY(click("Copy details"));
    }

    void theFilmFollowsUntilTheReaderGoesBack() {
        TrainingView view;
        view.resize(1376, 852);
        view.show();
        fill(view);
        QSignalSpy selected(&view, &TrainingView::frameSelected);
        QCOMPARE(view.film()->current(), 7);
        QTest::keyClick(view.film(), Qt::Key_Left);
        QCOMPARE(selected.takeLast().first().toInt(), 6);
        view.appendFrame({200, fixture::makeTrace(), "i am learning english"});
        QCOMPARE(view.film()->current(), 6);
        QVERIFY(view.film()->caption().contains("“learning” looking at “học”"));
    }

    void theFilmHoldsAtMostThreeHundredFramesHoweverManyComeIn() {
        FilmStrip film;
        film.append({0, fixture::makeTrace(), "a"});
        film.append({1, fixture::makeTrace(), "a"});
        film.setCurrent(0);
        size_t most = 0;
        for (int step = 2; step < 2000; ++step) {
            const auto kind = step % 2 ? ProbeFrame::Kind::Resting : ProbeFrame::Kind::Regular;
            film.append({step, fixture::makeTrace(), "a", kind});
            most = std::max(most, film.bytes());
            QVERIFY(film.count() <= 300);
        }
        QCOMPARE(film.currentStep(), 0);  // who looks back stays there
        FilmStrip one;
        one.append({0, fixture::makeTrace(), "a"});
        QVERIFY(most <= 300 * one.bytes() + 512 * sizeof(ProbeFrame));
        film.setCurrent(film.count() - 1);
        QCOMPARE(film.currentStep(), 1999);  // and the newest is always there
    }

    void cutBackAllIsAsIfItHadNeverGoneFurther() {
        TrainingView view, fresh;
        for (TrainingView* each : {&view, &fresh}) {
            each->resize(1376, 852);
            each->show();
            each->setTotalSteps(100);
        }
        const auto regular = [](int step) { return ProbeFrame{step, fixture::makeTrace(), "i am"}; };
        fresh.appendFrame(regular(0));
        fresh.appendPoints(run(1, 20));
        fresh.appendValidation({{20, 1.5, 0.4, 12}});
        fresh.appendFrame(regular(20));
        view.appendFrame(regular(0));
        view.appendPoints(run(1, 20));
        view.appendFrame({13, fixture::makeTrace(), "he", ProbeFrame::Kind::Resting});
        view.appendValidation({{20, 1.5, 0.4, 12}, {40, 1, 0.5, 30}});
        view.appendFrame(regular(20));
        view.appendPoints(run(21, 50));
        view.appendFrame(regular(40));
        view.film()->setCurrent(0);
        view.cutBack(20);
        QCOMPARE(view.lossChart()->points(TrainingChart::Line::Train).size(), size_t{20});
        QCOMPARE(view.film()->count(), 2);
        QCOMPARE(view.film()->currentStep(), 20);
        QCOMPARE(view.grab().toImage(), fresh.grab().toImage());
    }

    void theCaptionIsOfTheFrameThatIsChosen() {
        TrainingView view;
        view.resize(1376, 852);
        view.show();
        view.setProbe("a b", 1, 1);
        view.appendFrame({1, fixture::makeTrace({2, 8, 5}, 1), "i"});
        auto empty = std::make_shared<Trace>();
        view.appendFrame({2, empty, "i"});
        QCOMPARE(view.film()->caption(), QString());
        QTest::keyClick(view.film(), Qt::Key_Left);
        QVERIFY(!view.film()->caption().isEmpty());
        bool shown = false;
        for (const auto* label : view.findChildren<QLabel*>())
            shown = shown || label->text() == view.film()->caption();
        QVERIFY(shown);
    }

    void aTimeIsNeverCutInItsMiddle() {
        QWidget window;  // a window of its own would be resized later
        TrainingBar bar(&window);
        window.show();
        for (int width = 2000; width >= 760; width -= 20) {
            bar.resize(width, 56);
            bar.setTimes(75.3, 6000);
            QCoreApplication::sendPostedEvents();  // what is laid out again for buttons without words
            const QString text = bar.times()->text();
            QVERIFY(QFontMetrics(bar.times()->font()).horizontalAdvance(text) <= bar.times()->width());
            if (width == 2000) QCOMPARE(text, QStringLiteral("1.3 min elapsed, about 100.0 min left"));
        }
        bar.resize(2000, 56);
        QCoreApplication::sendPostedEvents();
        QVERIFY2(bar.times()->text().endsWith("left"), "with the room the rest comes back");
        bar.setTimes(-1, -1);
        QCOMPARE(bar.times()->text(), QString());
    }

    void afterTheLastBatchThereIsNoOther() {
        TrainingView view;
        const auto button = [&view](const QString& label) -> QAbstractButton* {
            for (auto* each : view.findChildren<QAbstractButton*>())
                if (each->text() == label) return each;
            return nullptr;
        };
        view.setState(TrainingState::Paused);
        QVERIFY(button("One batch")->isEnabled());
        view.setState(TrainingState::Finished);
        QVERIFY(!button("One batch")->isEnabled());
        QVERIFY(!button("Start"));
        QVERIFY(button("Train again"));
        view.setState(TrainingState::Failed);
        QVERIFY(!button("One batch")->isEnabled());
    }
};

QTEST_MAIN(TestTrainingView)
#include "test_training_view.moc"
