// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace headlight {

/// Arithmetic of the Transformers that came after the paper's; vectorised with Highway as Kernels, matrices as there.
template <class T>
struct VariantKernels {
    /// y = x / √(mean x² + epsilon) · weight, by row (Zhang, Sennrich 2019). Keeps 1/√(…) of each row for the way back.
    void (*rmsNorm)(int rows, int cols, const T* x, const T* weight, T epsilon, T* y, T* inverse);
    /// Adds to dx and dweight.
    void (*rmsNormBackward)(int rows, int cols, const T* x, const T* weight, const T* inverse, const T* dy, T* dx,
                            T* dweight);

    /// y = x · σ(slope · x); y may be x.
    void (*sigmoidUnit)(size_t n, T slope, const T* x, T* y);
    /// dx = dy · the derivative of it by x; dx may be dy.
    void (*sigmoidUnitBackward)(size_t n, T slope, const T* x, const T* dy, T* dx);

    /// z = x ⊙ y; z may be either.
    void (*multiply)(size_t n, const T* x, const T* y, T* z);
    /// z += x ⊙ y
    void (*multiplyAdd)(size_t n, const T* x, const T* y, T* z);

    /// The pairs (x[i], x[i + n]), i < n, each turned by the angle whose cosine and sine are given (Su et al. 2021).
    /// y is not x.
    void (*rotate)(size_t n, const T* cosine, const T* sine, const T* x, T* y);
    /// Turned back, and added to y.
    void (*rotateBackAdd)(size_t n, const T* cosine, const T* sine, const T* x, T* y);
};

template <class T>
const VariantKernels<T>& variantKernels();

}  // namespace headlight
