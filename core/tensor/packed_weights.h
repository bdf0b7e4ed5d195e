// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <shared_mutex>
#include <tuple>

#include "core/tensor/tensor.h"

namespace headlight {

/// Weights copied once into the order in which products read them: OpenBLAS copies them anew for each product, which of
/// a few dozen rows takes half as long as multiplying. For whoever multiplies by the same weights again and again, as a
/// search does at every word. Any number of threads may use one beside one another.
class PackedWeights {
public:
    /// y = x Wᵀ: x [rows, in], W [out, in], y [rows, out]. A row has the same bits alone and among others. The weights
    /// are copied when they are first met, and may not change from then on.
    void multiply(const Tensor<float>& x, const Tensor<float>& weights, const Tensor<float>& y);

    /// Floats that the copies may take in all: who has more weights multiplies without.
    static constexpr size_t most = size_t{1} << 24;

private:
    struct Panels;
    using Place = std::tuple<const float*, int, int>;  ///< where they lie, rows, columns
    const Panels& panelsOf(const Tensor<float>& weights);

    std::shared_mutex m_mutex;
    std::map<Place, std::shared_ptr<const Panels>> m_panels;
};

}  // namespace headlight
