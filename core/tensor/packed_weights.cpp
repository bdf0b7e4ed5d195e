// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/packed_weights.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "core/tensor/unpacked_products.h"

// As in kernels.cpp: compiled once for every instruction set, and the order of the includes counts.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tensor/packed_weights.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "core/tensor/product-inl.h"
// clang-format on

#ifndef HEADLIGHT_PANEL_PRODUCT  // once for all instruction sets
#define HEADLIGHT_PANEL_PRODUCT
namespace headlight {

/// Some rows of x by a panel: y = x panel, or y += x panel.
struct PanelProduct {
    const float* x;
    size_t xStride;
    const float* panel;
    float* y;
    size_t yStride;
    size_t rows, depth;
    bool adds;
};

}  // namespace headlight
#endif

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void MultiplyPanel(const PanelProduct& p) {
    const hn::ScalableTag<float> d;
    const size_t width = 2 * hn::Lanes(d);
    ProductRows<rowsOfTile, 2>(d,
                               SmallProduct<float>{.a = p.x,
                                                   .aRow = p.xStride,
                                                   .aColumn = 1,
                                                   .b = p.panel,
                                                   .bRow = width,
                                                   .c = p.y,
                                                   .cRow = p.yStride,
                                                   .rows = p.rows,
                                                   .columns = width,
                                                   .inner = p.depth,
                                                   .beta = p.adds ? 1.0f : 0.0f},
                               0, 0);
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headlight {

HWY_EXPORT(MultiplyPanel);

/// Wᵀ in parts of `deep` numbers of a sum, each in panels of two vectors of outputs: a panel is read from front to back
/// and lies in the cache nearest to the processor. Outputs that fill no panel are filled up with zeros.
struct PackedWeights::Panels {
    static constexpr int deep = 256;

    int out, in, width, count;
    std::vector<float> numbers;

    explicit Panels(const Tensor<float>& weights)
        : out(weights.rows()),
          in(weights.cols()),
          width(2 * floatsInVector()),
          count((out + width - 1) / width),
          numbers(static_cast<size_t>(in) * static_cast<size_t>(count) * static_cast<size_t>(width)) {
        float* to = numbers.data();
        for (int from = 0; from < in; from += deep)
            for (int panel = 0; panel < count; ++panel) {
                const int depth = std::min(deep, in - from), outputs = std::min(width, out - panel * width);
                for (int o = 0; o < outputs; ++o) {
                    const float* row = weights.row(panel * width + o) + from;
                    for (int i = 0; i < depth; ++i)
                        to[i * width + o] = row[i];
                }
                to += static_cast<ptrdiff_t>(depth) * width;
            }
    }
};

const PackedWeights::Panels& PackedWeights::panelsOf(const Tensor<float>& weights) {
    const Place place{weights.data, weights.rows(), weights.cols()};
    {
        const std::shared_lock lock(m_mutex);
        if (const auto found = m_panels.find(place); found != m_panels.end()) return *found->second;
    }
    const std::unique_lock lock(m_mutex);
    auto& panels = m_panels[place];
    if (!panels) panels = std::make_shared<const Panels>(weights);
    return *panels;
}

void PackedWeights::multiply(const Tensor<float>& x, const Tensor<float>& weights, const Tensor<float>& y) {
    constexpr int high = 120;  // rows of x that stay in the cache near the processor while all panels pass by
    assert(x.cols() == weights.cols() && y.rows() == x.rows() && y.cols() == weights.rows());
    const Panels& panels = panelsOf(weights);
    const int width = panels.width, rest = panels.out % width;
    std::vector<float> last(rest > 0 ? static_cast<size_t>(high) * static_cast<size_t>(width) : 0);
    for (int row = 0; row < x.rows(); row += high) {
        const int rows = std::min(high, x.rows() - row);
        const float* numbers = panels.numbers.data();
        for (int from = 0; from < panels.in; from += Panels::deep) {
            const int depth = std::min(Panels::deep, panels.in - from);
            PanelProduct product{.x = x.row(row) + from,
                                 .xStride = static_cast<size_t>(x.ld),
                                 .panel = nullptr,
                                 .y = nullptr,
                                 .yStride = static_cast<size_t>(y.ld),
                                 .rows = static_cast<size_t>(rows),
                                 .depth = static_cast<size_t>(depth),
                                 .adds = from > 0};
            for (int panel = 0; panel < panels.count; ++panel) {
                const bool isLast = rest > 0 && panel == panels.count - 1;
                product.panel = numbers;
                product.y = isLast ? last.data() : y.row(row) + panel * width;
                if (isLast) product.yStride = static_cast<size_t>(width);
                HWY_DYNAMIC_DISPATCH(MultiplyPanel)(product);
                numbers += static_cast<ptrdiff_t>(depth) * width;
            }
        }
        for (int r = 0; rest > 0 && r < rows; ++r)
            std::copy_n(last.data() + static_cast<ptrdiff_t>(r) * width, rest, y.row(row + r) + panels.out - rest);
    }
}

}  // namespace headlight
#endif
