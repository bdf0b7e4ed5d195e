// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/models/transformer.h"

namespace headlight {

/// A sentence pair as ids, without <bos> and <eos>.
struct EncodedPair {
    std::vector<int> source;
    std::vector<int> target;
};

/// What a training step reads: the decoder is given <bos> y₁ … yₙ and is to say y₁ … yₙ <eos>.
struct PairBatch {
    TokenBatch source;
    TokenBatch targetInput;
    std::vector<int> targetOutput;  ///< [batch·length], padded
    long targetTokens = 0;          ///< that count

    static PairBatch make(std::span<const EncodedPair* const> pairs, const ModelConfig& config);
};

/// Deals out an epoch's batches: pairs shuffled, those of like length put together, batches shuffled. The order is a
/// function of (seed, epoch) alone, so a position in the data is two numbers.
class Batcher {
public:
    /// `pairs` must outlive the batcher and not be empty.
    Batcher(const std::vector<EncodedPair>& pairs, int batchSize, uint64_t seed);

    /// The pairs of the batch that a step (counted from 0) trains on.
    std::vector<const EncodedPair*> batch(long step);
    long batchesInEpoch() const { return static_cast<long>(m_starts.size()); }

private:
    void arrange(long epoch);

    const std::vector<EncodedPair>& m_pairs;
    size_t m_batchSize;
    uint64_t m_seed;
    long m_epoch = -1;
    std::vector<uint32_t> m_order;
    std::vector<size_t> m_starts;
};

}  // namespace headlight
