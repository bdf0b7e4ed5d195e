// SPDX-License-Identifier: GPL-3.0-or-later
// Beside the curves of a run: its settings, its weights, its sentences, and the runs before it.
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <cmath>

#include "tests/ui/fixture.h"
#include "ui/views/train/runs_chart.h"
#include "ui/views/train/runs_view.h"
#include "ui/views/train/sentences_view.h"
#include "ui/views/train/training_chart.h"
#include "ui/views/train/training_settings.h"
#include "ui/views/train/weights_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/time/plain_chart.h"

using namespace headlight;

namespace {

WeightsFrame weightsAt(int step, double norm) {
    const Histogram histogram{-1, 1, {1, 2, step + 1, 1}, 0};
    return {step, {{"Generator", norm, histogram}, {"Embedding", norm / 10, histogram}}};
}

}  // namespace

class TestTrainingDetails : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme = std::make_unique<fixture::LightTheme>(); }
    void cleanupTestCase() { m_theme.reset(); }

    void theSettingsAreTheRuns() {
        TrainingSettings settings;
        TrainingSetup setup;
        settings.apply(setup);
        QCOMPARE(setup.config.architecture, std::string("transformer"));
        QCOMPARE(setup.config.numHeads, 8);
        QCOMPARE(setup.options.teacherForcingEnd, 1.0);
        QVERIFY(!setup.options.learningRate);
        for (int model = 0; model < settings.model()->count(); ++model) {
            settings.model()->setCurrentIndex(model);
            settings.forcingEnd()->setValue(40);
            settings.stepsSlider()->setValue(3);
            TrainingSetup each;
            settings.apply(each);
            each.config.sourceVocabSize = each.config.targetVocabSize = 20;
            each.config.validate();
            QCOMPARE(each.config.recurrent(), model > 0);
            QCOMPARE(each.options.teacherForcingEnd, 0.4);
            QCOMPARE(each.options.steps, 300L);
        }
        QSignalSpy wanted(&settings, &TrainingSettings::runRequested);
        for (Button* button : settings.findChildren<Button*>())
            if (button->text() == QLatin1String("Start a run with these")) button->click();
        QCOMPARE(wanted.count(), 1);
    }

    void gradientsAreAMatrixOfModulesAndSteps() {
        WeightsView view;
        view.resize(1300, 800);
        view.show();
        view.append({weightsAt(0, 0), weightsAt(1, 10), weightsAt(5, 1)});
        const MatrixData& matrix = view.gradients()->data();
        QCOMPARE(matrix.columnLabels, QStringList({"1", "5"}));  // before the first step there is no gradient
        QCOMPARE(matrix.values, std::vector<float>({1, 0, 0, -1}));
        // The histogram of the first and of the last step: a density, whose area is one.
        QCOMPARE(view.distribution()->lines().size(), size_t{2});
        for (const PlainChart::Line& line : view.distribution()->lines()) {
            double area = 0;
            for (size_t i = 0; i + 1 < line.size(); i += 2)
                area += (line[i + 1].x() - line[i].x()) * line[i].y();
            QVERIFY(std::abs(area - 1) < 1e-9);
        }
        const PlainChart::Line last = view.distribution()->lines()[1];
        QTest::keyClick(view.gradients(), Qt::Key_Down);  // pins the first module at the first step
        QVERIFY(view.distribution()->lines()[1] != last);
        view.clear();
        QVERIFY(view.gradients()->data().empty());
        QVERIFY(view.distribution()->lines().empty());
    }

    void sentencesGoBackInTime() {
        SentencesView view;
        view.resize(1300, 800);
        view.show();
        view.append({{0, {{"a b", "x y", "x", 3.5}, {"c", "z", "z z", 2.5}}},
                     {10, {{"a b", "x y", "x y", 0.5}, {"c", "z", "q", 2}}}});
        QCOMPARE(view.table()->rowCount(), 2);
        QCOMPARE(view.table()->item(0, 1)->text(), QStringLiteral("x y"));
        QCOMPARE(view.curve()->lines()[0], PlainChart::Line({{0, 3.5}, {10, 0.5}}));
        view.step()->setValue(0);
        QCOMPARE(view.table()->item(0, 1)->text(), QStringLiteral("x"));
        view.table()->setCurrentCell(1, 0);
        QCOMPARE(view.curve()->lines()[0], PlainChart::Line({{0, 2.5}, {10, 2}}));
        // Who looks back is not carried off by what comes in.
        view.append({{20, {{"a b", "x y", "x y", 0.2}, {"c", "z", "z", 1}}}});
        QCOMPARE(view.table()->item(0, 1)->text(), QStringLiteral("x"));
    }

    /// What the model writes is legible in the theme that is on, not in the one that it was written in.
    void sentencesFollowTheTheme() {
        ThemeManager theme(qApp);
        theme.setMode(ThemeManager::Mode::Light);
        SentencesView view;
        view.show();
        view.append({{0, {{"a b", "x y", "x", 3.5}}}});
        QCOMPARE(view.table()->item(0, 1)->foreground().color(), Theme::of(&view).text);
        QVERIFY2(view.curve()->isEmpty() && view.curve()->emptyText().contains("No step taken yet"),
                 "a point is no line");
        const QColor before = Theme::of(&view).text;
        theme.setMode(ThemeManager::Mode::Dark);
        QVERIFY(Theme::of(&view).text != before);
        QCOMPARE(view.table()->item(0, 1)->foreground().color(), Theme::of(&view).text);
        theme.setMode(ThemeManager::Mode::Light);
    }

    void aChartBeforeTheFirstStepHasNoAxes() {
        TrainingChart chart(QStringLiteral("Loss"), {}, {.format = [](double) { return QString(); }});
        QVERIFY(chart.isBeforeFirstStep());
        chart.setSteps(100, 1);
        QVERIFY(!chart.isBeforeFirstStep());
        chart.clear();
        QVERIFY(chart.isBeforeFirstStep());
        chart.replace(TrainingChart::Line::Future, {{0, 1}, {100, 0}});
        QVERIFY2(!chart.isBeforeFirstStep(), "what is to come is drawn");
    }

    void runsLieOverOneAnotherAndModelsCanBeTakenUpAgain() {
        RunsView view;
        view.resize(1300, 800);
        view.show();
        view.begin(QStringLiteral("first"));
        view.begin(QStringLiteral("first, anew"));  // nothing was trained: it takes the place
        QCOMPARE(view.runs(), 1);
        for (int run = 0; run < 6; ++run) {
            view.append(std::vector<TrainingPoint>{{1, 2.0 + run, 0, 0, 0, 0}});
            view.append(std::vector<ValidationPoint>{{1, 4.0 + run, 0.5, 10}, {2, 3.0 + run, 0.5, 20}});
            view.append(std::vector<TrainingCheckpoint>{{1, nullptr}, {2 + run, nullptr}});
            view.begin(QStringLiteral("next"));
        }
        QCOMPARE(view.runs(), 4);
        QCOMPARE(view.chart()->lines().size(), size_t{4});
        QCOMPARE(view.chart()->lines()[1], PlainChart::Line({{1, 9}, {2, 8}}));  // the newest that has points
        QCOMPARE(view.checkpoints()->rowCount(), 6);
        QCOMPARE(view.list()->item(0, 1)->text(), QStringLiteral("0"));
        view.append(std::vector<TrainingPoint>{{1, 2.0, 0, 0, 0, 0}, {2, 2.0, 0, 0, 0, 0}});
        QCOMPARE(view.list()->item(0, 1)->text(), QStringLiteral("2"));  // before anything is measured there
        QSignalSpy chosen(&view, &RunsView::checkpointChosen);
        // A bead stands on its line, and choosing it is choosing its row.
        QCoreApplication::processEvents();
        const QPointF bead = view.chart()->placeOf({2, 1});
        QVERIFY(view.chart()->chart()->plotArea().adjusted(-1, -1, 1, 1).contains(bead));
        QTest::mouseClick(view.chart()->viewport(), Qt::LeftButton, {}, bead.toPoint());
        QCOMPARE(view.checkpoints()->currentRow(), 3);
        QCOMPARE(view.checkpoints()->item(3, 1)->text(), QStringLiteral("1"));
        // Names stand at the ends of their lines, none over another.
        const std::vector<RunsChart::End> ends = view.chart()->ends();
        for (size_t i = 1; i < ends.size(); ++i)
            for (size_t j = 1; j < i; ++j)
                QVERIFY(std::abs(ends[i].at.y() - ends[j].at.y()) >= 14.9);
        QVERIFY(ends[1].text.startsWith(QStringLiteral("8.000  ")));
        view.checkpoints()->setCurrentCell(0, 0);
        view.openButton()->click();
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.first().first().value<TrainingCheckpoint>().step, 7);
    }

    void aRunThatIsDrawnIsTickedInTheColourOfItsLine() {
        RunsView view;
        view.resize(1300, 800);
        view.show();
        for (const char* name : {"first", "second"}) {
            view.begin(QString::fromLatin1(name));
            view.append(std::vector<TrainingPoint>{{1, 2, 0, 0, 0, 0}});
            view.append(std::vector<ValidationPoint>{{1, 4, 0.5, 10}});
        }
        QTableWidget& list = *view.list();
        const auto isTicked = [&list](int row, size_t line) {
            const QRect cell = list.visualItemRect(list.item(row, 0));
            const QPoint inside(cell.left() + 4 + 4, cell.center().y() - 4);  // of the box, beside the tick
            return fixture::colorAt(*list.viewport(), inside) == PlainChart::colorOf(Theme::light(), line);
        };
        QVERIFY(isTicked(0, 0) && isTicked(1, 1));
        emit list.cellClicked(0, 0);
        QVERIFY(!isTicked(0, 0));
        QVERIFY(isTicked(1, 0));  // the only line there is
        QCOMPARE(view.chart()->lines().size(), size_t{1});
    }

    void aRunGoesOnFromAKeptModelWithTheCurvesUpToIt() {
        RunsView view;
        view.show();
        view.begin(QStringLiteral("first"));
        TrainingSetup setup;
        setup.options.steps = 4;
        const auto kept = std::make_shared<const TrainingSetup>(setup);
        const auto trainer = std::make_shared<const TrainerState>();
        for (int step = 1; step <= 4; ++step)
            view.append(std::vector<TrainingPoint>{{step, 5.0 - step, 0, 0, 0, 0}});
        view.append(std::vector<ValidationPoint>{{1, 4, 0.5, 10}, {4, 3, 0.5, 20}});
        view.append(std::vector<TrainingCheckpoint>{{2, nullptr, trainer, kept}, {4, nullptr, trainer, kept}});
        view.checkpoints()->setCurrentCell(0, 0);
        QVERIFY2(!view.resumeButton()->isEnabled(), "the last model of a run has nothing before it");
        view.checkpoints()->setCurrentCell(1, 0);
        QVERIFY(view.resumeButton()->isEnabled());
        QSignalSpy resumed(&view, &RunsView::resumeRequested);
        view.resumeButton()->click();
        QCOMPARE(resumed.count(), 1);
        const auto beginning = resumed.first().first().value<RunsView::Beginning>();
        QCOMPARE(beginning.checkpoint.step, 2);
        QCOMPARE(beginning.points.size(), size_t{2});
        QVERIFY(beginning.fork == RunFork());
        QCOMPARE(beginning.validations.size(), size_t{1});
        view.begin(QStringLiteral("on"), beginning);
        QCOMPARE(view.runs(), 2);
        view.begin(QStringLiteral("on, anew"), beginning);  // nothing of its own yet: it takes the place
        QCOMPARE(view.runs(), 2);
    }

    void keptModelsOfAllRunsTogetherAreBounded() {
        constexpr size_t bound = size_t{192} << 20, each = size_t{12} << 20;
        RunsView view;
        for (int run = 0; run < 10; ++run) {
            view.begin(QString::number(run));
            for (int step = 1; step <= 5; ++step) {
                TrainerState state;
                state.firstMoment.resize(each / sizeof(float));
                view.append(std::vector<TrainingPoint>{{step, 1, 0, 0, 0, 0}});
                view.append(std::vector<TrainingCheckpoint>{
                    {step, nullptr, std::make_shared<const TrainerState>(std::move(state))}});
                QVERIFY(view.keptBytes() <= bound);
            }
        }
        QCOMPARE(view.runs(), 4);
        QCOMPARE(view.keptBytes(), 16 * each);  // the earliest of the oldest run went
        view.show();
        QCOMPARE(view.checkpoints()->rowCount(), 16);
        QCOMPARE(view.checkpoints()->item(0, 1)->text(), QStringLiteral("5"));
        QCOMPARE(view.checkpoints()->item(15, 1)->text(), QStringLiteral("5"));  // its last stayed
    }

    void aRunThatGoesBackForgetsWhatCameAfter() {
        RunsView view;
        view.show();
        view.begin(QStringLiteral("first"));
        for (int step = 1; step <= 4; ++step)
            view.append(std::vector<TrainingPoint>{{step, 5.0 - step, 0, 0, 0, 0}});
        view.append(std::vector<ValidationPoint>{{1, 4, 0.5, 10}, {4, 3, 0.5, 20}});
        view.append(std::vector<TrainingCheckpoint>{{1, nullptr}, {4, nullptr}});
        view.cutBack(2);
        QCOMPARE(view.checkpoints()->rowCount(), 1);
        QCOMPARE(view.chart()->lines()[0], PlainChart::Line({{1, 4}}));
        SentencesView sentences;
        sentences.show();
        sentences.append({{0, {{"a", "x", "x", 3}}}, {3, {{"a", "y", "x", 2}}}});
        sentences.cutBack(2);
        QCOMPARE(sentences.table()->item(0, 1)->text(), QStringLiteral("x"));
        WeightsView weights;
        weights.show();
        weights.append({weightsAt(0, 0), weightsAt(1, 10), weightsAt(5, 1)});
        weights.cutBack(2);
        QCOMPARE(weights.gradients()->data().columnLabels, QStringList({"1"}));
    }

private:
    std::unique_ptr<fixture::LightTheme> m_theme;
};

QTEST_MAIN(TestTrainingDetails)
#include "test_training_details.moc"
