// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"
#include "ui/session/trace/value_cell.h"

namespace headlight {

/// How one number came to be, written out with its own numbers: what is multiplied, what is added, and what comes out.
struct CellArithmetic {
    enum class Role { Plain, Query, Key, Value };
    /// Numbers side by side. All vectors of a cell that have the length of the first stand below one another.
    struct Vector {
        QString name;  ///< "q₅"
        std::vector<float> values;
        Role role = Role::Plain;
    };
    struct Step {
        QString text;
        double value = 0;
    };

    QString formula;  ///< rich text: "s<sub>5,4</sub> = q<sub>5</sub> · k<sub>4</sub> / √d<sub>k</sub>"
    std::vector<Vector> vectors;
    std::vector<Step> steps;  ///< the last one's value is the cell's
};

/// Computes the number anew, in double precision, from the trace's inputs and the model's weights. Nothing where the
/// value is not computed from numbers that the trace has (ids, masks).
std::optional<CellArithmetic> cellArithmetic(const TrainedModel& model, const Trace& trace, const TraceRecord& record,
                                             const ValueCell& cell);

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
