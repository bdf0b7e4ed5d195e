// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/attention_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

// As in kernels.cpp: compiled once for every instruction set, and the order of the includes counts.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tensor/attention_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "core/tensor/dropout-inl.h"
#include "core/tensor/elements-inl.h"
#include "core/tensor/product-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// x [n, width] → [width, padded], zeros behind the n.
template <class T>
HWY_INLINE void PackTransposed(const Tensor<T>& x, size_t padded, T* to) {
    const size_t n = static_cast<size_t>(x.rows()), width = static_cast<size_t>(x.cols());
    for (size_t c = 0; c < width; ++c)
        std::fill(to + c * padded + n, to + (c + 1) * padded, T(0));
    for (size_t r = 0; r < n; ++r) {
        const T* from = x.row(static_cast<int>(r));
        for (size_t c = 0; c < width; ++c)
            to[c * padded + r] = from[c];
    }
}

template <class T>
int PaddedKeys(int keys) {
    const int lanes = static_cast<int>(hn::Lanes(hn::ScalableTag<T>()));
    return (keys + lanes - 1) / lanes * lanes;
}

/// Where the parts of scratch begin.
template <class T>
struct HeadScratch {
    T* transposed;  ///< [width, padded]
    T* matrix;      ///< [queries, padded]
    T* other;       ///< [queries, padded], or dropout's decisions

    HeadScratch(const AttentionHead<T>& head, size_t padded)
        : transposed(head.scratch),
          matrix(transposed + static_cast<size_t>(head.key.cols()) * padded),
          other(matrix + static_cast<size_t>(head.query.rows()) * padded) {}
};

template <class T>
size_t Scratch(int queries, int keys, int width) {
    const size_t padded = static_cast<size_t>(PaddedKeys<T>(keys));
    return padded * static_cast<size_t>(width + 2 * queries) + 2 * dropoutBlock + padded;
}

template <class T>
void PadMask(int queries, int keys, const T* mask, T* to) {
    const size_t n = static_cast<size_t>(keys), padded = static_cast<size_t>(PaddedKeys<T>(keys));
    for (int q = 0; q < queries; ++q, to += padded) {
        if (mask)
            std::copy_n(mask + static_cast<size_t>(q) * n, n, to);
        else
            std::fill_n(to, n, T(0));
        std::fill_n(to + n, padded - n, -std::numeric_limits<T>::infinity());
    }
}

/// x = softmax(x + mask) of a row of whole vectors. A row with no key left becomes zeros, as softmaxRows() has it.
template <class T>
HWY_INLINE void SoftmaxPadded(size_t n, const T* mask, T* x) {
    const hn::ScalableTag<T> d;
    const size_t lanes = hn::Lanes(d);
    const auto none = hn::Set(d, -std::numeric_limits<T>::infinity());
    auto most = none;
    for (size_t i = 0; i < n; i += lanes) {
        const auto score = hn::Add(hn::LoadU(d, x + i), hn::LoadU(d, mask + i));
        hn::StoreU(score, d, x + i);
        most = hn::Max(most, score);
    }
    most = hn::MaxOfLanes(d, most);
    if (hn::GetLane(most) == -std::numeric_limits<T>::infinity()) {
        const bool isMasked = std::none_of(x, x + n, [](T score) { return std::isnan(score); });
        std::fill_n(x, n, isMasked ? T(0) : std::numeric_limits<T>::quiet_NaN());
        return;
    }
    auto sum = hn::Zero(d);
    for (size_t i = 0; i < n; i += lanes) {
        const auto e = Exponential(d, hn::Sub(hn::LoadU(d, x + i), most));
        hn::StoreU(e, d, x + i);
        sum = hn::Add(sum, e);
    }
    const auto share = hn::Div(hn::Set(d, T(1)), hn::SumOfLanes(d, sum));
    // What is no number has a sign as well, which here must not mean that it is dropped.
    for (size_t i = 0; i < n; i += lanes)
        hn::StoreU(hn::Abs(hn::Mul(hn::LoadU(d, x + i), share)), d, x + i);
}

/// Is it negative, or −0?
template <class D, class V>
HWY_INLINE auto IsDropped(D d, V weight) {
    const hn::RebindToSigned<D> di;
    return hn::RebindMask(d, hn::Lt(hn::BitCast(di, weight), hn::Zero(di)));
}

/// Of a weight as it is stored, what reaches the mix.
template <class D, class V>
HWY_INLINE V Dropped(D d, V weight, V factor) {
    return hn::IfThenZeroElse(IsDropped(d, weight), hn::Mul(weight, factor));
}

/// The sizes of a head.
template <class T>
struct HeadSizes {
    size_t queries, keys, width, padded;

    explicit HeadSizes(const AttentionHead<T>& head)
        : queries(static_cast<size_t>(head.query.rows())),
          keys(static_cast<size_t>(head.key.rows())),
          width(static_cast<size_t>(head.key.cols())),
          padded(static_cast<size_t>(PaddedKeys<T>(head.key.rows()))) {}
};

/// A matrix as the first factor of a product: its numbers, and how far apart rows and columns are.
template <class T>
struct Factor {
    const T* data;
    size_t row, column;
};

/// x = alpha · q kᵀ for every query and key, q and k [·, width], the latter transposed already: [queries, padded].
template <class T>
HWY_INLINE void MultiplyPairs(const HeadSizes<T>& sizes, T alpha, const Tensor<T>& q, const T* transposedK, T* x) {
    Multiply(hn::ScalableTag<T>(), SmallProduct<T>{.a = q.data,
                                                   .aRow = static_cast<size_t>(q.ld),
                                                   .aColumn = 1,
                                                   .b = transposedK,
                                                   .bRow = sizes.padded,
                                                   .c = x,
                                                   .cRow = sizes.padded,
                                                   .rows = sizes.queries,
                                                   .columns = sizes.padded,
                                                   .inner = sizes.width,
                                                   .alpha = alpha});
}

/// y = alpha · a x + beta · y, x and y [·, width].
template <class DW, class T>
HWY_INLINE void Mix(DW dw, T alpha, const Factor<T>& a, const Tensor<T>& x, T beta, const Tensor<T>& y) {
    Multiply(dw, SmallProduct<T>{.a = a.data,
                                 .aRow = a.row,
                                 .aColumn = a.column,
                                 .b = x.data,
                                 .bRow = static_cast<size_t>(x.ld),
                                 .c = y.data,
                                 .cRow = static_cast<size_t>(y.ld),
                                 .rows = static_cast<size_t>(y.rows()),
                                 .columns = static_cast<size_t>(y.cols()),
                                 .inner = static_cast<size_t>(x.rows()),
                                 .alpha = alpha,
                                 .beta = beta});
}

template <class DW, class T>
HWY_INLINE void HeadForward(DW dw, const AttentionHead<T>& head) {
    const hn::ScalableTag<T> d;
    const size_t lanes = hn::Lanes(d);
    const HeadSizes<T> sizes(head);
    const auto [queries, keys, width, padded] = sizes;
    const HeadScratch<T> scratch(head, padded);
    PackTransposed(head.key, padded, scratch.transposed);
    MultiplyPairs(sizes, head.scale, head.query, scratch.transposed, head.weights);
    for (size_t q = 0; q < queries; ++q)
        SoftmaxPadded(padded, head.mask + q * padded, head.weights + q * padded);

    const T* mixed = head.weights;
    if (head.dropout > 0) {
        const DropoutPlan plan(static_cast<double>(head.dropout), head.seed);
        const T* signs = DropoutSigns(plan, head.firstWeight, queries * keys, scratch.other);
        const auto factor = hn::Set(d, static_cast<T>(1 / (1 - static_cast<double>(head.dropout))));
        for (size_t q = 0; q < queries; ++q, signs += keys)
            for (size_t i = 0; i < padded; i += lanes) {
                // Behind the keys there are no decisions: no more than a sign is taken from there.
                const auto signedWeight =
                    hn::CopySign(hn::LoadU(d, head.weights + q * padded + i), hn::LoadU(d, signs + i));
                hn::StoreU(signedWeight, d, head.weights + q * padded + i);
                hn::StoreU(Dropped(d, signedWeight, factor), d, scratch.matrix + q * padded + i);
            }
        mixed = scratch.matrix;
    }
    Mix(dw, T(1), Factor<T>{mixed, padded, 1}, head.value, T(0), head.context);
}

/// From the gradient of what reached the mix to that of the scores, by rows; and what reached the mix once more.
template <class T>
HWY_INLINE void ScoresBackward(const AttentionHead<T>& head, size_t padded, T* gradient, T* mixed) {
    const hn::ScalableTag<T> d;
    const size_t queries = static_cast<size_t>(head.query.rows()), lanes = hn::Lanes(d);
    const auto factor = hn::Set(d, static_cast<T>(1 / (1 - static_cast<double>(head.dropout))));
    for (size_t q = 0; q < queries; ++q, gradient += padded, mixed += padded) {
        const T* weights = head.weights + q * padded;
        auto inner = hn::Zero(d);
        for (size_t i = 0; i < padded; i += lanes) {
            const auto weight = hn::LoadU(d, weights + i);
            const auto dropped = IsDropped(d, weight);
            const auto g = hn::IfThenZeroElse(dropped, hn::Mul(hn::LoadU(d, gradient + i), factor));
            hn::StoreU(hn::IfThenZeroElse(dropped, hn::Mul(weight, factor)), d, mixed + i);
            hn::StoreU(g, d, gradient + i);
            inner = hn::MulAdd(hn::Abs(weight), g, inner);
        }
        inner = hn::SumOfLanes(d, inner);
        for (size_t i = 0; i < padded; i += lanes) {
            const auto g = hn::Sub(hn::LoadU(d, gradient + i), inner);
            hn::StoreU(hn::Mul(hn::Abs(hn::LoadU(d, weights + i)), g), d, gradient + i);
        }
    }
}

template <class DW, class T>
HWY_INLINE void HeadBackward(DW dw, const AttentionHead<T>& head) {
    const HeadSizes<T> sizes(head);
    const size_t padded = sizes.padded;
    const HeadScratch<T> scratch(head, padded);
    T *const dScores = scratch.matrix, *const mixed = scratch.other;
    PackTransposed(head.value, padded, scratch.transposed);
    MultiplyPairs(sizes, T(1), head.context, scratch.transposed, dScores);
    ScoresBackward(head, padded, dScores, mixed);
    const auto beta = [](const typename AttentionHead<T>::Gradient& gradient) { return T(gradient.adds ? 1 : 0); };
    Mix(dw, T(1), Factor<T>{mixed, 1, padded}, head.context, beta(head.dValue), head.dValue.to);
    Mix(dw, head.scale, Factor<T>{dScores, 1, padded}, head.query, beta(head.dKey), head.dKey.to);
    Mix(dw, head.scale, Factor<T>{dScores, padded, 1}, head.key, beta(head.dQuery), head.dQuery.to);
}

/// A head narrower than a vector is computed with half of one.
template <class T>
using HalfVector = hn::Half<hn::ScalableTag<T>>;

template <class T>
bool Suits(int queries, int keys, int width) {
    constexpr int most = 128;
    return queries <= most && keys <= most && width <= most &&
           static_cast<size_t>(width) % hn::Lanes(HalfVector<T>()) == 0;
}

template <class T>
bool IsWhole(int width) {
    return static_cast<size_t>(width) % hn::Lanes(hn::ScalableTag<T>()) == 0;
}

template <class T>
void Forward(const AttentionHead<T>& head) {
    if (IsWhole<T>(head.key.cols()))
        HeadForward(hn::ScalableTag<T>(), head);
    else
        HeadForward(HalfVector<T>(), head);
}

template <class T>
void Backward(const AttentionHead<T>& head) {
    if (IsWhole<T>(head.key.cols()))
        HeadBackward(hn::ScalableTag<T>(), head);
    else
        HeadBackward(HalfVector<T>(), head);
}

template <class T>
AttentionKernels<T> MakeAttentionTable() {
    return {.suits = &Suits<T>,
            .paddedKeys = &PaddedKeys<T>,
            .scratch = &Scratch<T>,
            .padMask = &PadMask<T>,
            .forward = &Forward<T>,
            .backward = &Backward<T>};
}

AttentionKernels<float> AttentionFloatTable() {
    return MakeAttentionTable<float>();
}

AttentionKernels<double> AttentionDoubleTable() {
    return MakeAttentionTable<double>();
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headlight {

HWY_EXPORT(AttentionFloatTable);
HWY_EXPORT(AttentionDoubleTable);

template <>
const AttentionKernels<float>& attentionKernels() {
    static const AttentionKernels<float> table = HWY_DYNAMIC_DISPATCH(AttentionFloatTable)();
    return table;
}

template <>
const AttentionKernels<double>& attentionKernels() {
    static const AttentionKernels<double> table = HWY_DYNAMIC_DISPATCH(AttentionDoubleTable)();
    return table;
}

}  // namespace headlight
#endif
