// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/recurrent.h"

namespace headlight {

namespace {

struct GateName {
    const char* name;
    Part part;
    Operation operation;
};

/// In the order in which the gates stand side by side.
std::vector<GateName> gateNames(Cell cell) {
    switch (cell) {
        case Cell::Rnn:
            return {};
        case Cell::Gru:
            return {{"reset", Part::ResetGate, Operation::Gate},
                    {"update", Part::UpdateGate, Operation::Gate},
                    {"candidate", Part::Candidate, Operation::Candidate}};
        case Cell::Lstm:
            return {{"input", Part::InputGate, Operation::Gate},
                    {"forget", Part::ForgetGate, Operation::Gate},
                    {"cell_candidate", Part::Candidate, Operation::Candidate},
                    {"output", Part::OutputGate, Operation::Gate}};
    }
    return {};
}

}  // namespace

RecurrentLayer::RecurrentLayer(ParameterSet& parameters, Options options)
    : m_options(std::move(options)),
      m_module(parameters.addModule({.kind = ModuleKind::Recurrent,
                                     .scope = m_options.traceScope,
                                     .place = m_options.place,
                                     .direction = m_options.direction,
                                     .cell = m_options.cell,
                                     .width = m_options.hiddenSize})) {
    const int h = m_options.hiddenSize, gates = gatesOf(m_options.cell) * h;
    // torch.nn.RNN starts all its weights and biases within ±1/√h.
    const auto add = [&](const char* name, Shape shape) {
        return parameters.add(m_module, m_options.fileScope + "." + name + "_" + m_options.suffix, shape,
                              Init::FanInUniform, h);
    };
    m_inputWeight = add("weight_ih", {gates, m_options.inputSize});
    m_hiddenWeight = add("weight_hh", {gates, h});
    m_inputBias = add("bias_ih", {gates});
    const std::string hiddenBias = m_options.fileScope + ".bias_hh_" + m_options.suffix;
    if (m_options.cell == Cell::Gru)
        m_hiddenBias = add("bias_hh", {gates});
    else
        parameters.setTwin(m_inputBias, hiddenBias);  // one bias a gate says all that two can
}

ops::RecurrentOutput<float> RecurrentLayer::forward(ForwardContext& context, const Value& x, int batch,
                                                    const State& start) const {
    ops::RecurrentInput<float> input;
    input.cell = m_options.cell;
    input.gates =
        ops::linear(context.tape, x.variable, context.parameter(m_inputWeight), context.parameter(m_inputBias));
    input.weight = context.parameter(m_hiddenWeight);
    if (m_options.cell == Cell::Gru) input.stateBias = context.parameter(m_hiddenBias);
    input.hidden0 = start.hidden;
    input.cell0 = start.cell;
    input.batch = batch;
    input.steps = x.variable.rows() / batch;
    Asked asked{context, *this, input.steps};
    if (context.intervening()) askEachStep(input, asked);
    return ops::recurrent(context.tape, input);
}

std::string RecurrentLayer::nameOf(ops::RecurrentValue value) const {
    switch (value.kind) {
        case ops::RecurrentValue::Kind::Gate:
            return join(m_module->scope,
                        std::string("gates.") + gateNames(m_options.cell)[static_cast<size_t>(value.gate)].name);
        case ops::RecurrentValue::Kind::Cell:
            return join(m_module->scope, "cell");
        case ops::RecurrentValue::Kind::Hidden:
            return join(m_module->scope, "hidden");
    }
    return {};
}

bool RecurrentLayer::changeStep(const Asked& asked, ops::RecurrentValue value, int step,
                                const Tensor<float>& numbers) const {
    const std::string place = nameOf(value);
    if (!asked.context.changes(place)) return false;
    // The other direction reads the sentence from its end.
    const int word = m_options.direction == Direction::Backward ? asked.steps - 1 - step : step;
    const int position = asked.context.position >= 0 ? asked.context.position : word;
    applyInterventions(asked.context.interventions, place, numbers, {.first = position, .stride = 0});
    return true;
}

void RecurrentLayer::askEachStep(ops::RecurrentInput<float>& input, Asked& asked) const {
    input.observer = &asked;
    input.onStep = [](void* observer, ops::RecurrentValue value, int step, const Tensor<float>& numbers) {
        const Asked& to = *static_cast<const Asked*>(observer);
        return to.layer.changeStep(to, value, step, numbers);
    };
}

Origin RecurrentLayer::madeByGate(Part part, Operation operation, int gate) const {
    using As = UsedWeight::As;
    const int row = gate * m_options.hiddenSize;
    Origin origin{
        m_module,
        part,
        operation,
        {{As::Matrix, m_inputWeight, row}, {As::Bias, m_inputBias, row}, {As::StateMatrix, m_hiddenWeight, row}}};
    if (m_hiddenBias >= 0) origin.weights.push_back({As::StateBias, m_hiddenBias, row});
    return origin;
}

std::string RecurrentLayer::record(ForwardContext& context, const ops::RecurrentOutput<float>& output,
                                   const std::vector<std::string>& inputs, Axis tokens) const {
    const auto name = [&](const std::string& part) { return join(m_module->scope, part); };
    const std::vector<GateName> gates = gateNames(m_options.cell);
    // What was to be changed was changed as each step was made.
    const std::vector<Axis> axes{tokens, Axis::Feature};
    const std::vector<int> shape{output.hidden.rows(), m_options.hiddenSize};
    std::vector<std::string> made;
    for (size_t i = 0; i < gates.size(); ++i) {
        const int gate = static_cast<int>(i);
        Value value{{output.gates.columns(gate * m_options.hiddenSize, m_options.hiddenSize), {}}};
        context.show(value, name(std::string("gates.") + gates[i].name),
                     madeByGate(gates[i].part, gates[i].operation, gate), axes, shape, inputs);
        made.push_back(value.name);
    }
    if (m_options.cell == Cell::Lstm) {
        Value cell{output.cell};
        context.show(cell, name("cell"), {m_module, Part::Cell, Operation::CellState}, axes, shape,
                     {made[1], made[0], made[2]});
        made = {made[3], cell.name};
    }
    Value hidden{output.hidden};
    const bool plain = m_options.cell == Cell::Rnn;
    context.show(hidden, name("hidden"),
                 plain ? madeByGate(Part::State, Operation::HiddenState, 0)
                       : Origin{m_module, Part::State, Operation::HiddenState},
                 axes, shape, plain ? inputs : made);
    return hidden.name;
}

}  // namespace headlight
