// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/train_room.h"

#include <QFileDialog>
#include <QHideEvent>
#include <QVBoxLayout>
#include <algorithm>

#include "core/data/task.h"
#include "core/error.h"
#include "ui/session/format/model_names.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/data_settings.h"
#include "ui/shell/workbench.h"
#include "ui/views/train/data/data_view.h"
#include "ui/views/train/film_strip.h"
#include "ui/views/train/learnt_card.h"
#include "ui/views/train/rate_card.h"
#include "ui/views/train/save_buttons.h"
#include "ui/views/train/sentences_view.h"
#include "ui/views/train/training_bar.h"
#include "ui/views/train/training_heads_view.h"
#include "ui/views/train/training_settings.h"
#include "ui/views/train/training_view.h"
#include "ui/views/train/weights_view.h"
#include "ui/widgets/controls/controls.h"

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
    : ViewRoom(workbench, parent),
      m_inTraining(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_view(new TrainingView(this)),
      m_heads(new TrainingHeadsView(this)),
      m_settings(new TrainingSettings(this)),
      m_data(new DataView(m_choice, *m_settings, this)),
      m_weights(new WeightsView(this)),
      m_sentences(new SentencesView(this)),
      m_runs(new RunsView(this)),
      m_keeper(workbench.training, workbench.trained, workbench.keptRun) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    addPage(ViewName::Training, m_view);
    addPage(ViewName::TrainingHeads, m_heads);
    addPage(ViewName::TrainingData, m_data);
    addPage(ViewName::TrainingSettings, m_settings);
    addPage(ViewName::Weights, m_weights);
    addPage(ViewName::Sentences, m_sentences);
    addPage(ViewName::Runs, m_runs);
    column->setSpacing(0);
    m_inTraining->setContentsMargins(20, 12, 20, 0);
    column->addWidget(m_inTraining);
    column->addWidget(m_pages, 1);
    connect(m_pages, &QStackedWidget::currentChanged, this, &TrainRoom::nameModel);
    connect(m_pages, &QStackedWidget::currentChanged, this, &TrainRoom::showSavedRuns);
    connect(m_pages, &QStackedWidget::currentChanged, this, &TrainRoom::countWords);
    nameModel();
    std::vector<TrainingTask> all;
    for (const Task& task : tasks())
        if (task.kind == CorpusKind::Translation) all.push_back({fromView(task.name), taskTitle(task)});
    m_view->setTasks(all);

    m_choice.setSettling(&m_workbench.settling);
    m_wordCount.setSettling(&m_workbench.settling);
    m_data->setSettling(&m_workbench.settling);
    m_data->setThreads(threadsBesideTheWindow());
    connectView();
    connectHeads();
    connectRun();
    connectReaders();
    connectPreparation();
    showData();
    connectKeeper();
}

void TrainRoom::connectView() {
    connect(m_view, &TrainingView::startRequested, this, &TrainRoom::start);
    connect(m_view, &TrainingView::pauseRequested, &m_workbench.training, &TrainingRun::pause);
    connect(m_view, &TrainingView::stepRequested, this, &TrainRoom::stepOnce);
    connect(m_view, &TrainingView::resetRequested, this, [this] { askToBeginAnew(tr("Reset"), [this] { reset(); }); });
    connect(m_view, &TrainingView::seedChanged, this, &TrainRoom::chooseSeed);
    connect(m_view, &TrainingView::taskChanged, this, &TrainRoom::chooseTask);
    connect(m_view, &TrainingView::exploreRequested, this, &TrainRoom::lookInside);
    connect(m_settings, &TrainingSettings::runRequested, this, &TrainRoom::beginWithSettings);
    connect(m_data, &DataView::startRequested, this, &TrainRoom::beginWithSettings);
    connect(m_data, &DataView::filesWanted, this, [this] {
        chooseFiles(tr("One table or text, or two files that match line by line"),
                    [this](const QStringList& paths) { m_data->open(paths); });
    });
    connect(m_data, &DataView::partFilesWanted, this, [this](CorpusPart part) {
        chooseFiles(part == CorpusPart::Test ? tr("Files for the test, as those that are learned from")
                                             : tr("Files for validation, as those that are learned from"),
                    [this, part](const QStringList& paths) { m_data->openPart(part, paths); });
    });
    connect(&m_choice, &DataChoice::chosen, this, &TrainRoom::showData);
    connect(m_runs, &RunsView::resumeRequested, this, [this](const RunsView::Beginning& beginning) {
        askToBeginAnew(tr("Go on from there"), [this, beginning] { resume(beginning); });
    });
    connect(m_runs, &RunsView::besideRequested, this, [this](const KeptModel& model) {
        emit m_workbench.besideWanted(model);
        emit m_workbench.viewRequested(ViewName::Compare);
    });
    connect(m_runs, &RunsView::checkpointChosen, this, [this](const TrainingCheckpoint& checkpoint) {
        openModel(checkpoint.model, nameOf(checkpoint.setup->data), checkpoint.setup->probe);
    });
}

void TrainRoom::connectHeads() {
    TrainingRun& run = m_workbench.training;
    m_heads->follow(run);
    connect(m_heads, &TrainingHeadsView::startRequested, this, &TrainRoom::start);
    connect(m_heads, &TrainingHeadsView::pauseRequested, &run, &TrainingRun::pause);
    connect(m_heads, &TrainingHeadsView::stepRequested, this, &TrainRoom::stepOnce);
    connect(m_heads, &TrainingHeadsView::exploreRequested, &run, qOverload<int>(&TrainingRun::requestModel));
    connect(m_heads, &TrainingHeadsView::replayRequested, &run, &TrainingRun::replay);
    connect(m_heads, &TrainingHeadsView::replayStopped, &run, &TrainingRun::forgetReplay);
    Room::follow(m_heads);
    connect(&run, &TrainingRun::modelOnItsWay, m_heads, &TrainingHeadsView::setLookingBack);
    const auto there = [view = m_heads] { view->setLookingBack(-1, -1); };
    connect(&run, &TrainingRun::requestForgotten, m_heads, there);
    connect(&run, &TrainingRun::modelCopied, m_heads, there);
}

void TrainRoom::connectRun() {
    TrainingRun& run = m_workbench.training;
    connect(&run, &TrainingRun::cutBack, this, [this](int step) {
        m_view->cutBack(step);
        m_weights->cutBack(step);
        m_sentences->cutBack(step);
        m_runs->cutBack(step);
        forgetTimes();
        showRate();
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
        openModel(model, nameOf(m_workbench.training.setup().data), m_workbench.training.facts().probe);
    });
    connect(&run, &TrainingRun::arrived, this, [this](int step, int wish) {
        forgetTimes();
        showRate();
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
        m_heads->setState(untouched ? TrainingState::Idle : state, message);
    });
}

TrainingSetup TrainRoom::setup() const {
    TrainingSetup setup;
    setup.name = m_data->name();
    m_settings->apply(setup, m_choice.kind());
    m_choice.applyTo(setup);
    setup.options.seed = static_cast<uint64_t>(m_view->seed());
    setup.options.threads = threadsBesideTheWindow();
    return setup;
}

void TrainRoom::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    showSavedRuns();
    // Files are looked at first: for a run they are read whole, which waits until one is wanted.
    if (m_workbench.training.state() == TrainingState::Idle && !m_givenUp && !m_choice.hasFiles()) reset();
}

void TrainRoom::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    if (event->spontaneous()) return;
    // Whoever has gone elsewhere is not to be carried off when the model is there.
    m_workbench.training.forgetRequest();
}

void TrainRoom::reset() {
    beginFresh(setup());
}

void TrainRoom::beginFresh(const TrainingSetup& wanted) {
    begin(wanted,
          tr("%1, %2, seed %3").arg(nameOf(wanted.data), describeModel(wanted.config)).arg(wanted.options.seed));
}

/// The curves go on where they were; the film begins with the model that was kept.
void TrainRoom::begin(const TrainingSetup& wanted, const QString& description, const RunsView::Beginning& before) {
    clear(wanted);
    m_timedFrom = wanted.firstStep();
    showSetup(wanted);
    m_view->appendPoints(before.points);
    m_view->appendValidation(before.validations);
    m_runs->begin(description, before);
    m_prepares = m_workbench.settling.start();
    m_givenUp = false;
    m_sincePreparing.start();
    m_workbench.training.reset(wanted);
    m_keeper.begin({before.points, before.validations});
    showRate();
}

void TrainRoom::resume(const RunsView::Beginning& beginning) {
    TrainingSetup wanted = *beginning.checkpoint.setup;
    wanted.from = beginning.checkpoint;
    const int step = beginning.checkpoint.step;
    QString description = tr("%1, on from step %2").arg(nameOf(wanted.data)).arg(formatCount(step));
    const RunFork& fork = beginning.fork;
    const bool smooths = fork.smoothing && *fork.smoothing != wanted.options.labelSmoothing;
    const bool forks = fork.rate != 1 || smooths || fork.isDealtOtherwise || !fork.silent.isEmpty();
    if (smooths) wanted.options.labelSmoothing = *fork.smoothing;
    if (fork.rate != 1) {
        std::vector<RateChange>& changes = wanted.options.rateChanges;
        const double before = factorAt(changes, step + 1);
        std::erase_if(changes, [step](const RateChange& change) { return change.step > step; });
        changes.push_back({step + 1, before * fork.rate});
    }
    if (fork.isDealtOtherwise || !fork.silent.isEmpty()) {
        ForkChanges& changes = wanted.options.forks;
        changes = changes.upTo(step);
        if (fork.isDealtOtherwise)
            changes.order.push_back({step + 1, changes.seedAt(step, wanted.options.seed) + 1});
        else
            changes.muted.push_back({step + 1, fork.silent.toStdString()});
    }
    if (forks) description += tr(", %1").arg(wordsOf(fork));
    begin(wanted, description, beginning);
    if (!forks) m_keeper.goOnWithFileOf(*beginning.checkpoint.setup);  // a fork is another model than that file's
    setByHand(true);
    m_workbench.training.start();
    m_pages->setCurrentWidget(m_view);
    emit m_workbench.viewRequested(ViewName::Training);
}

void TrainRoom::clear(const TrainingSetup& wanted) {
    if (m_readerReach != 0 || m_readerCopy != 0) missReader(tr("another run was begun"));
    if (std::exchange(m_again, nullptr)) m_heads->learnt()->tellAgain({});
    m_earlierWork = hasUnsavedWork();
    setByHand(false);
    m_broughtBack = false;
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

void TrainRoom::start() {
    const TrainingState state = m_workbench.training.state();
    if (state == TrainingState::Finished)
        return askToBeginAnew(tr("Train again"), [this] {
            reset();
            start();
        });
    if (state == TrainingState::Idle || state == TrainingState::Failed) reset();
    setByHand(true);
    m_workbench.training.start();
}

void TrainRoom::stepOnce() {
    if (m_workbench.training.state() == TrainingState::Idle) reset();
    setByHand(true);
    m_workbench.training.stepOnce();
}

int TrainRoom::step() const {
    return m_workbench.training.step();
}

bool TrainRoom::isWorkOfReader() const {
    return m_byHand && (m_broughtBack || step() > m_workbench.training.setup().firstStep());
}

void TrainRoom::beginWithSettings() {
    askToBeginAnew(tr("Begin a run"), [this] {
        reset();
        start();
        m_pages->setCurrentWidget(m_view);
        emit m_workbench.viewRequested(ViewName::Training);
    });
}

/// Inside the model of the picture that is chosen, which is the present one as long as the film follows a run that
/// rests.
void TrainRoom::lookInside() {
    m_workbench.training.requestModel(m_view->film()->currentStep());
}

/// With the sentence that its run was watched with.
void TrainRoom::openModel(const std::shared_ptr<const TrainedModel>& model, const QString& task, const QString& probe) {
    const auto step = static_cast<int>(model->training.steps().value_or(0));
    const bool forStage = std::exchange(m_modelWish, 0) > 0;
    m_workbench.session.adoptModel(model, tr("%1, step %2").arg(task, formatCount(step)),
                                   QStringLiteral("run:%1").arg(step), probe);
    if (!forStage) emit m_workbench.lookInsideRequested();
}

/// Pages that do not name the model themselves have it named above them: the header names the open one.
void TrainRoom::nameModel() {
    const QWidget* page = m_pages->currentWidget();
    m_inTraining->setVisible(page == m_weights || page == m_sentences || page == m_runs);
}

void TrainRoom::showFacts() {
    const TrainingRun::Facts& facts = m_workbench.training.facts();
    qint64 count = 0;
    for (const auto& [module, parameters] : facts.parameters)
        count += parameters;
    m_inTraining->setText(tr("The model in training: %1, %2 parameters")
                              .arg(nameOf(m_workbench.training.setup().data), formatCount(count)));
    m_view->setSchedule(facts.learningRates);
    showRate();
    m_view->setClipNorm(facts.options.clipNorm);
    m_view->setKind(facts.config.corpusKind());
    m_view->setLossMeasure(facts.config.dropout, facts.options.labelSmoothing);
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
    const int done = step() - m_timedFrom, left = m_workbench.training.lastStep() - step();
    const auto tell = [this](double elapsed, double remaining) {
        m_view->setTimes(elapsed, remaining);
        m_heads->setTimes(elapsed, remaining);
    };
    if (done <= 0) return tell(-1, -1);
    const qint64 played = m_playedMs + (m_sinceStart.isValid() ? m_sinceStart.elapsed() : 0);
    const double elapsed = static_cast<double>(played) / 1000;
    tell(elapsed, left > 0 ? elapsed / done * left : -1);
}

}  // namespace headlight

#include "moc_train_room.cpp"
