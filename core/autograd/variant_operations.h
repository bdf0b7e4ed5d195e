// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/autograd/tape.h"

namespace headlight::ops {

/// Operations of the Transformers that came after the paper's. Matrices as in operations.h.

/// Each row divided by its root mean square, times weight [d] (Zhang, Sennrich 2019). Where the weight is shorter than
/// a row, each part of a row that is as long: heads that lie side by side. x may be columns of a matrix.
template <class T>
Variable<T> rmsNorm(Tape<T>& tape, const Variable<T>& x, const Variable<T>& weight, T epsilon);

/// x ⊙ y, same shape.
template <class T>
Variable<T> multiply(Tape<T>& tape, const Variable<T>& x, const Variable<T>& y);

/// factor · x.
template <class T>
Variable<T> scale(Tape<T>& tape, const Variable<T>& x, T factor);

/// x + number, each of them.
template <class T>
Variable<T> addNumber(Tape<T>& tape, const Variable<T>& x, T number);

/// cap · tanh(x / cap): nearly x where it is small, never beyond ±cap (Gemma Team 2024).
template <class T>
Variable<T> softCap(Tape<T>& tape, const Variable<T>& x, T cap);

/// By how far the vectors of each position are turned: cosines and sines [length, width / 2] of the angles of each
/// pair of numbers. Null: not at all.
template <class T>
struct Rotation {
    Tensor<T> cosines = {}, sines = {};
    int headWidth = 0;  ///< where only the first numbers of a head are turned; 0: all are

    explicit operator bool() const { return static_cast<bool>(cosines); }
};

/// x [batch·length, heads·headWidth], of each head number i and number i + width/2 turned by the angle of its position
/// (Su et al. 2021; halves as Llama has them); what stands behind the first `width` numbers of a head stays.
template <class T>
Variable<T> rotate(Tape<T>& tape, const Variable<T>& x, const Rotation<T>& rotation);

/// The number table[buckets[i], h] of head h for each pair i of a query and a key: [heads, queries, keys]. The buckets
/// are copied.
template <class T>
Variable<T> relativeBias(Tape<T>& tape, const Variable<T>& table, std::span<const int> buckets, int queries);

}  // namespace headlight::ops
