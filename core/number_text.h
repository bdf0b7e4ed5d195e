// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

// Numbers as text, with a point whatever the language of the system: std::to_string, printf, std::stod and the like
// follow setlocale(), which a program with a window calls, and write and read commas then.

/// With so many digits behind the point: 0.385.
inline std::string fixedNumber(double value, int decimals) {
    char buffer[512];  // the largest number has 309 digits before the point
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals);
    return error == std::errc() ? std::string(buffer, end) : std::string();
}

/// In as few digits as tell it from its neighbours: 0.1, 1e-05.
inline std::string shortestNumber(double value) {
    char buffer[64];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

/// Nothing where the text is more or less than a number, or one that no double holds.
inline std::optional<double> readNumber(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return value;
}

}  // namespace headlight
