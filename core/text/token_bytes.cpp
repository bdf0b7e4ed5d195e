// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/token_bytes.h"

#include <array>

#include <unicode/utf8.h>

#include "core/text/unicode.h"

namespace headlight {
namespace {

constexpr int byteCount = 256;
constexpr UChar32 firstStandIn = 0x100;

void append(std::string& text, UChar32 character) {
    std::array<char, U8_MAX_LENGTH> bytes{};
    int32_t length = 0;
    U8_APPEND_UNSAFE(bytes.data(), length, character);
    text.append(bytes.data(), static_cast<std::size_t>(length));
}

bool standsForItself(int byte) {
    return (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}

struct ByteAlphabet {
    std::array<std::string, byteCount> characters;
    std::array<int, firstStandIn + byteCount> bytes;  // by code point; -1: none

    ByteAlphabet() {
        bytes.fill(-1);
        UChar32 standIn = firstStandIn;
        for (int byte = 0; byte < byteCount; ++byte) {
            const UChar32 character = standsForItself(byte) ? byte : standIn++;
            append(characters[static_cast<std::size_t>(byte)], character);
            bytes[static_cast<std::size_t>(character)] = byte;
        }
    }
};

const ByteAlphabet& alphabet() {
    static const ByteAlphabet instance;
    return instance;
}

/// What stands for a character that one cannot see; empty where one can.
std::string picture(UChar32 character) {
    std::string text;
    if (character == ' ')
        text = "▁";
    else if (character < 0x20)
        append(text, 0x2400 + character);  // Unicode's control pictures
    else if (character == 0x7f)
        text = "␡";
    return text;
}

std::string subscript(int number) {
    std::string text;
    for (const char digit : std::to_string(number))
        append(text, 0x2080 + (digit - '0'));
    return text;
}

/// Shows a run of tokens that are bytes, whose characters may reach over several of them.
class RunOfBytes {
public:
    RunOfBytes(const std::vector<ShownToken>& tokens, std::size_t first, std::size_t end) : m_first(first) {
        for (std::size_t i = first; i < end; ++i) {
            m_bytes += tokens[i].text;
            m_ends.push_back(m_bytes.size());
        }
    }

    void showIn(std::vector<std::string>& shown) const {
        const auto length = static_cast<int32_t>(m_bytes.size());
        std::size_t token = 0;
        for (int32_t at = 0; at < length;) {
            const int32_t begin = at;
            const UChar32 character = nextCodePoint(m_bytes, at);
            if (character < 0) at = begin + 1;
            while (m_ends[token] <= static_cast<std::size_t>(begin))
                ++token;
            showCharacter({begin, at, character}, token, shown);
        }
    }

private:
    struct Character {
        int32_t begin, end;
        UChar32 codePoint;  // negative: a byte that belongs to no character
    };

    void showCharacter(const Character& character, std::size_t token, std::vector<std::string>& shown) const {
        const auto begin = static_cast<std::size_t>(character.begin), end = static_cast<std::size_t>(character.end);
        std::string text = character.codePoint < 0 ? byteFallbackName(static_cast<unsigned char>(m_bytes[begin]))
                                                   : picture(character.codePoint);
        if (text.empty()) text = m_bytes.substr(begin, end - begin);
        if (m_ends[token] >= end) {
            shown[m_first + token] += text;
            return;
        }
        for (int part = 1; token < m_ends.size() && (token == 0 || m_ends[token - 1] < end); ++token)
            if (m_ends[token] > (token == 0 ? 0 : m_ends[token - 1]))
                shown[m_first + token] += text + subscript(part++);
    }

    std::size_t m_first;
    std::string m_bytes;
    std::vector<std::size_t> m_ends;  // of each token, in m_bytes
};

}  // namespace

const std::string& byteLevelCharacter(unsigned char byte) {
    return alphabet().characters[byte];
}

std::string toByteLevel(std::string_view bytes) {
    std::string result;
    result.reserve(bytes.size() * 2);
    for (const char byte : bytes)
        result += byteLevelCharacter(static_cast<unsigned char>(byte));
    return result;
}

std::optional<std::string> fromByteLevel(std::string_view token) {
    std::string bytes;
    const auto length = static_cast<int32_t>(token.size());
    for (int32_t at = 0; at < length;) {
        const UChar32 character = nextCodePoint(token, at);
        if (character < 0 || character >= firstStandIn + byteCount) return std::nullopt;
        const int byte = alphabet().bytes[static_cast<std::size_t>(character)];
        if (byte < 0) return std::nullopt;
        bytes += static_cast<char>(byte);
    }
    return bytes;
}

std::string byteFallbackName(unsigned char byte) {
    static constexpr std::string_view digits = "0123456789ABCDEF";
    return std::string("<0x") + digits[byte / 16] + digits[byte % 16] + '>';
}

std::optional<unsigned char> fromByteFallback(std::string_view token) {
    static constexpr std::string_view digits = "0123456789ABCDEF";
    if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
    const std::size_t high = digits.find(token[3]), low = digits.find(token[4]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    return static_cast<unsigned char>(high * 16 + low);
}

std::vector<std::string> displayTokens(const std::vector<ShownToken>& tokens) {
    std::vector<std::string> shown(tokens.size());
    for (std::size_t i = 0; i < tokens.size();) {
        if (tokens[i].kind == ShownToken::Kind::Name) {
            shown[i] = tokens[i].text;
            ++i;
            continue;
        }
        const std::size_t first = i;
        while (i < tokens.size() && tokens[i].kind == ShownToken::Kind::Bytes)
            ++i;
        RunOfBytes(tokens, first, i).showIn(shown);
    }
    return shown;
}

std::string replaceBrokenUtf8(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    const auto length = static_cast<int32_t>(text.size());
    for (int32_t at = 0; at < length;) {
        const int32_t begin = at;
        const UChar32 character = nextCodePoint(text, at);
        if (character < 0)
            result += "\uFFFD";
        else
            result.append(text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(at - begin)));
    }
    return result;
}

}  // namespace headlight
