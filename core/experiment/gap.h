// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/models/model_config.h"
#include "core/trace/trace.h"

namespace headlight {

/// Of a model that fills in words, the row of the first mask of what it read; none: there is no gap, or it is another
/// kind of model.
std::optional<int> firstGap(const ModelConfig& config, const Trace& trace);

}  // namespace headlight
