// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/recurrent.h"

namespace headlight {

namespace {

struct GateName {
    const char* name;
    Operation operation;
};

/// In the order in which the gates stand side by side.
std::vector<GateName> gateNames(Cell cell) {
    switch (cell) {
        case Cell::Rnn:
            return {};
        case Cell::Gru:
            return {{"reset", Operation::Gate}, {"update", Operation::Gate}, {"candidate", Operation::Candidate}};
        case Cell::Lstm:
            return {{"input", Operation::Gate},
                    {"forget", Operation::Gate},
                    {"cell_candidate", Operation::Candidate},
                    {"output", Operation::Gate}};
    }
    return {};
}

}  // namespace

RecurrentLayer::RecurrentLayer(ParameterSet& parameters, Options options) : m_options(std::move(options)) {
    const int h = m_options.hiddenSize, gates = gatesOf(m_options.cell) * h;
    // torch.nn.RNN starts all its weights and biases within ±1/√h.
    const auto add = [&](const char* name, Shape shape) {
        return parameters.add(m_options.fileScope + "." + name + "_" + m_options.suffix, shape, Init::FanInUniform, h);
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
    return ops::recurrent(context.tape, input);
}

std::string RecurrentLayer::record(ForwardContext& context, const ops::RecurrentOutput<float>& output,
                                   const std::string& input, Axis tokens) const {
    const std::string& scope = m_options.traceScope;
    std::vector<std::string> made;
    int first = 0;
    for (const GateName& gate : gateNames(m_options.cell)) {
        Value value{{output.gates.columns(first, m_options.hiddenSize), {}}};
        context.record(value, scope, std::string("gates.") + gate.name, gate.operation, tokens, {input});
        made.push_back(value.name);
        first += m_options.hiddenSize;
    }
    if (m_options.cell == Cell::Lstm) {
        Value cell{output.cell};
        context.record(cell, scope, "cell", Operation::CellState, tokens, {made[1], made[0], made[2]});
        made = {made[3], cell.name};
    }
    if (made.empty()) made = {input};
    Value hidden{output.hidden};
    context.record(hidden, scope, "hidden", Operation::HiddenState, tokens, made);
    return hidden.name;
}

}  // namespace headlight
