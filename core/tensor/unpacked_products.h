// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor.h"

namespace headlight {

/// c = alpha · a b + beta · c, or alpha · aᵀ b + beta · c, with both factors read where they lie instead of being
/// copied into a packed order first: faster as long as b stays in the cache. The columns of c are whole vectors.
void multiplyUnpacked(bool transposedA, float alpha, const Tensor<float>& a, const Tensor<float>& b, float beta,
                      const Tensor<float>& c);

/// Floats in a vector of this processor.
int floatsInVector();

}  // namespace headlight
