// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/autograd/recurrent.h"
#include "core/nn/context.h"

namespace headlight {

/// torch.nn.RNN, GRU or LSTM: one layer in one direction, over sentences side by side (rows time-major).
/// Traced, as the cell has them: gates.input, gates.forget, gates.cell_candidate, gates.output, cell (LSTM);
/// gates.reset, gates.update, gates.candidate (GRU); hidden.
class RecurrentLayer {
public:
    struct Options {
        Cell cell = Cell::Lstm;
        int inputSize = 0;
        int hiddenSize = 0;
        std::string fileScope;  ///< `encoder`
        std::string suffix;     ///< `l0`, `l1_reverse`
        std::string traceScope;
        ModulePlace place = {};
        Direction direction = Direction::Forward;
    };
    /// Of all sentences, [batch, h]. Null: zeros. `cell` is the LSTM's.
    struct State {
        Variable<float> hidden;
        Variable<float> cell;
    };

    RecurrentLayer(ParameterSet& parameters, Options options);

    /// x [steps·batch, input] → every step's state.
    ops::RecurrentOutput<float> forward(ForwardContext& context, const Value& x, int batch, const State& start) const;
    /// Shows the states to the tracer; batch 1. `inputs` are the values that stand side by side in what it read.
    /// Returns the name of the hidden states.
    std::string record(ForwardContext& context, const ops::RecurrentOutput<float>& output,
                       const std::vector<std::string>& inputs, Axis tokens) const;

private:
    /// Has the operation ask what is to be changed of each step. `asked` lives as long as it.
    struct Asked {
        const ForwardContext& context;
        const RecurrentLayer& layer;
        int steps;
    };
    void askEachStep(ops::RecurrentInput<float>& input, Asked& asked) const;
    std::string nameOf(ops::RecurrentValue value) const;
    bool changeStep(const Asked& asked, ops::RecurrentValue value, int step, const Tensor<float>& numbers) const;
    /// With the weights whose rows make the gate of that number.
    Origin madeByGate(Part part, Operation operation, int gate) const;

    Options m_options;
    ModuleRef m_module;
    ParameterId m_inputWeight;
    ParameterId m_hiddenWeight;
    ParameterId m_inputBias;
    ParameterId m_hiddenBias = -1;  ///< GRU only
};

}  // namespace headlight
