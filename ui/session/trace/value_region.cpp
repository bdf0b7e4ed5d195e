// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/value_region.h"

#include <algorithm>
#include <cmath>

namespace headlight {

int matrixHeads(const TraceRecord& record) {
    return record.shape.size() == 3 ? record.shape[0] : 1;
}

int matrixRows(const TraceRecord& record) {
    if (record.shape.empty()) return 0;
    return record.shape.size() == 1 ? record.shape[0] : record.shape[record.shape.size() - 2];
}

int matrixColumns(const TraceRecord& record) {
    return record.shape.size() < 2 ? 1 : record.shape.back();
}

int headOf(const TraceRecord& record, int head) {
    const int heads = matrixHeads(record), of = std::max(heads, record.owner().heads);
    return heads > 1 ? std::clamp(head, 0, of - 1) * heads / of : 0;
}

std::span<const float> matrixValues(const TraceRecord& record, int head) {
    return record.shape.size() == 3 ? record.head(head) : std::span<const float>(record.values);
}

std::span<const float> matrixRow(const TraceRecord& record, int head, int row) {
    const auto width = static_cast<size_t>(matrixColumns(record));
    return matrixValues(record, head).subspan(static_cast<size_t>(row) * width, width);
}

std::vector<int> largestColumns(std::span<const float> row, size_t most) {
    std::vector<int> best;
    const auto of = [row](int column) { return row[static_cast<size_t>(column)]; };
    for (int column = 0; most > 0 && column < std::ssize(row); ++column) {
        if (best.size() == most && of(column) <= of(best.back())) continue;
        if (best.size() == most) best.pop_back();
        const auto place = std::ranges::find_if(best, [&](int other) { return of(other) < of(column); });
        best.insert(place, column);
    }
    return best;
}

std::span<const float> inputValues(const Trace& trace, const TraceRecord& record, size_t index, int head) {
    const TraceRecord* const input = index < record.inputs.size() ? trace.find(record.inputs[index]) : nullptr;
    if (!input) return {};
    const std::optional<InputRegion> region = inputRegion(trace, record, index, {headOf(record, head), 0, 0});
    return matrixValues(*input, region ? std::min(region->head, matrixHeads(*input) - 1) : 0);
}

std::vector<char> maskedCells(const Trace& trace, const TraceRecord& record) {
    std::vector<char> masked;
    const TraceRecord* mask = trace.find(record.owner(), Part::Mask);
    const size_t cells = static_cast<size_t>(matrixRows(record)) * static_cast<size_t>(matrixColumns(record));
    if (!mask || mask->values.size() != cells ||
        (record.part != Part::Scores && record.part != Part::CappedScores && record.part != Part::Weights))
        return masked;
    masked.reserve(mask->values.size());
    for (const float each : mask->values)
        masked.push_back(std::isinf(each) ? 1 : 0);
    return masked;
}

float numberAt(const TraceRecord& record, const ValueCell& cell) {
    return matrixRow(record, cell.head, cell.row)[static_cast<size_t>(cell.column)];
}

namespace {

/// What stands for a whole sentence is made of the last word that was read: of a layer that reads backwards, the first.
int rowOfInput(const TraceRecord& record, const TraceRecord& input, int row) {
    if (record.part != Part::Thought) return std::min(row, matrixRows(input) - 1);
    return input.owner().direction == Direction::Backward ? 0 : matrixRows(input) - 1;
}

}  // namespace

std::optional<InputRegion> inputRegion(const Trace& trace, const TraceRecord& record, size_t index,
                                       const ValueCell& cell) {
    const TraceRecord* input = index < record.inputs.size() ? trace.find(record.inputs[index]) : nullptr;
    if (!input || !cell.valid()) return {};
    // A head of keys and values may serve several of queries.
    const int head =
        matrixHeads(*input) > 1 && matrixHeads(record) > 1 ? cell.head * matrixHeads(*input) / matrixHeads(record) : 0;
    const int row = std::min(cell.row, matrixRows(*input) - 1);
    switch (record.operation) {
        case Operation::Input:
        case Operation::PositionalEncoding:
        case Operation::RelativeBias:
        case Operation::Mask:
            return {};
        case Operation::AttentionScores:
        case Operation::DotScores:
        case Operation::AdditiveScores:
            if (index == 2) return InputRegion{head, row, cell.column};  // the bias
            return InputRegion{head, index == 0 ? row : cell.column, -1};
        case Operation::WeightedSum:
            return index == 0 ? InputRegion{head, row, -1} : InputRegion{head, -1, cell.column};
        case Operation::Embedding:
        case Operation::Linear:
        case Operation::LayerNorm:
        case Operation::RmsNorm:
        case Operation::Rotation:
        case Operation::Softmax:
        case Operation::LogSoftmax:
        case Operation::Gate:
        case Operation::Candidate:
            return InputRegion{head, row, -1};
        case Operation::Tanh:
            return InputRegion{head, rowOfInput(record, *input, row), -1};
        case Operation::Add:
        case Operation::Multiply:
        case Operation::Activation:
        case Operation::SoftCap:
        case Operation::CellState:
            return InputRegion{head, row, cell.column};
        case Operation::HiddenState:
            // A plain network's state comes from the word's vector, the others' from their gates.
            return record.owner().cell == Cell::Rnn ? InputRegion{head, row, -1} : InputRegion{head, row, cell.column};
        case Operation::Identity:
            return InputRegion{head, rowOfInput(record, *input, row), cell.column};
        case Operation::Concat: {
            if (matrixHeads(*input) > 1) {
                const int width = matrixColumns(*input);
                return InputRegion{cell.column / width, row, cell.column % width};
            }
            int first = 0;
            for (size_t i = 0; i < index; ++i)
                if (const TraceRecord* before = trace.find(record.inputs[i])) first += matrixColumns(*before);
            const int column = cell.column - first;
            if (column < 0 || column >= matrixColumns(*input)) return {};
            return InputRegion{0, row, column};
        }
    }
    return {};
}

}  // namespace headlight
