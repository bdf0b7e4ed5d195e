// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/recurrent_arithmetic.h"

#include <QCoreApplication>
#include <cmath>
#include <numeric>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("RecurrentArithmetic", text);
}

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

/// A recurrent layer of the trace with its weights: `encoder.layers.0`, `decoder.layers.1`, `layers.0`, ….
class Layer {
public:
    Layer(const TrainedModel& model, const Trace& trace, const std::string& recordName)
        : m_model(model), m_trace(trace), m_scope(scopeOf(recordName)) {
        m_reverse = m_scope.ends_with(".reverse");
        const std::string forward = m_reverse ? m_scope.substr(0, m_scope.size() - 8) : m_scope;
        const size_t at = forward.find("layers.");
        m_stack = at == 0 ? std::string() : forward.substr(0, at - 1);
        m_number = forward.substr(at + 7);
    }

    const TraceRecord* find(const std::string& part) const { return m_trace.find(m_scope + "." + part); }
    int width() const { return matrixColumns(*find("hidden")); }
    Tensor<const float> weight(const char* name) const {
        const std::string file = m_stack.empty() ? "rnn" : m_stack;
        return std::as_const(*m_model.network)
            .parameters()
            .value(file + "." + name + "_l" + m_number + (m_reverse ? "_reverse" : ""));
    }
    /// The rows of a value before this one: of the word before, or what the layer began with.
    std::vector<float> before(const std::string& part, int row) const;
    std::vector<float> rowOf(const TraceRecord& record, int row) const {
        const std::span<const float> all = matrixValues(record, 0);
        const auto width = static_cast<size_t>(matrixColumns(record));
        const auto from = all.subspan(static_cast<size_t>(row) * width, width);
        return {from.begin(), from.end()};
    }

private:
    std::vector<float> initial(const std::string& part) const;

    const TrainedModel& m_model;
    const Trace& m_trace;
    std::string m_scope, m_stack, m_number;
    bool m_reverse = false;
};

std::vector<float> Layer::before(const std::string& part, int row) const {
    const TraceRecord& record = *find(part);
    const int earlier = m_reverse ? row + 1 : row - 1;
    return earlier < 0 || earlier >= matrixRows(record) ? initial(part) : rowOf(record, earlier);
}

/// Zeros, or in a decoder what the encoder's layer of that number ended with.
std::vector<float> Layer::initial(const std::string& part) const {
    const std::string encoder = "encoder.layers." + m_number + ".";
    const TraceRecord* forward = m_trace.find(encoder + part);
    if (m_stack != "decoder" || m_model.network->config().context != ContextUse::InitialState || !forward)
        return std::vector<float>(static_cast<size_t>(width()));
    std::vector<float> last = rowOf(*forward, matrixRows(*forward) - 1);
    const TraceRecord* reverse = m_trace.find(encoder + "reverse." + part);
    if (!reverse) return last;
    const std::vector<float> first = rowOf(*reverse, 0);
    last.insert(last.end(), first.begin(), first.end());
    const ParameterSet& weights = std::as_const(*m_model.network).parameters();
    const Tensor<const float> bridge = weights.value("bridge.weight"), bias = weights.value("bridge.bias");
    std::vector<float> result;
    result.reserve(static_cast<size_t>(bridge.rows()));
    for (int d = 0; d < bridge.rows(); ++d)
        result.push_back(std::tanh(std::inner_product(last.begin(), last.end(), bridge.row(d), bias.data[d])));
    return result;
}

class Writer {
public:
    Writer(const TrainedModel& model, const Trace& trace, const TraceRecord& record, const ValueCell& cell)
        : m_layer(model, trace, record.name), m_trace(trace), m_record(record), m_cell(cell) {}

    CellArithmetic write() {
        const std::string part = m_record.name.substr(m_record.name.rfind('.') + 1);
        if (part == "cell")
            cellState();
        else if (part == "hidden" && m_layer.find("cell"))
            lstmState();
        else if (part == "hidden" && m_layer.find("gates.update"))
            gruState();
        else
            gate(part);
        return std::move(m_result);
    }

private:
    double at(const std::string& part) const { return static_cast<double>(numberAt(*m_layer.find(part), m_cell)); }
    double earlier(const std::string& part) const {
        return static_cast<double>(m_layer.before(part, m_cell.row)[static_cast<size_t>(m_cell.column)]);
    }
    void step(const QString& text, double value) { m_result.steps.push_back({text, value}); }
    double product(const char* weight, int row, const std::vector<float>& with) const {
        const float* const numbers = m_layer.weight(weight).row(row);
        return std::inner_product(with.begin(), with.end(), numbers, 0.0);
    }
    double bias(const char* name, int row) const {
        const Tensor<const float> found = m_layer.weight(name);
        return found ? static_cast<double>(found.data[row]) : 0;
    }
    int gateRow(const std::string& part) const {
        const bool lstm = m_layer.find("cell") != nullptr;
        int index = 0;
        if (lstm) index = part == "input" ? 0 : part == "forget" ? 1 : part == "cell_candidate" ? 2 : 3;
        if (!lstm) index = part == "update" ? 1 : part == "candidate" ? 2 : 0;
        return index * m_layer.width() + m_cell.column;
    }
    void gate(const std::string& part);
    void cellState();
    void lstmState();
    void gruState();

    const Layer m_layer;
    const Trace& m_trace;
    const TraceRecord& m_record;
    const ValueCell m_cell;
    CellArithmetic m_result;
};

/// Gates, candidates, and the state of a plain network, which is a candidate and nothing else.
void Writer::gate(const std::string& part) {
    const int row = gateRow(part);
    const std::vector<float> x = m_layer.rowOf(m_trace.at(m_record.inputs.at(0)), m_cell.row);
    const std::vector<float> state = m_layer.before("hidden", m_cell.row);
    const bool resets = part == "candidate";
    m_result.formula = formulaText(m_record);
    if (resets) m_result.formula = tr("tanh(W x<sub>t</sub> + b + r ⊙ (U h<sub>t−1</sub> + b<sub>h</sub>))");
    double sum = product("weight_ih", row, x);
    step(tr("The word: W x"), sum);
    double past = product("weight_hh", row, state) + bias("bias_hh", row);
    const bool hasStateBias = static_cast<bool>(m_layer.weight("bias_hh"));
    const QString what = hasStateBias ? tr("the state before with its bias: U h + b") : tr("the state before: U h");
    if (resets) {
        const double reset = at("gates.reset");
        step(tr("In brackets, %1").arg(what), past);
        past *= reset;
        step(tr("Times the reset gate, %1").arg(formatNumber(reset, 4)), past);
        step(tr("Add that to W x"), sum += past);
    } else {
        step(tr("Add %1, %2").arg(what, formatNumber(past, 4)), sum += past);
    }
    const double own = bias("bias_ih", row);
    step(tr("Add the bias %1").arg(formatNumber(own, 4)), sum += own);
    if (m_record.operation == Operation::Gate)
        step(tr("Squash by σ to 0 … 1"), sigmoid(sum));
    else
        step(tr("Squash by tanh"), std::tanh(sum));
}

void Writer::cellState() {
    const double kept = at("gates.forget"), entering = at("gates.input"), proposed = at("gates.cell_candidate"),
                 past = earlier("cell");
    m_result.formula = formulaText(m_record);
    step(tr("Keep: %1 of %2").arg(formatNumber(kept, 4), formatNumber(past, 4)), kept * past);
    step(tr("Let in: %1 of %2").arg(formatNumber(entering, 4), formatNumber(proposed, 4)), entering * proposed);
    step(tr("Add the two"), kept * past + entering * proposed);
}

void Writer::lstmState() {
    const double cell = at("cell"), shown = at("gates.output");
    m_result.formula = formulaText(m_record);
    step(tr("The cell"), cell);
    step(tr("Squash by tanh"), std::tanh(cell));
    step(tr("Times the output gate, %1").arg(formatNumber(shown, 4)), shown * std::tanh(cell));
}

void Writer::gruState() {
    const double update = at("gates.update"), proposed = at("gates.candidate"), past = earlier("hidden");
    m_result.formula = formulaText(m_record);
    step(tr("Keep: %1 of %2").arg(formatNumber(update, 4), formatNumber(past, 4)), update * past);
    step(tr("Let in: %1 of %2").arg(formatNumber(1 - update, 4), formatNumber(proposed, 4)), (1 - update) * proposed);
    step(tr("Add the two"), update * past + (1 - update) * proposed);
}

}  // namespace

std::optional<CellArithmetic> recurrentArithmetic(const TrainedModel& model, const Trace& trace,
                                                  const TraceRecord& record, const ValueCell& cell) {
    return Writer(model, trace, record, cell).write();
}

}  // namespace headlight
