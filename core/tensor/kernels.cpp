// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

// Highway compiles this file once for every instruction set; HWY_DYNAMIC_DISPATCH picks one as the program runs. The
// order of the includes counts.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tensor/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "core/tensor/dropout-inl.h"
#include "core/tensor/elements-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
void Axpy(size_t n, T alpha, const T* x, T* y) {
    overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
        hn::StoreU(hn::MulAdd(hn::Set(d, alpha), hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, y + i);
    });
}

template <class T>
void Scale(size_t n, T alpha, const T* x, T* y) {
    overElements<T>(
        n, [=](auto d, size_t i) HWY_ATTR { hn::StoreU(hn::Mul(hn::Set(d, alpha), hn::LoadU(d, x + i)), d, y + i); });
}

template <class T>
void Add(size_t n, const T* x, const T* y, T* z) {
    overElements<T>(
        n, [=](auto d, size_t i) HWY_ATTR { hn::StoreU(hn::Add(hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, z + i); });
}

template <class T>
T Dot(size_t n, const T* x, const T* y) {
    return sumOver<T>(n, [=](auto d, size_t i, auto total)
                             HWY_ATTR { return hn::MulAdd(hn::LoadU(d, x + i), hn::LoadU(d, y + i), total); });
}

template <class T>
void AddToRows(int rows, int cols, const T* bias, T* y) {
    const size_t n = static_cast<size_t>(cols);
    for (int r = 0; r < rows; ++r, y += n)
        Add(n, y, bias, y);
}

template <class T>
void AddColumnSums(int rows, int cols, const T* x, T* sums) {
    const size_t n = static_cast<size_t>(cols);
    for (int r = 0; r < rows; ++r, x += n)
        Add(n, x, sums, sums);
}

/// The largest number; whether what is no number counts is the processor's affair.
template <class T>
T RowMax(size_t n, const T* x) {
    const hn::ScalableTag<T> d;
    const size_t lanes = hn::Lanes(d);
    auto largest = hn::Set(d, -std::numeric_limits<T>::infinity());
    size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        largest = hn::Max(largest, hn::LoadU(d, x + i));
    T result = hn::GetLane(hn::MaxOfLanes(d, largest));
    for (; i < n; ++i)
        result = x[i] > result ? x[i] : result;
    return result;
}

template <class T>
void SoftmaxRows(int rows, int cols, const T* mask, T* x) {
    const size_t n = static_cast<size_t>(cols);
    for (int r = 0; r < rows; ++r, x += n) {
        if (mask) {
            Add(n, x, mask, x);
            mask += n;
        }
        const T largest = RowMax(n, x);
        if (largest == -std::numeric_limits<T>::infinity()) {
            const bool isMasked = std::none_of(x, x + n, [](T score) { return std::isnan(score); });
            std::fill_n(x, n, isMasked ? T(0) : std::numeric_limits<T>::quiet_NaN());
            continue;
        }
        const T sum = sumOver<T>(n, [=](auto d, size_t i, auto total) HWY_ATTR {
            const auto e = Exponential(d, hn::Sub(hn::LoadU(d, x + i), hn::Set(d, largest)));
            hn::StoreU(e, d, x + i);
            return hn::Add(total, e);
        });
        Scale(n, T(1) / sum, x, x);
    }
}

template <class T>
void SoftmaxRowsBackward(int rows, int cols, const T* y, const T* dy, T* dx) {
    const size_t n = static_cast<size_t>(cols);
    for (int r = 0; r < rows; ++r, y += n, dy += n, dx += n) {
        const T inner = Dot(n, y, dy);
        overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
            hn::StoreU(hn::Mul(hn::LoadU(d, y + i), hn::Sub(hn::LoadU(d, dy + i), hn::Set(d, inner))), d, dx + i);
        });
    }
}

template <class T>
void LogSoftmaxRows(int rows, int cols, const T* x, T* y) {
    const size_t n = static_cast<size_t>(cols);
    for (int r = 0; r < rows; ++r, x += n, y += n) {
        const T largest = RowMax(n, x);
        const T sum = sumOver<T>(n, [=](auto d, size_t i, auto total) HWY_ATTR {
            return hn::Add(total, Exponential(d, hn::Sub(hn::LoadU(d, x + i), hn::Set(d, largest))));
        });
        const T shift = largest + std::log(sum);
        overElements<T>(n, [=](auto d, size_t i)
                               HWY_ATTR { hn::StoreU(hn::Sub(hn::LoadU(d, x + i), hn::Set(d, shift)), d, y + i); });
    }
}

template <class T>
void BlockMaxima(int cols, int block, const T* x, T* maxima) {
    for (int first = 0; first < cols; first += block)
        *maxima++ = RowMax(static_cast<size_t>(HWY_MIN(block, cols - first)), x + first);
}

template <class T>
void RowSummaryOf(int cols, const T* x, RowSummary<T>* summary) {
    const size_t n = static_cast<size_t>(cols);
    const T largest = RowMax(n, x);
    const T exponentials = sumOver<T>(n, [=](auto d, size_t i, auto total) HWY_ATTR {
        return hn::Add(total, Exponential(d, hn::Sub(hn::LoadU(d, x + i), hn::Set(d, largest))));
    });
    const T sum =
        sumOver<T>(n, [=](auto d, size_t i, auto total) HWY_ATTR { return hn::Add(total, hn::LoadU(d, x + i)); });
    *summary = {largest, largest + std::log(exponentials), sum};
}

/// y = a · x, or y += a · x.
template <bool adds, class D, class V>
HWY_INLINE void Receive(D d, V a, V x, hn::TFromD<D>* y) {
    if constexpr (adds)
        hn::StoreU(hn::MulAdd(a, x, hn::LoadU(d, y)), d, y);
    else
        hn::StoreU(hn::Mul(a, x), d, y);
}

template <class T, bool adds>
void SoftmaxGradient(int cols, const T* x, T logSumExp, T scale, T share, T* dx) {
    overElements<T>(static_cast<size_t>(cols), [=](auto d, size_t i) HWY_ATTR {
        const auto probability = Exponential(d, hn::Sub(hn::LoadU(d, x + i), hn::Set(d, logSumExp)));
        const auto slope = hn::Sub(probability, hn::Set(d, share));
        Receive<adds>(d, hn::Set(d, scale), slope, dx + i);
    });
}

template <class T>
void LayerNorm(int rows, int cols, const T* x, const T* weight, const T* bias, T epsilon, T* y, T* mean, T* inverse) {
    const size_t n = static_cast<size_t>(cols);
    for (int r = 0; r < rows; ++r, x += n, y += n) {
        const T m =
            sumOver<T>(n, [=](auto d, size_t i, auto total) HWY_ATTR { return hn::Add(total, hn::LoadU(d, x + i)); }) /
            static_cast<T>(n);
        const T var = sumOver<T>(n,
                                 [=](auto d, size_t i, auto total) HWY_ATTR {
                                     const auto c = hn::Sub(hn::LoadU(d, x + i), hn::Set(d, m));
                                     return hn::MulAdd(c, c, total);
                                 }) /
                      static_cast<T>(n);
        const T s = T(1) / std::sqrt(var + epsilon);
        overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
            const auto normal = hn::Mul(hn::Sub(hn::LoadU(d, x + i), hn::Set(d, m)), hn::Set(d, s));
            hn::StoreU(hn::MulAdd(normal, hn::LoadU(d, weight + i), hn::LoadU(d, bias + i)), d, y + i);
        });
        mean[r] = m;
        inverse[r] = s;
    }
}

// With n = (x − mean)·s and g = dy ⊙ weight: dx = s·(g − mean(g) − n·mean(g ⊙ n)).
template <class T, bool adds>
void LayerNormBackward(int rows, int cols, const T* x, const T* weight, const T* mean, const T* inverse, const T* dy,
                       T* dx, T* dweight, T* dbias) {
    const size_t n = static_cast<size_t>(cols);
    for (int r = 0; r < rows; ++r, x += n, dy += n, dx += n) {
        const T m = mean[r], s = inverse[r];
        const T meanG =
            sumOver<T>(n, [=](auto d, size_t i, auto total)
                              HWY_ATTR { return hn::MulAdd(hn::LoadU(d, dy + i), hn::LoadU(d, weight + i), total); }) /
            static_cast<T>(n);
        const T meanGN = sumOver<T>(n,
                                    [=](auto d, size_t i, auto total) HWY_ATTR {
                                        const auto g = hn::Mul(hn::LoadU(d, dy + i), hn::LoadU(d, weight + i));
                                        const auto normal =
                                            hn::Mul(hn::Sub(hn::LoadU(d, x + i), hn::Set(d, m)), hn::Set(d, s));
                                        return hn::MulAdd(g, normal, total);
                                    }) /
                         static_cast<T>(n);
        overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
            const auto gradient = hn::LoadU(d, dy + i);
            const auto normal = hn::Mul(hn::Sub(hn::LoadU(d, x + i), hn::Set(d, m)), hn::Set(d, s));
            hn::StoreU(hn::MulAdd(gradient, normal, hn::LoadU(d, dweight + i)), d, dweight + i);
            hn::StoreU(hn::Add(hn::LoadU(d, dbias + i), gradient), d, dbias + i);
            const auto g = hn::Mul(gradient, hn::LoadU(d, weight + i));
            const auto centred = hn::NegMulAdd(normal, hn::Set(d, meanGN), hn::Sub(g, hn::Set(d, meanG)));
            Receive<adds>(d, hn::Set(d, s), centred, dx + i);
        });
    }
}

/// Not a maximum, which on some processors makes a 0 of what is no number.
template <class T>
void Relu(size_t n, const T* x, T* y) {
    overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
        const auto each = hn::LoadU(d, x + i);
        hn::StoreU(hn::IfThenZeroElse(hn::Le(each, hn::Zero(d)), each), d, y + i);
    });
}

template <class T>
void ReluBackward(size_t n, const T* x, const T* dy, T* dx) {
    overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
        const auto kept = hn::IfThenElseZero(hn::Gt(hn::LoadU(d, x + i), hn::Zero(d)), hn::LoadU(d, dy + i));
        hn::StoreU(kept, d, dx + i);
    });
}

// The error function has no vector form in Highway: these two go number by number.
template <class T>
void Gelu(size_t n, const T* x, T* y) {
    for (size_t i = 0; i < n; ++i)
        y[i] = x[i] * T(0.5) * (1 + std::erf(x[i] * T(1 / std::numbers::sqrt2)));
}

template <class T>
void GeluBackward(size_t n, const T* x, const T* dy, T* dx) {
    constexpr T density = T(0.39894228040143267794);  // 1/√(2π)
    for (size_t i = 0; i < n; ++i) {
        const T cumulative = T(0.5) * (1 + std::erf(x[i] * T(1 / std::numbers::sqrt2)));
        dx[i] = dy[i] * (cumulative + x[i] * density * std::exp(T(-0.5) * x[i] * x[i]));
    }
}

/// Φ(x), the standard normal distribution, and e^(−x²/2), from which it comes: erfc(z) ≈ (a₁t + … + a₅t⁵) e^(−z²) with
/// t = 1/(1 + pz), to 1.5·10⁻⁷ (Abramowitz and Stegun 1964, 7.1.26), about a float's last place.
template <class D, class V>
HWY_INLINE V NormalDistribution(D d, V x, V& bell) {
    const V z = hn::Mul(hn::Abs(x), hn::Set(d, static_cast<float>(1 / std::numbers::sqrt2)));
    const V one = hn::Set(d, 1.0f);
    const V t = hn::Div(one, hn::MulAdd(hn::Set(d, 0.3275911f), z, one));
    V sum = hn::MulAdd(hn::Set(d, 1.061405429f), t, hn::Set(d, -1.453152027f));
    for (const float coefficient : {1.421413741f, -0.284496736f, 0.254829592f})
        sum = hn::MulAdd(sum, t, hn::Set(d, coefficient));
    bell = Exponential(d, hn::Neg(hn::Mul(z, z)));
    const V tail = hn::Mul(hn::Set(d, 0.5f), hn::Mul(hn::Mul(sum, t), bell));
    return hn::IfThenElse(hn::Ge(x, hn::Zero(d)), hn::Sub(one, tail), tail);
}

void GeluFloat(size_t n, const float* x, float* y) {
    overElements<float>(n, [=](auto d, size_t i) HWY_ATTR {
        const auto v = hn::LoadU(d, x + i);
        auto bell = v;
        hn::StoreU(hn::Mul(v, NormalDistribution(d, v, bell)), d, y + i);
    });
}

void GeluBackwardFloat(size_t n, const float* x, const float* dy, float* dx) {
    overElements<float>(n, [=](auto d, size_t i) HWY_ATTR {
        const auto v = hn::LoadU(d, x + i), density = hn::Set(d, 0.39894228f);  // 1/√(2π)
        auto bell = v;
        const auto cumulative = NormalDistribution(d, v, bell);
        hn::StoreU(hn::Mul(hn::LoadU(d, dy + i), hn::MulAdd(hn::Mul(v, density), bell, cumulative)), d, dx + i);
    });
}

constexpr double geluSlope = 0.79788456080286535588;  // √(2/π)
constexpr double geluCubic = 0.044715;

template <class T>
void GeluTanh(size_t n, const T* x, T* y) {
    overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
        const auto v = hn::LoadU(d, x + i);
        const auto inner =
            hn::Mul(hn::Set(d, T(geluSlope)), hn::MulAdd(hn::Mul(hn::Set(d, T(geluCubic)), v), hn::Mul(v, v), v));
        const auto half = hn::Mul(hn::Set(d, T(0.5)), v);
        hn::StoreU(hn::MulAdd(half, hn::Tanh(d, inner), half), d, y + i);
    });
}

template <class T>
void GeluTanhBackward(size_t n, const T* x, const T* dy, T* dx) {
    overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
        const auto v = hn::LoadU(d, x + i), half = hn::Set(d, T(0.5)), one = hn::Set(d, T(1));
        const auto square = hn::Mul(v, v);
        const auto t =
            hn::Tanh(d, hn::Mul(hn::Set(d, T(geluSlope)), hn::MulAdd(hn::Mul(hn::Set(d, T(geluCubic)), v), square, v)));
        const auto slope = hn::Mul(hn::Set(d, T(geluSlope)), hn::MulAdd(hn::Set(d, T(3 * geluCubic)), square, one));
        const auto derivative =
            hn::Mul(half, hn::Add(hn::Add(one, t), hn::Mul(hn::Mul(v, slope), hn::NegMulAdd(t, t, one))));
        hn::StoreU(hn::Mul(hn::LoadU(d, dy + i), derivative), d, dx + i);
    });
}

void Adam(size_t n, const AdamStep& step, const float* gradient, float* m, float* v, float* parameters) {
    const float rate = step.learningRate / step.correction1;
    const float rootCorrection = 1.0f / std::sqrt(step.correction2);
    overElements<float>(n, [=, &step](auto d, size_t i) HWY_ATTR {
        const auto g = hn::Mul(hn::LoadU(d, gradient + i), hn::Set(d, step.gradientScale));
        const auto mi = hn::MulAdd(hn::Set(d, step.beta1), hn::LoadU(d, m + i), hn::Mul(hn::Set(d, 1 - step.beta1), g));
        const auto vi =
            hn::MulAdd(hn::Set(d, step.beta2), hn::LoadU(d, v + i), hn::Mul(hn::Set(d, 1 - step.beta2), hn::Mul(g, g)));
        hn::StoreU(mi, d, m + i);
        hn::StoreU(vi, d, v + i);
        const auto denominator = hn::MulAdd(hn::Sqrt(vi), hn::Set(d, rootCorrection), hn::Set(d, step.epsilon));
        const auto change = hn::Div(hn::Mul(hn::Set(d, rate), mi), denominator);
        const auto kept = hn::Mul(hn::LoadU(d, parameters + i), hn::Set(d, step.kept));
        hn::StoreU(hn::Sub(kept, change), d, parameters + i);
    });
}

double SumOfSquares(size_t n, const float* x) {
    const hn::ScalableTag<double> d;
    const hn::Rebind<float, decltype(d)> half;
    const size_t lanes = hn::Lanes(d);
    auto total = hn::Zero(d);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        const auto v = hn::PromoteTo(d, hn::LoadU(half, x + i));
        total = hn::MulAdd(v, v, total);
    }
    double result = hn::GetLane(hn::SumOfLanes(d, total));
    for (; i < n; ++i)
        result += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    return result;
}

template <class T>
Kernels<T> MakeTable() {
    Kernels<T> table{};
    table.axpy = &Axpy<T>;
    table.scale = &Scale<T>;
    table.add = &Add<T>;
    table.dot = &Dot<T>;
    table.addToRows = &AddToRows<T>;
    table.addColumnSums = &AddColumnSums<T>;
    table.softmaxRows = &SoftmaxRows<T>;
    table.softmaxRowsBackward = &SoftmaxRowsBackward<T>;
    table.logSoftmaxRows = &LogSoftmaxRows<T>;
    table.blockMaxima = &BlockMaxima<T>;
    table.rowSummary = &RowSummaryOf<T>;
    table.softmaxGradient = &SoftmaxGradient<T, false>;
    table.softmaxGradientAdd = &SoftmaxGradient<T, true>;
    table.layerNorm = &LayerNorm<T>;
    table.layerNormBackward = &LayerNormBackward<T, false>;
    table.layerNormBackwardAdd = &LayerNormBackward<T, true>;
    table.relu = &Relu<T>;
    table.reluBackward = &ReluBackward<T>;
    table.gelu = &Gelu<T>;
    table.geluBackward = &GeluBackward<T>;
    table.geluTanh = &GeluTanh<T>;
    table.geluTanhBackward = &GeluTanhBackward<T>;
    return table;
}

Kernels<float> FloatTable() {
    Kernels<float> table = MakeTable<float>();
    table.gelu = &GeluFloat;
    table.geluBackward = &GeluBackwardFloat;
    table.dropout = &DropoutFloat<false>;
    table.dropoutAdd = &DropoutFloat<true>;
    return table;
}

Kernels<double> DoubleTable() {
    Kernels<double> table = MakeTable<double>();
    table.dropout = &DropoutDouble<false>;
    table.dropoutAdd = &DropoutDouble<true>;
    return table;
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headlight {

HWY_EXPORT(FloatTable);
HWY_EXPORT(DoubleTable);
HWY_EXPORT(SumOfSquares);
HWY_EXPORT(Adam);

template <>
const Kernels<float>& kernels() {
    static const Kernels<float> table = HWY_DYNAMIC_DISPATCH(FloatTable)();
    return table;
}

template <>
const Kernels<double>& kernels() {
    static const Kernels<double> table = HWY_DYNAMIC_DISPATCH(DoubleTable)();
    return table;
}

double sumOfSquares(size_t n, const float* x) {
    return HWY_DYNAMIC_DISPATCH(SumOfSquares)(n, x);
}

void adam(size_t n, const AdamStep& step, const float* gradient, float* m, float* v, float* parameters) {
    HWY_DYNAMIC_DISPATCH(Adam)(n, step, gradient, m, v, parameters);
}

}  // namespace headlight
#endif
