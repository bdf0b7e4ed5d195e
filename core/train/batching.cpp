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
    const auto longer = [this](uint32_t a, uint32_t b) {
        const Example &x = m_pairs[a], &y = m_pairs[b];
        return std::pair(x.target.size(), x.source.size()) < std::pair(y.target.size(), y.source.size());
    };
    const size_t pool = m_batchSize * batchesInPool;
    for (size_t start = 0; start < m_order.size(); start += pool) {
        const auto first = m_order.begin() + static_cast<long>(start);
        std::stable_sort(first, first + static_cast<long>(std::min(pool, m_order.size() - start)), longer);
    }
    std::sort(m_starts.begin(), m_starts.end());
    random.shuffle(m_starts);
    m_epoch = epoch;
}

std::vector<const Example*> Batcher::batch(long step) {
    const long epoch = step / batchesInEpoch();
    if (epoch != m_epoch) arrange(epoch);
    const size_t start = m_starts[static_cast<size_t>(step % batchesInEpoch())];
    const size_t end = std::min(start + m_batchSize, m_order.size());
    std::vector<const Example*> pairs;
    pairs.reserve(end - start);
    for (size_t i = start; i < end; ++i)
        pairs.push_back(&m_pairs[m_order[i]]);
    return pairs;
}

}  // namespace headlight
