// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/bert_characters.h"

#include <algorithm>
#include <array>

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "core/text/unicode.h"

namespace headlight::pipeline {
namespace {

UChar32 codePointOf(std::string_view text) {
    int32_t at = 0;
    return nextCodePoint(text, at);
}

bool isChinese(UChar32 c) {
    struct Block {
        UChar32 first, last;
    };
    static constexpr std::array blocks = {Block{0x4e00, 0x9fff},   Block{0x3400, 0x4dbf},   Block{0x20000, 0x2a6df},
                                          Block{0x2a700, 0x2b73f}, Block{0x2b740, 0x2b81f}, Block{0x2b820, 0x2ceaf},
                                          Block{0xf900, 0xfaff},   Block{0x2f800, 0x2fa1f}};
    return std::ranges::any_of(blocks, [c](const Block& block) { return c >= block.first && c <= block.last; });
}

}  // namespace

BertCharacter bertCharacter(std::string_view codePoint) {
    const UChar32 c = codePointOf(codePoint);
    if (c == '\t' || c == '\n' || c == '\r') return BertCharacter::Space;
    switch (u_charType(c)) {
        case U_SPACE_SEPARATOR:
            return BertCharacter::Space;
        case U_CONTROL_CHAR:
        case U_FORMAT_CHAR:
        case U_PRIVATE_USE_CHAR:
        case U_SURROGATE:
        case U_UNASSIGNED:
            return BertCharacter::Control;
        default:
            break;
    }
    if (c == 0xfffd) return BertCharacter::Control;
    return isChinese(c) ? BertCharacter::Chinese : BertCharacter::Other;
}

bool isBertPunctuation(std::string_view codePoint) {
    const UChar32 c = codePointOf(codePoint);
    if (c < 0x80) return c > ' ' && c < 0x7f && u_isalnum(c) == 0;
    return (U_GET_GC_MASK(c) & U_GC_P_MASK) != 0;
}

}  // namespace headlight::pipeline
