// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/encoding.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <unicode/localpointer.h>
#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>

#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kWestern = "windows-1252";

/// In ICU's own names, the western ones first.
constexpr std::array kUsual{kUtf8,
                            kWestern,
                            "UTF-16LE"sv,
                            "UTF-16BE"sv,
                            "ISO-8859-1"sv,
                            "ISO-8859-15"sv,
                            "ISO-8859-2"sv,
                            "windows-1250"sv,
                            "windows-1251"sv,
                            "KOI8-R"sv,
                            "windows-1253"sv,
                            "windows-1254"sv,
                            "windows-1255"sv,
                            "windows-1256"sv,
                            "windows-1258"sv,
                            "Shift_JIS"sv,
                            "EUC-JP"sv,
                            "EUC-KR"sv,
                            "Big5"sv,
                            "GB18030"sv};

struct Closes {
    void operator()(UCharsetDetector* detector) const { ucsdet_close(detector); }
    void operator()(UConverter* converter) const { ucnv_close(converter); }
};

/// Whether all of it is UTF-8, but for a character that the end of the bytes cuts through.
bool isUtf8(std::string_view bytes, bool isWhole) {
    constexpr std::size_t longest = 3;  // bytes of a character that is not whole
    const auto at = findInvalidUtf8(bytes);
    return !at || (!isWhole && bytes.size() - *at <= longest && static_cast<unsigned char>(bytes[*at]) >= 0xc2);
}

/// Whether most of what is not ASCII is UTF-8 nevertheless: some bytes of it are damaged, or of another file.
bool isMostlyUtf8(std::string_view bytes) {
    std::size_t characters = 0, others = 0;
    for (std::int32_t at = 0; at < static_cast<std::int32_t>(bytes.size());) {
        const std::int32_t point = nextCodePoint(bytes, at);
        characters += point >= 0x80;
        others += point < 0;
    }
    return characters >= others;
}

/// The words that are not ASCII. In a table of pairs English stands beside them, by which ICU would take all of it for
/// a western language.
std::string wordsToJudge(std::string_view bytes) {
    constexpr std::size_t enough = std::size_t{1} << 16;
    std::string words;
    for (std::size_t begin = 0; begin < bytes.size() && words.size() < enough;) {
        const std::size_t end = std::min(bytes.find_first_of(" \t\r\n,;\"", begin), bytes.size());
        const std::string_view word = bytes.substr(begin, end - begin);
        if (std::ranges::any_of(word, [](unsigned char c) { return c >= 0x80; })) (words += word) += ' ';
        begin = end + 1;
    }
    return words;
}

/// Encodings that need two bytes or more for a letter beyond ASCII.
bool isOfWideLetters(std::string_view encoding) {
    constexpr std::array wide{"Shift_JIS"sv, "EUC-"sv, "Big5"sv, "GB18030"sv, "ISO-2022-"sv};
    return std::ranges::any_of(wide, [&](std::string_view name) { return encoding.starts_with(name); });
}

/// UTF-16 without a mark: in most languages every second byte of much of the text is zero; in all of them that of line
/// ends is, and no other.
std::string_view wideEncoding(std::string_view bytes) {
    std::array<std::size_t, 2> zeros{}, lineEnds{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        zeros.at(i % 2) += bytes[i] == '\0';
        lineEnds.at(i % 2) += bytes[i] == '\0' && (i ^ 1) < bytes.size() && bytes[i ^ 1] == '\n';
    }
    const std::size_t side = zeros[1] > zeros[0] ? 1 : 0;
    const std::size_t more = zeros.at(side), less = zeros.at(1 - side);
    constexpr std::size_t fewest = 8, fewestLines = 2;
    const bool isPlain = more >= std::max(fewest, bytes.size() / 8) && less <= more / 16;
    const bool hasLines = less == 0 && lineEnds.at(side) >= fewestLines;
    if (!isPlain && !hasLines) return {};
    return side == 1 ? "UTF-16LE"sv : "UTF-16BE"sv;
}

}  // namespace

std::string guessEncoding(std::string_view bytes, bool isWhole) {
    if (bytes.starts_with("\xff\xfe"sv)) return "UTF-16LE";
    if (bytes.starts_with("\xfe\xff"sv)) return "UTF-16BE";
    if (bytes.find('\0') != std::string_view::npos) {
        const std::string_view wide = wideEncoding(bytes);
        return std::string(wide.empty() ? kUtf8 : wide);
    }
    if (isUtf8(bytes, isWhole)) return std::string(kUtf8);
    if (isMostlyUtf8(bytes)) return std::string(kUtf8);
    const std::string words = wordsToJudge(bytes);
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UCharsetDetector, Closes> detector(ucsdet_open(&status));
    ucsdet_setText(detector.get(), words.data(), static_cast<int32_t>(words.size()), &status);
    // Words of which most letters are plain ones, and some are not.
    const auto high = std::ranges::count_if(words, [](unsigned char c) { return c >= 0x80; });
    const bool isLatin = 3 * static_cast<std::size_t>(high) < words.size();
    int32_t count = 0;
    const UCharsetMatch** const matches = ucsdet_detectAll(detector.get(), &count, &status);
    constexpr int32_t fairlySure = 10, asGood = 10;
    std::string best;
    int32_t most = 0;
    for (int32_t i = 0; i < count && U_SUCCESS(status); ++i) {
        const int32_t confidence = ucsdet_getConfidence(matches[i], &status);
        std::string name = ucsdet_getName(matches[i], &status);
        // What says that it is the first is the second, which has “ and € where the first has nothing.
        if (name == "ISO-8859-1") name = kWestern;
        if (name.starts_with("UTF-") || (isLatin && isOfWideLetters(name))) continue;
        if (best.empty()) {
            best = name;
            most = confidence;
        }
        if (name == kWestern && confidence + asGood >= most) best = name;
    }
    if (U_SUCCESS(status) && most >= fairlySure) return best;
    return std::string(isLatin ? kWestern : kUtf8);
}

std::string encodingNamed(const std::string& name) {
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UConverter, Closes> converter(ucnv_open(name.c_str(), &status));
    if (U_FAILURE(status) || name.empty())
        throw Error("there is no encoding \"" + name + "\"; name one, as UTF-8, UTF-16LE, windows-1252 or ISO-8859-2");
    for (const char* standard : {"MIME", "IANA"}) {
        status = U_ZERO_ERROR;
        if (const char* known = ucnv_getStandardName(name.c_str(), standard, &status)) return known;
    }
    return name;
}

std::span<const std::string_view> usualEncodings() {
    return kUsual;
}

class Decoder::Converters {
public:
    explicit Converters(const std::string& encoding) {
        UErrorCode status = U_ZERO_ERROR;
        m_from.reset(ucnv_open(encoding.c_str(), &status));
        m_to.reset(ucnv_open("UTF-8", &status));
        if (U_FAILURE(status)) throw Error("there is no encoding \"" + encoding + "\"; name another");
        ucnv_setToUCallBack(m_from.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
        ucnv_setFromUCallBack(m_to.get(), UCNV_FROM_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
    }

    /// Whether all bytes were text.
    bool convert(const char*& next, const char* end, char*& out, const char* outEnd, bool isLast) {
        UErrorCode status = U_ZERO_ERROR;
        ucnv_convertEx(m_to.get(), m_from.get(), &out, outEnd, &next, end, m_pivot.data(), &m_pivotFrom, &m_pivotTo,
                       m_pivot.data() + m_pivot.size(), /*reset=*/false, isLast ? 1 : 0, &status);
        return U_SUCCESS(status) || status == U_BUFFER_OVERFLOW_ERROR;
    }
    const char* name() const {
        UErrorCode status = U_ZERO_ERROR;
        return ucnv_getName(m_from.get(), &status);
    }

private:
    std::unique_ptr<UConverter, Closes> m_from, m_to;
    std::array<UChar, 4096> m_pivot{};
    UChar *m_pivotFrom = m_pivot.data(), *m_pivotTo = m_pivot.data();
};

Decoder::Decoder(const std::string& encoding, std::string path)
    : m_path(std::move(path)), m_converters(std::make_unique<Converters>(encoding)) {}

Decoder::~Decoder() = default;

void Decoder::lay(const char* bytes, std::size_t count) {
    m_next = bytes;
    m_end = bytes + count;
    m_isLast = count == 0;
}

std::size_t Decoder::decode(std::vector<char>& text) {
    char* out = text.data();
    const char* const from = m_next;
    const bool isText = m_converters->convert(m_next, m_end, out, text.data() + text.size(), m_isLast);
    m_used += static_cast<std::size_t>(m_next - from);
    if (!isText)
        throw Error(m_path + " is not valid " + m_converters->name() + " (byte " + std::to_string(m_used) +
                    "); say which encoding it has");
    return static_cast<std::size_t>(out - text.data());
}

}  // namespace headlight
