// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/kept_weights.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"

namespace headlight {

void KeepOptions::validate() const {
    constexpr int mostStates = 1000;
    if (patience < 0) throw Error("patience must be at least 0 (0: the run goes on to its last step)");
    if (average < 1 || average > mostStates)
        throw Error("average must be between 1 (the last weights) and " + std::to_string(mostStates));
    if (validateEvery < 0) throw Error("validate-every must be at least 0 (0: no validation)");
    if (patience > 0 && average > 1)
        throw Error("--patience and --average each choose the weights that are written: give one of them");
    if (validateEvery == 0 && choosesWeights())
        throw Error("--patience and --average look at validations: give --validate-every");
}

const std::vector<float>* KeptState::at(long step) const {
    const auto found = std::ranges::find(weights, step, &StepWeights::step);
    return found == weights.end() ? nullptr : found->flat.get();
}

KeptWeights::KeptWeights(const KeepOptions& options, KeptState state) : m_options(options), m_state(std::move(state)) {
    const bool hasLeast = m_state.at(m_state.leastAt) != nullptr && std::isfinite(m_state.least);
    if (m_options.patience > 0 ? !hasLeast : m_options.average < 2 || hasLeast) m_state = {};
}

namespace {

StepWeights copyOf(const ParameterSet& parameters, long step) {
    const auto flat = parameters.flat();
    return {step, std::make_shared<const std::vector<float>>(flat.begin(), flat.end())};
}

}  // namespace

void KeptWeights::keep(const ParameterSet& parameters, long step, double loss) {
    if (m_options.patience > 0 && loss < m_state.least) {
        m_state = {loss, step, 0, {copyOf(parameters, step)}};
    } else if (m_options.patience > 0) {
        ++m_state.since;
    } else if (m_options.average > 1) {
        keep(copyOf(parameters, step));
    }
}

void KeptWeights::keep(StepWeights weights) {
    m_state.weights.push_back(std::move(weights));
    while (m_state.weights.size() > static_cast<size_t>(m_options.average))
        m_state.weights.erase(m_state.weights.begin());
}

std::optional<std::string> KeptWeights::choose(ParameterSet& parameters, long step) const {
    const std::vector<StepWeights>& kept = m_state.weights;
    if (kept.empty() || (m_options.patience > 0 && m_state.leastAt == step)) return {};
    for (size_t i = 0; i < parameters.flatSize(); ++i) {
        double sum = 0;
        for (const StepWeights& weights : kept)
            sum += static_cast<double>((*weights.flat)[i]);
        parameters.flat()[i] = static_cast<float>(sum / static_cast<double>(kept.size()));
    }
    if (m_options.patience > 0) return sayLeast(m_state.leastAt);
    return "the mean of the weights at the last " + std::to_string(kept.size()) + " validations";
}

std::string KeptWeights::sayLeast(long step) {
    return "the weights of step " + std::to_string(step) + ", where the validation loss was least";
}

}  // namespace headlight
