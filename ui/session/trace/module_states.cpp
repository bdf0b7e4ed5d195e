// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/module_states.h"

#include <cmath>

#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

constexpr int kBins = 32;

QString moduleTitle(const std::string& module) {
    QString title = scopeTitle(module);
    title.replace(u'_', u' ');
    if (!title.isEmpty()) title[0] = title[0].toUpper();
    return title;
}

}  // namespace

std::string moduleOfWeight(const std::string& weight) {
    std::string name = weight;
    constexpr std::string_view prefix = "transformer.";
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
    name.erase(name.rfind('.'));
    const auto replaceEnd = [&](std::string_view end, std::string_view by) {
        if (name.ends_with(end)) name.replace(name.size() - end.size(), end.size(), by);
    };
    replaceEnd(".out_proj", "");
    replaceEnd("multihead_attn", "cross_attn");
    replaceEnd("linear1", "ffn");
    replaceEnd("linear2", "ffn");
    for (const char* norm : {"norm1", "norm2", "norm3"})
        replaceEnd(norm, "norm");
    return name;
}

std::vector<ModuleState> moduleStates(const Model& model, const std::vector<double>& gradientNorms) {
    const ParameterSet& parameters = model.parameters();
    std::vector<std::string> names;
    std::vector<double> squares;
    std::vector<std::vector<float>> weights;
    for (size_t i = 0; i < parameters.entries().size(); ++i) {
        const ParameterSet::Entry& entry = parameters.entries()[i];
        const std::string module = moduleOfWeight(entry.name);
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
        states.push_back({moduleTitle(names[i]), std::sqrt(squares[i]), histogramOf(weights[i], kBins)});
    return states;
}

}  // namespace headlight
