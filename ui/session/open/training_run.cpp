// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/training_run.h"

#include <algorithm>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/session/open/training_worker.h"

namespace headlight {

namespace {

constexpr int framesPerSecond = 30;

}  // namespace

TrainingRun::TrainingRun(QObject* parent) : QObject(parent) {
    m_timer.setInterval(1000 / framesPerSecond);
    connect(&m_timer, &QTimer::timeout, this, &TrainingRun::collect);
}

TrainingRun::~TrainingRun() {
    if (m_worker) m_worker->stop();  // all of them first: they end at the same time
    m_worker.reset();
}

void TrainingRun::reset(const TrainingSetup& setup) {
    giveUp(tr("Another run was begun."));
    leaveWorker();
    m_isPrepared = false;
    m_setup = setup;
    m_step = setup.firstStep();
    m_end = setup.lastStep();
    m_message.clear();
    m_state = TrainingState::Preparing;
    m_worker = std::make_unique<TrainingWorker>(setup);
    m_worker->keepStandEvery(m_standMs);
    m_timer.start();
    emit stateChanged(m_state, {});
}

/// Nothing of it is told any more; it ends by itself.
void TrainingRun::leaveWorker() {
    if (m_worker) {
        m_worker->stop();
        m_leaving.push_back(std::move(m_worker));
    }
    ++m_run;
    m_copy = m_save = m_replay = 0;
}

void TrainingRun::cancelPreparation() {
    if (m_state != TrainingState::Preparing) return;
    giveUp(tr("The run was given up while it was made ready."));
    leaveWorker();
    m_step = m_setup.firstStep();
    m_state = TrainingState::Idle;
    emit stateChanged(m_state, {});
}

void TrainingRun::start() {
    giveUp(tr("The run was gone on with by hand."));
    if (m_worker) m_worker->run();
}

void TrainingRun::pause() {
    giveUp(tr("The run was paused by hand."));
    if (m_worker) m_worker->pause();
}

void TrainingRun::stepOnce() {
    giveUp(tr("The run was gone on with by hand."));
    if (m_worker) m_worker->stepOnce();
}

int TrainingRun::trainTo(int step) {
    m_wish = ++m_wishes;
    m_wantedStep = step;
    if (!m_worker) {
        giveUp(tr("There is no run to train."));
    } else if (m_state == TrainingState::Failed) {
        giveUp(m_message);
    } else if (step < m_setup.firstStep() || step > m_setup.lastStep()) {
        m_worker->pause();
        giveUp(tr("This run goes from step %1 to step %2: it has no step %3.")
                   .arg(formatCount(m_setup.firstStep()), formatCount(m_setup.lastStep()), formatCount(step)));
    } else {
        m_worker->trainTo(step, m_wish);
    }
    return m_wishes;
}

/// Told later, as arrived() is: whoever asked knows by then what he asked for.
void TrainingRun::giveUp(const QString& why) {
    const int wish = std::exchange(m_wish, 0);
    if (wish == 0) return;
    QMetaObject::invokeMethod(
        this, [this, wish, why, step = m_wantedStep] { emit notReached(step, wish, why); }, Qt::QueuedConnection);
}

void TrainingRun::requestModel(int step) {
    m_copy = ++m_wishes;
    if (m_worker) m_worker->copyModel(step, m_copy);
}

void TrainingRun::forgetRequest() {
    m_copy = 0;
    if (m_worker) m_worker->forgetCopy();
    emit requestForgotten();
}

int TrainingRun::requestModelToSave(int step) {
    m_save = ++m_wishes;
    if (m_worker) m_worker->copyToSave(step, m_save);
    return m_save;
}

void TrainingRun::replay(int after, int upTo) {
    m_replay = ++m_wishes;
    if (m_worker) m_worker->replay(after, upTo, m_replay);
}

void TrainingRun::forgetReplay() {
    m_replay = 0;
    if (m_worker) m_worker->forgetReplay();
}

void TrainingRun::setRateFactor(double factor) {
    giveUp(tr("The learning rate was turned by hand."));
    if (m_worker) m_worker->setRateFactor(factor);
}

void TrainingRun::keepStandEvery(int milliseconds) {
    m_standMs = milliseconds;
    if (m_worker) m_worker->keepStandEvery(milliseconds);
}

bool TrainingRun::isIdle() const {
    return !m_worker || m_worker->isIdle();
}

bool TrainingRun::isAllTold() const {
    return !m_worker || m_worker->isAllTold();
}

bool TrainingRun::isWindingDown() const {
    return !std::ranges::all_of(m_leaving, [](const auto& worker) { return worker->isOver(); });
}

void TrainingRun::collect() {
    std::erase_if(m_leaving, [](const auto& worker) { return worker->isOver(); });
    if (m_worker) tell(m_worker->take());
}

void TrainingRun::tell(const TrainingMail& mail) {
    const int run = m_run;
    // Whoever is told something may begin another run: of this one nothing more is told then.
    const auto tellAll = [&](const auto& all, auto signal) {
        if (run == m_run && !all.empty()) emit(this->*signal)(all);
    };
    if (mail.preparation && m_state == TrainingState::Preparing) emit preparing(*mail.preparation);
    if (run != m_run) return;
    const bool turned = mail.facts && std::exchange(m_isPrepared, true);
    if (mail.facts) {
        m_facts = *mail.facts;
        m_setup.options.rateChanges = m_facts.options.rateChanges;
        if (!turned) emit prepared();
    }
    if (run == m_run && mail.cutBack) {
        m_step = *mail.cutBack;
        emit cutBack(m_step);
    }
    if (run == m_run && !mail.points.empty()) m_step = mail.points.back().step;
    if (run == m_run && turned) emit rateTurned();  // step() is one that the rate was turned behind, or a later one
    tellAll(mail.points, &TrainingRun::pointsAdded);
    tellAll(mail.validations, &TrainingRun::validated);
    tellAll(mail.frames, &TrainingRun::framesAdded);
    tellAll(mail.heads, &TrainingRun::headsAdded);
    tellAll(mail.weights, &TrainingRun::weightsAdded);
    tellAll(mail.sentences, &TrainingRun::sentencesAdded);
    tellAll(mail.checkpoints, &TrainingRun::checkpointsAdded);
    if (run == m_run && mail.copy && mail.copy->wish == m_copy) {
        if (mail.copy->model) {
            m_copy = 0;
            emit modelCopied(mail.copy->model);
        } else {
            emit modelOnItsWay(mail.copy->step, mail.copy->left);
        }
    }
    if (run == m_run && mail.save && mail.save->wish == m_save && mail.save->model) {
        const int wish = std::exchange(m_save, 0);
        emit modelToSave({mail.save->model, mail.save->figures, mail.save->test}, wish);
    }
    if (run == m_run && mail.replay && mail.replay->wish == m_replay) {
        if (mail.replay->left == 0) m_replay = 0;
        emit replayed(mail.replay->readings, mail.replay->left);
    }
    if (run == m_run && mail.stand) emit standTold(*mail.stand);
    if (run == m_run && mail.end) m_end = *mail.end;
    if (run == m_run && mail.state && *mail.state != m_state) {
        m_state = *mail.state;
        m_message = mail.message;
        if (m_state == TrainingState::Finished && m_end < m_setup.lastStep())
            m_message = tr("Stopped at step %1: the validation loss fell no more").arg(formatCount(m_end));
        if (m_state == TrainingState::Failed) giveUp(m_message);
        emit stateChanged(m_state, m_message);
    }
    if (run == m_run && mail.missed && mail.missed->wish == m_wish)
        giveUp(tr("This run ended at step %1, as the validation loss fell no more: it has no step %2.")
                   .arg(formatCount(mail.missed->step), formatCount(m_wantedStep)));
    if (run == m_run && mail.arrival && mail.arrival->wish == m_wish) {
        m_wish = 0;
        emit arrived(mail.arrival->step, mail.arrival->wish);
    }
}

}  // namespace headlight

#include "moc_training_run.cpp"
