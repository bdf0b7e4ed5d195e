// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/foreign_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace headlight {

namespace {

using namespace std::string_view_literals;

struct Sign {
    std::string_view begins;
    std::string_view told;
};

constexpr std::array kBinary{
    Sign{"BZh"sv, "is packed with bzip2; unpack it (bunzip2) and give what comes out"sv},
    Sign{"\xfd\x37zXZ"sv, "is packed with xz; unpack it (unxz) and give what comes out"sv},
    Sign{"\x28\xb5\x2f\xfd"sv, "is packed with zstd; unpack it (unzstd) and give what comes out"sv},
    Sign{"7z\xbc\xaf"sv, "is a 7-Zip archive; unpack it and give the text file in it"sv},
    Sign{"Rar!"sv, "is a RAR archive; unpack it and give the text file in it"sv},
    Sign{"PAR1"sv,
         "is a Parquet table; write it as CSV or JSON lines (with pandas: read_parquet, to_csv) and give that"sv},
    Sign{"ARROW1"sv,
         "is an Arrow table; write it as CSV or JSON lines (with pandas: read_feather, to_csv) and give that"sv},
    Sign{"SQLite format 3"sv, "is an SQLite database; export its table as CSV and give that"sv},
    Sign{"%PDF-"sv, "is a PDF; save its text as a text file (pdftotext) and give that"sv},
    Sign{"\xd0\xcf\x11\xe0"sv, "is a document of an older Office; save it there as CSV or as plain text (UTF-8)"sv},
};

constexpr std::string_view kZip = "PK\x03\x04"sv;
constexpr std::string_view kSheet = "is a spreadsheet; save it there as CSV (UTF-8) and give that"sv;
constexpr std::string_view kDocument = "is a document of a word processor; save it there as plain text (UTF-8)"sv;

/// By the ending, as their first bytes are those of any zip archive.
constexpr std::array kZipped{
    Sign{".xlsx"sv, "is an Excel workbook; save it there as CSV (UTF-8) and give that"sv},
    Sign{".xlsm"sv, "is an Excel workbook; save it there as CSV (UTF-8) and give that"sv},
    Sign{".ods"sv, kSheet},
    Sign{".docx"sv, kDocument},
    Sign{".odt"sv, kDocument},
    Sign{".epub"sv, "is an e-book; save it as plain text (UTF-8; with Calibre: ebook-convert) and give that"sv},
};

constexpr std::string_view kByHand = ", or choose its kind by hand to read it as it is";

bool isTar(std::string_view bytes) {
    constexpr std::size_t at = 257;  // in the header of its first file
    return bytes.size() > at + 5 && bytes.substr(at, 5) == "ustar";
}

/// The first characters in lower case, whether they are UTF-16 or not, without a mark and white space before them.
std::string plainBeginning(std::string_view bytes) {
    constexpr std::size_t most = 4096;
    std::string text;
    for (const char c : bytes.substr(0, most))
        if (c != '\0') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const std::string_view mark : {"\xef\xbb\xbf"sv, "\xff\xfe"sv, "\xfe\xff"sv})
        if (text.starts_with(mark)) text.erase(0, mark.size());
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

/// `1`, below it `00:00:01,000 --> 00:00:02,500`.
bool isSubtitles(std::string_view text) {
    if (text.starts_with("webvtt")) return true;
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos || text.empty()) return false;
    const bool isNumber =
        std::ranges::all_of(text.substr(0, end), [](unsigned char c) { return std::isdigit(c) || c == '\r'; });
    const std::string_view below = text.substr(end + 1, 40);
    return isNumber && below.substr(0, below.find('\n')).find(" --> ") != std::string_view::npos;
}

std::string_view markedText(std::string_view text) {
    const auto has = [&](std::string_view tag) { return text.find(tag) != std::string_view::npos; };
    if (text.starts_with("{\\rtf")) return "is rich text (RTF); save it as plain text (UTF-8)";
    if (isSubtitles(text)) return "holds subtitles with their times; save the lines alone as plain text";
    const bool isXml = text.starts_with("<?xml"), isTyped = text.starts_with("<!doctype");
    if (!isXml && !isTyped && !text.starts_with("<html") && !text.starts_with("<tmx")) return {};
    if (has("<tmx"))
        return "is a translation memory (TMX); turn it into a table with tabs (tmx2corpus, OmegaT or Okapi do) and "
               "give that";
    if (has("<html") || has("doctype html")) return "is a web page; save its text as plain text (UTF-8)";
    if (isXml) return "is XML; turn it into a table with tabs, or into plain text, and give that";
    return {};
}

}  // namespace

bool isZippedEnding(std::string_view ending) {
    return std::ranges::find(kZipped, ending, &Sign::begins) != kZipped.end();
}

ForeignText foreignText(std::string_view bytes, std::string_view ending) {
    for (const Sign& sign : kBinary)
        if (bytes.starts_with(sign.begins)) return {.told = std::string(sign.told)};
    if (isTar(bytes)) return {.told = "is a tar archive; unpack it and give the text file in it"};
    if (bytes.starts_with(kZip)) {
        const auto known = std::ranges::find(kZipped, ending, &Sign::begins);
        if (known != kZipped.end()) return {.told = std::string(known->told)};
        return {.told = "is a zip archive; unpack it and give the text file in it", .isZip = true};
    }
    const std::string_view told = markedText(plainBeginning(bytes));
    if (told.empty()) return {};
    return {.told = std::string(told) + std::string(kByHand), .isPlain = true};
}

}  // namespace headlight
