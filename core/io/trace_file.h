// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace headlight {

/// Writes the trace (CONTRACTS, section 3), by the end of the path: `.npz` NumPy's arrays, `.json` nested lists,
/// everything else safetensors. Ids are whole numbers, everything else float32. `only`: names of values, or what they
/// begin with before a dot (`decoder.layers.1`); none: all of them. Throws Error, for a name that no value has too.
void saveTrace(const Trace& trace, const std::string& path, const std::vector<std::string>& only = {});

}  // namespace headlight
