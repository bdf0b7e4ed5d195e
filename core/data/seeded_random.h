// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace headlight {

/// Random choices that are the same on every machine: the standard fixes what mt19937_64 yields but leaves its
/// distributions to each library, so they are not used. Only corpora draw with it, all else with Random
/// (core/tensor/random.h): another sequence would make other sentences of every built-in task, and the shipped models
/// were trained on these.
class SeededRandom {
public:
    explicit SeededRandom(unsigned long long seed) : m_engine(seed) {}

    /// A number from 0 to n-1; n must not be 0. The bias of the remainder is below n / 2^64.
    std::size_t below(std::size_t n) {
        assert(n > 0);
        return static_cast<std::size_t>(m_engine() % n);
    }

    template <typename T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t left = items.size(); left > 1; --left)
            std::swap(items[left - 1], items[below(left)]);
    }

private:
    std::mt19937_64 m_engine;
};

}  // namespace headlight
