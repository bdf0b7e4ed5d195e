// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/trace/cell_arithmetic.h"

namespace headlight {

/// The arithmetic of a gate, a candidate, a cell state or a hidden state; see cellArithmetic().
std::optional<CellArithmetic> recurrentArithmetic(const TrainedModel& model, const Trace& trace,
                                                  const TraceRecord& record, const ValueCell& cell);

}  // namespace headlight
