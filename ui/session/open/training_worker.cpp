// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/training_worker.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/platform/pace.h"

namespace headlight {

namespace {

constexpr int probesInRun = 120;
constexpr int validationsInRun = 40;
constexpr int sentencesInRun = 20;
constexpr size_t keptInRun = 13;
constexpr size_t bytesOfHeadsInRun = size_t{32} << 20;

bool isDue(int step, int last, int parts) {
    return step == 1 || step == last || step % std::max(1, last / parts) == 0;
}

/// What a run leaves behind lies in pieces all over the heap: without this the system never sees it again.
void giveMemoryBack() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

template <typename Told>
void eraseAfter(std::vector<Told>& told, int step) {
    std::erase_if(told, [step](const Told& each) { return each.step > step; });
}

template <typename Told>
void add(std::vector<Told>& to, const std::optional<Told>& told) {
    if (told) to.push_back(*told);
}

}  // namespace

TrainingWorker::TrainingWorker(const TrainingSetup& setup)
    : m_setup(setup),
      m_first(setup.firstStep()),
      m_last(setup.lastStep()),
      m_end(m_last),
      m_watched(setup.keep, setup.from ? setup.from->chosen : KeptState()),
      m_at(m_first),
      m_thread([this] { work(); }) {}

TrainingWorker::~TrainingWorker() {
    stop();
    m_thread.join();
}

void TrainingWorker::wish(const std::function<void(Wishes&)>& change) {
    const std::lock_guard lock(m_mutex);
    change(m_wishes);
    m_wake.notify_all();
}

void TrainingWorker::run() {
    wish([](Wishes& wishes) {
        wishes.go = Go::On;
        wishes.singles = 0;
    });
}

void TrainingWorker::pause() {
    wish([](Wishes& wishes) {
        wishes.go = Go::Rest;
        wishes.singles = 0;
    });
}

void TrainingWorker::stepOnce() {
    wish([](Wishes& wishes) {
        wishes.go = Go::Rest;
        ++wishes.singles;
    });
}

void TrainingWorker::trainTo(int step, int number) {
    wish([=](Wishes& wishes) {
        wishes.go = Go::To;
        wishes.singles = 0;
        wishes.target = step;
        wishes.wish = number;
    });
}

void TrainingWorker::copyModel(int step, int number) {
    wish([=](Wishes& wishes) { wishes.copy = {step, number}; });
}

void TrainingWorker::forgetCopy() {
    wish([](Wishes& wishes) { wishes.copy.reset(); });
}

void TrainingWorker::copyToSave(int step, int number) {
    wish([=](Wishes& wishes) { wishes.save = {step, number}; });
}

void TrainingWorker::replay(int after, int upTo, int number) {
    wish([=](Wishes& wishes) { wishes.replay = {after + 1, upTo, number}; });
}

void TrainingWorker::forgetReplay() {
    wish([](Wishes& wishes) { wishes.replay.reset(); });
}

/// A rate that is turned belongs to whoever trains by hand: what a state asked for is no longer on its way.
void TrainingWorker::setRateFactor(double factor) {
    wish([=](Wishes& wishes) {
        wishes.factor = factor;
        if (wishes.go == Go::To) wishes.go = Go::Rest;
    });
}

void TrainingWorker::stop() {
    m_stop = true;
    wish([](Wishes&) {});
}

bool TrainingWorker::isIdle() {
    const std::lock_guard lock(m_mutex);
    return m_over || (m_waits && !isWanted());
}

bool TrainingWorker::isAllTold() {
    const std::lock_guard lock(m_mutex);
    return m_isTold;
}

TrainingMail TrainingWorker::take() {
    TrainingMail mail;
    const std::lock_guard lock(m_mutex);
    std::swap(mail, m_mail);
    m_isTold = true;
    return mail;
}

/// Only to put in what is ready: the window may be waiting for the lock.
void TrainingWorker::post(const std::function<void(TrainingMail&)>& write) {
    const std::lock_guard lock(m_mutex);
    write(m_mail);
    m_isTold = false;
}

void TrainingWorker::sayState(TrainingState state) {
    if (m_said == state) return;
    m_said = state;
    post([&](TrainingMail& mail) { mail.state = state; });
}

void TrainingWorker::work() {
    try {
        train();
    } catch (const WorkStopped&) {  // nobody waits for the run any more
    } catch (const std::exception& error) {
        const QString message = QString::fromUtf8(error.what());
        post([&](TrainingMail& mail) {
            mail.state = TrainingState::Failed;
            mail.message = message;
        });
    }
    m_bench.reset();
    m_story = {};
    m_furthest.reset();
    giveMemoryBack();
    m_over = true;
}

void TrainingWorker::train() {
    m_bench = std::make_unique<TrainingBench>(m_setup, [this](const TrainingPreparation& at) {
        post([&](TrainingMail& mail) { mail.preparation = at; });
        return !m_stop;
    });
    begin();
    while (const std::optional<Wishes> wishes = next()) {
        if (wishes->factor)
            turnRate(*wishes->factor);
        else if (wishes->save)
            lookBackToSave(wishes->save->first, wishes->save->second);
        else if (wishes->copy)
            lookBack(wishes->copy->first, wishes->copy->second);
        else if (wishes->replay)
            replayStep(*wishes->replay);
        else if (wishes->go == Go::To)
            goTo(wishes->target, wishes->wish);
        else
            goOn();
    }
}

void TrainingWorker::begin() {
    const size_t states = std::clamp(bytesKeptInRun / m_bench->bytesOfState(), size_t{2}, keptInRun);
    const int parts = static_cast<int>(states) - 1;  // one is of the first step
    m_keepEvery = std::max(1, (m_last + parts - 1) / parts);
    const auto facts = std::make_shared<const TrainingFacts>(m_bench->facts());
    Page first;
    first.frame = m_bench->frame(ProbeFrame::Kind::Regular);
    first.heads = m_bench->heads(HeadsFrame::Kind::Regular);
    m_headSteps = headSteps(m_last, bytesOfHeadsInRun / bytesOf(*first.heads));
    first.weights = m_bench->weights();
    first.sentences = m_bench->sentences();
    post([&](TrainingMail& mail) {
        mail.facts = facts;
        add(mail.frames, first.frame);
        add(mail.heads, first.heads);
        add(mail.weights, first.weights);
        add(mail.sentences, first.sentences);
    });
    m_story.push_back(std::move(first));
}

/// Whether there is anything to do; m_mutex is held.
bool TrainingWorker::isWanted() {
    if (m_at == m_end) {
        if (m_wishes.go == Go::On) m_wishes.go = Go::Rest;
        m_wishes.singles = 0;
    }
    return m_stop || m_wishes.factor || m_wishes.save || m_wishes.copy || m_wishes.replay || m_wishes.go != Go::Rest ||
           m_wishes.singles > 0;
}

/// Waits until something is wanted; nothing when the run is to end. Wishes are asked for anew after each step: what was
/// superseded meanwhile is not gone on with.
std::optional<TrainingWorker::Wishes> TrainingWorker::next() {
    std::unique_lock lock(m_mutex);
    if (!isWanted()) {
        lock.unlock();
        rest();
        lock.lock();
        m_waits = true;
        m_wake.wait(lock, [this] { return isWanted(); });
        m_waits = false;
    }
    if (m_stop) return {};
    return m_wishes;
}

void TrainingWorker::rest() {
    if (m_bench->step() == m_at) tellResting();
    if (m_standMs > 0 && m_standTold != m_at && m_bench->step() == m_at) tellStand();
    if (m_at == m_end && m_said != TrainingState::Finished) giveMemoryBack();
    sayState(restingState());
}

/// While a run rests its film ends with the model as it is.
void TrainingWorker::tellResting() {
    std::optional<ProbeFrame>& frame = page(m_at).frame;
    if (!frame) frame = m_bench->frame(ProbeFrame::Kind::Resting);
    lookAtRestingHeads();
    if (std::exchange(m_restingTold, m_at) == m_at) return;
    const std::optional<HeadsFrame>& heads = page(m_at).heads;
    post([&](TrainingMail& mail) {
        if (frame->kind == ProbeFrame::Kind::Resting) mail.frames.push_back(*frame);
        if (heads->kind == HeadsFrame::Kind::Resting) mail.heads.push_back(*heads);
    });
}

/// Of those steps the last alone keeps them: they are all heads of a model.
void TrainingWorker::lookAtRestingHeads() {
    std::optional<HeadsFrame>& heads = page(m_at).heads;
    if (heads) return;
    heads = m_bench->heads(HeadsFrame::Kind::Resting);
    if (m_restingHeads >= 0) page(m_restingHeads).heads.reset();
    m_restingHeads = m_at;
}

/// One step, or one on the way to where it is done from.
void TrainingWorker::goOn() {
    using Clock = std::chrono::steady_clock;
    sayState(TrainingState::Running);
    if (!approach(m_at)) return;
    const Clock::time_point before = Clock::now();
    const StepReport report = m_bench->train();
    const double seconds = std::chrono::duration<double>(Clock::now() - before).count();
    m_furthest.reset();
    const int step = m_bench->step();
    if (step > reached()) {
        m_story.push_back(measured(report, seconds));
        keepWatched(step);
        endWherePatienceIsOver();
    } else {  // told before and taken back: all but the speed is the same
        page(step).point->tokensPerSecond = static_cast<double>(report.tokens) / seconds;
    }
    if (m_stop) return;
    tellUpTo(step);
    const std::chrono::milliseconds standEvery(m_standMs);
    if (standEvery.count() > 0 && Clock::now() - m_standAt >= platform::paced(standEvery)) tellStand();
    post([this](TrainingMail&) {
        if (m_wishes.go == Go::Rest && m_wishes.singles > 0) --m_wishes.singles;
    });
}

void TrainingWorker::goTo(int target, int number) {
    if (std::exchange(m_cutFor, number) != number) cutBack(std::min(target, m_at));
    if (m_at < std::min(target, reached())) tellUpTo(std::min(target, reached()));
    if (m_at == m_end && m_at < target) {
        post([&](TrainingMail& mail) {
            mail.missed = {m_end, number};
            if (m_wishes.go == Go::To && m_wishes.wish == number) m_wishes.go = Go::Rest;
        });
        return;
    }
    if (m_at < target) return goOn();
    if (!page(target).frame || !page(target).heads) {
        sayState(TrainingState::Running);
        if (!approach(target)) return;
    }
    tellResting();
    m_said = restingState();
    post([&](TrainingMail& mail) {
        mail.state = *m_said;
        mail.arrival = {target, number};
        if (m_wishes.go == Go::To && m_wishes.wish == number) m_wishes.go = Go::Rest;
    });
}

/// What was told of later steps was told of another rate: it is forgotten. The same rate again changes nothing.
void TrainingWorker::turnRate(double factor) {
    std::vector<RateChange> changes = m_bench->rateChanges();
    m_gathering.reset();
    if (m_at < m_end && factorAt(changes, m_at + 1) != factor) {
        std::erase_if(changes, [this](const RateChange& change) { return change.step > m_at; });
        if (factorAt(changes, m_at + 1) != factor) changes.push_back({m_at + 1, factor});
        forgetWatchedAfter(m_at);
        m_story.resize(static_cast<size_t>(m_at - m_first) + 1);
        if (m_furthest && m_furthest->step > m_at) m_furthest.reset();
        m_bench->setRateChanges(changes);
        m_standTold = -1;
        if (m_end < m_last) setEnd(m_last);  // losses may fall again
    }
    const auto facts = std::make_shared<const TrainingFacts>(m_bench->facts());
    post([&](TrainingMail& mail) {
        mail.facts = facts;
        if (m_wishes.factor == factor) m_wishes.factor.reset();
    });
}

/// Weights and moments are copied; whoever writes them does so elsewhere.
void TrainingWorker::tellStand() {
    m_standTold = m_at;
    m_standAt = std::chrono::steady_clock::now();
    TrainingCheckpoint stand = m_bench->keep();
    stand.chosen = watchedUpTo(m_at);
    post([&](TrainingMail& mail) { mail.stand = std::move(stand); });
}

TrainingWorker::Page TrainingWorker::measured(const StepReport& report, double seconds) const {
    const int step = m_bench->step();
    Page page;
    page.point = TrainingPoint{step,
                               report.loss,
                               report.accuracy,
                               report.learningRate,
                               static_cast<double>(report.tokens) / seconds,
                               report.gradientNorm};
    if (isDue(step, m_last, probesInRun)) page.frame = m_bench->frame(ProbeFrame::Kind::Regular);
    if (std::ranges::binary_search(m_headSteps, step)) page.heads = m_bench->heads(HeadsFrame::Kind::Regular);
    if (step == 1 || step == m_last || step % m_keepEvery == 0) page.kept = m_bench->keep();
    // Each of these may take a second: a run that was reset does not finish them.
    if (!m_stop && isDue(step, m_last, validationsInRun)) {
        page.validation = m_bench->validation();
        page.weights = m_bench->weights();
    } else if (page.heads) {  // what stands beside the heads stands in the curves
        page.validation = ValidationPoint{step, page.heads->validationLoss, page.heads->validationAccuracy};
    }
    if (!m_stop && m_setup.keep.choosesWeights() && m_setup.keep.isDue(step)) page.watchedLoss = m_bench->watchedLoss();
    if (!m_stop && isDue(step, m_last, sentencesInRun)) page.sentences = m_bench->sentences();
    return page;
}

/// The run stands at that step as if it had never gone further nor stopped before.
void TrainingWorker::cutBack(int step) {
    m_at = step;
    m_restingTold = -1;
    post([step](TrainingMail& mail) {
        mail.cutBack = std::min(step, mail.cutBack.value_or(step));
        eraseAfter(mail.points, step);
        eraseAfter(mail.validations, step);
        eraseAfter(mail.frames, step);
        std::erase_if(mail.frames, [](const ProbeFrame& frame) { return frame.kind == ProbeFrame::Kind::Resting; });
        eraseAfter(mail.heads, step);
        std::erase_if(mail.heads, [](const HeadsFrame& frame) { return frame.kind == HeadsFrame::Kind::Resting; });
        eraseAfter(mail.weights, step);
        eraseAfter(mail.sentences, step);
        eraseAfter(mail.checkpoints, step);
    });
}

void TrainingWorker::tellUpTo(int step) {
    TrainingMail told;
    while (m_at < step) {
        const Page& next = page(++m_at);
        add(told.points, next.point);
        add(told.validations, next.validation);
        if (next.frame && next.frame->kind == ProbeFrame::Kind::Regular) add(told.frames, next.frame);
        if (next.heads && next.heads->kind == HeadsFrame::Kind::Regular) add(told.heads, next.heads);
        add(told.weights, next.weights);
        add(told.sentences, next.sentences);
        add(told.checkpoints, next.kept);
    }
    post([&](TrainingMail& mail) {
        const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
        append(mail.points, told.points);
        append(mail.validations, told.validations);
        append(mail.frames, told.frames);
        append(mail.heads, told.heads);
        append(mail.weights, told.weights);
        append(mail.sentences, told.sentences);
        append(mail.checkpoints, told.checkpoints);
    });
}

}  // namespace headlight
