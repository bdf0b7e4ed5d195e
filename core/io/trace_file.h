// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/trace/trace.h"

namespace headlight {

/// Writes the trace as safetensors (CONTRACTS, section 3): ids as I64, everything else as F32. Throws Error.
void saveTrace(const Trace& trace, const std::string& path);

}  // namespace headlight
