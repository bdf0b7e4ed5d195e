// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ui/session/open/decoding.h"

namespace headlight {

/// A beam search as a web page draws it: `beam`, `penalty` and how it scores (`formula`), `fixed` words, `nodes` in the
/// order in which the search looked at them (`word`, `parent`, `step`, `logProb`, `sum`, `score`, `state`, its `rows`
/// with dead ends folded, -1 for one of them, and shown, the word at which it was `dropped`, 0: never), `folds` (how
/// many came to nothing after `parent`, -1: the start), and `hypotheses`, the best first, each with its `words` and the
/// place of its last node (`end`, -1: none).
nlohmann::json searchRecord(const Decoding::Result& result);

}  // namespace headlight
