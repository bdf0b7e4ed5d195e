// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/repeats.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace headlight {

namespace {
constexpr std::size_t kTold = 8;
}

void RepeatSearch::add(const std::string& source, const std::string& target, std::size_t line) {
    constexpr uint64_t mixed = 0x9e3779b97f4a7c15;  // 2^64 / the golden ratio: the sides are not to cancel out
    const uint64_t hash = std::hash<std::string>()(source) * mixed ^ std::hash<std::string>()(target);
    m_places.emplace_back(hash,
                          static_cast<uint32_t>(std::min<std::size_t>(line, std::numeric_limits<uint32_t>::max())));
}

Repeats RepeatSearch::take() {
    Repeats repeats;
    std::ranges::sort(m_places);
    for (std::size_t i = 1; i < m_places.size(); ++i) {
        if (m_places[i].first != m_places[i - 1].first) continue;
        ++repeats.count;
        repeats.lines.insert(std::ranges::upper_bound(repeats.lines, m_places[i].second), m_places[i].second);
        if (repeats.lines.size() > kTold) repeats.lines.pop_back();
    }
    m_places = {};
    return repeats;
}

}  // namespace headlight
