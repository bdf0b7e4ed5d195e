// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/recurrent_kernels.h"

// Compiled once for every instruction set, as kernels.cpp. The order of the includes counts.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tensor/recurrent_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "core/tensor/elements-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V>
HWY_INLINE V Sigmoid(D d, V x) {
    const auto one = hn::Set(d, hn::TFromD<D>(1));
    return hn::Div(one, hn::Add(one, Exponential(d, hn::Neg(x))));
}

template <class D>
HWY_INLINE auto LoadOrZero(D d, const hn::TFromD<D>* from, size_t i) {
    return from ? hn::LoadU(d, from + i) : hn::Zero(d);
}

template <class D, class V>
HWY_INLINE void AddTo(D d, V value, hn::TFromD<D>* to, size_t i) {
    if (to) hn::StoreU(hn::Add(hn::LoadU(d, to + i), value), d, to + i);
}

/// 1 − y²
template <class D, class V>
HWY_INLINE V TanhSlope(D d, V y) {
    return hn::NegMulAdd(y, y, hn::Set(d, hn::TFromD<D>(1)));
}

template <class T>
void Tanh(size_t n, const T* x, T* y) {
    overElements<T>(n, [=](auto d, size_t i) HWY_ATTR { hn::StoreU(hn::Tanh(d, hn::LoadU(d, x + i)), d, y + i); });
}

template <class T>
void TanhBackward(size_t n, const T* y, const T* dy, T* dx) {
    overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
        AddTo(d, hn::Mul(hn::LoadU(d, dy + i), TanhSlope(d, hn::LoadU(d, y + i))), dx, i);
    });
}

template <class T>
void Elman(int rows, int h, T* gates, T* hidden) {
    const size_t n = static_cast<size_t>(rows) * static_cast<size_t>(h);
    overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
        const auto y = hn::Tanh(d, hn::LoadU(d, gates + i));
        hn::StoreU(y, d, gates + i);
        hn::StoreU(y, d, hidden + i);
    });
}

template <class T>
void ElmanBackward(int rows, int h, const T* hidden, const T* dHidden, T* dGates) {
    const size_t n = static_cast<size_t>(rows) * static_cast<size_t>(h);
    overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
        const auto slope = TanhSlope(d, hn::LoadU(d, hidden + i));
        hn::StoreU(hn::Mul(hn::LoadU(d, dHidden + i), slope), d, dGates + i);
    });
}

template <class T>
void Lstm(int rows, int h, T* gates, const T* previousCell, T* cell, T* tanhCell, T* hidden) {
    const size_t n = static_cast<size_t>(h);
    for (int r = 0; r < rows; ++r) {
        T *in = gates, *forget = gates + n, *candidate = gates + 2 * n, *out = gates + 3 * n;
        overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
            const auto iGate = Sigmoid(d, hn::LoadU(d, in + i)), fGate = Sigmoid(d, hn::LoadU(d, forget + i));
            const auto gGate = hn::Tanh(d, hn::LoadU(d, candidate + i)), oGate = Sigmoid(d, hn::LoadU(d, out + i));
            const auto c = hn::MulAdd(fGate, LoadOrZero(d, previousCell, i), hn::Mul(iGate, gGate));
            const auto squashed = hn::Tanh(d, c);
            hn::StoreU(iGate, d, in + i);
            hn::StoreU(fGate, d, forget + i);
            hn::StoreU(gGate, d, candidate + i);
            hn::StoreU(oGate, d, out + i);
            hn::StoreU(c, d, cell + i);
            hn::StoreU(squashed, d, tanhCell + i);
            hn::StoreU(hn::Mul(oGate, squashed), d, hidden + i);
        });
        gates += 4 * n;
        if (previousCell) previousCell += n;
        cell += n;
        tanhCell += n;
        hidden += n;
    }
}

template <class T>
void LstmBackward(int rows, int h, const T* gates, const T* previousCell, const T* tanhCell, const T* dHidden,
                  const T* dCell, T* dGates, T* dPreviousCell) {
    const size_t n = static_cast<size_t>(h);
    for (int r = 0; r < rows; ++r) {
        overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
            const auto one = hn::Set(d, T(1));
            const auto iGate = hn::LoadU(d, gates + i), fGate = hn::LoadU(d, gates + n + i);
            const auto gGate = hn::LoadU(d, gates + 2 * n + i), oGate = hn::LoadU(d, gates + 3 * n + i);
            const auto squashed = hn::LoadU(d, tanhCell + i), dh = hn::LoadU(d, dHidden + i);
            const auto dc = hn::MulAdd(hn::Mul(dh, oGate), TanhSlope(d, squashed), hn::LoadU(d, dCell + i));
            const auto dSigmoid = [=](auto y) HWY_ATTR { return hn::Mul(y, hn::Sub(one, y)); };
            hn::StoreU(hn::Mul(hn::Mul(dc, gGate), dSigmoid(iGate)), d, dGates + i);
            hn::StoreU(hn::Mul(hn::Mul(dc, LoadOrZero(d, previousCell, i)), dSigmoid(fGate)), d, dGates + n + i);
            hn::StoreU(hn::Mul(hn::Mul(dc, iGate), TanhSlope(d, gGate)), d, dGates + 2 * n + i);
            hn::StoreU(hn::Mul(hn::Mul(dh, squashed), dSigmoid(oGate)), d, dGates + 3 * n + i);
            AddTo(d, hn::Mul(dc, fGate), dPreviousCell, i);
        });
        gates += 4 * n;
        dGates += 4 * n;
        tanhCell += n;
        dHidden += n;
        dCell += n;
        if (previousCell) previousCell += n;
        if (dPreviousCell) dPreviousCell += n;
    }
}

template <class T>
void Gru(int rows, int h, T* gates, const T* state, const T* previous, T* hidden) {
    const size_t n = static_cast<size_t>(h);
    for (int row = 0; row < rows; ++row) {
        overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
            const auto sum = [=](size_t at)
                                 HWY_ATTR { return hn::Add(hn::LoadU(d, gates + at), hn::LoadU(d, state + at)); };
            const auto r = Sigmoid(d, sum(i)), z = Sigmoid(d, sum(n + i));
            const auto candidate =
                hn::Tanh(d, hn::MulAdd(r, hn::LoadU(d, state + 2 * n + i), hn::LoadU(d, gates + 2 * n + i)));
            hn::StoreU(r, d, gates + i);
            hn::StoreU(z, d, gates + n + i);
            hn::StoreU(candidate, d, gates + 2 * n + i);
            // (1 − z) n + z h = n + z (h − n)
            hn::StoreU(hn::MulAdd(z, hn::Sub(LoadOrZero(d, previous, i), candidate), candidate), d, hidden + i);
        });
        gates += 3 * n;
        state += 3 * n;
        if (previous) previous += n;
        hidden += n;
    }
}

template <class T>
void GruBackward(int rows, int h, const T* gates, const T* state, const T* previous, const T* dHidden, T* dGates,
                 T* dState, T* dPrevious) {
    const size_t n = static_cast<size_t>(h);
    for (int row = 0; row < rows; ++row) {
        overElements<T>(n, [=](auto d, size_t i) HWY_ATTR {
            const auto one = hn::Set(d, T(1));
            const auto r = hn::LoadU(d, gates + i), z = hn::LoadU(d, gates + n + i);
            const auto candidate = hn::LoadU(d, gates + 2 * n + i), dh = hn::LoadU(d, dHidden + i);
            const auto dn = hn::Mul(hn::Mul(dh, hn::Sub(one, z)), TanhSlope(d, candidate));
            const auto dr = hn::Mul(hn::Mul(dn, hn::LoadU(d, state + 2 * n + i)), hn::Mul(r, hn::Sub(one, r)));
            const auto dz =
                hn::Mul(hn::Mul(dh, hn::Sub(LoadOrZero(d, previous, i), candidate)), hn::Mul(z, hn::Sub(one, z)));
            hn::StoreU(dr, d, dGates + i);
            hn::StoreU(dz, d, dGates + n + i);
            hn::StoreU(dn, d, dGates + 2 * n + i);
            hn::StoreU(dr, d, dState + i);
            hn::StoreU(dz, d, dState + n + i);
            hn::StoreU(hn::Mul(dn, r), d, dState + 2 * n + i);
            AddTo(d, hn::Mul(dh, z), dPrevious, i);
        });
        gates += 3 * n;
        state += 3 * n;
        dGates += 3 * n;
        dState += 3 * n;
        dHidden += n;
        if (previous) previous += n;
        if (dPrevious) dPrevious += n;
    }
}

template <class T>
RecurrentKernels<T> MakeRecurrentTable() {
    return {.elman = &Elman<T>,
            .elmanBackward = &ElmanBackward<T>,
            .lstm = &Lstm<T>,
            .lstmBackward = &LstmBackward<T>,
            .gru = &Gru<T>,
            .gruBackward = &GruBackward<T>,
            .tanh = &Tanh<T>,
            .tanhBackward = &TanhBackward<T>};
}

RecurrentKernels<float> RecurrentFloatTable() {
    return MakeRecurrentTable<float>();
}

RecurrentKernels<double> RecurrentDoubleTable() {
    return MakeRecurrentTable<double>();
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headlight {

HWY_EXPORT(RecurrentFloatTable);
HWY_EXPORT(RecurrentDoubleTable);

template <>
const RecurrentKernels<float>& recurrentKernels() {
    static const RecurrentKernels<float> table = HWY_DYNAMIC_DISPATCH(RecurrentFloatTable)();
    return table;
}

template <>
const RecurrentKernels<double>& recurrentKernels() {
    static const RecurrentKernels<double> table = HWY_DYNAMIC_DISPATCH(RecurrentDoubleTable)();
    return table;
}

}  // namespace headlight
#endif
