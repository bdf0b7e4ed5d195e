// SPDX-License-Identifier: GPL-3.0-or-later
// Products whose factors are read where they lie: what attention_kernels.cpp and unpacked_products.cpp share; they
// include this file once for every instruction set.
// clang-format off
#if defined(HEADLIGHT_CORE_TENSOR_PRODUCT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADLIGHT_CORE_TENSOR_PRODUCT_INL_H
#undef HEADLIGHT_CORE_TENSOR_PRODUCT_INL_H
#else
#define HEADLIGHT_CORE_TENSOR_PRODUCT_INL_H
#endif
// clang-format on

#include <cstddef>

#include <hwy/highway.h>

// The sums of a tile are an array, which is kept in registers only where its loops are gone.
#ifndef HEADLIGHT_UNROLL
#if defined(__GNUC__) && !defined(__clang__)
#define HEADLIGHT_UNROLL _Pragma("GCC unroll 16")
#else
#define HEADLIGHT_UNROLL
#endif
#endif

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// c = alpha · a b + beta · c; with beta 0 whatever c holds. a [rows, inner] is read number by number, in any order;
/// b [inner, columns] by rows.
template <class T>
struct SmallProduct {
    const T* a = nullptr;
    size_t aRow = 0, aColumn = 0;  ///< how far apart
    const T* b = nullptr;
    size_t bRow = 0;
    T* c = nullptr;
    size_t cRow = 0;
    size_t rows = 0, columns = 0, inner = 0;
    T alpha = 1, beta = 0;
};

// clang-format off: a pragma before a loop
/// R rows by V vectors of c.
template <size_t R, size_t V, class D, class T>
HWY_INLINE void ProductTile(D d, const SmallProduct<T>& p, size_t row, size_t column) {
    const size_t lanes = hn::Lanes(d), aRow = p.aRow, aColumn = p.aColumn, bRow = p.bRow, inner = p.inner;
    decltype(hn::Zero(d)) sums[R][V];
    HEADLIGHT_UNROLL
    for (size_t r = 0; r < R; ++r)
        HEADLIGHT_UNROLL
    for (size_t v = 0; v < V; ++v)
        sums[r][v] = hn::Zero(d);
    const T* a = p.a + row * aRow;
    const T* b = p.b + column;
    for (size_t i = 0; i < inner; ++i, a += aColumn, b += bRow) {
        decltype(hn::Zero(d)) each[V];
        HEADLIGHT_UNROLL
        for (size_t v = 0; v < V; ++v)
            each[v] = hn::LoadU(d, b + v * lanes);
        HEADLIGHT_UNROLL
        for (size_t r = 0; r < R; ++r) {
            const auto factor = hn::Set(d, a[r * aRow]);
            HEADLIGHT_UNROLL
            for (size_t v = 0; v < V; ++v)
                sums[r][v] = hn::MulAdd(factor, each[v], sums[r][v]);
        }
    }
    const auto alpha = hn::Set(d, p.alpha), beta = hn::Set(d, p.beta);
    const bool sets = p.beta == T(0);
    HEADLIGHT_UNROLL
    for (size_t r = 0; r < R; ++r)
        HEADLIGHT_UNROLL
    for (size_t v = 0; v < V; ++v) {
        T* const to = p.c + (row + r) * p.cRow + column + v * lanes;
        const auto sum = hn::Mul(sums[r][v], alpha);
        hn::StoreU(sets ? sum : hn::MulAdd(beta, hn::LoadU(d, to), sum), d, to);
    }
}
// clang-format on

/// From `row` on: as many tiles of R rows as there are, then smaller ones.
template <size_t R, size_t V, class D, class T>
HWY_INLINE void ProductRows(D d, const SmallProduct<T>& p, size_t row, size_t column) {
    for (; row + R <= p.rows; row += R)
        ProductTile<R, V>(d, p, row, column);
    if constexpr (R > 1) {
        constexpr size_t next = R > 4 ? 4 : R / 2;
        ProductRows<next, V>(d, p, row, column);
    }
}

// As many sums at once as there are registers for.
#if HWY_MAX_BYTES >= 64 || HWY_ARCH_ARM_A64
constexpr size_t rowsOfTile = 8;
#else
constexpr size_t rowsOfTile = 6;
#endif

/// `columns` are whole vectors.
template <class D, class T>
HWY_NOINLINE void Multiply(D d, const SmallProduct<T>& p) {
    const size_t lanes = hn::Lanes(d);
    size_t column = 0;
    for (; column + 2 * lanes <= p.columns; column += 2 * lanes)
        ProductRows<rowsOfTile, 2>(d, p, 0, column);
    if (column < p.columns) ProductRows<8, 1>(d, p, 0, column);
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
