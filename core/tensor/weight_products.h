// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor.h"

namespace headlight {

/// y = x Wᵀ where nobody wants a way back: x [rows, in], W [out, in], y [rows, out]. A large product is divided among
/// the processors (SharedWork), in pieces that follow from the sizes alone: the bits are the same on any number of
/// threads. Of few rows (48, where OpenBLAS has no AVX-512 to read weights with 192, fewer of short sums) the weights
/// are read where they lie, once: their way from memory is then what takes time; and a row has the same bits alone and
/// among others.
void multiplyByWeights(const Tensor<float>& x, const Tensor<float>& weights, const Tensor<float>& y);
void multiplyByWeights(const Tensor<double>& x, const Tensor<double>& weights, const Tensor<double>& y);

}  // namespace headlight
