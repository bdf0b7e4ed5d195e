// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/base64.h"

#include <algorithm>
#include <cstdint>

namespace headlight {
namespace {

constexpr std::string_view base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t group = 3, written = 4;

}  // namespace

std::string toBase64(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + group - 1) / group * written);
    for (std::size_t at = 0; at < bytes.size(); at += group) {
        const std::size_t count = std::min(group, bytes.size() - at);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < group; ++i)
            bits = bits << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0u);
        for (std::size_t i = 0; i < written; ++i)
            text += i <= count ? base64Digits[bits >> (18 - 6 * i) & 63u] : '=';
    }
    return text;
}

std::optional<std::string> fromBase64(std::string_view text) {
    if (text.size() % written != 0) return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() / written * group);
    for (std::size_t at = 0; at < text.size(); at += written) {
        const std::string_view four = text.substr(at, written);
        const bool isLast = at + written == text.size();
        const std::size_t count = isLast ? std::min(four.find('='), written) : written;
        if (count < 2 || four.substr(count).find_first_not_of('=') != std::string_view::npos) return std::nullopt;
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < written; ++i) {
            const std::size_t digit = i < count ? base64Digits.find(four[i]) : 0;
            if (digit == std::string_view::npos) return std::nullopt;
            bits = bits << 6 | static_cast<std::uint32_t>(digit);
        }
        for (std::size_t i = 0; i + 1 < count; ++i)
            bytes += static_cast<char>(bits >> (16 - 8 * i) & 0xffu);
    }
    // One text a file: no bits are left over that a writer could have set.
    return toBase64(bytes) == text ? std::optional(bytes) : std::nullopt;
}

}  // namespace headlight
