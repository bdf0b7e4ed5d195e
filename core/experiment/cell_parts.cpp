// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/cell_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/trace/record_row.h"

namespace headlight {

namespace {

using As = UsedWeight::As;
using ColumnKind = CellColumn::Kind;
using Range = CellColumn::Range;
using Numbers = std::vector<double>;

Numbers times(const Numbers& left, const Numbers& right) {
    Numbers product(left.size());
    std::ranges::transform(left, right, product.begin(), std::multiplies());
    return product;
}

Numbers complement(Numbers shares) {
    for (double& share : shares)
        share = 1 - share;
    return shares;
}

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

/// The same value of the encoder's layer of that number.
const TraceRecord* encoders(const Trace& trace, const Module& layer, Part part, Direction direction) {
    const auto& all = trace.records();
    const auto found = std::ranges::find_if(all, [&](const TraceRecord& record) {
        const Module& module = record.owner();
        return record.is(ModuleKind::Recurrent, part) && module.direction == direction &&
               module.place == ModulePlace{Stack::Encoder, Section::Layer, layer.place.layer};
    });
    return found == all.end() ? nullptr : &*found;
}

Tensor<const float> weightIn(const TrainedModel& model, const TraceRecord& record, As as) {
    const UsedWeight* const used = record.weight(as);
    const Model& network = *model.network;
    return used ? network.parameters().value(used->parameter) : Tensor<const float>();
}

/// Zeros, or in a decoder what the encoder's layer of that number ended with: its last states, through the bridge where
/// it read both ways.
std::vector<float> initialState(const TrainedModel& model, const Trace& trace, const Module& layer, Part part) {
    const TraceRecord* const forward = encoders(trace, layer, part, Direction::Forward);
    if (layer.place.stack != Stack::Decoder || model.network->config().context != ContextUse::InitialState || !forward)
        return std::vector<float>(static_cast<size_t>(layer.width));
    const std::span<const float> ended = rowOf(*forward, forward->dim(0) - 1);
    std::vector<float> last(ended.begin(), ended.end());
    const TraceRecord* const reverse = encoders(trace, layer, part, Direction::Backward);
    const auto bridged = std::ranges::find_if(
        trace.records(), [](const TraceRecord& record) { return record.is(ModuleKind::Bridge, Part::Output); });
    if (!reverse || bridged == trace.records().end()) return last;
    const std::span<const float> first = rowOf(*reverse, 0);
    last.insert(last.end(), first.begin(), first.end());
    const Tensor<const float> bridge = weightIn(model, *bridged, As::Matrix),
                              bias = weightIn(model, *bridged, As::Bias);
    std::vector<float> result;
    result.reserve(static_cast<size_t>(bridge.rows()));
    for (int unit = 0; unit < bridge.rows(); ++unit)
        result.push_back(std::tanh(std::inner_product(last.begin(), last.end(), bridge.row(unit), bias.data[unit])));
    return result;
}

}  // namespace

std::vector<float> stateBefore(const TrainedModel& model, const Trace& trace, const Module& layer, Part part,
                               int word) {
    const TraceRecord& record = *trace.find(layer, part);
    const int earlier = layer.direction == Direction::Backward ? word + 1 : word - 1;
    if (earlier < 0 || earlier >= record.dim(0)) return initialState(model, trace, layer, part);
    const std::span<const float> values = rowOf(record, earlier);
    return {values.begin(), values.end()};
}

CellParts::CellParts(const TrainedModel& model, const Trace& trace, const Module& layer)
    : m_model(&model), m_trace(&trace), m_layer(&layer) {}

int CellParts::words() const {
    return m_trace->find(*m_layer, Part::State)->dim(0);
}

Numbers CellParts::row(Part part, int word) const {
    const std::span<const float> values = rowOf(*m_trace->find(*m_layer, part), word);
    return {values.begin(), values.end()};
}

double CellParts::at(Part part, int word, int unit) const {
    return static_cast<double>(rowOf(*m_trace->find(*m_layer, part), word)[static_cast<size_t>(unit)]);
}

/// x: what stands side by side in front of the cell.
Numbers CellParts::read(int word) const {
    const Part any = cell() == Cell::Rnn ? Part::State : Part::Candidate;
    Numbers x;
    for (const std::string& name : m_trace->find(*m_layer, any)->inputs) {
        const std::span<const float> part = rowOf(m_trace->at(name), word);
        x.insert(x.end(), part.begin(), part.end());
    }
    return x;
}

Tensor<const float> CellParts::weight(const TraceRecord& record, As as) const {
    return weightIn(*m_model, record, as);
}

GateSum CellParts::sum(Part part, const Numbers& x, const Numbers& before, int word, int unit) const {
    const TraceRecord& record = *m_trace->find(*m_layer, part);
    const auto product = [&](As as, const Numbers& with) {
        const float* const row = weight(record, as).row(record.weight(as)->firstRow + unit);
        return std::inner_product(with.begin(), with.end(), row, 0.0);
    };
    const auto bias = [&](As as) {
        const Tensor<const float> found = weight(record, as);
        return found ? static_cast<double>(found.data[record.weight(as)->firstRow + unit]) : 0.0;
    };
    GateSum result;
    result.gate = part;
    result.isTanh = part == Part::Candidate || part == Part::State;
    result.word = product(As::Matrix, x);
    result.past = product(As::StateMatrix, before);
    result.bias = bias(As::Bias);
    const bool isReset = cell() == Cell::Gru && part == Part::Candidate;
    (isReset ? result.pastBias : result.bias) += bias(As::StateBias);
    if (isReset) result.reset = at(Part::ResetGate, word, unit);
    result.sum = result.word + result.reset * (result.past + result.pastBias) + result.bias;
    result.value = result.isTanh ? std::tanh(result.sum) : sigmoid(result.sum);
    return result;
}

std::vector<GateSum> CellParts::sums(int word, int unit) const {
    static constexpr std::array lstmGates{Part::ForgetGate, Part::InputGate, Part::Candidate, Part::OutputGate};
    static constexpr std::array gruGates{Part::ResetGate, Part::UpdateGate, Part::Candidate};
    static constexpr std::array plainGates{Part::State};
    const std::span<const Part> gates = cell() == Cell::Lstm  ? std::span<const Part>(lstmGates)
                                        : cell() == Cell::Gru ? std::span<const Part>(gruGates)
                                                              : std::span<const Part>(plainGates);
    const Numbers x = read(word);
    const std::vector<float> state = stateBefore(*m_model, *m_trace, *m_layer, Part::State, word);
    const Numbers before(state.begin(), state.end());
    std::vector<GateSum> result;
    result.reserve(gates.size());
    for (const Part gate : gates)
        result.push_back(sum(gate, x, before, word, unit));
    return result;
}

std::vector<CellColumn> CellParts::columns(int word) const {
    return cell() == Cell::Lstm ? lstm(word) : cell() == Cell::Gru ? gru(word) : plain(word);
}

std::vector<CellColumn> CellParts::lstm(int word) const {
    const std::vector<float> start = stateBefore(*m_model, *m_trace, *m_layer, Part::Cell, word);
    const Numbers before(start.begin(), start.end()),
        forget = row(Part::ForgetGate, word), input = row(Part::InputGate, word),
        candidate = row(Part::Candidate, word), memory = row(Part::Cell, word);
    Numbers squashed = memory;
    for (double& each : squashed)
        each = std::tanh(each);
    return {{ColumnKind::Before, Range::Open, before},
            {ColumnKind::Forget, Range::Share, forget},
            {ColumnKind::Kept, Range::Open, times(forget, before)},
            {ColumnKind::Input, Range::Share, input},
            {ColumnKind::Candidate, Range::Squashed, candidate},
            {ColumnKind::Written, Range::Open, times(input, candidate)},
            {ColumnKind::Memory, Range::Open, memory},
            {ColumnKind::Squashed, Range::Squashed, squashed},
            {ColumnKind::Output, Range::Share, row(Part::OutputGate, word)},
            {ColumnKind::State, Range::Squashed, row(Part::State, word)}};
}

std::vector<CellColumn> CellParts::gru(int word) const {
    const std::vector<float> start = stateBefore(*m_model, *m_trace, *m_layer, Part::State, word);
    const Numbers before(start.begin(), start.end()), reset = row(Part::ResetGate, word),
                                                      update = row(Part::UpdateGate, word),
                                                      candidate = row(Part::Candidate, word);
    const TraceRecord& record = *m_trace->find(*m_layer, Part::Candidate);
    const Tensor<const float> matrix = weight(record, As::StateMatrix), bias = weight(record, As::StateBias);
    const int first = record.weight(As::StateMatrix)->firstRow;
    Numbers recall;
    recall.reserve(before.size());
    for (int unit = 0; unit < units(); ++unit)
        recall.push_back(std::inner_product(before.begin(), before.end(), matrix.row(first + unit),
                                            bias ? static_cast<double>(bias.data[first + unit]) : 0.0));
    return {{ColumnKind::Reset, Range::Share, reset},
            {ColumnKind::Recall, Range::Open, recall},
            {ColumnKind::ResetRecall, Range::Open, times(reset, recall)},
            {ColumnKind::Before, Range::Squashed, before},
            {ColumnKind::Update, Range::Share, update},
            {ColumnKind::Kept, Range::Squashed, times(update, before)},
            {ColumnKind::Candidate, Range::Squashed, candidate},
            {ColumnKind::Complement, Range::Share, complement(update)},
            {ColumnKind::Written, Range::Squashed, times(complement(update), candidate)},
            {ColumnKind::State, Range::Squashed, row(Part::State, word)}};
}

std::vector<CellColumn> CellParts::plain(int word) const {
    const std::vector<float> start = stateBefore(*m_model, *m_trace, *m_layer, Part::State, word);
    const Numbers before(start.begin(), start.end()), x = read(word);
    Numbers words, past, bias, sums;
    for (int unit = 0; unit < units(); ++unit) {
        const GateSum found = sum(Part::State, x, before, word, unit);
        words.push_back(found.word);
        past.push_back(found.past);
        bias.push_back(found.bias);
        sums.push_back(found.sum);
    }
    return {
        {ColumnKind::Before, Range::Squashed, before}, {ColumnKind::Past, Range::Open, past},
        {ColumnKind::Word, Range::Open, words},        {ColumnKind::Bias, Range::Open, bias},
        {ColumnKind::Sum, Range::Open, sums},          {ColumnKind::State, Range::Squashed, row(Part::State, word)}};
}

Numbers CellParts::shares(int word) const {
    if (cell() == Cell::Rnn) return {};
    return row(cell() == Cell::Lstm ? Part::ForgetGate : Part::UpdateGate, word);
}

std::vector<CellParts::Moment> CellParts::story(int unit) const {
    std::vector<Moment> moments;
    for (int word = 0; word < words(); ++word) {
        Moment moment;
        moment.memory = at(cell() == Cell::Lstm ? Part::Cell : Part::State, word, unit);
        moment.written = moment.memory;
        if (cell() == Cell::Lstm) {
            moment.share = at(Part::ForgetGate, word, unit);
            moment.written = at(Part::InputGate, word, unit) * at(Part::Candidate, word, unit);
        }
        if (cell() == Cell::Gru) {
            moment.share = at(Part::UpdateGate, word, unit);
            moment.written = (1 - moment.share) * at(Part::Candidate, word, unit);
        }
        moments.push_back(moment);
    }
    return moments;
}

}  // namespace headlight
