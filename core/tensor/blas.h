// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/tensor/tensor.h"

namespace headlight::blas {

enum class Transpose { No, Yes };

/// c = alpha · op(a) · op(b) + beta · c, on matrices (leading dimensions respected). Shapes must fit; asserted.
template <class T>
void gemm(Transpose transA, Transpose transB, T alpha, const Tensor<T>& a, const Tensor<T>& b, T beta,
          const Tensor<T>& c);

/// Every product runs on the thread that asks for it: work is divided by sentences, not inside a product.
void useOneThread();

/// The kernels that OpenBLAS picked for this processor: "SkylakeX", "Haswell", …
std::string coreName();

/// The kernels that it should pick but does not know about: "SkylakeX" where the processor has AVX-512 and an
/// OpenBLAS too old to recognise it fell back; otherwise empty. OpenBLAS reads the variable OPENBLAS_CORETYPE once,
/// when it is loaded, so a program that wants the better kernels sets it and starts itself again.
std::string betterCoreName();

}  // namespace headlight::blas
