// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/scattered_attention.h"

// As in kernels.cpp: compiled once for every instruction set, and the order of the includes counts.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tensor/scattered_attention.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "core/tensor/elements-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
void Scores(const QueryHeads& all, T scale, const T* query, const ScatteredRows<T>& keys, T* scores) {
    const size_t shared = all.heads / all.keyHeads;
    for (size_t k = 0; k < keys.count; ++k) {
        const T* const row = keys.data + static_cast<size_t>(keys.rows[k]) * keys.stride;
        for (size_t h = 0; h < all.heads; ++h) {
            const T* const q = query + h * all.width;
            const T* const key = row + h / shared * all.width;
            scores[h * all.stride + k] = scale * sumOver<T>(all.width, [&](auto d, size_t i, auto sum) HWY_ATTR {
                                             return hn::MulAdd(hn::LoadU(d, q + i), hn::LoadU(d, key + i), sum);
                                         });
        }
    }
}

/// V vectors of a head's context from column `first` of the values on.
template <size_t V, class D, class T>
HWY_INLINE void MixVectors(D d, const T* weights, const ScatteredRows<T>& values, size_t first, T* to) {
    const size_t lanes = hn::Lanes(d);
    decltype(hn::Zero(d)) sums[V];
    for (size_t v = 0; v < V; ++v)
        sums[v] = hn::Zero(d);
    for (size_t k = 0; k < values.count; ++k) {
        const T* const row = values.data + static_cast<size_t>(values.rows[k]) * values.stride + first;
        const auto weight = hn::Set(d, weights[k]);
        for (size_t v = 0; v < V; ++v)
            sums[v] = hn::MulAdd(weight, hn::LoadU(d, row + v * lanes), sums[v]);
    }
    for (size_t v = 0; v < V; ++v)
        hn::StoreU(sums[v], d, to + v * lanes);
}

template <class T>
void Mix(const QueryHeads& all, const T* weights, const ScatteredRows<T>& values, T* context) {
    const hn::ScalableTag<T> wide;
    const hn::CappedTag<T, 1> one;
    const size_t lanes = hn::Lanes(wide), shared = all.heads / all.keyHeads;
    for (size_t h = 0; h < all.heads; ++h) {
        const T* const own = weights + h * all.stride;
        const size_t first = h / shared * all.width;
        T* const to = context + h * all.width;
        size_t i = 0;
        for (; i + 2 * lanes <= all.width; i += 2 * lanes)
            MixVectors<2>(wide, own, values, first + i, to + i);
        for (; i + lanes <= all.width; i += lanes)
            MixVectors<1>(wide, own, values, first + i, to + i);
        for (; i < all.width; ++i)
            MixVectors<1>(one, own, values, first + i, to + i);
    }
}

ScatteredAttention<float> ScatteredFloatTable() {
    return {&Scores<float>, &Mix<float>};
}

ScatteredAttention<double> ScatteredDoubleTable() {
    return {&Scores<double>, &Mix<double>};
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headlight {

HWY_EXPORT(ScatteredFloatTable);
HWY_EXPORT(ScatteredDoubleTable);

template <>
const ScatteredAttention<float>& scatteredAttention() {
    static const ScatteredAttention<float> table = HWY_DYNAMIC_DISPATCH(ScatteredFloatTable)();
    return table;
}

template <>
const ScatteredAttention<double>& scatteredAttention() {
    static const ScatteredAttention<double> table = HWY_DYNAMIC_DISPATCH(ScatteredDoubleTable)();
    return table;
}

}  // namespace headlight
#endif
