// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/train_room.h"

#include <QVBoxLayout>
#include <algorithm>
#include <thread>

#include "core/data/task.h"
#include "ui/session/number_format.h"
#include "ui/shell/workbench.h"
#include "ui/views/training_view.h"

namespace headlight {

namespace {

constexpr long stepsOfARun = 1500;

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// The module that a tensor belongs to, as the right column groups them.
struct Module {
    const char* label;
    TrainingSummary::Role role;
};

Module moduleOf(const QString& tensor) {
    using Role = TrainingSummary::Role;
    if (tensor.startsWith("source_embedding"))
        return {QT_TRANSLATE_NOOP("TrainRoom", "Source embedding"), Role::Encoder};
    if (tensor.startsWith("target_embedding"))
        return {QT_TRANSLATE_NOOP("TrainRoom", "Target embedding"), Role::Decoder};
    if (tensor.startsWith("positions")) return {QT_TRANSLATE_NOOP("TrainRoom", "Positions"), Role::Neutral};
    if (tensor.startsWith("generator")) return {QT_TRANSLATE_NOOP("TrainRoom", "Output layer"), Role::Neutral};
    if (tensor.contains("norm")) return {QT_TRANSLATE_NOOP("TrainRoom", "Layer norm"), Role::Neutral};
    const bool encoder = tensor.contains(".encoder.");
    if (tensor.contains("multihead_attn"))
        return {QT_TRANSLATE_NOOP("TrainRoom", "Decoder cross-attention"), Role::Decoder};
    if (tensor.contains("self_attn"))
        return encoder ? Module{QT_TRANSLATE_NOOP("TrainRoom", "Encoder attention"), Role::Encoder}
                       : Module{QT_TRANSLATE_NOOP("TrainRoom", "Decoder self-attention"), Role::Decoder};
    return encoder ? Module{QT_TRANSLATE_NOOP("TrainRoom", "Encoder feed-forward"), Role::Encoder}
                   : Module{QT_TRANSLATE_NOOP("TrainRoom", "Decoder feed-forward"), Role::Decoder};
}

std::vector<TrainingSummary::Parameters> parametersByModule(const TrainingRun::Facts& facts) {
    std::vector<TrainingSummary::Parameters> rows;
    for (const auto& [tensor, count] : facts.parameters) {
        const Module module = moduleOf(tensor);
        const QString label = TrainRoom::tr(module.label);
        const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.label == label; });
        if (found == rows.end())
            rows.push_back({label, count, module.role});
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
    summary.model = {
        {TrainRoom::tr("Layers"), QStringLiteral("%1 + %2").arg(config.numEncoderLayers).arg(config.numDecoderLayers)},
        {TrainRoom::tr("d model"), QString::number(config.dModel)},
        {TrainRoom::tr("Heads"), QString::number(config.numHeads)},
        {TrainRoom::tr("d key"), QString::number(config.dModel / config.numHeads)},
        {TrainRoom::tr("Feed-forward"), QString::number(config.dFf)},
        {TrainRoom::tr("Positions"), config.positionalEncoding == PositionalKind::Learned ? TrainRoom::tr("learned")
                                     : config.positionalEncoding == PositionalKind::Sinusoidal
                                         ? TrainRoom::tr("sinusoid")
                                         : TrainRoom::tr("none")},
        {TrainRoom::tr("Label smoothing"), QString::number(facts.options.labelSmoothing)},
        {TrainRoom::tr("Batch"), TrainRoom::tr("%1 pairs").arg(facts.options.batchSize)},
        {TrainRoom::tr("Optimiser"),
         facts.options.optimizer == OptimizerKind::Adam ? QStringLiteral("Adam") : QStringLiteral("SGD")},
        {TrainRoom::tr("Warm-up"), TrainRoom::tr("%1 steps").arg(facts.options.scheduleFor(config).warmupSteps)},
    };
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
    : QWidget(parent), m_workbench(workbench), m_view(new TrainingView(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
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
    connect(&run, &TrainingRun::prepared, this, &TrainRoom::showFacts);
    connect(&run, &TrainingRun::pointsAdded, this, [this](const auto& points) {
        m_step = points.back().step;
        m_view->appendPoints(points);
        showTimes();
    });
    connect(&run, &TrainingRun::validated, m_view, &TrainingView::appendValidation);
    connect(&run, &TrainingRun::framesAdded, this, [this](const auto& frames) {
        for (const ProbeFrame& frame : frames) {
            if (frame.step == 0) {
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
            m_stepAtStart = m_step;
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
    setup.config.numHeads = 8;
    setup.options.steps = stepsOfARun;
    setup.options.seed = static_cast<uint64_t>(m_view->seed());
    // One processor is left to the window, so that it never waits.
    setup.options.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
    return setup;
}

void TrainRoom::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_workbench.training.state() == TrainingState::Idle) reset();
}

void TrainRoom::reset() {
    m_step = m_stepAtStart = 0;
    m_playedMs = 0;
    m_sinceStart.invalidate();
    m_view->clear();
    m_view->setTotalSteps(stepsOfARun);
    m_workbench.training.reset(setup());
}

void TrainRoom::start() {
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
    const double remaining = m_step > 0 ? elapsed / m_step * (stepsOfARun - m_step) : 0;
    m_view->setTimes(elapsed, remaining);
}

}  // namespace headlight
