// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/trace/trace.h"

namespace headlight {

/// Why a trace has no value of that part, in a sentence, where a long text on a large model went without it to stay
/// within TraceRecorder::usualBytes: scores, masks, and what stands before an activation. Empty where nothing was left
/// out.
QString whyLeftOut(const Trace& trace, Part part);
/// The same of all parts that the trace goes without.
QString whyLeftOut(const Trace& trace);
/// Of a value that was computed from one that was left out.
QString whyLeftOut(const Trace& trace, const TraceRecord& computed);

}  // namespace headlight
