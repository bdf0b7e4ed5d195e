// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace headlight {

/// Queries, keys and values of one head: [queries, d], [keys, d], [keys, d], row by row.
struct QueryKeyValue {
    int queries = 0, keys = 0, width = 0;
    std::vector<float> query, key, value;
};

/// What attention makes of them, computed by the engine's own operation.
struct QueryKeyValueResult {
    std::vector<float> scores;   ///< [queries, keys], scaled, before the mask
    std::vector<float> weights;  ///< [queries, keys]
    std::vector<float> output;   ///< [queries, d]
};

/// softmax(Q Kᵀ / (√d_k · T) + mask) V; `scaled` false leaves √d_k out. `blocked` is empty or a flag for each score.
QueryKeyValueResult attend(const QueryKeyValue& input, bool scaled, double temperature,
                           const std::vector<char>& blocked = {});

/// The ways to score a query against a key that came before scaled dot products, and these.
enum class ScoreKind {
    Dot,       ///< q · k (Luong, Pham, Manning 2015)
    Scaled,    ///< q · k / √d (Vaswani et al. 2017)
    General,   ///< q · W k (Luong et al. 2015)
    Additive,  ///< v · tanh(W_q q + W_k k) (Bahdanau, Cho, Bengio 2015)
};
/// The same queries, keys and values under another score, by the engine's own operations. What a model would have
/// learned is set by hand: in General, W moves every number of a key to the next place and adds half of it to its own;
/// in Additive, v is all ones and both maps are the identity.
QueryKeyValueResult attendBy(const QueryKeyValue& input, ScoreKind kind, const std::vector<char>& blocked = {});

/// What a model learns for a kind of score, where queries have `query` numbers, keys `key`, and the layer of additive
/// attention `hidden` (W [query, key]; W_q [hidden, query], W_k [hidden, key] and v [hidden]).
long scoreParameters(ScoreKind kind, int query, int key, int hidden);

/// A dot product as lengths and an angle: q · k = |q| |k| cos θ.
struct ScoreAngle {
    double query = 0, key = 0;  ///< |q| and |k|
    double product = 0;         ///< q · k
    bool hasAngle() const { return query > 0 && key > 0; }
    /// cos θ; 0 where one of the two has no length, and so no direction.
    double cosine() const { return hasAngle() ? product / (query * key) : 0; }
};
/// Of one query with one key, counted from 0.
ScoreAngle scoreAngle(const QueryKeyValue& input, int query, int key);

/// The worked example of deck 000: five words, four numbers each, and Q = K = V.
QueryKeyValue workedExample();
/// The matrices of one head of a block (`decoder.layers.1.cross_attn`) as the model had them.
QueryKeyValue headOf(const Trace& trace, const std::string& block, int head);

}  // namespace headlight
