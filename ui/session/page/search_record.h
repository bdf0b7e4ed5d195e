// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ui/session/open/decoding.h"

namespace headlight {

/// A beam search as a web page draws it: `beam`, `penalty`, `fixed` words, `nodes` in the order in which the search
/// looked at them (`word`, `parent`, `step`, `logProb`, `sum`, `score`, `state`), and `hypotheses`, the best first,
/// each with its `words` and the place of its last node (`end`, -1: none).
nlohmann::json searchRecord(const Decoding::Result& result);

}  // namespace headlight
