// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/unpacked_products.h"

// As in kernels.cpp: compiled once for every instruction set, and the order of the includes counts.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tensor/unpacked_products.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "core/tensor/product-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void MultiplyUnpacked(bool transposedA, float alpha, const Tensor<float>& a, const Tensor<float>& b, float beta,
                      const Tensor<float>& c) {
    const size_t step = static_cast<size_t>(a.ld);
    Multiply(hn::ScalableTag<float>(), SmallProduct<float>{.a = a.data,
                                                           .aRow = transposedA ? 1 : step,
                                                           .aColumn = transposedA ? step : 1,
                                                           .b = b.data,
                                                           .bRow = static_cast<size_t>(b.ld),
                                                           .c = c.data,
                                                           .cRow = static_cast<size_t>(c.ld),
                                                           .rows = static_cast<size_t>(c.rows()),
                                                           .columns = static_cast<size_t>(c.cols()),
                                                           .inner = static_cast<size_t>(b.rows()),
                                                           .alpha = alpha,
                                                           .beta = beta});
}

int FloatsInVector() {
    return static_cast<int>(hn::Lanes(hn::ScalableTag<float>()));
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headlight {

HWY_EXPORT(MultiplyUnpacked);
HWY_EXPORT(FloatsInVector);

void multiplyUnpacked(bool transposedA, float alpha, const Tensor<float>& a, const Tensor<float>& b, float beta,
                      const Tensor<float>& c) {
    HWY_DYNAMIC_DISPATCH(MultiplyUnpacked)(transposedA, alpha, a, b, beta, c);
}

int floatsInVector() {
    static const int count = HWY_DYNAMIC_DISPATCH(FloatsInVector)();
    return count;
}

}  // namespace headlight
#endif
