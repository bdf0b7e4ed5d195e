// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/trace/trace.h"
#include "ui/session/trace/value_cell.h"

namespace headlight {

/// Which numbers of an input a cell is computed from.
struct InputRegion {
    int head = 0;
    int row = -1;     ///< -1: every row
    int column = -1;  ///< -1: every column
};
/// Of the index-th of record.inputs. Nothing where the input has no rows that correspond (a mask's).
std::optional<InputRegion> inputRegion(const Trace& trace, const TraceRecord& record, size_t index,
                                       const ValueCell& cell);

/// Rows and columns of a record as a matrix: of [H, r, c] those of one head; a run of ids is one column.
int matrixRows(const TraceRecord& record);
int matrixColumns(const TraceRecord& record);
int matrixHeads(const TraceRecord& record);
/// Which of them belongs to a head of the record's module: where queries share keys and values, ⌊head·K/H⌋.
int headOf(const TraceRecord& record, int head);
/// The matrix of one head, row-major.
std::span<const float> matrixValues(const TraceRecord& record, int head);
std::span<const float> matrixRow(const TraceRecord& record, int head, int row);
/// The columns with the largest numbers of a row, the largest first, of equal ones the first; in one run over them, as
/// there may be very many.
std::vector<int> largestColumns(std::span<const float> row, size_t most);
/// What a head of a record is computed from: that head of the index-th of its inputs; empty where there is none.
std::span<const float> inputValues(const Trace& trace, const TraceRecord& record, size_t index, int head);
/// A flag for each cell of such a matrix: no query may look there, whatever the number says. Empty for what no mask
/// belongs to, and for a mask itself.
std::vector<char> maskedCells(const Trace& trace, const TraceRecord& record);
float numberAt(const TraceRecord& record, const ValueCell& cell);

}  // namespace headlight
