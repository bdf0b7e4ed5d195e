// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/autograd/activation.h"
#include "core/autograd/tape.h"

namespace headlight {

/// The operations of the tape. Matrices are [rows, features]; a batch of sentences is its sentences one below the
/// other, padded to one length: rows = batch · length. T is float, or double for the gradient checks. Each throws
/// nothing: shapes are asserted, modules check what comes from outside.
namespace ops {

/// y = x Wᵀ + b. x [N, in], weight [out, in] (as torch.nn.Linear keeps it), bias [out] or null → [N, out].
template <class T>
Variable<T> linear(Tape<T>& tape, const Variable<T>& x, const Variable<T>& weight, const Variable<T>& bias);

/// Rows of table [V, d] by id, times `scale` → [ids, d]. The ids are copied.
template <class T>
Variable<T> embedding(Tape<T>& tape, std::span<const int> ids, const Variable<T>& table, T scale);

// Operations that end in InPlace put their result, and its gradient, where an argument was: less memory to clear, to
// read and to write. Nothing else may read that argument, on the way forth or back.

/// y += x, same shape → y.
template <class T>
Variable<T> addInPlace(Tape<T>& tape, const Variable<T>& x, const Variable<T>& y);

/// [x y]: columns of x, then of y, row by row.
template <class T>
Variable<T> concatColumns(Tape<T>& tape, const Variable<T>& x, const Variable<T>& y);

/// Layer normalisation of each row, with weight and bias [d], the latter or null.
template <class T>
Variable<T> layerNorm(Tape<T>& tape, const Variable<T>& x, const Variable<T>& weight, const Variable<T>& bias,
                      T epsilon);

/// Inverted dropout (Srivastava et al. 2014) by a hash of (seed, index). Rate 0, or a tape that does not train: x
/// itself.
template <class T>
Variable<T> dropout(Tape<T>& tape, const Variable<T>& x, T rate, uint64_t seed);
template <class T>
Variable<T> dropoutInPlace(Tape<T>& tape, const Variable<T>& x, T rate, uint64_t seed);

/// f(x) of each number.
template <class T>
Variable<T> activationInPlace(Tape<T>& tape, Activation kind, const Variable<T>& x);

/// What scaled dot-product attention is given.
template <class T>
struct AttentionInput {
    Variable<T> query;  ///< [batch·queries, d]
    Variable<T> key;    ///< [batch·keyStride, d]
    Variable<T> value;  ///< [batch·keyStride, d]
    Tensor<T> mask;  ///< [batch, queries, keys] of 0 and −∞, added to the scores; null: every key may be looked at
    int batch = 1;
    int queries = 0;
    int keys = 0;
    int keyStride = 0;  ///< rows from one sentence's keys to the next one's, ≥ keys (a cache has room left over)
    const int* keyRows = nullptr;  ///< [batch, keyStride]: in which row each key and value lies; null: in this order
    int numHeads = 1;
    int numKeyHeads = 0;    ///< of keys and values, each of which as many queries share; 0: numHeads
    bool scaled = true;     ///< scores divided by √d_k
    T scoreFactor = 1;      ///< scores multiplied by it
    Variable<T> bias = {};  ///< [heads, queries, keys], added to the scores of every sentence; null: none
    T scoreCap = 0;         ///< scores become cap · tanh(score / cap) then; 0: they stay
    T dropout = 0;
    uint64_t seed = 0;
    std::span<const int> mutedHeads = {};  ///< these contribute zeros; inference only
    /// Called with scores [batch, heads, queries, keys] before they become weights in place, if set; may change them.
    void (*onScores)(void* observer, const Tensor<T>& scores) = nullptr;
    /// Called with them once they are capped, where they are; may change them.
    void (*onCapped)(void* observer, const Tensor<T>& scores) = nullptr;
    /// Called with the weights before they are dropped or read, if set; may change them.
    void (*onWeights)(void* observer, const Tensor<T>& weights) = nullptr;
    void* observer = nullptr;
};

template <class T>
struct AttentionOutput {
    Variable<T> context;  ///< [batch·queries, d], the heads side by side
    Tensor<T> weights;    ///< [batch, heads, queries, keys], before dropout; null in training, where nobody watches
};

/// softmax(Q Kᵀ / √d_k + mask) V for each head (Vaswani et al. 2017, equation 1; d_k = d / heads). Key and value are
/// [batch·keyStride, numKeyHeads·d_k] (Ainslie et al. 2023: grouped queries).
template <class T>
AttentionOutput<T> attention(Tape<T>& tape, const AttentionInput<T>& input);

/// Cross-entropy with label smoothing ε as torch.nn.functional.cross_entropy has it: the target distribution is
/// (1 − ε)·one-hot + ε/V; rows whose target is `ignore` are left out. Sums are over rows; the gradient is that of
/// `lossScale` · the sum (1/number of tokens in the whole batch: the mean).
struct CrossEntropyOptions {
    double labelSmoothing = 0;
    int ignore = 0;
    double lossScale = 1;
};
struct CrossEntropyResult {
    double smoothed = 0;  ///< Σ of the smoothed losses
    double plain = 0;     ///< Σ of −log p(target), natural logarithm
    long tokens = 0;      ///< rows that count
    long correct = 0;     ///< rows whose largest logit is the target's
};
template <class T>
CrossEntropyResult crossEntropy(Tape<T>& tape, const Variable<T>& logits, std::span<const int> targets,
                                const CrossEntropyOptions& options);

}  // namespace ops
}  // namespace headlight
