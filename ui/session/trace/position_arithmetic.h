// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/trace/cell_arithmetic.h"

namespace headlight {

/// The arithmetic of a number that tells where a word stands: of an encoding, of a turned query or key, of a relative
/// bias; see cellArithmetic().
std::optional<CellArithmetic> positionArithmetic(const TrainedModel& model, const Trace& trace,
                                                 const TraceRecord& record, const ValueCell& cell);

}  // namespace headlight
