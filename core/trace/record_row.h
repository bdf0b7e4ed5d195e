// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

#include "core/trace/trace.h"

namespace headlight {

/// One row of a value's numbers, counted through all that stands before its last axis.
inline std::span<const float> rowOf(const TraceRecord& record, int row) {
    const auto width = static_cast<size_t>(record.shape.back());
    return std::span(record.values).subspan(static_cast<size_t>(row) * width, width);
}

}  // namespace headlight
