// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/value_region.h"

#include <algorithm>

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

std::span<const float> matrixValues(const TraceRecord& record, int head) {
    return record.shape.size() == 3 ? record.head(head) : std::span<const float>(record.values);
}

float numberAt(const TraceRecord& record, const ValueCell& cell) {
    const auto width = static_cast<size_t>(matrixColumns(record));
    return matrixValues(record, cell.head)[static_cast<size_t>(cell.row) * width + static_cast<size_t>(cell.column)];
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
