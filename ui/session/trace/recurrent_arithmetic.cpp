// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/recurrent_arithmetic.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/module_weights.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

using As = UsedWeight::As;

struct RecurrentArithmeticText {
    Q_DECLARE_TR_FUNCTIONS(RecurrentArithmetic)
};

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

std::vector<float> stateAt(const TraceRecord& record, int row) {
    const std::span<const float> values = matrixRow(record, 0, row);
    return {values.begin(), values.end()};
}

/// The values of the recurrent layer that made a record.
class Layer {
public:
    Layer(const TrainedModel& model, const Trace& trace, const Module& module)
        : m_model(model), m_trace(trace), m_module(module) {}

    Cell cell() const { return m_module.cell; }
    const TraceRecord& at(Part part) const { return *m_trace.find(m_module, part); }
    /// The rows of a value before this one: of the word before, or what the layer began with.
    std::vector<float> before(Part part, int row) const;

private:
    std::vector<float> initial(Part part) const;
    const TraceRecord* encoders(Part part, Direction direction) const;

    const TrainedModel& m_model;
    const Trace& m_trace;
    const Module& m_module;
};

std::vector<float> Layer::before(Part part, int row) const {
    const TraceRecord& record = at(part);
    const int earlier = m_module.direction == Direction::Backward ? row + 1 : row - 1;
    return earlier < 0 || earlier >= matrixRows(record) ? initial(part) : stateAt(record, earlier);
}

/// The same value of the encoder's layer of that number.
const TraceRecord* Layer::encoders(Part part, Direction direction) const {
    for (const TraceRecord& record : m_trace.records()) {
        const Module& module = record.owner();
        if (record.is(ModuleKind::Recurrent, part) && module.direction == direction &&
            module.place == ModulePlace{Stack::Encoder, Section::Layer, m_module.place.layer})
            return &record;
    }
    return nullptr;
}

/// Zeros, or in a decoder what the encoder's layer of that number ended with.
std::vector<float> Layer::initial(Part part) const {
    const TraceRecord* const forward = encoders(part, Direction::Forward);
    if (m_module.place.stack != Stack::Decoder || m_model.network->config().context != ContextUse::InitialState ||
        !forward)
        return std::vector<float>(static_cast<size_t>(m_module.width));
    std::vector<float> last = stateAt(*forward, matrixRows(*forward) - 1);
    const TraceRecord* const reverse = encoders(part, Direction::Backward);
    const auto bridged = std::ranges::find_if(
        m_trace.records(), [](const TraceRecord& record) { return record.is(ModuleKind::Bridge, Part::Output); });
    if (!reverse || bridged == m_trace.records().end()) return last;
    const std::span<const float> first = matrixRow(*reverse, 0, 0);
    last.insert(last.end(), first.begin(), first.end());
    const Tensor<const float> bridge = weightOf(m_model, *bridged, As::Matrix),
                              bias = weightOf(m_model, *bridged, As::Bias);
    std::vector<float> result;
    result.reserve(static_cast<size_t>(bridge.rows()));
    for (int d = 0; d < bridge.rows(); ++d)
        result.push_back(std::tanh(std::inner_product(last.begin(), last.end(), bridge.row(d), bias.data[d])));
    return result;
}

class RecurrentWriter {
public:
    RecurrentWriter(const TrainedModel& model, const Trace& trace, const TraceRecord& record, const ValueCell& cell)
        : m_model(model), m_layer(model, trace, record.owner()), m_trace(trace), m_record(record), m_cell(cell) {}

    CellArithmetic write() {
        if (m_record.part == Part::Cell)
            cellState();
        else if (m_record.part == Part::State && m_layer.cell() == Cell::Lstm)
            lstmState();
        else if (m_record.part == Part::State && m_layer.cell() == Cell::Gru)
            gruState();
        else
            gate();
        return std::move(m_result);
    }

private:
    double at(Part part) const { return static_cast<double>(numberAt(m_layer.at(part), m_cell)); }
    double earlier(Part part) const {
        return static_cast<double>(m_layer.before(part, m_cell.row)[static_cast<size_t>(m_cell.column)]);
    }
    void step(const QString& text, double value) { m_result.steps.push_back({text, value}); }
    double product(As matrix, const std::vector<float>& with) const {
        const float* const numbers = weightOf(m_model, m_record, matrix).row(weightRow(m_record, matrix, m_cell));
        return std::inner_product(with.begin(), with.end(), numbers, 0.0);
    }
    double bias(As which) const {
        const Tensor<const float> found = weightOf(m_model, m_record, which);
        return found ? static_cast<double>(found.data[weightRow(m_record, which, m_cell)]) : 0;
    }
    void gate();
    void cellState();
    void lstmState();
    void gruState();

    const TrainedModel& m_model;
    const Layer m_layer;
    const Trace& m_trace;
    const TraceRecord& m_record;
    const ValueCell m_cell;
    CellArithmetic m_result;
};

/// Gates, candidates, and the state of a plain network, which is a candidate and nothing else.
void RecurrentWriter::gate() {
    std::vector<float> x;
    for (const std::string& name : m_record.inputs) {
        const std::span<const float> part = matrixRow(m_trace.at(name), 0, m_cell.row);
        x.insert(x.end(), part.begin(), part.end());
    }
    const std::vector<float> state = m_layer.before(Part::State, m_cell.row);
    const bool resets = m_record.part == Part::Candidate && m_layer.cell() == Cell::Gru;
    m_result.formula = formulaText(m_record);
    if (resets)
        m_result.formula =
            RecurrentArithmeticText::tr("tanh(W x<sub>t</sub> + b + r ⊙ (U h<sub>t−1</sub> + b<sub>h</sub>))");
    double sum = product(As::Matrix, x);
    step(RecurrentArithmeticText::tr("The word: W x"), sum);
    double past = product(As::StateMatrix, state) + bias(As::StateBias);
    const bool hasStateBias = m_record.weight(As::StateBias) != nullptr;
    const QString what = hasStateBias ? RecurrentArithmeticText::tr("the state before with its bias: U h + b")
                                      : RecurrentArithmeticText::tr("the state before: U h");
    if (resets) {
        const double reset = at(Part::ResetGate);
        step(RecurrentArithmeticText::tr("In brackets, %1").arg(what), past);
        past *= reset;
        step(RecurrentArithmeticText::tr("Times the reset gate, %1").arg(formatNumber(reset, 4)), past);
        step(RecurrentArithmeticText::tr("Add that to W x"), sum += past);
    } else {
        step(RecurrentArithmeticText::tr("Add %1, %2").arg(what, formatNumber(past, 4)), sum += past);
    }
    const double own = bias(As::Bias);
    step(RecurrentArithmeticText::tr("Add the bias %1").arg(formatNumber(own, 4)), sum += own);
    if (m_record.operation == Operation::Gate)
        step(RecurrentArithmeticText::tr("Squash by σ to 0 … 1"), sigmoid(sum));
    else
        step(RecurrentArithmeticText::tr("Squash by tanh"), std::tanh(sum));
}

void RecurrentWriter::cellState() {
    const double kept = at(Part::ForgetGate), entering = at(Part::InputGate), proposed = at(Part::Candidate),
                 past = earlier(Part::Cell);
    m_result.formula = formulaText(m_record);
    step(RecurrentArithmeticText::tr("Keep: %1 of %2").arg(formatNumber(kept, 4), formatNumber(past, 4)), kept * past);
    step(RecurrentArithmeticText::tr("Let in: %1 of %2").arg(formatNumber(entering, 4), formatNumber(proposed, 4)),
         entering * proposed);
    step(RecurrentArithmeticText::tr("Add the two"), kept * past + entering * proposed);
}

void RecurrentWriter::lstmState() {
    const double cell = at(Part::Cell), shown = at(Part::OutputGate);
    m_result.formula = formulaText(m_record);
    step(RecurrentArithmeticText::tr("The cell"), cell);
    step(RecurrentArithmeticText::tr("Squash by tanh"), std::tanh(cell));
    step(RecurrentArithmeticText::tr("Times the output gate, %1").arg(formatNumber(shown, 4)), shown * std::tanh(cell));
}

void RecurrentWriter::gruState() {
    const double update = at(Part::UpdateGate), proposed = at(Part::Candidate), past = earlier(Part::State);
    m_result.formula = formulaText(m_record);
    step(RecurrentArithmeticText::tr("Keep: %1 of %2").arg(formatNumber(update, 4), formatNumber(past, 4)),
         update * past);
    step(RecurrentArithmeticText::tr("Let in: %1 of %2").arg(formatNumber(1 - update, 4), formatNumber(proposed, 4)),
         (1 - update) * proposed);
    step(RecurrentArithmeticText::tr("Add the two"), update * past + (1 - update) * proposed);
}

}  // namespace

std::optional<CellArithmetic> recurrentArithmetic(const TrainedModel& model, const Trace& trace,
                                                  const TraceRecord& record, const ValueCell& cell) {
    return RecurrentWriter(model, trace, record, cell).write();
}

}  // namespace headlight
