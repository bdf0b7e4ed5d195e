// SPDX-License-Identifier: GPL-3.0-or-later
// Which weights of a run are written, where it is not its last ones: those of the least validation loss, or the mean of
// the last few. Like those of any earlier step they are computed again, but for those from before a run was resumed.
#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

#include "ui/session/open/training_worker.h"

namespace headlight {

/// What was watched before the run was resumed.
const KeptState& TrainingWorker::before() const {
    static const KeptState nothing;
    return m_setup.from ? m_setup.from->chosen : nothing;
}

/// The weights of a validation, to be written where the run stands: no more of them than kept states may take.
void TrainingWorker::keepWatched(int step) {
    const std::optional<double>& loss = page(step).watchedLoss;
    if (!loss) return;
    const size_t states = m_setup.keep.patience > 0 ? 1 : static_cast<size_t>(m_setup.keep.average);
    if (states * m_bench->weightsNow().flat().size_bytes() > bytesKeptInRun) m_knowsWatched = false;
    if (m_knowsWatched) m_watched.keep(m_bench->weightsNow(), step, *loss);
}

/// Nothing where the run was taken back behind a validation, whose part in it is not known apart.
KeptState TrainingWorker::watchedUpTo(int step) const {
    for (int at = step + 1; at <= reached(); ++at)
        if (m_setup.keep.isDue(at)) return {};
    return m_knowsWatched ? m_watched.state() : KeptState();
}

void TrainingWorker::forgetWatchedAfter(int step) {
    for (int at = step + 1; at <= reached(); ++at)
        m_knowsWatched = m_knowsWatched && !m_setup.keep.isDue(at);
}

/// The step of the least loss up to there, that step counted in; that step itself where nothing was watched.
int TrainingWorker::leastUpTo(int step) const {
    const bool knowsBefore = m_setup.keep.patience > 0 && before().at(before().leastAt);
    int least = knowsBefore ? static_cast<int>(before().leastAt) : step;
    double loss = knowsBefore ? before().least : std::numeric_limits<double>::infinity();
    for (int at = m_first; at <= step; ++at) {
        const std::optional<double>& watched = m_story[static_cast<size_t>(at - m_first)].watchedLoss;
        if (!watched || *watched >= loss || (at < step && !m_setup.keep.isDue(at))) continue;
        least = at;
        loss = *watched;
    }
    return least;
}

/// The run ends where so many validations in a row were not the least.
void TrainingWorker::endWherePatienceIsOver() {
    const int at = reached();
    if (m_setup.keep.patience == 0 || !page(at).watchedLoss || at == m_last) return;
    int since = 0;
    for (int step = leastUpTo(at) + 1; step <= at; ++step)
        since += m_setup.keep.isDue(step);
    if (since >= m_setup.keep.patience) setEnd(at);
}

void TrainingWorker::setEnd(int step) {
    m_end = step;
    post([step](TrainingMail& mail) { mail.end = step; });
}

/// Brings the weights one step nearer to that step; true when it is watched.
bool TrainingWorker::watch(int step) {
    if (page(step).watchedLoss) return true;
    if (!approach(step)) return false;
    page(step).watchedLoss = m_bench->watchedLoss();
    return true;
}

/// As `headlight-cli train --stop-after STEP` chooses: among the validations before that step, and the step itself.
std::vector<int> TrainingWorker::stepsToSave(int step) {
    if (m_setup.keep.patience > 0) return {leastUpTo(step)};
    std::vector<int> steps{step};
    for (int at = step - 1; at > m_first && static_cast<int>(steps.size()) < m_setup.keep.average; --at)
        if (m_setup.keep.isDue(at)) steps.insert(steps.begin(), at);
    const std::vector<StepWeights>& earlier = before().weights;
    for (auto weights = earlier.rbegin(); weights != earlier.rend(); ++weights)
        if (static_cast<int>(steps.size()) < m_setup.keep.average && weights->step < steps.front())
            steps.insert(steps.begin(), static_cast<int>(weights->step));
    return steps;
}

TrainingMail::Copy TrainingWorker::gathered(int step, int number) {
    TrainingMail::Copy copy{number, step, 0, {}, {}};
    if (!m_gathering || m_gathering->wish != number) {
        // A step between two validations is one more, where a run is left there.
        if (m_setup.keep.patience > 0 && step > m_first && !watch(step)) {
            copy.left = step - m_bench->step();
            return copy;
        }
        m_gathering = Gathering{number, stepsToSave(step), 0, KeptWeights({.average = m_setup.keep.average})};
    }
    Gathering& gathering = *m_gathering;
    while (gathering.done < gathering.steps.size()) {
        const int next = gathering.steps[gathering.done];
        if (next >= m_first && !approach(next)) {
            copy.left = next - m_bench->step();
            return copy;
        }
        if (next >= m_first)
            gathering.weights.keep(m_bench->weightsNow(), next, 0);
        else if (m_setup.keep.average > 1)
            gathering.weights.keep(*std::ranges::find(before().weights, next, &StepWeights::step));
        ++gathering.done;
    }
    const auto model = m_bench->copyOfModel();
    if (const int last = gathering.steps.back(); last < m_first)
        std::ranges::copy(*before().at(last), model->network->parameters().flat().begin());
    std::optional<std::string> chosen = gathering.weights.choose(model->network->parameters(), step);
    if (const int last = gathering.steps.back(); last < step) chosen = KeptWeights::sayLeast(last);
    nlohmann::json story = model->training.json();
    story["steps"] = step;
    story.erase("planned_steps");
    if (step < m_last) story["planned_steps"] = m_last;
    if (chosen) story["weights"] = *chosen;
    model->training = TrainingStory(std::move(story));
    copy.figures = m_bench->validation(*model);
    copy.figures.step = step;
    copy.test = m_bench->test(*model);
    copy.model = model;
    m_gathering.reset();
    return copy;
}

}  // namespace headlight
