// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

/// What stands in a file more than once.
struct Repeats {
    long count = 0;                       ///< pairs, or lines, that stood there before
    std::vector<std::size_t> lines = {};  ///< of the first few of them
};

/// Finds them. Of each pair sixteen bytes are kept, and no text: two pairs are the same where their hashes are.
class RepeatSearch {
public:
    /// Of a line of a text the source is empty.
    void add(const std::string& source, const std::string& target, std::size_t line);
    /// Forgets what was added.
    Repeats take();

private:
    std::vector<std::pair<uint64_t, uint32_t>> m_places;  ///< hash and line
};

}  // namespace headlight
