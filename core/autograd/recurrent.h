// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/autograd/tape.h"
#include "core/trace/module.h"

namespace headlight {

/// 1, 3 or 4.
int gatesOf(Cell cell);

namespace ops {

/// What a step of a recurrent layer makes.
struct RecurrentValue {
    enum class Kind { Gate, Cell, Hidden };
    Kind kind = Kind::Hidden;
    int gate = 0;  ///< in PyTorch's order
};

/// A layer's run over a sentence, or many side by side. Rows are time-major: step t of sentence b is row t·batch + b.
template <class T>
struct RecurrentInput {
    Cell cell = Cell::Lstm;
    Variable<T> gates;      ///< [steps·batch, gates·h]: x W_ihᵀ + b_ih; becomes the gates' activations, in place
    Variable<T> weight;     ///< W_hh [gates·h, h]
    Variable<T> stateBias;  ///< b_hh [3h], GRU only (its r scales what it adds to)
    Variable<T> hidden0;    ///< [batch, h]; null: zeros
    Variable<T> cell0;      ///< [batch, h], LSTM only; null: zeros
    int steps = 0;
    int batch = 1;
    /// Called, if set, with what a step has made, [batch, h]: each gate by its number, then the cell (LSTM), then the
    /// hidden state. Where it changes the value and says so, the rest of the step is made of that.
    bool (*onStep)(void* observer, RecurrentValue value, int step, const Tensor<T>& numbers) = nullptr;
    void* observer = nullptr;
};

template <class T>
struct RecurrentOutput {
    Variable<T> hidden;  ///< [steps·batch, h]
    Variable<T> cell;    ///< likewise; LSTM only
    Tensor<T> gates;     ///< [steps·batch, gates·h], after their activation
};

/// Runs the steps one after another; the way back is backpropagation through time, with one product for the gradient of
/// W_hh over all steps.
template <class T>
RecurrentOutput<T> recurrent(Tape<T>& tape, const RecurrentInput<T>& input);

/// y = tanh x.
template <class T>
Variable<T> tanh(Tape<T>& tape, const Variable<T>& x);

/// Row i of the result is row rows[i] of x. A row may be taken often, or never.
template <class T>
Variable<T> gatherRows(Tape<T>& tape, const Variable<T>& x, std::span<const int> rows);

/// How queries and keys of one attention head lie: query t of sentence b is row b·queries + t.
struct AlignmentShape {
    int batch = 1;
    int queries = 0;
    int keys = 0;
};

/// scale · q·k for every pair of a sentence (Luong, Pham, Manning 2015): [batch·queries, keys].
template <class T>
Variable<T> dotScores(Tape<T>& tape, const Variable<T>& query, const Variable<T>& key, T scale,
                      const AlignmentShape& shape);
/// v·tanh(q + k) for every pair (Bahdanau, Cho, Bengio 2015), query [batch·queries, a], key [batch·keys, a], v [1, a].
template <class T>
Variable<T> additiveScores(Tape<T>& tape, const Variable<T>& query, const Variable<T>& key, const Variable<T>& v,
                           const AlignmentShape& shape);

template <class T>
struct AlignmentOutput {
    Variable<T> context;  ///< [batch·queries, d]
    Variable<T> weights;  ///< [batch·queries, keys]
};
/// softmax(scores + mask) over the keys, then the values' weighted sum. values [batch·keys, d]; mask as for
/// attention(). `onWeights(observer, weights)`, where there is one, may change the weights before they are read.
template <class T>
AlignmentOutput<T> attend(Tape<T>& tape, const Variable<T>& scores, const Variable<T>& values, const Tensor<T>& mask,
                          const AlignmentShape& shape, void (*onWeights)(void*, const Tensor<T>&) = nullptr,
                          void* observer = nullptr);

}  // namespace ops
}  // namespace headlight
