// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/masks.h"

#include <cstdlib>
#include <limits>

namespace headlight {

namespace {

constexpr float closed = -std::numeric_limits<float>::infinity();

/// [batch, queries, keys]: isOpen(query, key) says where a word may be looked at.
template <class IsOpen>
Tensor<float> mask(Tape<float>& tape, std::span<const int> keyLengths, int queries, int keys, IsOpen isOpen) {
    const Tensor<float> result = tape.allocate({static_cast<int>(keyLengths.size()), queries, keys});
    float* out = result.data;
    for (const int length : keyLengths)
        for (int q = 0; q < queries; ++q)
            for (int k = 0; k < keys; ++k)
                *out++ = k < length && isOpen(q, k) ? 0.0f : closed;
    return result;
}

}  // namespace

Tensor<float> paddingMask(Tape<float>& tape, std::span<const int> keyLengths, int queries, int keys) {
    return mask(tape, keyLengths, queries, keys, [](int, int) { return true; });
}

Tensor<float> causalMask(Tape<float>& tape, std::span<const int> keyLengths, int length, int window) {
    const int reach = window > 0 ? window : length;
    return mask(tape, keyLengths, length, length, [=](int q, int k) { return k <= q && q - k < reach; });
}

Tensor<float> bandMask(Tape<float>& tape, std::span<const int> keyLengths, int length, int window) {
    return mask(tape, keyLengths, length, length, [=](int q, int k) { return std::abs(q - k) < window; });
}

Tensor<float> windowMask(Tape<float>& tape, int keys, int window) {
    const Tensor<float> result = tape.allocate({1, 1, keys});
    for (int k = 0; k < keys; ++k)
        result.data[k] = keys - k <= window ? 0.0f : closed;
    return result;
}

}  // namespace headlight
