// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/models/model.h"
#include "core/text/tokenizer.h"

namespace headlight {

/// Adds a line to a text as one run of ids, every line of which is ended by `eos`: what a language model reads. A line
/// that says nothing adds nothing.
void addLine(std::vector<int>& text, const std::string& line, const Tokenizer& tokenizer, int eos);

/// A window of `length` predicted words slides over the text, `stride` words at a time; each example holds one word
/// more, the first, which is only read. With stride = length every word but the text's first is predicted once.
std::vector<Example> slidingWindows(const std::vector<int>& text, int length, int stride);

}  // namespace headlight
