// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>

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
/// The matrix of one head, row-major.
std::span<const float> matrixValues(const TraceRecord& record, int head);
float numberAt(const TraceRecord& record, const ValueCell& cell);

}  // namespace headlight
