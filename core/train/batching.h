// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "core/models/model.h"

namespace headlight {

/// Deals out an epoch's batches: pairs shuffled, those of like length put together, batches shuffled. The order is a
/// function of (seed, epoch) alone, so a position in the data is two numbers.
class Batcher {
public:
    /// `pairs` must outlive the batcher and not be empty.
    Batcher(const std::vector<Example>& pairs, int batchSize, uint64_t seed);

    /// The pairs of the batch that a step (counted from 0) trains on; valid until the next call.
    std::span<const Example* const> batch(long step);
    long batchesInEpoch() const { return static_cast<long>(m_starts.size()); }

private:
    struct Place {
        size_t target, source;  ///< lengths
        size_t shuffled;        ///< where chance put it
        const Example* pair;

        bool operator<(const Place& other) const {
            return std::tie(target, source, shuffled) < std::tie(other.target, other.source, other.shuffled);
        }
    };
    void arrange(long epoch);

    const std::vector<Example>& m_pairs;
    size_t m_batchSize;
    uint64_t m_seed;
    long m_epoch = -1;
    std::vector<uint32_t> m_order;
    std::vector<Place> m_places;
    std::vector<const Example*> m_arranged;
    std::vector<size_t> m_starts;
};

}  // namespace headlight
