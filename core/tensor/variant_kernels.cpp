// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/variant_kernels.h"

#include <cmath>

// Compiled once for every instruction set, as kernels.cpp. The order of the includes counts.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tensor/variant_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "core/tensor/elements-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
void RmsNorm(int rows, int cols, const T* x, const T* weight, T epsilon, T* y, T* inverse) {
    const size_t n = static_cast<size_t>(cols);
    for (int r = 0; r < rows; ++r, x += n, y += n) {
        const T squares = sumOver<T>(n, [=](auto d, size_t i, auto total) HWY_ATTR {
            const auto v = hn::LoadU(d, x + i);
            return hn::MulAdd(v, v, total);
        });
        const T s = T(1) / std::sqrt(squares / static_cast<T>(n) + epsilon);
        overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
            hn::StoreU(hn::Mul(hn::Mul(hn::LoadU(d, x + i), hn::Set(d, s)), hn::LoadU(d, weight + i)), d, y + i);
        });
        inverse[r] = s;
    }
}

// With n = x·s and g = dy ⊙ weight: dx = s·(g − n·mean(g ⊙ n)).
template <class T>
void RmsNormBackward(int rows, int cols, const T* x, const T* weight, const T* inverse, const T* dy, T* dx,
                     T* dweight) {
    const size_t n = static_cast<size_t>(cols);
    for (int r = 0; r < rows; ++r, x += n, dy += n, dx += n) {
        const T s = inverse[r];
        const T product = sumOver<T>(n, [=](auto d, size_t i, auto total) HWY_ATTR {
            const auto g = hn::Mul(hn::LoadU(d, dy + i), hn::LoadU(d, weight + i));
            return hn::MulAdd(g, hn::LoadU(d, x + i), total);
        });
        const T mean = product * s / static_cast<T>(n);
        overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
            const auto gradient = hn::LoadU(d, dy + i);
            const auto normal = hn::Mul(hn::LoadU(d, x + i), hn::Set(d, s));
            hn::StoreU(hn::MulAdd(gradient, normal, hn::LoadU(d, dweight + i)), d, dweight + i);
            const auto slope = hn::NegMulAdd(normal, hn::Set(d, mean), hn::Mul(gradient, hn::LoadU(d, weight + i)));
            hn::StoreU(hn::MulAdd(hn::Set(d, s), slope, hn::LoadU(d, dx + i)), d, dx + i);
        });
    }
}

/// σ(x), by the exponential of what is not above 0: that one cannot overflow.
template <class D, class V>
HWY_INLINE V SafeSigmoid(D d, V x) {
    const auto one = hn::Set(d, hn::TFromD<D>(1));
    const V e = hn::Exp(d, hn::Neg(hn::Abs(x)));
    return hn::Div(hn::IfThenElse(hn::Ge(x, hn::Zero(d)), one, e), hn::Add(one, e));
}

template <class T>
void SigmoidUnit(size_t n, T slope, const T* x, T* y) {
    overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
        const auto v = hn::LoadU(d, x + i);
        hn::StoreU(hn::Mul(v, SafeSigmoid(d, hn::Mul(hn::Set(d, slope), v))), d, y + i);
    });
}

// d/dx x·σ(cx) = σ + c·x·σ·(1 − σ).
template <class T>
void SigmoidUnitBackward(size_t n, T slope, const T* x, const T* dy, T* dx) {
    overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
        const auto inner = hn::Mul(hn::Set(d, slope), hn::LoadU(d, x + i));
        const auto sigma = SafeSigmoid(d, inner);
        const auto derivative = hn::MulAdd(hn::Mul(inner, sigma), hn::Sub(hn::Set(d, T(1)), sigma), sigma);
        hn::StoreU(hn::Mul(hn::LoadU(d, dy + i), derivative), d, dx + i);
    });
}

template <class T>
void Multiply(size_t n, const T* x, const T* y, T* z) {
    overElements<T>(
        n, [=](auto d, size_t i) HWY_ATTR { hn::StoreU(hn::Mul(hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, z + i); });
}

template <class T>
void MultiplyAdd(size_t n, const T* x, const T* y, T* z) {
    overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
        hn::StoreU(hn::MulAdd(hn::LoadU(d, x + i), hn::LoadU(d, y + i), hn::LoadU(d, z + i)), d, z + i);
    });
}

template <class T>
void Rotate(size_t n, const T* cosine, const T* sine, const T* x, T* y) {
    overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
        const auto c = hn::LoadU(d, cosine + i), s = hn::LoadU(d, sine + i);
        const auto a = hn::LoadU(d, x + i), b = hn::LoadU(d, x + n + i);
        hn::StoreU(hn::NegMulAdd(b, s, hn::Mul(a, c)), d, y + i);
        hn::StoreU(hn::MulAdd(a, s, hn::Mul(b, c)), d, y + n + i);
    });
}

template <class T>
void RotateBackAdd(size_t n, const T* cosine, const T* sine, const T* x, T* y) {
    overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
        const auto c = hn::LoadU(d, cosine + i), s = hn::LoadU(d, sine + i);
        const auto a = hn::LoadU(d, x + i), b = hn::LoadU(d, x + n + i);
        hn::StoreU(hn::Add(hn::LoadU(d, y + i), hn::MulAdd(b, s, hn::Mul(a, c))), d, y + i);
        hn::StoreU(hn::Add(hn::LoadU(d, y + n + i), hn::NegMulAdd(a, s, hn::Mul(b, c))), d, y + n + i);
    });
}

template <class T>
VariantKernels<T> MakeVariantTable() {
    return {.rmsNorm = &RmsNorm<T>,
            .rmsNormBackward = &RmsNormBackward<T>,
            .sigmoidUnit = &SigmoidUnit<T>,
            .sigmoidUnitBackward = &SigmoidUnitBackward<T>,
            .multiply = &Multiply<T>,
            .multiplyAdd = &MultiplyAdd<T>,
            .rotate = &Rotate<T>,
            .rotateBackAdd = &RotateBackAdd<T>};
}

VariantKernels<float> VariantFloatTable() {
    return MakeVariantTable<float>();
}

VariantKernels<double> VariantDoubleTable() {
    return MakeVariantTable<double>();
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headlight {

HWY_EXPORT(VariantFloatTable);
HWY_EXPORT(VariantDoubleTable);

template <>
const VariantKernels<float>& variantKernels() {
    static const VariantKernels<float> table = HWY_DYNAMIC_DISPATCH(VariantFloatTable)();
    return table;
}

template <>
const VariantKernels<double>& variantKernels() {
    static const VariantKernels<double> table = HWY_DYNAMIC_DISPATCH(VariantDoubleTable)();
    return table;
}

}  // namespace headlight
#endif
