// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/error.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr size_t longest = 2000;  // bytes

bool isControl(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
}

/// A line break would make a second message of what follows it, an escape colours or moves what a terminal shows.
std::string oneLine(std::string what) {
    if (what.size() > longest) {
        // Not in the middle of a character of UTF-8.
        size_t end = longest;
        while (end > 0 && (static_cast<unsigned char>(what[end]) & 0xc0u) == 0x80)
            --end;
        what.replace(end, std::string::npos, "…");
    }
    std::ranges::replace_if(what, isControl, ' ');
    return what;
}

}  // namespace

Error::Error(const std::string& what) : std::runtime_error(oneLine(what)) {}

}  // namespace headlight
