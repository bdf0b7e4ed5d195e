// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/entities.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace headlight {

namespace {

struct Named {
    std::string_view name, character;
};
constexpr Named namedEntities[] = {{"amp", "&"},   {"lt", "<"},   {"gt", ">"},
                                   {"quot", "\""}, {"apos", "'"}, {"nbsp", "\xc2\xa0"}};

std::string utf8(uint32_t code) {
    const auto byte = [](uint32_t bits) { return static_cast<char>(bits); };
    const auto next = [&](int shift) { return byte(0x80 | (code >> shift & 0x3f)); };
    if (code < 0x80) return {byte(code)};
    if (code < 0x800) return {byte(0xc0 | code >> 6), next(0)};
    if (code < 0x10000) return {byte(0xe0 | code >> 12), next(6), next(0)};
    return {byte(0xf0 | code >> 18), next(12), next(6), next(0)};
}

/// What stands between `&#` and `;`.
std::optional<std::string> byNumber(std::string_view digits) {
    const bool isHex = digits.starts_with('x') || digits.starts_with('X');
    if (isHex) digits.remove_prefix(1);
    uint32_t code = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), code, isHex ? 16 : 10);
    if (problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    const bool isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
    const bool isSurrogate = code >= 0xd800 && code < 0xe000;
    if (isControl || isSurrogate || code > 0x10ffff) return std::nullopt;
    return utf8(code);
}

/// What stands between `&` and `;`.
std::optional<std::string> characterOf(std::string_view entity) {
    if (entity.starts_with('#')) return byNumber(entity.substr(1));
    for (const Named& each : namedEntities)
        if (each.name == entity) return std::string(each.character);
    return std::nullopt;
}

}  // namespace

long undoEntities(std::string& text) {
    constexpr std::size_t longest = 9;  // "#x10ffff;"
    std::size_t at = text.find('&');
    if (at == std::string::npos) return 0;
    std::string result = text.substr(0, at);
    long undone = 0;
    while (at < text.size()) {
        const std::string_view rest = std::string_view(text).substr(at + 1, longest);
        const std::size_t end = rest.find(';');
        const auto character = end == std::string_view::npos ? std::nullopt : characterOf(rest.substr(0, end));
        result += character ? *character : "&";
        undone += character.has_value();
        at += character ? end + 2 : 1;
        const std::size_t next = std::min(text.find('&', at), text.size());
        result.append(text, at, next - at);
        at = next;
    }
    text = std::move(result);
    return undone;
}

}  // namespace headlight
