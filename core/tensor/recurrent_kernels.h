// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace headlight {

/// What the cells of recurrent networks do between two products, one step of `rows` sentences at a time; vectorised
/// with Highway as Kernels. Matrices are packed, [rows, h] or gates side by side in PyTorch's order. Where a previous
/// state is null it is zeros; gradients of a state are added to, unless null.
template <class T>
struct RecurrentKernels {
    /// Elman 1990: gates [rows, h] holds x W_ihᵀ + h W_hhᵀ + b, and h = tanh of it. The gate is left as h.
    void (*elman)(int rows, int h, T* gates, T* hidden);
    void (*elmanBackward)(int rows, int h, const T* hidden, const T* dHidden, T* dGates);

    /// Hochreiter, Schmidhuber 1997, with a forget gate: gates [rows, 4h] become i, f, g, o;
    /// c = f ⊙ c₋₁ + i ⊙ g, h = o ⊙ tanh c. Keeps tanh c for the way back.
    void (*lstm)(int rows, int h, T* gates, const T* previousCell, T* cell, T* tanhCell, T* hidden);
    void (*lstmBackward)(int rows, int h, const T* gates, const T* previousCell, const T* tanhCell, const T* dHidden,
                         const T* dCell, T* dGates, T* dPreviousCell);

    /// Cho et al. 2014, with the reset gate as PyTorch applies it: n = tanh(x_n + r ⊙ h_n), h = (1 − z) ⊙ n + z ⊙ h₋₁.
    /// gates [rows, 3h] holds x W_ihᵀ + b_ih and becomes r, z, n; state [rows, 3h] is h₋₁ W_hhᵀ + b_hh.
    void (*gru)(int rows, int h, T* gates, const T* state, const T* previous, T* hidden);
    void (*gruBackward)(int rows, int h, const T* gates, const T* state, const T* previous, const T* dHidden, T* dGates,
                        T* dState, T* dPrevious);

    /// y = tanh x; dx += dy ⊙ (1 − y²).
    void (*tanh)(size_t n, const T* x, T* y);
    void (*tanhBackward)(size_t n, const T* y, const T* dy, T* dx);
};

template <class T>
const RecurrentKernels<T>& recurrentKernels();

}  // namespace headlight
