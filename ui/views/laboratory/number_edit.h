// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace headlight {

/// The matrices of attention, by the names that they bear in the state of the stage: Q, K, V, scores, weights, output,
/// from 0; -1: it is none of them.
int matrixOf(const std::string& word);
const char* matrixWord(int matrix);

/// A number of Q, K or V that was changed by hand; places count from 0.
struct NumberEdit {
    int matrix = 0, row = 0, column = 0;
    float value = 0;
};
/// As the state of the stage says it, places from 1: `Q[1,2]=0.5`. Nothing for what is no such edit.
std::optional<NumberEdit> numberEditFrom(const std::string& text);
std::string textOf(const NumberEdit& edit);

}  // namespace headlight
