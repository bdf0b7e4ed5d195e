// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/kept_weights.h"

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

KeptWeights::KeptWeights(const KeepOptions& options) : m_options(options) {}

namespace {

std::vector<float> copyOf(const ParameterSet& parameters) {
    return {parameters.flat().begin(), parameters.flat().end()};
}

}  // namespace

void KeptWeights::keep(const ParameterSet& parameters, long step, double loss) {
    if (m_options.patience > 0 && loss < m_least) {
        m_least = loss;
        m_leastAt = step;
        m_since = 0;
        m_states.assign(1, copyOf(parameters));
    } else if (m_options.patience > 0) {
        ++m_since;
    } else if (m_options.average > 1) {
        m_states.push_back(copyOf(parameters));
        if (m_states.size() > static_cast<size_t>(m_options.average)) m_states.erase(m_states.begin());
    }
}

std::optional<std::string> KeptWeights::choose(ParameterSet& parameters, long step) const {
    if (m_states.empty() || (m_options.patience > 0 && m_leastAt == step)) return {};
    for (size_t i = 0; i < parameters.flatSize(); ++i) {
        double sum = 0;
        for (const std::vector<float>& state : m_states)
            sum += static_cast<double>(state[i]);
        parameters.flat()[i] = static_cast<float>(sum / static_cast<double>(m_states.size()));
    }
    if (m_options.patience > 0) return sayLeast(m_leastAt);
    return "the mean of the weights at the last " + std::to_string(m_states.size()) + " validations";
}

std::string KeptWeights::sayLeast(long step) {
    return "the weights of step " + std::to_string(step) + ", where the validation loss was least";
}

}  // namespace headlight
