// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace headlight {

/// Keys or values that lie apart: word k of them is row rows[k] of a matrix, the heads side by side.
template <class T>
struct ScatteredRows {
    const T* data = nullptr;
    size_t stride = 0;  ///< from one row to the next
    const int* rows = nullptr;
    size_t count = 0;
};

/// How a query's heads lie: `heads` slices of `width` numbers, of which heads / keyHeads neighbours share a slice of
/// the keys (Ainslie et al. 2023: grouped queries). Scores and weights of a head lie `stride` behind those of the one
/// before.
struct QueryHeads {
    size_t heads = 1, keyHeads = 1, width = 0, stride = 0;
};

/// Attention of one query over keys that hypotheses of a search share, wherever they lie (Vaswani et al. 2017, equation
/// 1, without its softmax). A product of matrices would want them side by side, and OpenBLAS is slow with one row.
/// Vectorised with Highway as Kernels. What a query gets does not depend on what is computed beside it.
template <class T>
struct ScatteredAttention {
    /// scores[h·stride + k] = scale · q_h · k_h
    void (*scores)(const QueryHeads& heads, T scale, const T* query, const ScatteredRows<T>& keys, T* scores);
    /// context_h = Σ weights[h·stride + k] · v_h
    void (*mix)(const QueryHeads& heads, const T* weights, const ScatteredRows<T>& values, T* context);
};

template <class T>
const ScatteredAttention<T>& scatteredAttention();

}  // namespace headlight
