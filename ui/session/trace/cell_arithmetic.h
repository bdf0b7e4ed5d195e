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

}  // namespace headlight
