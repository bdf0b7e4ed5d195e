// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels.cpp, recurrent_kernels.cpp and variant_kernels.cpp share; they include this file once for every
// instruction set.
// clang-format off
#if defined(HEADLIGHT_CORE_TENSOR_ELEMENTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADLIGHT_CORE_TENSOR_ELEMENTS_INL_H
#undef HEADLIGHT_CORE_TENSOR_ELEMENTS_INL_H
#else
#define HEADLIGHT_CORE_TENSOR_ELEMENTS_INL_H
#endif
// clang-format on

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Calls body(d, offset) over n elements: whole vectors, then the rest one by one, with the same formulas.
template <class T, class Body>
HWY_INLINE void overElements(size_t n, Body body) {
    const hn::ScalableTag<T> wide;
    const size_t lanes = hn::Lanes(wide);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        body(wide, i);
    const hn::CappedTag<T, 1> one;
    for (; i < n; ++i)
        body(one, i);
}

/// Folds n elements with a vector accumulator: step(d, i, accumulator) in order, then a sum over lanes.
template <class T, class Step>
HWY_INLINE T sumOver(size_t n, Step step) {
    const hn::ScalableTag<T> wide;
    const size_t lanes = hn::Lanes(wide);
    auto total = hn::Zero(wide);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        total = step(wide, i, total);
    T result = hn::GetLane(hn::SumOfLanes(wide, total));
    const hn::CappedTag<T, 1> one;
    for (; i < n; ++i)
        result = hn::GetLane(step(one, i, hn::Set(one, result)));
    return result;
}

/// eˣ. Highway's own gives 0 for what is no number, which would hide that something went wrong before.
template <class D, class V>
HWY_INLINE V Exponential(D d, V x) {
    return hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(d, x));
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
