// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/unicode.h"

#include <algorithm>
#include <array>
#include <memory>

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

#include "core/error.h"

namespace headlight {

std::int32_t nextCodePoint(std::string_view text, std::int32_t& at) {
    UChar32 codePoint = 0;
// ICU's macro computes in int what it keeps in a byte: the cut is its own, and meant.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
    U8_NEXT(text.data(), at, static_cast<int32_t>(text.size()), codePoint);
#pragma GCC diagnostic pop
    return codePoint;
}

namespace {

bool isAscii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void requireUtf8(std::string_view text) {
    if (const auto at = findInvalidUtf8(text))
        throw Error("text is not valid UTF-8 (byte " + std::to_string(*at + 1) + "); convert it to UTF-8 first");
}

void requireSuccess(UErrorCode status, const char* what) {
    if (U_FAILURE(status))
        throw Error(std::string(what) + " failed (" + u_errorName(status) + "); check the installation of ICU");
}

icu::StringPiece piece(std::string_view text) {
    return {text.data(), static_cast<int32_t>(text.size())};
}

UChar32 firstCodePoint(std::string_view text) {
    int32_t at = 0;
    return nextCodePoint(text, at);
}

void appendCodePoint(std::string& text, UChar32 codePoint) {
    std::array<char, U8_MAX_LENGTH> bytes{};
    std::size_t length = 0;
    U8_APPEND_UNSAFE(bytes.data(), length, codePoint);
    text.append(bytes.data(), length);
}

const icu::Normalizer2* instance(NormalForm form, UErrorCode& status) {
    switch (form) {
        case NormalForm::C:
            break;
        case NormalForm::D:
            return icu::Normalizer2::getNFDInstance(status);
        case NormalForm::KC:
            return icu::Normalizer2::getNFKCInstance(status);
        case NormalForm::KD:
            return icu::Normalizer2::getNFKDInstance(status);
    }
    return icu::Normalizer2::getNFCInstance(status);
}

/// Negative: not UTF-8.
bool isWordCharacter(UChar32 codePoint) {
    return codePoint >= 0 && (u_isUAlphabetic(codePoint) || u_isdigit(codePoint) ||
                              (U_GET_GC_MASK(codePoint) & (U_GC_M_MASK | U_GC_PC_MASK)) != 0);
}

struct CloseText {
    void operator()(UText* text) const { utext_close(text); }
};
struct CloseIterator {
    void operator()(UBreakIterator* iterator) const { ubrk_close(iterator); }
};

// Opening a break iterator costs more than walking a sentence with it: each thread keeps one.
UBreakIterator* characterIterator() {
    thread_local const std::unique_ptr<UBreakIterator, CloseIterator> iterator = [] {
        UErrorCode status = U_ZERO_ERROR;
        std::unique_ptr<UBreakIterator, CloseIterator> opened(ubrk_open(UBRK_CHARACTER, "", nullptr, 0, &status));
        requireSuccess(status, "opening ICU's character rules");
        return opened;
    }();
    return iterator.get();
}

}  // namespace

std::optional<std::size_t> findInvalidUtf8(std::string_view text) {
    // Texts are lines; ICU counts in 32 bits, and longer ones do not occur (readers refuse files over 2 GiB).
    const auto length = static_cast<int32_t>(text.size());
    for (int32_t at = 0; at < length;) {
        const int32_t start = at;
        if (nextCodePoint(text, at) < 0) return static_cast<std::size_t>(start);
    }
    return std::nullopt;
}

std::string repairedUtf8(std::string_view text) {
    std::string result;
    for (auto at = findInvalidUtf8(text); at; at = findInvalidUtf8(text)) {
        result.append(text.substr(0, *at)).append("\uFFFD");
        text.remove_prefix(*at + 1);
    }
    return result.append(text);
}

std::string toNormalForm(std::string_view text, NormalForm form) {
    if (isAscii(text)) return std::string(text);
    requireUtf8(text);
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* normalizer = instance(form, status);
    requireSuccess(status, "loading ICU's normalisation data");
    std::string result;
    icu::StringByteSink<std::string> sink(&result, static_cast<int32_t>(text.size()));
    normalizer->normalizeUTF8(0, piece(text), sink, nullptr, status);
    requireSuccess(status, "normalising a text");
    return result;
}

std::string toNfc(std::string_view text) {
    return toNormalForm(text, NormalForm::C);
}

std::string lowercased(std::string_view text) {
    requireUtf8(text);
    UErrorCode status = U_ZERO_ERROR;
    std::string result;
    icu::StringByteSink<std::string> sink(&result, static_cast<int32_t>(text.size()));
    icu::CaseMap::utf8ToLower("", 0, piece(text), sink, nullptr, status);
    requireSuccess(status, "lowercasing a text");
    return result;
}

std::string lowercasedEach(std::string_view text) {
    constexpr UChar32 dottedCapitalI = 0x130;  // the one character that becomes two wherever it stands
    std::string result;
    result.reserve(text.size());
    for (const std::string_view character : codePoints(text)) {
        const UChar32 codePoint = firstCodePoint(character);
        if (codePoint == dottedCapitalI)
            result += "i\u0307";
        else
            appendCodePoint(result, u_tolower(codePoint));
    }
    return result;
}

std::string toLowercase(std::string_view text) {
    return toNfc(lowercased(text));
}

std::size_t whiteSpaceAtBegin(std::string_view text) {
    const auto length = static_cast<int32_t>(text.size());
    int32_t begin = 0;
    for (int32_t next = 0; next < length; begin = next) {
        const UChar32 codePoint = nextCodePoint(text, next);
        if (codePoint < 0 || !u_isUWhiteSpace(codePoint)) break;
    }
    return static_cast<std::size_t>(begin);
}

std::size_t whiteSpaceAtEnd(std::string_view text) {
    auto end = static_cast<int32_t>(text.size());
    for (int32_t before = end; before > 0; end = before) {
        UChar32 codePoint = 0;
        U8_PREV(text.data(), 0, before, codePoint);
        if (codePoint < 0 || !u_isUWhiteSpace(codePoint)) break;
    }
    return text.size() - static_cast<std::size_t>(end);
}

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(whiteSpaceAtBegin(text));
    text.remove_suffix(whiteSpaceAtEnd(text));
    return text;
}

bool beginsWithWordCharacter(std::string_view text) {
    return !text.empty() && isWordCharacter(firstCodePoint(text));
}

bool endsInWordCharacter(std::string_view text) {
    if (text.empty()) return false;
    UChar32 codePoint = 0;
    auto at = static_cast<int32_t>(text.size());
    U8_PREV(text.data(), 0, at, codePoint);
    return isWordCharacter(codePoint);
}

std::vector<std::string> cut(std::string_view text, char separator) {
    std::vector<std::string> pieces;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        pieces.emplace_back(trimmed(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return pieces;
}

std::vector<std::string_view> codePoints(std::string_view text) {
    requireUtf8(text);
    std::vector<std::string_view> result;
    result.reserve(text.size());
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t end = begin;
        U8_FWD_1(text.data(), end, text.size());
        result.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    return result;
}

bool isMarkCharacter(std::string_view codePoint) {
    return (U_GET_GC_MASK(firstCodePoint(codePoint)) & U_GC_M_MASK) != 0;
}

bool isWhiteSpace(std::string_view codePoint) {
    return u_isUWhiteSpace(firstCodePoint(codePoint)) != 0;
}

bool isPythonSpace(std::string_view codePoint) {
    return u_isspace(firstCodePoint(codePoint)) != 0;
}

std::vector<std::string_view> graphemes(std::string_view text) {
    std::vector<std::string_view> result;
    result.reserve(text.size());
    if (isAscii(text) && text.find('\r') == std::string_view::npos) {  // of ASCII only "\r\n" is more than a byte
        for (std::size_t i = 0; i < text.size(); ++i)
            result.push_back(text.substr(i, 1));
        return result;
    }
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UText, CloseText> opened(
        utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &status));
    UBreakIterator* iterator = characterIterator();
    ubrk_setUText(iterator, opened.get(), &status);
    requireSuccess(status, "reading a text's characters");
    auto start = static_cast<std::size_t>(ubrk_first(iterator));
    for (int32_t end = ubrk_next(iterator); end != UBRK_DONE; end = ubrk_next(iterator)) {
        const auto stop = static_cast<std::size_t>(end);
        result.push_back(text.substr(start, stop - start));
        start = stop;
    }
    return result;
}

namespace {

CharacterClass classOf(UChar32 c) {
    if (u_isUWhiteSpace(c) || u_iscntrl(c)) return CharacterClass::Space;
    switch (c) {
        case U'.':
        case U',':
        case U'!':
        case U'?':
        case U';':
        case U':':
        case U'…':
        case U'%':
            return CharacterClass::Closing;
        case U'¿':
        case U'¡':
            return CharacterClass::Opening;
        default:
            break;
    }
    switch (u_charType(c)) {
        case U_DECIMAL_DIGIT_NUMBER:
            return CharacterClass::Digit;
        case U_START_PUNCTUATION:
        case U_INITIAL_PUNCTUATION:
            return CharacterClass::Opening;
        case U_END_PUNCTUATION:
        case U_FINAL_PUNCTUATION:
            return CharacterClass::Closing;
        case U_DASH_PUNCTUATION:
        case U_CONNECTOR_PUNCTUATION:
        case U_OTHER_PUNCTUATION:
        case U_MATH_SYMBOL:
        case U_CURRENCY_SYMBOL:
        case U_MODIFIER_SYMBOL:
        case U_OTHER_SYMBOL:
            return CharacterClass::Punctuation;
        default:
            return CharacterClass::Letter;
    }
}

}  // namespace

CharacterClass classify(std::string_view grapheme) {
    // Most text is asked for one by one of these.
    static const auto ascii = [] {
        std::array<CharacterClass, 128> classes{};
        for (size_t c = 0; c < classes.size(); ++c)
            classes[c] = classOf(static_cast<UChar32>(c));
        return classes;
    }();
    const auto first = static_cast<unsigned char>(grapheme.front());
    return first < ascii.size() ? ascii[first] : classOf(firstCodePoint(grapheme));
}

}  // namespace headlight
