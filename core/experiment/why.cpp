// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/why.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/models/encoder.h"

namespace headlight {

namespace {

using As = UsedWeight::As;
using Kind = WhyPart::Kind;
using Vector = std::vector<double>;

/// Of what is put in from outside more than rounding is left.
constexpr double rounding = 1e-3;

double sumOf(const std::vector<WhyPart>& parts) {
    return std::accumulate(parts.begin(), parts.end(), 0.0,
                           [](double sum, const WhyPart& part) { return sum + part.amount; });
}

}  // namespace

double Why::dot(const Vector& a, const Vector& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double Why::Matrix::at(int row, int column) const {
    return static_cast<double>(
        data[static_cast<size_t>(firstRow + row) * static_cast<size_t>(columns) + static_cast<size_t>(column)]);
}

Why::Why(const TrainedModel& model, const Trace& trace, int row, int word, int against)
    : m_model(&model), m_trace(&trace) {
    if (model.network->config().headless()) refuseWithoutHead();
    const TraceRecord& logits = trace.at("logits");
    if (row < 0 || row >= logits.dim(0))
        throw Error("there is no word " + std::to_string(row + 1) + ": they go from 1 to " +
                    std::to_string(logits.dim(0)));
    const int first = logitColumn(word), second = logitColumn(against);
    const Vector said = rowOf(logits, row);
    m_logits = {said[static_cast<size_t>(first)], said[static_cast<size_t>(second)]};
    Vector direction(said.size());
    direction[static_cast<size_t>(first)] += 1;
    direction[static_cast<size_t>(second)] -= 1;
    follow(logits.name, row, std::move(direction));
    order();
}

int Why::logitColumn(int word) const {
    const ModelConfig& config = m_model->network->config();
    const int column = config.corpusKind() == CorpusKind::Labels ? word - config.firstLabel() : word;
    if (column < 0 || column >= m_trace->at("logits").dim(1))
        throw Error("the model has no logit for word " + std::to_string(word));
    return column;
}

std::vector<double> Why::rowOf(const TraceRecord& record, int row) const {
    const auto width = static_cast<std::ptrdiff_t>(record.shape.back());
    const auto first = record.values.begin() + row * width;
    return {first, first + width};
}

Why::Matrix Why::weight(const TraceRecord& record, As as) const {
    const UsedWeight* const used = record.weight(as);
    if (!used) return {};
    const Tensor<const float> value = std::as_const(*m_model->network).parameters().value(used->parameter);
    const bool isVector = value.shape.rank() < 2;
    return {value.data, isVector ? 1 : value.rows(), isVector ? 1 : value.cols(), used->firstRow};
}

double Why::along(const TraceRecord& record, int row, const Vector& direction) const {
    return dot(rowOf(record, row), direction);
}

const Why::Vector& Why::direction(const WhyPart& part) const {
    return m_directions.at({part.value, part.row});
}

const TraceRecord& Why::sibling(const TraceRecord& record, Part part) const {
    const TraceRecord* const found = m_trace->find(record.owner(), part);
    if (!found) throw Error("the trace lacks a part of \"" + record.name + "\": trace the sentence anew");
    return *found;
}

/// Where a list says less than the whole, somebody has put the rest there.
void Why::addGiven(std::vector<WhyPart>& parts, const std::string& value, int row, double whole) const {
    const double rest = whole - sumOf(parts);
    if (std::abs(rest) > rounding * (1 + std::abs(whole)))
        parts.push_back({.kind = Kind::Given, .value = value, .row = row, .amount = rest});
}

void Why::addRest(const TraceRecord& record, int row, double whole, double told) {
    if (std::abs(whole - told) > rounding * (1 + std::abs(whole)))
        m_parts.push_back({.kind = Kind::Given, .value = record.name, .row = row, .amount = whole - told});
}

void Why::addBias(const TraceRecord& record, int row, double amount) {
    m_parts.push_back({.kind = Kind::Bias, .value = record.name, .row = row, .amount = amount});
}

/// Is this a part of the first column?
bool Why::addLeaf(const TraceRecord& record, int row, const Vector& direction) {
    const Module& module = record.owner();
    const auto add = [&](std::vector<WhyPart>& to, Kind kind, bool opens) {
        to.push_back({.kind = kind,
                      .value = record.name,
                      .row = row,
                      .word = row,
                      .amount = along(record, row, direction),
                      .opens = opens});
        return true;
    };
    if (module.kind == ModuleKind::Recurrent && record.part == Part::State) return add(m_parts, Kind::State, true);
    if (module.kind == ModuleKind::FeedForward) return add(m_parts, Kind::FeedForward, true);
    if (module.kind == ModuleKind::Attention)
        return add(m_parts, record.part == Part::Context ? Kind::Context : Kind::Attention, true);
    if (record.part == Part::Embedding) return add(m_embedding, Kind::WordVector, false);
    if (record.part == Part::TypeEmbedding) return add(m_embedding, Kind::TypeVector, false);
    if (record.part == Part::Positions) return add(m_embedding, Kind::Position, false);
    return false;
}

void Why::follow(const std::string& name, int row, Vector direction) {
    const TraceRecord& record = m_trace->at(name);
    // Of a whole sentence's one vector that is the row.
    row = std::min(row, record.dim(0) - 1);
    const Vector& kept = m_directions[{name, row}] = std::move(direction);
    if (addLeaf(record, row, kept)) return;
    switch (record.operation) {
        case Operation::LayerNorm:
        case Operation::RmsNorm:
            return followNorm(record, row, kept);
        case Operation::Linear:
            return followMap(record, row, kept, false);
        case Operation::Tanh:
            return followMap(record, row, kept, true);
        case Operation::Activation:
        case Operation::SoftCap:
            return followActivation(record, row, kept);
        case Operation::Add:
        case Operation::Concat:
        case Operation::Identity:
            return followInputs(record, row, kept);
        case Operation::Input:
        case Operation::Embedding:
        case Operation::PositionalEncoding:
        case Operation::AttentionScores:
        case Operation::Mask:
        case Operation::Softmax:
        case Operation::WeightedSum:
        case Operation::Multiply:
        case Operation::Rotation:
        case Operation::RelativeBias:
        case Operation::LogSoftmax:
        case Operation::Gate:
        case Operation::Candidate:
        case Operation::CellState:
        case Operation::HiddenState:
        case Operation::DotScores:
        case Operation::AdditiveScores:
            break;
    }
    throw Error("\"" + name + "\" cannot be taken apart: its operation is none of a way to the logits");
}

/// The direction of each input: the same of a sum, a piece of what stands side by side.
void Why::followInputs(const TraceRecord& record, int row, const Vector& direction) {
    const double whole = along(record, row, direction), inputs = inputsAlong(record, row, direction);
    addRest(record, row, whole, inputs);
    auto first = direction.begin();
    const bool beside = record.operation == Operation::Concat;
    for (const std::string& input : record.inputs) {
        const auto width = beside ? m_trace->at(input).shape.back() : static_cast<std::ptrdiff_t>(direction.size());
        follow(input, row, Vector(first, first + width));
        if (beside) first += width;
    }
}

double Why::inputsAlong(const TraceRecord& record, int row, const Vector& direction) const {
    double sum = 0;
    size_t at = 0;
    for (const std::string& name : record.inputs) {
        const TraceRecord& input = m_trace->at(name);
        const Vector numbers = rowOf(input, std::min(row, input.dim(0) - 1));
        for (size_t i = 0; i < numbers.size(); ++i)
            sum += numbers[i] * direction[at + i];
        if (record.operation == Operation::Concat) at += numbers.size();
    }
    return sum;
}

/// y = γ(x − μ)/σ + β: g becomes γg/σ, less its mean where μ is taken off.
void Why::followNorm(const TraceRecord& record, int row, const Vector& direction) {
    const Vector x = rowOf(m_trace->at(record.inputs.front()), row);
    const bool takesMean = record.operation == Operation::LayerNorm;
    const double width = static_cast<double>(x.size());
    const double mean = takesMean ? std::accumulate(x.begin(), x.end(), 0.0) / width : 0;
    double squares = 0;
    for (const double number : x)
        squares += (number - mean) * (number - mean);
    const double divisor = std::sqrt(squares / width + m_model->network->config().layerNormEps);
    const Matrix scale = weight(record, As::Scale), shift = weight(record, As::Shift);
    const double plus = record.weight(As::Scale)->plus;
    Vector back(x.size());
    double shifted = 0;
    for (size_t i = 0; i < back.size(); ++i) {
        back[i] = direction[i] * (plus + scale.at(static_cast<int>(i), 0)) / divisor;
        if (shift.data) shifted += direction[i] * shift.at(static_cast<int>(i), 0);
    }
    const double meanBack = takesMean ? std::accumulate(back.begin(), back.end(), 0.0) / width : 0;
    for (double& number : back)
        number -= meanBack;
    m_held.push_back({record.name, {divisor}});
    if (shift.data) m_shifts.push_back({.kind = Kind::Shift, .value = record.name, .row = row, .amount = shifted});
    addRest(record, row, along(record, row, direction), shifted + dot(x, back));
    follow(record.inputs.front(), row, std::move(back));
}

/// y = W x + b, or tanh of it with tanh(z)/z held; x may be several values side by side.
void Why::followMap(const TraceRecord& record, int row, const Vector& direction, bool squashed) {
    Vector x;
    std::vector<size_t> widths;
    for (const std::string& name : record.inputs) {
        const TraceRecord& input = m_trace->at(name);
        const Vector part = rowOf(input, std::min(row, input.dim(0) - 1));
        x.insert(x.end(), part.begin(), part.end());
        widths.push_back(part.size());
    }
    const Matrix matrix = weight(record, As::Matrix), bias = weight(record, As::Bias);
    const Vector y = rowOf(record, row);
    Vector back(x.size()), slopes;
    double biased = 0;
    for (size_t i = 0; i < direction.size(); ++i) {
        double g = direction[i];
        if (g == 0 && !squashed) continue;
        const int out = static_cast<int>(i);
        const double b = bias.data ? bias.at(out, 0) : 0;
        if (squashed) {
            double z = b;
            for (size_t k = 0; k < x.size(); ++k)
                z += matrix.at(out, static_cast<int>(k)) * x[k];
            slopes.push_back(z == 0 ? 1 : y[i] / z);
            g *= slopes.back();
        }
        biased += g * b;
        for (size_t k = 0; k < x.size(); ++k)
            back[k] += g * record.factor * matrix.at(out, static_cast<int>(k));
        if (record.part == Part::Logits)
            m_biases.push_back({.kind = Kind::OneBias, .value = record.name, .row = row, .unit = out, .amount = g * b});
    }
    if (squashed) m_held.push_back({record.name, std::move(slopes)});
    if (bias.data && record.part != Part::Logits) addBias(record, row, biased);
    addRest(record, row, along(record, row, direction), biased + dot(x, back));
    auto first = back.begin();
    for (size_t i = 0; i < widths.size(); ++i) {
        const auto last = first + static_cast<std::ptrdiff_t>(widths[i]);
        follow(record.inputs[i], row, Vector(first, last));
        first = last;
    }
}

/// y = f(x) of each unit, with f(x)/x held.
void Why::followActivation(const TraceRecord& record, int row, const Vector& direction) {
    const Vector x = rowOf(m_trace->at(record.inputs.front()), row), y = rowOf(record, row);
    Vector back(x.size()), slopes(x.size());
    for (size_t i = 0; i < x.size(); ++i) {
        slopes[i] = x[i] == 0 ? 0 : y[i] / x[i];
        back[i] = direction[i] * slopes[i];
    }
    m_held.push_back({record.name, std::move(slopes)});
    follow(record.inputs.front(), row, std::move(back));
}

/// The first column as it is read: what the stack reads, then part after part, shifts, and the output's bias.
void Why::order() {
    std::ranges::stable_sort(m_parts, {}, [&](const WhyPart& part) { return m_trace->indexOf(part.value); });
    std::ranges::reverse(m_held);
    std::ranges::reverse(m_shifts);
    const auto sum = [](Kind kind, const std::vector<WhyPart>& of) {
        return WhyPart{.kind = kind,
                       .value = of.front().value,
                       .row = of.front().row,
                       .word = of.front().word,
                       .amount = sumOf(of),
                       .opens = of.size() > 1};
    };
    if (!m_embedding.empty()) m_parts.insert(m_parts.begin(), sum(Kind::Embedding, m_embedding));
    if (!m_shifts.empty()) m_parts.push_back(sum(Kind::Shifts, m_shifts));
    if (!m_biases.empty()) m_parts.push_back(sum(Kind::OutputBias, m_biases));
}

}  // namespace headlight
