// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/context.h"

#include <algorithm>

namespace headlight {

std::string join(const std::string& scope, std::string_view name) {
    return scope.empty() ? std::string(name) : scope + "." + std::string(name);
}

Variable<float> ForwardContext::parameter(ParameterId id) const {
    const Tensor<const float> value = parameters.value(id);
    // The tape only reads weights; it has one type for all values.
    Variable<float> result{{const_cast<float*>(value.data), value.shape}};
    if (!gradientMemory.empty())
        result.memory = &gradientMemory[static_cast<size_t>(id)];
    else if (gradients)
        result.memory = new (tape.arena().allocate(sizeof(GradientMemory<float>)))
            GradientMemory<float>{parameters.view(id, gradients).data, value.count(), false};
    return result;
}

bool ForwardContext::changes(std::string_view place) const {
    return std::ranges::any_of(interventions, [&](const Intervention& each) { return each.place == place; });
}

void ForwardContext::change(std::string_view place, const Tensor<float>& value, int heads) const {
    const bool oneStep = position >= 0;
    applyInterventions(interventions, place, value,
                       {.heads = heads, .first = oneStep ? position : 0, .stride = oneStep ? 0 : 1});
}

void ForwardContext::record(Value& value, std::string name, Origin origin, std::vector<Axis> axes,
                            std::vector<int> shape, std::vector<std::string> inputs) const {
    // Ids are numbers of words: what is read is the embedding's.
    if (intervening() && shape.size() > 1) change(name, value.variable.value, shape.size() > 2 ? shape.front() : 1);
    show(value, std::move(name), std::move(origin), std::move(axes), std::move(shape), std::move(inputs));
}

void ForwardContext::show(Value& value, std::string name, Origin origin, std::vector<Axis> axes, std::vector<int> shape,
                          std::vector<std::string> inputs) const {
    value.name = std::move(name);
    if (kept) kept->emplace(value.name, value.variable);
    if (!tracer || !tracer->wants(value.name)) return;
    TraceRecord entry;
    entry.name = value.name;
    entry.operation = origin.operation;
    entry.axes = std::move(axes);
    entry.shape = std::move(shape);
    entry.inputs = std::move(inputs);
    entry.module = std::move(origin.module);
    entry.part = origin.part;
    entry.weights = std::move(origin.weights);
    entry.factor = origin.factor;
    tracer->observe(std::move(entry), value.variable.value);
}

void ForwardContext::record(Value& value, std::string name, Origin origin, Axis tokens, std::vector<std::string> inputs,
                            Axis features) const {
    record(value, std::move(name), std::move(origin), {tokens, features},
           {value.variable.rows(), value.variable.cols()}, std::move(inputs));
}

}  // namespace headlight
