// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/train_room.h"

#include <QVBoxLayout>
#include <algorithm>
#include <thread>

#include "core/data/task.h"
#include "ui/session/format/model_names.h"
#include "ui/session/format/number_format.h"
#include "ui/session/trace/value_words.h"
#include "ui/shell/workbench.h"
#include "ui/views/train/sentences_view.h"
#include "ui/views/train/training_settings.h"
#include "ui/views/train/training_view.h"
#include "ui/views/train/weights_view.h"

namespace headlight {

namespace {

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Whose bar a module's parameters are drawn in; what stands in both stacks alike is nobody's.
TrainingSummary::Role roleOf(const Module& module) {
    using Role = TrainingSummary::Role;
    if (module.kind == ModuleKind::Norm || module.kind == ModuleKind::Positions) return Role::Neutral;
    return module.place.stack == Stack::Encoder   ? Role::Encoder
           : module.place.stack == Stack::Decoder ? Role::Decoder
                                                  : Role::Neutral;
}

std::vector<TrainingSummary::Parameters> parametersByModule(const TrainingRun::Facts& facts) {
    std::vector<TrainingSummary::Parameters> rows;
    for (const auto& [module, count] : facts.parameters) {
        const QString label = groupTitle(*module);
        const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.label == label; });
        if (found == rows.end())
            rows.push_back({label, count, roleOf(*module)});
        else
            found->count += count;
    }
    // Along the way of a sentence: encoder first, what serves both last.
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.role < b.role; });
    return rows;
}

TrainingSummary summaryOf(const TrainingRun::Facts& facts) {
    const ModelConfig& config = facts.config;
    TrainingSummary summary;
    using Row = TrainingSummary::Row;
    const auto row = [&](const QString& label, const QString& value) { summary.model.push_back(Row{label, value}); };
    if (config.recurrent()) {
        row(TrainRoom::tr("Cell"), cellName(config.cell));
        row(TrainRoom::tr("Layers"), QString::number(config.numLayers));
        row(TrainRoom::tr("Hidden size"), QString::number(config.hiddenSize));
        row(TrainRoom::tr("Embedding size"), QString::number(config.embeddingSize));
        row(TrainRoom::tr("Attention"), attentionName(config.attention));
    } else {
        row(TrainRoom::tr("Layers"),
            QStringLiteral("%1 + %2").arg(config.numEncoderLayers).arg(config.numDecoderLayers));
        row(TrainRoom::tr("d model"), QString::number(config.dModel));
        row(TrainRoom::tr("Heads"), QString::number(config.numHeads));
        row(TrainRoom::tr("d key"), QString::number(config.dModel / config.numHeads));
        row(TrainRoom::tr("Feed-forward"), QString::number(config.dFf));
        row(TrainRoom::tr("Positions"), config.positionalEncoding == PositionalKind::Learned ? TrainRoom::tr("learned")
                                        : config.positionalEncoding == PositionalKind::Sinusoidal
                                            ? TrainRoom::tr("sinusoid")
                                            : TrainRoom::tr("none"));
    }
    row(TrainRoom::tr("Label smoothing"), QString::number(facts.options.labelSmoothing));
    row(TrainRoom::tr("Batch"), TrainRoom::tr("%1 pairs").arg(facts.options.batchSize));
    row(TrainRoom::tr("Teacher forcing"),
        facts.options.teacherForcing == facts.options.teacherForcingEnd
            ? formatNumber(facts.options.teacherForcing)
            : QStringLiteral("%1 … %2").arg(formatNumber(facts.options.teacherForcing),
                                            formatNumber(facts.options.teacherForcingEnd)));
    row(TrainRoom::tr("Warm-up"), TrainRoom::tr("%1 steps").arg(facts.options.scheduleFor(config).warmupSteps));
    summary.parameters = parametersByModule(facts);
    summary.data = {{TrainRoom::tr("Training pairs"), formatCount(facts.trainingPairs)},
                    {TrainRoom::tr("Test pairs"), formatCount(facts.testPairs)},
                    {TrainRoom::tr("Vocabulary"),
                     QStringLiteral("%1 / %2").arg(facts.sourceVocabulary).arg(facts.targetVocabulary)}};
    return summary;
}

/// The cell that the film outlines: where the sentence's middle word is written, reading its own place.
std::pair<int, int> outlinedCell(const ProbeFrame& frame) {
    const int middle = static_cast<int>(frame.trace->sourceTokens.size()) / 2;
    return {middle, middle};
}

}  // namespace

TrainRoom::TrainRoom(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
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
        if (task.kind == CorpusKind::Translation) all.push_back({fromView(task.name), fromView(task.title)});
    m_view->setTasks(all);

    TrainingRun& run = m_workbench.training;
    connect(m_view, &TrainingView::startRequested, this, &TrainRoom::start);
    connect(m_view, &TrainingView::pauseRequested, &run, &TrainingRun::pause);
    connect(m_view, &TrainingView::stepRequested, &run, &TrainingRun::stepOnce);
    connect(m_view, &TrainingView::resetRequested, this, &TrainRoom::reset);
    connect(m_view, &TrainingView::seedChanged, this, &TrainRoom::reset);
    connect(m_view, &TrainingView::taskChanged, this, &TrainRoom::reset);
    connect(m_view, &TrainingView::exploreRequested, &run, &TrainingRun::requestModel);
    connect(m_settings, &TrainingSettings::runRequested, this, [this] {
        reset();
        start();
        m_pages->setCurrentWidget(m_view);
        emit m_workbench.roomRequested(QStringLiteral("train"));
    });
    connect(m_runs, &RunsView::resumeRequested, this, &TrainRoom::resume);
    connect(m_runs, &RunsView::checkpointChosen, this, [this](const TrainingCheckpoint& checkpoint) {
        m_workbench.session.adoptModel(checkpoint.model, tr("%1, as it was").arg(m_workbench.training.setup().task));
        emit m_workbench.roomRequested(QStringLiteral("explore"));
    });
    connectRun();
}

void TrainRoom::connectRun() {
    TrainingRun& run = m_workbench.training;
    connect(&run, &TrainingRun::weightsAdded, m_weights, &WeightsView::append);
    connect(&run, &TrainingRun::sentencesAdded, m_sentences, &SentencesView::append);
    connect(&run, &TrainingRun::checkpointsAdded, this, [this](const auto& kept) { m_runs->append(kept); });
    connect(&run, &TrainingRun::prepared, this, &TrainRoom::showFacts);
    connect(&run, &TrainingRun::pointsAdded, this, [this](const auto& points) {
        m_step = points.back().step;
        if (m_stopAt > 0 && m_step >= m_stopAt) {
            m_stopAt = 0;
            m_workbench.training.pause();
        }
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
    connect(&run, &TrainingRun::modelCopied, this, [this](const auto& model) {
        m_workbench.session.adoptModel(model, tr("%1, just trained").arg(m_workbench.training.setup().task));
        emit m_workbench.roomRequested(QStringLiteral("explore"));
    });
    connect(&run, &TrainingRun::stateChanged, this, [this](TrainingState state, const QString& message) {
        if (state == TrainingState::Running) {
            m_sinceStart.restart();
        } else if (m_sinceStart.isValid()) {
            m_playedMs += m_sinceStart.elapsed();
            m_sinceStart.invalidate();
        }
        // Before the first step nothing is lost by choosing another task or seed.
        const bool untouched = state == TrainingState::Preparing || (state == TrainingState::Paused && m_step == 0);
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

QStringList TrainRoom::tabs() const {
    return {tr("Run"), tr("Settings"), tr("Weights"), tr("Sentences"), tr("Runs")};
}

void TrainRoom::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_workbench.training.state() == TrainingState::Idle) reset();
}

void TrainRoom::reset() {
    const TrainingSetup wanted = setup();
    clear(wanted);
    m_runs->begin(tr("%1, %2, seed %3").arg(wanted.task, describeModel(wanted.config)).arg(wanted.options.seed));
    m_workbench.training.reset(wanted);
}

/// The curves go on where they were; the film begins with the model that was kept.
void TrainRoom::resume(const RunsView::Beginning& beginning) {
    TrainingSetup wanted = *beginning.checkpoint.setup;
    wanted.from = beginning.checkpoint;
    clear(wanted);
    m_step = m_firstStep = beginning.checkpoint.step;
    m_view->appendPoints(beginning.points);
    m_view->appendValidation(beginning.validations);
    m_runs->begin(tr("%1, on from step %2").arg(wanted.task).arg(formatCount(beginning.checkpoint.step)), beginning);
    m_workbench.training.reset(wanted);
    m_workbench.training.start();
    m_pages->setCurrentWidget(m_view);
    emit m_workbench.roomRequested(QStringLiteral("train"));
}

void TrainRoom::clear(const TrainingSetup& wanted) {
    m_step = m_firstStep = 0;
    m_probeShown = false;
    m_playedMs = 0;
    m_sinceStart.invalidate();
    m_view->clear();
    m_weights->clear();
    m_sentences->clear();
    m_steps = static_cast<int>(wanted.options.steps);
    m_view->setTotalSteps(m_steps);
}

void TrainRoom::trainTo(const QString& task, int steps) {
    const TrainingState state = m_workbench.training.state();
    const bool other =
        m_workbench.training.setup().task != task || state == TrainingState::Idle || state == TrainingState::Failed;
    if (!other && m_step == steps) return;
    if (other || m_step > steps) {
        m_view->setTask(task);
        reset();
    }
    m_stopAt = steps;
    m_workbench.training.start();
}

void TrainRoom::start() {
    m_stopAt = 0;
    const TrainingState state = m_workbench.training.state();
    if (state == TrainingState::Idle || state == TrainingState::Finished || state == TrainingState::Failed) reset();
    m_workbench.training.start();
}

void TrainRoom::showFacts() {
    const TrainingRun::Facts& facts = m_workbench.training.facts();
    m_view->setSchedule(facts.learningRates);
    m_view->setClipNorm(facts.options.clipNorm);
    m_view->setSummary(summaryOf(facts));
}

void TrainRoom::showTimes() {
    const qint64 played = m_playedMs + (m_sinceStart.isValid() ? m_sinceStart.elapsed() : 0);
    const double elapsed = static_cast<double>(played) / 1000;
    const double remaining = m_step > m_firstStep ? elapsed / (m_step - m_firstStep) * (m_steps - m_step) : 0;
    m_view->setTimes(elapsed, remaining);
}

}  // namespace headlight
