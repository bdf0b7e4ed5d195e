// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/train_room.h"

#include <QHideEvent>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <thread>

#include "core/data/task.h"
#include "ui/session/format/model_names.h"
#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/shell/workbench.h"
#include "ui/views/train/film_strip.h"
#include "ui/views/train/sentences_view.h"
#include "ui/views/train/training_bar.h"
#include "ui/views/train/training_settings.h"
#include "ui/views/train/training_view.h"
#include "ui/views/train/weights_view.h"

namespace headlight {

namespace {

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// The cell that the film outlines: where the sentence's middle word is written, reading its own place.
std::pair<int, int> outlinedCell(const ProbeFrame& frame) {
    const int middle = static_cast<int>(frame.trace->sourceTokens.size()) / 2;
    return {middle, middle};
}

}  // namespace

TrainRoom::TrainRoom(Workbench& workbench, QWidget* parent)
    : Room(parent),
      m_workbench(workbench),
      m_pages(new QStackedWidget(this)),
      m_view(new TrainingView(this)),
      m_settings(new TrainingSettings(this)),
      m_weights(new WeightsView(this)),
      m_sentences(new SentencesView(this)),
      m_runs(new RunsView(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    for (QWidget* page :
         {static_cast<QWidget*>(m_view), static_cast<QWidget*>(m_settings), static_cast<QWidget*>(m_weights),
          static_cast<QWidget*>(m_sentences), static_cast<QWidget*>(m_runs)})
        m_pages->addWidget(page);
    column->addWidget(m_pages);
    std::vector<TrainingTask> all;
    for (const Task& task : tasks())
        if (task.kind == CorpusKind::Translation) all.push_back({fromView(task.name), taskTitle(task)});
    m_view->setTasks(all);

    connectView();
    connectRun();
}

void TrainRoom::connectView() {
    connect(m_view, &TrainingView::startRequested, this, &TrainRoom::start);
    connect(m_view, &TrainingView::pauseRequested, &m_workbench.training, &TrainingRun::pause);
    connect(m_view, &TrainingView::stepRequested, this, &TrainRoom::stepOnce);
    connect(m_view, &TrainingView::resetRequested, this, [this] { askToBeginAnew(tr("Reset"), [this] { reset(); }); });
    connect(m_view, &TrainingView::seedChanged, this, &TrainRoom::chooseSeed);
    connect(m_view, &TrainingView::taskChanged, this, &TrainRoom::chooseTask);
    connect(m_view, &TrainingView::exploreRequested, this, &TrainRoom::lookInside);
    connect(m_settings, &TrainingSettings::runRequested, this, [this] {
        askToBeginAnew(tr("Begin a run"), [this] {
            reset();
            start();
            m_pages->setCurrentWidget(m_view);
            emit m_workbench.viewRequested(ViewName::Training);
        });
    });
    connect(m_runs, &RunsView::resumeRequested, this, [this](const RunsView::Beginning& beginning) {
        askToBeginAnew(tr("Go on from there"), [this, beginning] { resume(beginning); });
    });
    connect(m_runs, &RunsView::checkpointChosen, this,
            [this](const TrainingCheckpoint& checkpoint) { openModel(checkpoint.model, checkpoint.setup->task); });
}

void TrainRoom::connectRun() {
    TrainingRun& run = m_workbench.training;
    connect(&run, &TrainingRun::cutBack, this, [this](int step) {
        m_view->cutBack(step);
        m_weights->cutBack(step);
        m_sentences->cutBack(step);
        m_runs->cutBack(step);
        forgetTimes();
    });
    connect(&run, &TrainingRun::weightsAdded, m_weights, &WeightsView::append);
    connect(&run, &TrainingRun::sentencesAdded, m_sentences, &SentencesView::append);
    connect(&run, &TrainingRun::checkpointsAdded, this, [this](const auto& kept) { m_runs->append(kept); });
    connect(&run, &TrainingRun::prepared, this, &TrainRoom::showFacts);
    connect(&run, &TrainingRun::pointsAdded, this, [this](const auto& points) {
        m_view->appendPoints(points);
        m_runs->append(points);
        showTimes();
    });
    connect(&run, &TrainingRun::validated, this, [this](const auto& points) {
        m_view->appendValidation(points);
        m_runs->append(points);
    });
    connect(&run, &TrainingRun::framesAdded, this, [this](const auto& frames) {
        for (const ProbeFrame& frame : frames) {
            if (!std::exchange(m_probeShown, true)) {
                const auto [query, key] = outlinedCell(frame);
                m_view->setProbe(m_workbench.training.facts().probe, query, key);
            }
            m_view->appendFrame(frame);
        }
    });
    connect(&run, &TrainingRun::modelOnItsWay, m_view, &TrainingView::setLookingBack);
    // A picture of the view alone takes it out of the room, and the room may then be hidden after the view has gone.
    connect(&run, &TrainingRun::requestForgotten, m_view, [view = m_view] { view->setLookingBack(-1, -1); });
    connect(&run, &TrainingRun::modelCopied, this, [this](const auto& model) {
        m_view->setLookingBack(-1, -1);
        openModel(model, m_workbench.training.setup().task);
    });
    connect(&run, &TrainingRun::arrived, this, [this](int step, int wish) {
        forgetTimes();
        if (wish == m_modelWish) m_workbench.training.requestModel(step);
        if (wish != m_wish) return;
        if (m_frame > 0) m_view->film()->showStep(m_frame);  // it was not there before
        m_trains.done();
    });
    connect(&run, &TrainingRun::notReached, this, [this](int, int wish, const QString& why) {
        if (wish == std::exchange(m_modelWish, 0)) emit m_workbench.session.failed(why);
        if (wish == m_wish) m_trains.fail(why);
    });
    connect(&m_workbench, &Workbench::runModelWanted, this, &TrainRoom::openModelOf);
    connect(&run, &TrainingRun::stateChanged, this, [this](TrainingState state, const QString& message) {
        if (state == TrainingState::Running) {
            m_sinceStart.restart();
        } else if (m_sinceStart.isValid()) {
            m_playedMs += m_sinceStart.elapsed();
            m_sinceStart.invalidate();
        }
        showTimes();
        if (state != TrainingState::Preparing) m_prepares.done();
        // Before the first step nothing is lost by choosing another task or seed.
        const bool untouched = state == TrainingState::Preparing || (state == TrainingState::Paused && step() == 0);
        m_view->setState(untouched ? TrainingState::Idle : state, message);
    });
}

TrainingSetup TrainRoom::setup() const {
    TrainingSetup setup;
    setup.task = m_view->taskName();
    m_settings->apply(setup);
    setup.options.seed = static_cast<uint64_t>(m_view->seed());
    // One processor is left to the window, so that it never waits.
    setup.options.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
    return setup;
}

std::vector<Room::View> TrainRoom::views() const {
    return {{ViewName::Training, tr("Run")},
            {ViewName::TrainingSettings, tr("Settings")},
            {ViewName::Weights, tr("Weights")},
            {ViewName::Sentences, tr("Sentences")},
            {ViewName::Runs, tr("Runs")}};
}

/// The pages stand in the order of views().
ViewName TrainRoom::currentView() const {
    return views()[static_cast<size_t>(m_pages->currentIndex())].name;
}

void TrainRoom::showView(ViewName view) {
    const std::vector<View> all = views();
    m_pages->setCurrentIndex(static_cast<int>(std::ranges::find(all, view, &View::name) - all.begin()));
}

void TrainRoom::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_workbench.training.state() == TrainingState::Idle) reset();
}

void TrainRoom::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    if (event->spontaneous()) return;
    // Whoever has gone elsewhere is not to be carried off when the model is there.
    m_workbench.training.forgetRequest();
}

void TrainRoom::reset() {
    const TrainingSetup wanted = setup();
    clear(wanted);
    m_runs->begin(tr("%1, %2, seed %3").arg(wanted.task, describeModel(wanted.config)).arg(wanted.options.seed));
    m_prepares = m_workbench.settling.start();
    m_workbench.training.reset(wanted);
}

/// The curves go on where they were; the film begins with the model that was kept.
void TrainRoom::resume(const RunsView::Beginning& beginning) {
    TrainingSetup wanted = *beginning.checkpoint.setup;
    wanted.from = beginning.checkpoint;
    clear(wanted);
    m_timedFrom = wanted.firstStep();
    m_view->setTask(wanted.task);
    m_view->setSeed(static_cast<int>(wanted.options.seed));
    m_view->appendPoints(beginning.points);
    m_view->appendValidation(beginning.validations);
    m_runs->begin(tr("%1, on from step %2").arg(wanted.task).arg(formatCount(beginning.checkpoint.step)), beginning);
    m_workbench.training.reset(wanted);
    m_byHand = true;
    m_workbench.training.start();
    m_pages->setCurrentWidget(m_view);
    emit m_workbench.viewRequested(ViewName::Training);
}

void TrainRoom::clear(const TrainingSetup& wanted) {
    m_earlierWork = hasUnsavedWork();
    m_byHand = false;
    m_probeShown = false;
    m_view->clear();
    m_view->setLookingBack(-1, -1);
    m_weights->clear();
    m_sentences->clear();
    m_view->setTotalSteps(wanted.lastStep());
    m_sinceStart.invalidate();
    forgetTimes();
    m_timedFrom = 0;
}

/// The run of the state's task, seed and settings is asked to come to rest at its step; what the settings show is then
/// that run's. TrainingRun::arrived() or notReached() follows with the number that this gives.
int TrainRoom::trainTo(const StageState& state) {
    m_view->setTask(QString::fromStdString(state.task));
    m_view->setSeed(state.seed);
    m_settings->showOptions(state);
    TrainingRun& run = m_workbench.training;
    const bool begun = run.state() != TrainingState::Idle && run.state() != TrainingState::Failed;
    if (!begun || !isSameRun(run.setup(), setup())) reset();
    m_earlierWork = hasUnsavedWork();
    m_byHand = false;
    m_byState = true;
    return run.trainTo(state.train);
}

void TrainRoom::showOptions(const StageState& state) {
    if (state.train > 0) {
        m_trains = m_workbench.settling.start();
        m_wish = trainTo(state);
    } else if (std::exchange(m_byState, false)) {
        m_workbench.training.pause();  // the state before asked for more than this one wants
        m_wish = 0;
        m_trains.done();
    }
    if (!isWorkOfReader()) {
        m_settings->showOptions(state);
        const std::vector<View> all = views();
        if (state.train == 0 && std::ranges::find(all, state.view, &View::name) != all.end()) prepareFor(state);
    }
    m_frame = state.frame;
    if (m_frame > 0) m_view->film()->showStep(m_frame);
}

/// Puts the run of the state's task and seed before its first step; where it is that one already, it stays as it is.
void TrainRoom::prepareFor(const StageState& state) {
    const QString task = QString::fromStdString(state.task);
    if (m_view->taskName() == task && m_view->seed() == state.seed) return;
    m_view->setTask(task);
    m_view->setSeed(state.seed);
    reset();
}

void TrainRoom::tellOptions(StageState& state) const {
    state.task = m_view->taskName().toStdString();
    state.seed = m_view->seed();
    state.train = step();
    m_settings->tellOptions(state);
    const FilmStrip& film = *m_view->film();
    state.frame = film.current() + 1 < film.count() ? std::max(0, film.currentStep()) : 0;
}

/// The stage is to stand on a model of a run: `run:STEP`.
void TrainRoom::openModelOf(const StageState& state) {
    StageState wanted = state;
    wanted.train = QString::fromStdString(state.model).section(u':', 1).toInt();
    m_modelWish = trainTo(wanted);
}

void TrainRoom::start() {
    const TrainingState state = m_workbench.training.state();
    if (state == TrainingState::Finished)
        return askToBeginAnew(tr("Train again"), [this] {
            reset();
            start();
        });
    if (state == TrainingState::Idle || state == TrainingState::Failed) reset();
    m_byHand = true;
    m_workbench.training.start();
}

void TrainRoom::stepOnce() {
    m_byHand = true;
    m_workbench.training.stepOnce();
}

int TrainRoom::step() const {
    return m_workbench.training.step();
}

bool TrainRoom::isWorkOfReader() const {
    return m_byHand && step() > m_workbench.training.setup().firstStep();
}

void TrainRoom::askToBeginAnew(const QString& yes, const std::function<void()>& then) {
    if (!isWorkOfReader()) return then();
    const QString question =
        tr("The curves and the film of this run, %1 step(s), would be lost. Of its models those "
           "stay that are kept under Runs.",
           nullptr, step());
    ask(plural(question.arg(formatCount(step())), step()), yes, then);
}

void TrainRoom::leave(const std::function<void()>& then) {
    if (!hasUnsavedWork()) return then();
    ask(tr("The models that were trained in this window would be lost."), tr("Quit"), then);
}

/// Not with exec(): the training, and whatever else the window does, goes on while the question waits.
void TrainRoom::ask(const QString& question, const QString& yes, const std::function<void()>& then) {
    delete m_question;
    m_question = new QMessageBox(QMessageBox::Warning, tr("Training"), question, QMessageBox::Cancel, window());
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->setDefaultButton(QMessageBox::Cancel);
    connect(m_question->addButton(yes, QMessageBox::DestructiveRole), &QAbstractButton::clicked, this, then);
    m_question->open();
}

/// The field shows the run's seed until the reader has agreed.
void TrainRoom::chooseSeed(int seed) {
    m_view->setSeed(static_cast<int>(m_workbench.training.setup().options.seed));
    askToBeginAnew(tr("Begin with seed %1").arg(seed), [this, seed] {
        m_view->setSeed(seed);
        reset();
    });
}

void TrainRoom::chooseTask(const QString& task) {
    m_view->setTask(m_workbench.training.setup().task);
    askToBeginAnew(tr("Begin with another task"), [this, task] {
        m_view->setTask(task);
        reset();
    });
}

/// Inside the model of the picture that is chosen, which is the present one as long as the film follows a run that
/// rests.
void TrainRoom::lookInside() {
    m_workbench.training.requestModel(m_view->film()->currentStep());
}

void TrainRoom::openModel(const std::shared_ptr<const TrainedModel>& model, const QString& task) {
    const auto step = static_cast<int>(model->training.steps().value_or(0));
    const bool forStage = std::exchange(m_modelWish, 0) > 0;
    m_workbench.session.adoptModel(model, tr("%1, step %2").arg(task, formatCount(step)),
                                   QStringLiteral("run:%1").arg(step));
    if (!forStage) emit m_workbench.lookInsideRequested();
}

void TrainRoom::showFacts() {
    const TrainingRun::Facts& facts = m_workbench.training.facts();
    m_view->setSchedule(facts.learningRates);
    m_view->setClipNorm(facts.options.clipNorm);
    m_view->setSummary(summaryOf(facts));
}

/// A time is told of what the run has done since, and of nothing that it did before it went back.
void TrainRoom::forgetTimes() {
    m_playedMs = 0;
    if (m_sinceStart.isValid()) m_sinceStart.restart();
    m_timedFrom = step();
    showTimes();
}

void TrainRoom::showTimes() {
    const int done = step() - m_timedFrom, left = m_workbench.training.setup().lastStep() - step();
    if (done <= 0) return m_view->setTimes(-1, -1);
    const qint64 played = m_playedMs + (m_sinceStart.isValid() ? m_sinceStart.elapsed() : 0);
    const double elapsed = static_cast<double>(played) / 1000;
    m_view->setTimes(elapsed, left > 0 ? elapsed / done * left : -1);
}

}  // namespace headlight
