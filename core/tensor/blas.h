// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/tensor/tensor.h"

namespace headlight::blas {

enum class Transpose { No, Yes };

/// c = alpha · op(a) · op(b) + beta · c, on matrices (leading dimensions respected). Shapes must fit; asserted. Throws
/// Error where the system has no memory left for the product.
template <class T>
void gemm(Transpose transA, Transpose transB, T alpha, const Tensor<T>& a, const Tensor<T>& b, T beta,
          const Tensor<T>& c);

/// How a product of floats is handed to OpenBLAS.
enum class Path {
    Whole,
    FewRowsInPieces,   ///< wants transA No
    GradientInPieces,  ///< wants transA Yes and transB No
    Unpacked,          ///< not by OpenBLAS: see unpacked_products.h; wants transB No
};

/// The same on a path that the caller chooses, whatever the processor and the sizes: for tests and measurements.
/// gemm() takes the one that is fastest.
void gemmOnPath(Path path, Transpose transA, Transpose transB, float alpha, const Tensor<float>& a,
                const Tensor<float>& b, float beta, const Tensor<float>& c);

/// Every product runs on the thread that asks for it. Work is divided above: by sentences, or see weight_products.h.
void useOneThread();

/// Takes from the system what so many products need that run beside one another. OpenBLAS asks for it by itself, but
/// without end where the system has none to give. gemm() reserves as well, one product at a time; threads that begin
/// together are reserved for before they do. Throws Error where there is not enough memory.
void reserve(int products);

/// The kernels that OpenBLAS picked for this processor: "SkylakeX", "Haswell", … Whether they are the best that it can
/// do: blas_kernels.h.
std::string coreName();
/// Whether they are those for AVX-512, which read small factors where they lie.
bool hasWideKernels();

}  // namespace headlight::blas
