// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/decode/beam_search.h"

namespace headlight {

/// How a length penalty scores, on one line of plain text: "log P / |y|", "log P / ((5 + |y|) / 6)^0.7". |y| counts the
/// tokens of a hypothesis, its end among them.
std::string scoreFormula(const LengthPenalty& penalty);

}  // namespace headlight
