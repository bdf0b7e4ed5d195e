// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace headlight {

/// The short numbers of model files as float32, exactly, and back. Vectorised with Highway, like Kernels<T>.

/// IEEE half precision: 1 sign bit, 5 of exponent, 10 of fraction.
void floatsFromHalf(size_t n, const uint16_t* half, float* out);
/// bfloat16: the upper half of a float32.
void floatsFromBrain(size_t n, const uint16_t* brain, float* out);
/// The nearest halves; of two that are as near the even one. From 65520 on they are infinite.
void halvesFromFloats(size_t n, const float* x, uint16_t* half);
/// Is every number one, neither infinite nor NaN?
bool allFinite(size_t n, const float* x);

}  // namespace headlight
