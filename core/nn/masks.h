// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/autograd/tape.h"

namespace headlight {

/// Additive masks of 0 and −∞, in the tape's arena (CONTRACTS, section 3; one type everywhere).
/// [batch, queries, keys]: keys at and after each sentence's length are masked.
Tensor<float> paddingMask(Tape<float>& tape, std::span<const int> keyLengths, int queries, int keys);
/// The same, and keys after the query's own position (the future). With a `window` a query sees its own key and the
/// window − 1 before it.
Tensor<float> causalMask(Tape<float>& tape, std::span<const int> keyLengths, int length, int window = 0);
/// A query sees the keys that stand less than `window` away, on either side.
Tensor<float> bandMask(Tape<float>& tape, std::span<const int> keyLengths, int length, int window);
/// [1, 1, keys]: what the last of them sees.
Tensor<float> windowMask(Tape<float>& tape, int keys, int window);

}  // namespace headlight
