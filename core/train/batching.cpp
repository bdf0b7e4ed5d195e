// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/batching.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/tensor/random.h"

namespace headlight {

namespace {

/// Batches whose pairs are sorted together: wide enough to find like lengths, narrow enough to keep the shuffle.
constexpr size_t batchesInPool = 50;

/// Of the longer side. A text has no source, and its window no <eos> of its own.
size_t tokensOf(const Example& pair) {
    return pair.source.empty() ? pair.target.size() : std::max(pair.source.size(), pair.target.size() + 1);
}

}  // namespace

Batcher::Batcher(const std::vector<Example>& pairs, BatchSize size, uint64_t seed)
    : m_pairs(pairs), m_size(size), m_seed(seed) {
    m_size.tokens > 0 ? cutByTokens() : cutByPairs();
}

void Batcher::cutByPairs() {
    const auto most = static_cast<size_t>(m_size.pairs);
    for (size_t first = 0; first < m_pairs.size(); first += most)
        m_batches.push_back({first, std::min(most, m_pairs.size() - first)});
}

void Batcher::cutByTokens() {
    const auto most = static_cast<size_t>(m_size.tokens);
    std::vector<size_t> lengths(m_pairs.size());
    std::ranges::transform(m_pairs, lengths.begin(), tokensOf);
    std::ranges::sort(lengths);
    if (lengths.back() > most)
        throw Error("tokens-per-batch " + std::to_string(most) + " holds no pair of " + std::to_string(lengths.back()) +
                    " tokens, and there is one: raise it, or lower --max-length");
    size_t first = 0;
    for (size_t i = 0; i < lengths.size(); ++i) {
        if ((i + 1 - first) * lengths[i] <= most) continue;
        m_batches.push_back({first, i - first});
        first = i;
    }
    m_batches.push_back({first, lengths.size() - first});
}

void Batcher::sortLikeLengths() {
    if (m_size.tokens > 0) {
        std::ranges::sort(m_places, {}, [](const Place& place) {
            return std::tuple(tokensOf(*place.pair), place.target, place.source, place.shuffled);
        });
        return;
    }
    const size_t pool = static_cast<size_t>(m_size.pairs) * batchesInPool;
    for (size_t start = 0; start < m_places.size(); start += pool) {
        const auto first = m_places.begin() + static_cast<long>(start);
        std::sort(first, first + static_cast<long>(std::min(pool, m_places.size() - start)));
    }
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
    sortLikeLengths();
    m_arranged.resize(m_pairs.size());
    std::ranges::transform(m_places, m_arranged.begin(), &Place::pair);
    std::ranges::sort(m_batches, {}, &Range::first);
    random.shuffle(m_batches);
    m_epoch = epoch;
}

void Batcher::setSeed(uint64_t seed) {
    if (m_seed == seed) return;
    m_seed = seed;
    m_epoch = -1;
}

std::span<const Example* const> Batcher::batch(long step) {
    const long epoch = step / batchesInEpoch();
    if (epoch != m_epoch) arrange(epoch);
    const Range& range = m_batches[static_cast<size_t>(step % batchesInEpoch())];
    return std::span(m_arranged).subspan(range.first, range.count);
}

}  // namespace headlight
