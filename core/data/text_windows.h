// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/models/model.h"
#include "core/text/tokenizer.h"

namespace headlight {

/// A text as one run of ids, every line ended by `eos`: what a language model reads.
std::vector<int> runningText(const std::vector<std::string>& lines, const Tokenizer& tokenizer, int eos);

/// A window of `length` predicted words slides over the text, `stride` words at a time; each example holds one word
/// more, the first, which is only read. With stride = length every word but the text's first is predicted once.
std::vector<Example> slidingWindows(const std::vector<int>& text, int length, int stride);

}  // namespace headlight
