// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "core/models/model.h"

namespace headlight {

/// What a batch holds.
struct BatchSize {
    int pairs = 64;
    /// Instead: as many pairs as, padding counted, have so many tokens on their longer side (the target's with its
    /// <eos>), which is fairseq's --max-tokens. 0: `pairs`.
    int tokens = 0;
};

/// Deals out an epoch's batches: pairs shuffled, those of like length put together, batches shuffled. The order is a
/// function of (seed, epoch) alone, so a position in the data is two numbers; and so is the number of batches of the
/// corpus alone.
///
/// Batches of so many pairs put together what chance brought near one another. Batches of so many tokens are cut from
/// all pairs by rising length, and chance mixes those of the same length.
class Batcher {
public:
    /// `pairs` must outlive the batcher and not be empty. Throws Error where a pair alone has more tokens than a batch
    /// may.
    Batcher(const std::vector<Example>& pairs, BatchSize size, uint64_t seed);

    /// The pairs of the batch that a step (counted from 0) trains on; valid until the next call.
    std::span<const Example* const> batch(long step);
    /// From the next batch on the order is another seed's.
    void setSeed(uint64_t seed);
    long batchesInEpoch() const { return static_cast<long>(m_batches.size()); }

private:
    struct Place {
        size_t target, source;  ///< lengths
        size_t shuffled;        ///< where chance put it
        const Example* pair;

        bool operator<(const Place& other) const {
            return std::tie(target, source, shuffled) < std::tie(other.target, other.source, other.shuffled);
        }
    };
    struct Range {
        size_t first, count;
    };
    void cutByPairs();
    void cutByTokens();
    void arrange(long epoch);
    void sortLikeLengths();

    const std::vector<Example>& m_pairs;
    BatchSize m_size;
    uint64_t m_seed;
    long m_epoch = -1;
    std::vector<uint32_t> m_order;
    std::vector<Place> m_places;
    std::vector<const Example*> m_arranged;
    std::vector<Range> m_batches;  ///< of m_arranged
};

}  // namespace headlight
