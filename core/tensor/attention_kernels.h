// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensor/tensor.h"

namespace headlight {

/// One head of one sentence, short enough that all of it stays in the cache next to the processor.
template <class T>
struct AttentionHead {
    Tensor<T> query, key, value;  ///< [queries, width], [keys, width], [keys, width]
    Tensor<T> context;            ///< [queries, width]; on the way back its gradient
    const T* mask = nullptr;      ///< as padMask() makes it
    T scale = 1;
    T dropout = 0;
    uint64_t seed = 0;
    size_t firstWeight = 0;  ///< of the head, counted over all heads of all sentences: dropout draws by it
    T* weights = nullptr;    ///< [queries, paddedKeys]; those that are dropped are negative, or −0
    T* scratch = nullptr;    ///< so many numbers as scratch() asks for

    /// Of the way back: a gradient, and whether it is added to what stands there or set.
    struct Gradient {
        Tensor<T> to;
        bool adds = true;
    };
    Gradient dQuery = {}, dKey = {}, dValue = {};
};

/// softmax(scale · Q Kᵀ + mask) V of one head at a time, with dropout between the two products, and its way back
/// (Vaswani et al. 2017, equation 1): what OpenBLAS does badly, whose products are made for large matrices. Vectorised
/// with Highway as Kernels.
template <class T>
struct AttentionKernels {
    /// Are these sizes such that it pays? The width must be whole vectors.
    bool (*suits)(int queries, int keys, int width);
    /// `keys`, filled up to whole vectors.
    int (*paddedKeys)(int keys);
    size_t (*scratch)(int queries, int keys, int width);
    /// mask [queries, keys] of 0 and −∞, or null → [queries, paddedKeys], −∞ behind the keys.
    void (*padMask)(int queries, int keys, const T* mask, T* padded);
    void (*forward)(const AttentionHead<T>& head);
    void (*backward)(const AttentionHead<T>& head);
};

template <class T>
const AttentionKernels<T>& attentionKernels();

}  // namespace headlight
