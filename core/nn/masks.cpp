// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/masks.h"

#include <limits>

namespace headlight {

namespace {

Tensor<float> mask(Tape<float>& tape, std::span<const int> keyLengths, int queries, int keys, bool causal) {
    const int batch = static_cast<int>(keyLengths.size());
    const Tensor<float> result = tape.allocate({batch, queries, keys});
    float* out = result.data;
    for (int b = 0; b < batch; ++b)
        for (int q = 0; q < queries; ++q)
            for (int k = 0; k < keys; ++k)
                *out++ = k < keyLengths[static_cast<size_t>(b)] && (!causal || k <= q)
                             ? 0.0f
                             : -std::numeric_limits<float>::infinity();
    return result;
}

}  // namespace

Tensor<float> paddingMask(Tape<float>& tape, std::span<const int> keyLengths, int queries, int keys) {
    return mask(tape, keyLengths, queries, keys, false);
}

Tensor<float> causalMask(Tape<float>& tape, std::span<const int> keyLengths, int length) {
    return mask(tape, keyLengths, length, length, true);
}

}  // namespace headlight
