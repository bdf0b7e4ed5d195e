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

/// Returns whether the whole text is a number that `value` can hold, and sets it if so.
template <class Number>
bool readNumber(std::string_view text, Number& value) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return false;
    value = number;
    return true;
}

/// Returns nothing if the text is not a number as a whole, or is one that no double holds.
inline std::optional<double> readNumber(std::string_view text) {
    double value = 0;
    return readNumber(text, value) ? std::optional(value) : std::nullopt;
}

}  // namespace headlight
