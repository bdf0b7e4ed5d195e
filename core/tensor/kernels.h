// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace headlight {

/// One step of Adam (Kingma, Ba 2015, algorithm 1).
struct AdamStep {
    float learningRate, beta1, beta2, epsilon;
    float gradientScale;             ///< multiplies the gradient first (clipping)
    float correction1, correction2;  ///< 1 − β₁ᵗ, 1 − β₂ᵗ
    float kept = 1;                  ///< multiplies the weights first (decoupled weight decay)
};

/// Of a row x: its largest number, log Σ exp(x), Σ x.
template <class T>
struct RowSummary {
    T largest, logSumExp, sum;
};

/// Elementwise and row-wise arithmetic, vectorised with Highway. Matrices are packed, row-major. There is one table of
/// functions for each instruction set; kernels<T>() is the best that this processor runs. T is float (training) or
/// double (gradient checks): the same code.
template <class T>
struct Kernels {
    /// y += alpha · x
    void (*axpy)(size_t n, T alpha, const T* x, T* y);
    /// y = alpha · x; y may be x
    void (*scale)(size_t n, T alpha, const T* x, T* y);
    /// z = x + y; z may be either
    void (*add)(size_t n, const T* x, const T* y, T* z);
    T (*dot)(size_t n, const T* x, const T* y);
    /// Every row of y += bias.
    void (*addToRows)(int rows, int cols, const T* bias, T* y);
    /// sums += the sum of the rows of x.
    void (*addColumnSums)(int rows, int cols, const T* x, T* sums);

    /// In each row x = softmax(x + mask). mask: [rows, cols] of 0 and −∞, or null. A row that is masked everywhere
    /// becomes zeros: there is no key left to look at. One with a score that is no number becomes no numbers.
    void (*softmaxRows)(int rows, int cols, const T* mask, T* x);
    /// dx = y ⊙ (dy − Σ dy ⊙ y), by row; dx may be dy.
    void (*softmaxRowsBackward)(int rows, int cols, const T* y, const T* dy, T* dx);
    /// y = log softmax(x), by row.
    void (*logSoftmaxRows)(int rows, int cols, const T* x, T* y);

    /// The largest of each `block` numbers of a row, the last block being what is left; and, as among comparisons, no
    /// word of numbers that are none.
    void (*blockMaxima)(int cols, int block, const T* x, T* maxima);
    /// What a row says of its softmax, read once.
    void (*rowSummary)(int cols, const T* x, RowSummary<T>* summary);
    /// dx = scale · (softmax(x) − share), by the row's logSumExp; dx may be x.
    void (*softmaxGradient)(int cols, const T* x, T logSumExp, T scale, T share, T* dx);
    /// dx += the same
    void (*softmaxGradientAdd)(int cols, const T* x, T logSumExp, T scale, T share, T* dx);

    /// y = (x − mean) / √(var + epsilon) · weight + bias, var with n (Ba, Kiros, Hinton 2016). Keeps mean and
    /// 1/√(var + epsilon) of each row for the way back.
    void (*layerNorm)(int rows, int cols, const T* x, const T* weight, const T* bias, T epsilon, T* y, T* mean,
                      T* inverseDeviation);
    /// Sets dx, adds to dweight and dbias.
    void (*layerNormBackward)(int rows, int cols, const T* x, const T* weight, const T* mean, const T* inverseDeviation,
                              const T* dy, T* dx, T* dweight, T* dbias);
    /// Adds to dx as well.
    void (*layerNormBackwardAdd)(int rows, int cols, const T* x, const T* weight, const T* mean,
                                 const T* inverseDeviation, const T* dy, T* dx, T* dweight, T* dbias);

    // Activations. y may be x; each …Backward sets dx = dy · f′(x), and dx may be dy.
    void (*relu)(size_t n, const T* x, T* y);
    void (*reluBackward)(size_t n, const T* x, const T* dy, T* dx);
    /// x · Φ(x), with the error function (Hendrycks, Gimpel 2016).
    void (*gelu)(size_t n, const T* x, T* y);
    void (*geluBackward)(size_t n, const T* x, const T* dy, T* dx);
    /// ½x(1 + tanh(√(2/π)(x + 0.044715x³))): the same paper's approximation.
    void (*geluTanh)(size_t n, const T* x, T* y);
    void (*geluTanhBackward)(size_t n, const T* x, const T* dy, T* dx);

    /// y = x / (1 − rate) where a hash of (seed, index) keeps the element, else 0. Linear in x, so the way back is the
    /// same function of the gradient, and no mask is stored.
    void (*dropout)(size_t n, T rate, uint64_t seed, const T* x, T* y);
    /// y += the same
    void (*dropoutAdd)(size_t n, T rate, uint64_t seed, const T* x, T* y);
};

template <class T>
const Kernels<T>& kernels();

/// Sum of squares, added up in double.
double sumOfSquares(size_t n, const float* x);
void adam(size_t n, const AdamStep& step, const float* gradient, float* m, float* v, float* parameters);

}  // namespace headlight
