// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/batching.h"

#include <algorithm>
#include <numeric>

#include "core/tensor/random.h"

namespace headlight {

namespace {
/// Batches whose pairs are sorted together: wide enough to find like lengths, narrow enough to keep the shuffle.
constexpr size_t batchesInPool = 50;
}  // namespace

Batcher::Batcher(const std::vector<Example>& pairs, int batchSize, uint64_t seed)
    : m_pairs(pairs), m_batchSize(static_cast<size_t>(batchSize)), m_seed(seed) {
    for (size_t start = 0; start < pairs.size(); start += m_batchSize)
        m_starts.push_back(start);
}

void Batcher::arrange(long epoch) {
    Random random(mix(m_seed) + static_cast<uint64_t>(epoch));
    m_order.resize(m_pairs.size());
    std::iota(m_order.begin(), m_order.end(), 0u);
    random.shuffle(m_order);
    m_places.resize(m_pairs.size());
    for (size_t i = 0; i < m_order.size(); ++i) {
        const Example& pair = m_pairs[m_order[i]];
        m_places[i] = {pair.target.size(), pair.source.size(), i, &pair};
    }
    const size_t pool = m_batchSize * batchesInPool;
    for (size_t start = 0; start < m_places.size(); start += pool) {
        const auto first = m_places.begin() + static_cast<long>(start);
        std::sort(first, first + static_cast<long>(std::min(pool, m_places.size() - start)));
    }
    m_arranged.resize(m_pairs.size());
    std::ranges::transform(m_places, m_arranged.begin(), &Place::pair);
    std::sort(m_starts.begin(), m_starts.end());
    random.shuffle(m_starts);
    m_epoch = epoch;
}

std::span<const Example* const> Batcher::batch(long step) {
    const long epoch = step / batchesInEpoch();
    if (epoch != m_epoch) arrange(epoch);
    const size_t start = m_starts[static_cast<size_t>(step % batchesInEpoch())];
    return std::span(m_arranged).subspan(start, std::min(m_batchSize, m_arranged.size() - start));
}

}  // namespace headlight
