// SPDX-License-Identifier: GPL-3.0-or-later
// Steps that a run has gone through: their weights come from the nearest kept state and are computed again from there,
// to be looked into, to be written, or to have one step after another read the sentence of the film.
#include <algorithm>
#include <utility>

#include "ui/session/open/training_worker.h"

namespace headlight {

/// The nearest state before a step that weights and moments are kept of; nothing: the beginning.
std::optional<TrainingCheckpoint> TrainingWorker::nearest(int step) const {
    std::optional<TrainingCheckpoint> found;
    for (int at = std::min(step, reached()); at >= m_first && !found; --at)
        found = m_story[static_cast<size_t>(at - m_first)].kept;
    const bool further = m_furthest && m_furthest->step <= step && (!found || found->step < m_furthest->step);
    return further ? m_furthest : found;
}

/// Brings the weights one step nearer to what they were after a step that was told before; true when they are there.
bool TrainingWorker::approach(int step) {
    const int now = m_bench->step();
    if (now == step) return true;
    const std::optional<TrainingCheckpoint> kept = nearest(step);
    if (now < step && (kept ? kept->step : m_first) <= now) {
        m_bench->train();
        return m_bench->step() == step;
    }
    if (now == reached()) m_furthest = m_bench->keep();
    kept ? m_bench->restore(*kept) : m_bench->backToTheBeginning();
    return m_bench->step() == step;
}

void TrainingWorker::lookBack(int wanted, int number) {
    const int step = std::clamp(wanted < 0 ? m_at : wanted, m_first, reached());
    TrainingMail::Copy copy{number, step, 0, {}, {}};
    if (approach(step))
        copy.model = m_bench->copyOfModel();
    else
        copy.left = step - m_bench->step();
    post([&](TrainingMail& mail) {
        mail.copy = copy;
        if (copy.model && m_wishes.copy && m_wishes.copy->second == number) m_wishes.copy.reset();
    });
}

/// One step nearer to the next reading, or the reading.
void TrainingWorker::replayStep(const ReplayWish& wanted) {
    const int last = std::min(wanted.upTo, reached());
    std::optional<HeadsFrame> reading;
    if (wanted.next <= last && approach(wanted.next)) reading = m_bench->reading();
    post([&](TrainingMail& mail) {
        if (!mail.replay || mail.replay->wish != wanted.wish) mail.replay = {wanted.wish, 0, {}};
        mail.replay->left = std::max(0, last - wanted.next + (reading ? 0 : 1));
        if (reading) mail.replay->readings.push_back(std::move(*reading));
        if (!m_wishes.replay || m_wishes.replay->wish != wanted.wish) return;
        if (reading) ++m_wishes.replay->next;
        if (m_wishes.replay->next > last) m_wishes.replay.reset();
    });
}

/// Figures belong to these very weights: where the step was not tested, it is now.
void TrainingWorker::lookBackToSave(int wanted, int number) {
    const int step = std::clamp(wanted < 0 ? m_at : wanted, m_first, reached());
    TrainingMail::Copy copy{number, step, 0, {}, {}};
    if (m_setup.keep.choosesWeights()) {
        copy = gathered(step, number);
    } else if (approach(step)) {
        copy.model = m_bench->copyOfModel();
        copy.figures =
            page(step).validation && page(step).validation->isWhole() ? *page(step).validation : m_bench->validation();
        copy.test = m_bench->test(*copy.model);
    } else {
        copy.left = step - m_bench->step();
    }
    post([&](TrainingMail& mail) {
        mail.save = copy;
        if (copy.model && m_wishes.save && m_wishes.save->second == number) m_wishes.save.reset();
    });
}

}  // namespace headlight
