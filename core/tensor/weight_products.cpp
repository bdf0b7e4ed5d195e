// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/weight_products.h"

#include <algorithm>

#include "core/platform/shared_work.h"
#include "core/tensor/blas.h"

// As in kernels.cpp: compiled once for every instruction set, and the order of the includes counts.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tensor/weight_products.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#ifndef HEADLIGHT_DOT_BLOCK  // once for all instruction sets
#define HEADLIGHT_DOT_BLOCK
namespace headlight {

/// What a product of few rows is made of: y = x Wᵀ of n numbers, or y += x Wᵀ.
struct DotBlock {
    size_t n;
    const float* x;
    size_t xStride;
    const float* w;
    size_t wStride;
    float* y;
    size_t yStride;
    bool adds;
};

}  // namespace headlight
#endif

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// R rows of x by C rows of W. Every number of y is summed in the same order whatever R and C are: lane by lane, the
/// lanes, then what is left over.
template <size_t R, size_t C>
HWY_INLINE void Dots(const DotBlock& block) {
    const hn::ScalableTag<float> d;
    const size_t lanes = hn::Lanes(d);
    decltype(hn::Zero(d)) sums[R][C];
    for (size_t r = 0; r < R; ++r)
        for (size_t c = 0; c < C; ++c)
            sums[r][c] = hn::Zero(d);
    size_t i = 0;
    for (; i + lanes <= block.n; i += lanes) {
        decltype(hn::Zero(d)) w[C];
        for (size_t c = 0; c < C; ++c)
            w[c] = hn::LoadU(d, block.w + c * block.wStride + i);
        for (size_t r = 0; r < R; ++r) {
            const auto x = hn::LoadU(d, block.x + r * block.xStride + i);
            for (size_t c = 0; c < C; ++c)
                sums[r][c] = hn::MulAdd(x, w[c], sums[r][c]);
        }
    }
    for (size_t r = 0; r < R; ++r)
        for (size_t c = 0; c < C; ++c) {
            float total = hn::GetLane(hn::SumOfLanes(d, sums[r][c]));
            for (size_t rest = i; rest < block.n; ++rest)
                total += block.x[r * block.xStride + rest] * block.w[c * block.wStride + rest];
            float& y = block.y[r * block.yStride + c];
            y = block.adds ? y + total : total;
        }
}

// As many sums at once as there are registers for.
#if HWY_MAX_BYTES >= 64 || HWY_ARCH_ARM_A64
constexpr size_t mostRows = 4;
#else
constexpr size_t mostRows = 2;
#endif
constexpr size_t mostColumns = 4;

/// All rows of x by C rows of W.
template <size_t C>
HWY_INLINE void DotRows(size_t rows, DotBlock block) {
    for (; rows >= mostRows; rows -= mostRows) {
        Dots<mostRows, C>(block);
        block.x += mostRows * block.xStride;
        block.y += mostRows * block.yStride;
    }
    for (; rows > 0; --rows) {
        Dots<1, C>(block);
        block.x += block.xStride;
        block.y += block.yStride;
    }
}

void DotMatrix(size_t rows, size_t columns, DotBlock block) {
    for (; columns >= mostColumns; columns -= mostColumns) {
        DotRows<mostColumns>(rows, block);
        block.w += mostColumns * block.wStride;
        block.y += mostColumns;
    }
    for (; columns > 0; --columns) {
        DotRows<1>(rows, block);
        block.w += block.wStride;
        ++block.y;
    }
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headlight {

HWY_EXPORT(DotMatrix);

namespace {

/// Fewer weights than this multiply faster than another thread wakes up, and lie in a cache.
constexpr size_t largeWeights = size_t{1} << 18;
/// Of more rows it pays to copy the weights into the order in which OpenBLAS reads them: sooner where it has AVX-512 to
/// read them with, and where a sum is so short that adding up its lanes is most of the work (docs/performance.md).
int fewRows(int in) {
    const int most = blas::hasWideKernels() ? 48 : 192;
    return in < 256 ? most / 6 : most;
}

/// All of x by some rows of W, in parts that stay in the cache near the processor.
void multiplyFewRows(const Tensor<float>& x, const Tensor<float>& weights, const Tensor<float>& y) {
    constexpr int deep = 1024, cached = 1 << 16;
    const int rows = x.rows(), in = x.cols();
    for (int inner = 0; inner < in; inner += deep) {
        const int depth = std::min(deep, in - inner), high = std::max(4, cached / depth / 4 * 4);
        for (int row = 0; row < rows; row += high)
            HWY_DYNAMIC_DISPATCH(DotMatrix)
        (static_cast<size_t>(std::min(high, rows - row)), static_cast<size_t>(weights.rows()),
         {static_cast<size_t>(depth), x.row(row) + inner, static_cast<size_t>(x.ld), weights.data + inner,
          static_cast<size_t>(weights.ld), y.row(row), static_cast<size_t>(y.ld), inner > 0});
    }
}

void multiplyWhole(const Tensor<float>& x, const Tensor<float>& weights, const Tensor<float>& y) {
    blas::gemm(blas::Transpose::No, blas::Transpose::Yes, 1.0f, x, weights, 0.0f, y);
}

}  // namespace

void multiplyByWeights(const Tensor<float>& x, const Tensor<float>& weights, const Tensor<float>& y) {
    if (weights.count() < largeWeights) return multiplyWhole(x, weights, y);
    const bool few = x.rows() <= fewRows(x.cols());
    const int out = weights.rows(), most = few ? 64 : 384, pieces = (out + most - 1) / most;
    const auto firstOf = [&](int piece) { return static_cast<int>(int64_t{out} * piece / pieces); };
    SharedWork::run(pieces, [&](int piece) {
        const int first = firstOf(piece), count = firstOf(piece + 1) - first;
        (few ? multiplyFewRows : multiplyWhole)(x, weights.rowRange(first, count), y.columns(first, count));
    });
}

void multiplyByWeights(const Tensor<double>& x, const Tensor<double>& weights, const Tensor<double>& y) {
    blas::gemm(blas::Transpose::No, blas::Transpose::Yes, 1.0, x, weights, 0.0, y);
}

}  // namespace headlight
#endif
