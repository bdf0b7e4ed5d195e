// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/bert_characters.h"

#include <algorithm>
#include <array>

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "core/text/unicode.h"

namespace headlight::pipeline {
namespace {

constexpr int bertVersion = 8;

UChar32 codePointOf(std::string_view text) {
    int32_t at = 0;
    return nextCodePoint(text, at);
}

bool isChinese(UChar32 c) {
    struct Block {
        UChar32 first, last;
    };
    static constexpr std::array blocks = {Block{0x4e00, 0x9fff},   Block{0x3400, 0x4dbf},   Block{0x20000, 0x2a6df},
                                          Block{0x2a700, 0x2b73f}, Block{0x2b740, 0x2b81f}, Block{0x2b920, 0x2ceaf},
                                          Block{0xf900, 0xfaff},   Block{0x2f800, 0x2fa1f}};
    return std::ranges::any_of(blocks, [c](const Block& block) { return c >= block.first && c <= block.last; });
}

}  // namespace

BertCharacter bertCharacter(std::string_view codePoint) {
    const UChar32 c = codePointOf(codePoint);
    if (c == '\t' || c == '\n' || c == '\r') return BertCharacter::Space;
    constexpr std::uint32_t control = U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK;
    if (((U_GET_GC_MASK(c) & control) != 0 && isInUnicode(codePoint, bertVersion)) || c == 0xfffd)
        return BertCharacter::Control;
    if (u_isUWhiteSpace(c)) return BertCharacter::Space;
    return isChinese(c) ? BertCharacter::Chinese : BertCharacter::Other;
}

bool isBertPunctuation(std::string_view codePoint) {
    const UChar32 c = codePointOf(codePoint);
    if (c < 0x80) return c > ' ' && c < 0x7f && u_isalnum(c) == 0;
    return (U_GET_GC_MASK(c) & U_GC_P_MASK) != 0 && isInUnicode(codePoint, bertVersion);
}

bool isBertMark(std::string_view codePoint) {
    return u_charType(codePointOf(codePoint)) == U_NON_SPACING_MARK && isInUnicode(codePoint, bertVersion);
}

bool isInUnicode(std::string_view codePoint, int version) {
    UVersionInfo since{};
    u_charAge(codePointOf(codePoint), since);
    return since[0] != 0 && since[0] <= version;
}

}  // namespace headlight::pipeline
