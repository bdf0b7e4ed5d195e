// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of a difference of two logits are sums of.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/experiment/cell_parts.h"
#include "core/experiment/why.h"

namespace headlight {

namespace {

using As = UsedWeight::As;
using Kind = WhyPart::Kind;
using Vector = std::vector<double>;

/// Of a value [H, rows, columns], or [rows, columns] for one head.
Vector headRow(const TraceRecord& record, int head, int row) {
    const auto width = static_cast<std::ptrdiff_t>(record.shape.back());
    const auto rows = static_cast<std::ptrdiff_t>(record.shape[record.shape.size() - 2]);
    const auto first = record.values.begin() +
                       (record.shape.size() == 3 ? head * rows + row : static_cast<std::ptrdiff_t>(row)) * width;
    return {first, first + width};
}

/// The head of keys and values that a head of queries shares with its neighbours.
int keyHead(const Module& module, int head) {
    return module.keyHeads > 0 ? head * module.keyHeads / module.heads : head;
}

}  // namespace

std::vector<WhyPart> Why::open(const WhyPart& part) const {
    switch (part.kind) {
        case Kind::Embedding:
            return part.opens ? m_embedding : std::vector<WhyPart>();
        case Kind::Shifts:
            return part.opens ? m_shifts : std::vector<WhyPart>();
        case Kind::OutputBias:
            return part.opens ? m_biases : std::vector<WhyPart>();
        case Kind::Attention:
            return openAttention(part);
        case Kind::FeedForward:
            return openUnits(part);
        case Kind::Head:
            return openHead(part);
        case Kind::Source:
            return openSource(part);
        case Kind::Context:
            return openContext(part);
        case Kind::State:
            return openState(part);
        case Kind::WordVector:
        case Kind::Position:
        case Kind::TypeVector:
        case Kind::Product:
        case Kind::Unit:
        case Kind::Step:
        case Kind::Start:
        case Kind::Bias:
        case Kind::Shift:
        case Kind::OneBias:
        case Kind::ScoreTerm:
        case Kind::ScoreBias:
        case Kind::Given:
            break;
    }
    return {};
}

/// u = W_Oᵀ g, the head's part of it.
Why::Vector Why::headDirection(const TraceRecord& output, const Vector& direction, int head) const {
    const Matrix matrix = weight(output, As::Matrix);
    const int width = output.owner().width;
    Vector result(static_cast<size_t>(width));
    for (size_t i = 0; i < direction.size(); ++i)
        for (int k = 0; k < width; ++k)
            result[static_cast<size_t>(k)] += direction[i] * matrix.at(static_cast<int>(i), head * width + k);
    return result;
}

std::vector<WhyPart> Why::openAttention(const WhyPart& part) const {
    const TraceRecord& output = m_trace->at(part.value);
    const TraceRecord& heads = sibling(output, Part::Heads);
    const Vector& g = direction(part);
    std::vector<WhyPart> result;
    result.reserve(static_cast<size_t>(output.owner().heads) + 1);
    for (int head = 0; head < output.owner().heads; ++head)
        result.push_back({.kind = Kind::Head,
                          .value = part.value,
                          .row = part.row,
                          .head = head,
                          .amount = dot(headRow(heads, head, part.row), headDirection(output, g, head)),
                          .opens = true});
    if (const Matrix bias = weight(output, As::Bias); bias.data) {
        double amount = 0;
        for (size_t i = 0; i < g.size(); ++i)
            amount += g[i] * bias.at(static_cast<int>(i), 0);
        result.push_back({.kind = Kind::Bias, .value = part.value, .row = part.row, .amount = amount});
    }
    addGiven(result, part.value, part.row, part.amount);
    return result;
}

/// head · u = Σⱼ aⱼ (vⱼ · u)
std::vector<WhyPart> Why::openHead(const WhyPart& part) const {
    const TraceRecord& output = m_trace->at(part.value);
    const Vector u = headDirection(output, direction(part), part.head);
    const Vector weights = headRow(sibling(output, Part::Weights), part.head, part.row);
    const TraceRecord& values = sibling(output, Part::Value);
    const bool causal = output.owner().over == AttentionOver::Itself;
    std::vector<WhyPart> result;
    for (size_t j = 0; j < weights.size(); ++j) {
        const int word = static_cast<int>(j);
        if (causal && word > part.row && weights[j] == 0) continue;  // it is not seen
        const double along = dot(headRow(values, keyHead(output.owner(), part.head), word), u);
        result.push_back({.kind = Kind::Source,
                          .value = part.value,
                          .row = part.row,
                          .head = part.head,
                          .word = word,
                          .amount = weights[j] * along,
                          .factor = weights[j],
                          .along = along,
                          .opens = true});
    }
    addGiven(result, part.value, part.row, part.amount);
    return result;
}

/// a (v · u), number by number.
std::vector<WhyPart> Why::openSource(const WhyPart& part) const {
    const TraceRecord& made = m_trace->at(part.value);
    const bool recurrent = made.part == Part::Context;
    const Vector u = recurrent ? direction(part) : headDirection(made, direction(part), part.head);
    const TraceRecord& values = recurrent ? m_trace->at(made.inputs[1]) : sibling(made, Part::Value);
    const Vector v = headRow(values, recurrent ? 0 : keyHead(made.owner(), part.head), part.word);
    std::vector<WhyPart> result;
    for (size_t k = 0; k < v.size(); ++k)
        result.push_back({.kind = Kind::Product,
                          .value = part.value,
                          .row = part.row,
                          .head = part.head,
                          .word = part.word,
                          .unit = static_cast<int>(k),
                          .amount = part.factor * v[k] * u[k],
                          .factor = v[k],
                          .along = u[k]});
    return result;
}

/// A recurrent decoder's attention: Σⱼ aⱼ (hⱼ · g) over the encoder's states.
std::vector<WhyPart> Why::openContext(const WhyPart& part) const {
    const TraceRecord& context = m_trace->at(part.value);
    const Vector weights = rowOf(sibling(context, Part::Weights), part.row);
    const TraceRecord& states = m_trace->at(context.inputs[1]);
    std::vector<WhyPart> result;
    for (size_t j = 0; j < weights.size(); ++j) {
        const int word = static_cast<int>(j);
        const double along = dot(rowOf(states, word), direction(part));
        result.push_back({.kind = Kind::Source,
                          .value = part.value,
                          .row = part.row,
                          .head = 0,
                          .word = word,
                          .amount = weights[j] * along,
                          .factor = weights[j],
                          .along = along,
                          .opens = true});
    }
    addGiven(result, part.value, part.row, part.amount);
    return result;
}

/// W₂ f: what each hidden unit writes, times the direction.
std::vector<WhyPart> Why::openUnits(const WhyPart& part) const {
    const TraceRecord& output = m_trace->at(part.value);
    const Vector active = rowOf(m_trace->at(output.inputs.front()), part.row);
    const Matrix matrix = weight(output, As::Matrix), bias = weight(output, As::Bias);
    const Vector& g = direction(part);
    Vector along(active.size());
    double biased = 0;
    for (size_t i = 0; i < g.size(); ++i) {
        const int row = static_cast<int>(i);
        for (size_t u = 0; u < along.size(); ++u)
            along[u] += g[i] * matrix.at(row, static_cast<int>(u));
        if (bias.data) biased += g[i] * bias.at(row, 0);
    }
    std::vector<WhyPart> result;
    for (size_t u = 0; u < along.size(); ++u)
        result.push_back({.kind = Kind::Unit,
                          .value = part.value,
                          .row = part.row,
                          .unit = static_cast<int>(u),
                          .amount = active[u] * along[u],
                          .factor = active[u],
                          .along = along[u]});
    if (bias.data) result.push_back({.kind = Kind::Bias, .value = part.value, .row = part.row, .amount = biased});
    addGiven(result, part.value, part.row, part.amount);
    return result;
}

std::vector<WhyPart> Why::openState(const WhyPart& part) const {
    const TraceRecord& hidden = m_trace->at(part.value);
    std::vector<WhyPart> result = hidden.owner().cell == Cell::Rnn ? openPlain(hidden, part) : openGated(hidden, part);
    addGiven(result, part.value, part.row, part.amount);
    return result;
}

/// What a GRU or an LSTM wrote at each word and kept until now: h = Σ (Π z) (1 − z) n, c = Σ (Π f) i g; of an LSTM
/// h/c is held. Units add up, as each has its own way.
std::vector<WhyPart> Why::openGated(const TraceRecord& hidden, const WhyPart& part) const {
    const bool lstm = hidden.owner().cell == Cell::Lstm;
    Vector kept = direction(part);  // of what stood there a word before, times the direction
    if (lstm) {
        const Vector h = rowOf(hidden, part.row), c = rowOf(sibling(hidden, Part::Cell), part.row);
        for (size_t k = 0; k < kept.size(); ++k)
            kept[k] *= c[k] == 0 ? 0 : h[k] / c[k];
    }
    const TraceRecord& keeps = sibling(hidden, lstm ? Part::ForgetGate : Part::UpdateGate);
    const TraceRecord& candidates = sibling(hidden, Part::Candidate);
    std::vector<WhyPart> result;
    for (int row = part.row; row >= 0; --row) {
        const Vector keep = rowOf(keeps, row), candidate = rowOf(candidates, row);
        const Vector write = lstm ? rowOf(sibling(hidden, Part::InputGate), row) : keep;
        double amount = 0;
        for (size_t k = 0; k < kept.size(); ++k) {
            amount += kept[k] * (lstm ? write[k] : 1 - keep[k]) * candidate[k];
            kept[k] *= keep[k];
        }
        result.push_back({.kind = Kind::Step, .value = part.value, .row = part.row, .word = row, .amount = amount});
    }
    const std::vector<float> start =
        stateBefore(*m_model, *m_trace, hidden.owner(), lstm ? Part::Cell : Part::State, 0);
    result.push_back({.kind = Kind::Start,
                      .value = part.value,
                      .row = part.row,
                      .amount = dot(Vector(start.begin(), start.end()), kept)});
    std::ranges::reverse(result);
    return result;
}

/// What a layer reads at a row: its inputs side by side.
Why::Vector Why::recurrentInput(const TraceRecord& hidden, int row) const {
    Vector x;
    for (const std::string& name : hidden.inputs) {
        const Vector part = rowOf(m_trace->at(name), row);
        x.insert(x.end(), part.begin(), part.end());
    }
    return x;
}

/// An Elman network's h = tanh(W x + U h₋₁ + b), with tanh(z)/z held: what it read, what it knew, and b. What it knew
/// is not opened: U carries back ever larger parts of opposite signs, which mean nothing after a few words.
std::vector<WhyPart> Why::openPlain(const TraceRecord& hidden, const WhyPart& part) const {
    const Matrix input = weight(hidden, As::Matrix), state = weight(hidden, As::StateMatrix);
    const Matrix bias = weight(hidden, As::Bias);
    const Vector x = recurrentInput(hidden, part.row), h = rowOf(hidden, part.row);
    const std::vector<float> from = stateBefore(*m_model, *m_trace, hidden.owner(), Part::State, part.row);
    const Vector before(from.begin(), from.end());
    const Vector& g = direction(part);
    double read = 0, known = 0, biased = 0;
    for (size_t u = 0; u < g.size(); ++u) {
        const int unit = static_cast<int>(u);
        double word = 0, past = 0;
        for (size_t k = 0; k < x.size(); ++k)
            word += input.at(unit, static_cast<int>(k)) * x[k];
        for (size_t k = 0; k < before.size(); ++k)
            past += state.at(unit, static_cast<int>(k)) * before[k];
        const double z = word + past + bias.at(unit, 0), held = z == 0 ? g[u] : g[u] * h[u] / z;
        read += held * word;
        known += held * past;
        biased += held * bias.at(unit, 0);
    }
    const auto made = [&](Kind kind, int word, double amount) {
        return WhyPart{.kind = kind, .value = part.value, .row = part.row, .word = word, .amount = amount};
    };
    return {made(Kind::Step, part.row, read), made(part.row > 0 ? Kind::State : Kind::Start, part.row - 1, known),
            made(Kind::Bias, -1, biased)};
}

double Why::scoreOf(const WhyPart& source) const {
    const TraceRecord* const scores = m_trace->find(m_trace->at(source.value).owner(), Part::Scores);
    if (source.kind != Kind::Source || !scores) return 0;
    return headRow(*scores, source.head, source.row)[static_cast<size_t>(source.word)];
}

/// q·k/√d_k, number by number, and the distance's bias. Of a recurrent decoder: s·(W h), or v·tanh(W_k h + W_q s).
std::vector<WhyPart> Why::score(const WhyPart& source) const {
    const TraceRecord& made = m_trace->at(source.value);
    const TraceRecord* const scores = m_trace->find(made.owner(), Part::Scores);
    if (source.kind != Kind::Source || !scores) return {};
    std::vector<WhyPart> result;
    const auto add = [&](size_t unit, double factor, double along, double scale) {
        result.push_back({.kind = Kind::ScoreTerm,
                          .value = scores->name,
                          .row = source.row,
                          .head = source.head,
                          .word = source.word,
                          .unit = static_cast<int>(unit),
                          .amount = factor * along * scale,
                          .factor = factor,
                          .along = along});
    };
    const bool recurrent = made.part == Part::Context;
    const TraceRecord &queries = m_trace->at(scores->inputs[0]), &keys = m_trace->at(scores->inputs[1]);
    Vector q = headRow(queries, source.head, source.row);
    Vector k = headRow(keys, recurrent ? 0 : keyHead(made.owner(), source.head), source.word);
    const auto mapped = [&](As as, const Vector& x) {
        const Matrix matrix = weight(*scores, as);
        if (!matrix.data) return x;
        Vector y(static_cast<size_t>(matrix.rows));
        for (size_t i = 0; i < y.size(); ++i)
            for (size_t at = 0; at < x.size(); ++at)
                y[i] += matrix.at(static_cast<int>(i), static_cast<int>(at)) * x[at];
        return y;
    };
    k = mapped(As::KeyMap, k);
    q = mapped(As::QueryMap, q);
    const Matrix energy = weight(*scores, As::Energy);
    for (size_t i = 0; i < k.size(); ++i)
        energy.data ? add(i, energy.at(0, static_cast<int>(i)), std::tanh(q[i] + k[i]), 1)
                    : add(i, q[i], k[i], scores->factor);
    if (!recurrent && scores->inputs.size() > 2) {
        const TraceRecord& bias = m_trace->at(scores->inputs[2]);
        result.push_back({.kind = Kind::ScoreBias,
                          .value = bias.name,
                          .row = source.row,
                          .head = source.head,
                          .word = source.word,
                          .amount = headRow(bias, source.head, source.row)[static_cast<size_t>(source.word)]});
    }
    addGiven(result, scores->name, source.row, scoreOf(source));
    return result;
}

}  // namespace headlight
