// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"

namespace headlight {

/// How an attention's scores are computed, as a web page is told it, so that it can write a score out: `kind` `dot` or
/// `additive`; the vectors (`query` and `key`: places among the trace's values, or `queries` and `keys`, rows that the
/// model's maps were applied to; `energy`), what they are called, and what the sum is divided by (`root` and `layer`,
/// or `factor`) and raised by (`bias`: a place). The same as cellArithmetic() tells of one cell.
nlohmann::json scoreRecord(const TrainedModel& model, const Trace& trace, const TraceRecord& scores);

}  // namespace headlight
