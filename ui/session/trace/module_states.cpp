// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/module_states.h"

#include <cmath>

#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

constexpr int kBins = 32;

}  // namespace

std::vector<ModuleState> moduleStates(const Model& model, const std::vector<double>& gradientNorms) {
    const ParameterSet& parameters = model.parameters();
    std::vector<QString> names;
    std::vector<double> squares;
    std::vector<std::vector<float>> weights;
    for (size_t i = 0; i < parameters.entries().size(); ++i) {
        const ParameterSet::Entry& entry = parameters.entries()[i];
        const QString module = entry.module ? moduleTitle(*entry.module) : QString();
        size_t at = 0;
        while (at < names.size() && names[at] != module)
            ++at;
        if (at == names.size()) {
            names.push_back(module);
            squares.push_back(0);
            weights.emplace_back();
        }
        squares[at] += gradientNorms[i] * gradientNorms[i];
        const float* const first = parameters.value(static_cast<ParameterId>(i)).data;
        weights[at].insert(weights[at].end(), first, first + entry.shape.count());
    }
    std::vector<ModuleState> states;
    states.reserve(names.size());
    for (size_t i = 0; i < names.size(); ++i)
        states.push_back({names[i], std::sqrt(squares[i]), histogramOf(weights[i], kBins)});
    return states;
}

}  // namespace headlight
