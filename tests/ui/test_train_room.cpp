// SPDX-License-Identifier: GPL-3.0-or-later
// The training room as a reader uses it: what is asked before a run is lost, and which model is looked into.
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>
#include <algorithm>

#include "tests/session/jobs.h"
#include "tests/ui/fixture.h"
#include "ui/session/format/number_format.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/shell/train_room.h"
#include "ui/views/surgery/other_bar.h"
#include "ui/views/surgery/surgery_view.h"
#include "ui/views/train/film_strip.h"
#include "ui/views/train/learnt_card.h"
#include "ui/views/train/runs_view.h"
#include "ui/views/train/training_bar.h"
#include "ui/views/train/training_chart.h"
#include "ui/views/train/training_heads_view.h"
#include "ui/views/train/training_settings.h"
#include "ui/views/train/training_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/labelled_slider.h"

using namespace headlight;

class TestTrainRoom : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->resize(1440, 900);
        m_window->show();
        m_window->rooms().showView(ViewName::Training);
    }
    void cleanup() {
        m_window.reset();
        m_theme.reset();
    }

    void aStateBringsTheUsualRunToItsStepAndBack() {
        QTRY_COMPARE(run().state(), TrainingState::Paused);
        room()->settings()->stepsSlider()->setValue(1);  // the reader has played with the settings
        trainTo(5);
        QCOMPARE(run().setup().options.steps, 1500L);
        QCOMPARE(drawn(), size_t{5});
        trainTo(12);
        const auto& points = room()->view()->lossChart()->points(TrainingChart::Line::Train);
        const std::vector<QPointF> before(points.begin(), points.begin() + 3);
        trainTo(3);
        QCOMPARE(drawn(), size_t{3});
        QCOMPARE(points, before);
        QCOMPARE(room()->view()->film()->currentStep(), 3);
        // Nobody is asked: a state can be asked for again.
        QVERIFY(!room()->hasUnsavedWork());
    }

    void theModelInTrainingIsNamed() {
        QTRY_COMPARE(run().state(), TrainingState::Paused);
        qint64 parameters = 0;
        for (const auto& [module, count] : run().facts().parameters)
            parameters += count;
        const QString named =
            QStringLiteral("The model in training: vi-en, %1 parameters").arg(formatCount(parameters));
        const auto isNamed = [&] {
            return std::ranges::any_of(room()->findChildren<QLabel*>(), [&](const QLabel* label) {
                return label->isVisible() && label->text() == named;
            });
        };
        for (const ViewName view : {ViewName::Weights, ViewName::Sentences, ViewName::Runs}) {
            m_window->rooms().showView(view);
            QVERIFY(isNamed());
        }
    }

    /// From a kept step on at another rate: until there it is the same run, and both stand over one another.
    void aRunForksAtAKeptModelAtAnotherRate() {
        trainTo(5);
        m_window->rooms().showView(ViewName::Runs);
        RunsView* const runs = room()->runs();
        runs->checkpoints()->setCurrentCell(runs->checkpoints()->rowCount() - 1, 0);
        const std::vector<double> planned = run().facts().learningRates;
        const int runsBefore = runs->runs();
        runs->forkChoice()->setCurrentText(QStringLiteral("learning rate × 2"));
        runs->resumeButton()->click();
        const int from = run().setup().firstStep();
        QVERIFY(from >= 1 && from < 5);
        run().pause();
        QTRY_COMPARE(run().state(), TrainingState::Paused);
        QCOMPARE(runs->runs(), runsBefore + 1);
        const std::vector<double>& rates = run().facts().learningRates;
        for (size_t step = 0; step < planned.size(); ++step)
            QCOMPARE(rates[step], planned[step] * (step < static_cast<size_t>(from) ? 1 : 2));
        QCOMPARE(run().setup().options.rateChanges, (std::vector<RateChange>{{from + 1, 2}}));
    }

    /// All else is as planned.
    void aRunForksWithOtherSmoothing() {
        trainTo(5);
        m_window->rooms().showView(ViewName::Runs);
        RunsView* const runs = room()->runs();
        runs->checkpoints()->setCurrentCell(runs->checkpoints()->rowCount() - 1, 0);
        const TrainOptions planned = run().setup().options;
        QCOMPARE(planned.labelSmoothing, 0.1);
        const int runsBefore = runs->runs();
        runs->forkChoice()->setCurrentText(QStringLiteral("label smoothing 0.3"));
        runs->resumeButton()->click();
        run().pause();
        QTRY_COMPARE(run().state(), TrainingState::Paused);
        QCOMPARE(runs->runs(), runsBefore + 1);
        TrainOptions other = planned;
        other.labelSmoothing = 0.3;
        QCOMPARE(run().setup().options, other);
    }

    void aRunForksWithAnotherOrderOrWithoutAHead_data() {
        using Settings = std::vector<std::string>;
        QTest::addColumn<Settings>("settings");
        QTest::addColumn<QString>("words");
        QTest::addColumn<std::string>("silent");
        QTest::newRow("order") << Settings{} << "another order of the data" << std::string();
        QTest::newRow("head") << Settings{} << "without Decoder, layer 2, cross-attention, head 2"
                              << std::string("decoder.layers.1.cross_attn.1");
        QTest::newRow("attention of a recurrent decoder")
            << Settings{"arch=rnn", "cell=gru", "attention=additive"} << "without Decoder, attention"
            << std::string("decoder.attention.0");
    }
    void aRunForksWithAnotherOrderOrWithoutAHead() {
        QFETCH(std::vector<std::string>, settings);
        QFETCH(QString, words);
        QFETCH(std::string, silent);
        trainTo(5, settings);
        m_window->rooms().showView(ViewName::Runs);
        RunsView* const runs = room()->runs();
        runs->checkpoints()->setCurrentCell(0, 0);  // the newest of the newest run
        const TrainOptions planned = run().setup().options;
        QStringList listed;
        for (int i = 0; i < runs->forkChoice()->count(); ++i)
            listed << runs->forkChoice()->itemText(i);
        QVERIFY2(listed.contains(words), qPrintable(listed.join(u'\n')));
        runs->forkChoice()->setCurrentText(words);
        runs->resumeButton()->click();
        const int from = run().setup().firstStep();
        run().pause();
        QTRY_COMPARE(run().state(), TrainingState::Paused);
        TrainOptions other = planned;
        if (silent.empty())
            other.forks.order = {{from + 1, planned.seed + 1}};
        else
            other.forks.muted = {{from + 1, silent}};
        QCOMPARE(run().setup().options, other);
        StageState told;
        room()->tellOptions(told);
        const std::string key = silent.empty() ? "order_changes=" : "mute_changes=";
        QVERIFY(std::ranges::any_of(told.training.settings,
                                    [&](const std::string& each) { return each.starts_with(key); }));
    }

    /// The question asked of a model that was trained elsewhere: its run, in the background, until it is paused.
    void theRunOfAShippedModelIsMadeAgain() {
        QTRY_COMPARE(run().state(), TrainingState::Paused);
        StageState state;
        state.view = ViewName::TrainingHeads;
        state.model = "vi-en-unsmoothed";
        m_window->stage().apply(state);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), fixture::kLongPatienceMs);
        LearntCard* const card = room()->heads()->learnt();
        QVERIFY(card->againButton()->isEnabled());
        QCOMPARE(card->againButton()->text(), QStringLiteral("Make the run of vi-en-unsmoothed again"));
        card->againButton()->click();
        const TrainingSetup& setup = run().setup();
        QCOMPARE(setup.lastStep(), 3000);
        QCOMPARE(setup.options.labelSmoothing, 0.0);
        QVERIFY(setup.config == model()->network->config());
        QCOMPARE(setup.probe, m_window->workbench().session.source());
        QVERIFY(card->again().contains("is made again"));
        QTRY_VERIFY(run().step() >= 2);
        run().pause();
        QTRY_COMPARE(run().state(), TrainingState::Paused);
        QVERIFY(run().step() < 3000);
        QVERIFY(!card->learnt()->words().empty());
        QCOMPARE(card->chosen(), std::string("role"));
    }

    /// Nobody has kept that step here: the run goes to it, and Surgery reads B by it.
    void aLinkToSurgeryHasTheRunGoToItsStep() {
        StageState state;
        state.view = ViewName::Surgery;
        state.model = "run:4";
        state.training.train = 4;
        state.surgery.reader = "run:2";
        state.surgery.pieces = SurgeryOptions::Pieces::Sublayer;
        m_window->stage().apply(state);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), fixture::kLongPatienceMs);
        const SurgeryView* const surgery = m_window->findChild<SurgeryView*>();
        QTRY_VERIFY(surgery->picture() && !surgery->isBusy());
        const auto reader = surgery->bar()->held(QStringLiteral("run:2"));
        QVERIFY(reader);
        QCOMPARE(reader->training.steps(), std::optional<long>(2));
        QCOMPARE(model()->training.steps(), std::optional<long>(4));
        QCOMPARE(run().step(), 4);
        QCOMPARE(m_window->stage().state().surgery.reader, state.surgery.reader);
    }

    /// A run of the reader's is nobody's to leave for a link.
    void aLinkToSurgeryLeavesTheReadersRunAlone() {
        stepOnce(1);
        StageState state;
        state.view = ViewName::Surgery;
        state.model = "vi-en-transformer";
        state.training.seed = 7;
        state.surgery.reader = "run:2";
        m_window->stage().apply(state);
        const SurgeryView* const surgery = m_window->findChild<SurgeryView*>();
        QTRY_VERIFY(fixture::shownText(*surgery).contains("the run in Train is another one"));
        QCOMPARE(run().step(), 1);
    }

    void lookInsideOpensTheStepThatTheFilmShows() {
        trainTo(40);
        FilmStrip* film = room()->view()->film();
        film->setCurrent(film->count() - 3);
        const int step = film->currentStep();
        QVERIFY(step > 1 && step < 40);
        emit room()->view()->exploreRequested();
        QTRY_VERIFY(model());
        QCOMPARE(model()->training.steps(), std::optional<long>(step));
        QCOMPARE(m_window->workbench().session.modelKey(), QStringLiteral("run:%1").arg(step));
        QCOMPARE(m_window->workbench().session.modelName(), QStringLiteral("vi-en, step %1").arg(step));
        QVERIFY(&m_window->rooms().current() == m_window->rooms().find<ExploreRoom>());
        QVERIFY2(m_window->statusText().count(QLatin1String("step")) == 1, qPrintable(m_window->statusText()));
        QCOMPARE(run().step(), 40);
    }

    void aModelOfARunIsComputedAgainFromItsLink() {
        StageState state;
        state.model = "run:7";
        m_window->stage().apply(state);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), fixture::kLongPatienceMs);
        QCOMPARE(model()->training.steps(), std::optional<long>(7));
        QCOMPARE(m_window->stage().state().model, std::string("run:7"));
        QVERIFY(m_window->rooms().view() == ViewName::Attention);
    }

    void whoHasGoneElsewhereIsNotCarriedOff() {
        trainTo(60);
        room()->view()->film()->setCurrent(room()->view()->film()->count() - 2);
        emit room()->view()->exploreRequested();
        m_window->rooms().showView(ViewName::Models);
        QTRY_VERIFY(run().isIdle() && run().isAllTold());
        QVERIFY(fixture::allJobsAreDone());
        QVERIFY(m_window->rooms().view() == ViewName::Models);
        QVERIFY(!model());
    }

    void aViewThatWasTakenOutOfTheRoomMayGoBeforeIt() {
        QWidget* view = room()->viewWidget();
        view->setParent(nullptr);  // as for a picture of it alone
        delete view;
        m_window.reset();  // hides the room
    }

    void aRunOfTheReadersIsNotLostWithoutAQuestion() {
        QTRY_COMPARE(run().state(), TrainingState::Paused);
        stepOnce(1);
        QVERIFY(room()->hasUnsavedWork());
        emit room()->view()->resetRequested();
        QVERIFY(room()->question());
        QCOMPARE(room()->question()->defaultButton(), room()->question()->button(QMessageBox::Cancel));
        answer(QMessageBox::Cancel);
        QCOMPARE(run().step(), 1);
        QCOMPARE(drawn(), size_t{1});
        emit room()->view()->resetRequested();
        agree();
        QTRY_COMPARE(run().state(), TrainingState::Paused);
        QCOMPARE(drawn(), size_t{0});
        QVERIFY2(room()->hasUnsavedWork(), "its kept models would still go with the window");
        emit room()->view()->resetRequested();
        QVERIFY2(!room()->question(), "nothing was trained since");
    }

    void trainingAFinishedRunAgainAsks() {
        room()->settings()->stepsSlider()->setValue(1);
        emit room()->settings()->runRequested();
        QTRY_COMPARE_WITH_TIMEOUT(run().state(), TrainingState::Finished, fixture::kLongPatienceMs);
        emit room()->view()->startRequested();
        QVERIFY(room()->question());
        answer(QMessageBox::Cancel);
        QTRY_VERIFY(run().isIdle() && run().isAllTold());
        QCOMPARE(run().state(), TrainingState::Finished);
        QCOMPARE(drawn(), size_t{100});
        auto* seed = room()->view()->findChild<QSpinBox*>();
        seed->setValue(7);
        QVERIFY(room()->question());
        QCOMPARE(seed->value(), TrainingBar::usualSeed);  // until the reader agrees
        agree();
        QCOMPARE(seed->value(), 7);
        QCOMPARE(run().setup().options.seed, uint64_t{7});
        QCOMPARE(drawn(), size_t{0});
    }

    void closingTheWindowAsksWhereTheReaderHasTrained() {
        QTRY_COMPARE(run().state(), TrainingState::Paused);
        QVERIFY(m_window->close());
        QVERIFY(!room()->question());
        m_window->show();
        stepOnce(1);
        QVERIFY(!m_window->close());
        QVERIFY(m_window->isVisible());
        answer(QMessageBox::Cancel);
        QVERIFY(m_window->isVisible());
        QVERIFY(!m_window->close());
        agree();
        QVERIFY(!m_window->isVisible());
    }

private:
    TrainRoom* room() const { return m_window->rooms().find<TrainRoom>(); }
    TrainingRun& run() const { return m_window->workbench().training; }
    const std::shared_ptr<const TrainedModel>& model() const { return m_window->workbench().session.model(); }
    size_t drawn() const { return room()->view()->lossChart()->points(TrainingChart::Line::Train).size(); }

    void trainTo(int step, const std::vector<std::string>& settings = {}) {
        StageState state;
        state.view = ViewName::Training;
        state.training.train = step;
        state.training.settings = settings;
        m_window->stage().apply(state);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->stage().isSettled(), fixture::kLongPatienceMs);
        QCOMPARE(run().step(), step);
        QCOMPARE(m_window->stage().state().training.train, step);
    }

    void stepOnce(int step) {
        emit room()->view()->stepRequested();
        QTRY_COMPARE(run().step(), step);
        QTRY_COMPARE(run().state(), TrainingState::Paused);
    }

    void answer(QMessageBox::StandardButton button) {
        QVERIFY(room()->question());
        room()->question()->button(button)->click();
        QTRY_VERIFY(!room()->question());
    }

    void agree() {
        QVERIFY(room()->question());
        for (QAbstractButton* button : room()->question()->buttons())
            if (room()->question()->buttonRole(button) == QMessageBox::DestructiveRole) return button->click();
        QFAIL("there is nothing to agree to");
    }

    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestTrainRoom)
#include "test_train_room.moc"
