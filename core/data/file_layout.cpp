// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/file_layout.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <unicode/locid.h>
#include <unicode/uloc.h>

#include "core/data/json_objects.h"
#include "core/data/line_reader.h"
#include "core/data/row_reader.h"
#include "core/error.h"
#include "core/io/encoding.h"
#include "core/io/text_file.h"
#include "core/json_text.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

using LayoutKind = FileLayout::Kind;
using namespace std::string_view_literals;

constexpr std::size_t kLooked = std::size_t{1} << 20;
constexpr std::size_t kRows = 50;

using Rows = std::vector<std::vector<std::string>>;

/// Names that a first row gives to columns, beside those of languages.
constexpr std::array kSources{"source"sv,  "src"sv,      "text"sv,    "sentence"sv,  "input"sv, "review"sv,
                              "comment"sv, "question"sv, "content"sv, "sentence1"sv, "prompt"sv};
constexpr std::array kTargets{"target"sv, "tgt"sv,       "trg"sv,       "translation"sv, "label"sv,
                              "labels"sv, "class"sv,     "category"sv,  "sentiment"sv,   "output"sv,
                              "answer"sv, "sentence2"sv, "completion"sv};
constexpr std::array kOthers{"id"sv,          "idx"sv,   "index"sv,    "lang"sv,      "language"sv,
                             "note"sv,        "notes"sv, "comments"sv, "author"sv,    "user"sv,
                             "username"sv,    "date"sv,  "url"sv,      "licence"sv,   "license"sv,
                             "attribution"sv, "score"sv, "rating"sv,   "source_id"sv, "target_id"sv};

/// Of what is packed, where it is.
std::string endingOf(const std::string& path) {
    const std::filesystem::path file(path);
    const std::string ending = lowercaseEnding(file);
    return ending == ".gz" ? lowercaseEnding(file.stem()) : ending;
}

/// The first bytes of the text as it lies there, unpacked.
std::string beginningOf(const std::string& path, bool& isWhole) {
    TextFile file(path);
    std::string bytes(kLooked, '\0');
    std::size_t count = 0;
    for (std::streamsize more = 1; count < bytes.size() && more > 0; count += static_cast<std::size_t>(more))
        more = file.sgetn(bytes.data() + count, static_cast<std::streamsize>(bytes.size() - count));
    isWhole = count < bytes.size();
    bytes.resize(count);
    return bytes;
}

/// Languages by their codes, their English names and their own, in lower case.
const std::set<std::string, std::less<>>& languages() {
    static const std::set<std::string, std::less<>> all = [] {
        std::set<std::string, std::less<>> names;
        for (const char* const* code = uloc_getISOLanguages(); *code; ++code) {
            const icu::Locale language(*code);
            for (const icu::Locale& in : {icu::Locale::getEnglish(), language}) {
                icu::UnicodeString name;
                std::string bytes;
                language.getDisplayLanguage(in, name).toUTF8String(bytes);
                names.insert(lowercased(bytes));
            }
            names.insert(*code);
        }
        return names;
    }();
    return all;
}

bool isLanguage(std::string_view name) {
    return languages().contains(name.substr(0, name.find_first_of("-_")));
}

template <std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// Of a path in an object the last part: `translation.en`.
std::string plainName(const std::string& name) {
    return lowercased(name.substr(name.rfind('.') + 1));
}

bool isColumnName(const std::string& cell) {
    const std::string name = lowercased(cell);
    return isOneOf(kSources, name) || isOneOf(kTargets, name) || isOneOf(kOthers, name) || isLanguage(name);
}

/// How many different values a column has where these are a few short ones that come again and again, as labels do;
/// else 0.
std::size_t labelsIn(const Rows& rows, std::size_t column, std::size_t first) {
    constexpr std::size_t most = 20, timesEach = 4, longest = 30;
    std::set<std::string> values;
    for (std::size_t i = first; i < rows.size(); ++i) {
        if (column >= rows[i].size() || rows[i][column].size() > longest) return 0;
        values.insert(rows[i][column]);
    }
    return values.size() <= most && timesEach * values.size() <= rows.size() - first ? values.size() : 0;
}

/// Of a row.
std::size_t bytesOf(const std::vector<std::string>& row) {
    std::size_t bytes = 0;
    for (const std::string& cell : row)
        bytes += cell.size();
    return bytes;
}

/// Of the rows below the first, on average.
std::size_t bytesBelow(const Rows& rows) {
    std::size_t bytes = 0;
    for (std::size_t i = 1; i < rows.size(); ++i)
        bytes += bytesOf(rows[i]);
    return bytes / (rows.size() - 1);
}

/// Short names of which one stands over labels and is none of them: `v1,v2` over `ham,Ok lar...`.
bool namesLabels(const Rows& rows) {
    const std::vector<std::string>& names = rows[0];
    if (bytesBelow(rows) < 2 * bytesOf(names)) return false;
    if (std::ranges::any_of(names, [](const std::string& name) { return name.find(' ') != std::string::npos; }))
        return false;
    for (std::size_t column = 0; column < names.size(); ++column)
        if (!names[column].empty() && labelsIn(rows, column, 1) > 1 &&
            std::none_of(rows.begin() + 1, rows.end(),
                         [&](const std::vector<std::string>& row) { return row[column] == names[column]; }))
            return true;
    return false;
}

/// A first row of names and nothing else, above rows that are longer: among words alone "no" and "it" are no languages.
bool looksLikeHeader(const Rows& rows) {
    if (rows.empty() || rows[0].empty()) return false;
    const bool isOfNames = std::ranges::all_of(rows[0], isColumnName);
    if (rows.size() == 1) return isOfNames;
    if (!isOfNames) return namesLabels(rows);
    const bool isAlone = std::none_of(rows.begin() + 1, rows.end(), [](const std::vector<std::string>& row) {
        return std::ranges::all_of(row, isColumnName);
    });
    return isAlone && bytesBelow(rows) >= bytesOf(rows[0]);
}

/// Ids, dates and addresses are no sentences.
bool isText(const std::string& cell) {
    if (cell.starts_with("http://") || cell.starts_with("https://")) return false;
    return std::ranges::any_of(cell, [](unsigned char c) { return c >= 0x80 || std::isalpha(c) != 0; });
}

/// The columns of which most cells are text.
std::vector<std::size_t> columnsOfText(const Rows& rows, std::size_t first, std::size_t width) {
    std::vector<std::size_t> found;
    for (std::size_t column = 0; column < width; ++column) {
        std::size_t texts = 0, all = 0;
        for (std::size_t i = first; i < rows.size(); ++i) {
            if (column >= rows[i].size()) continue;
            ++all;
            texts += isText(rows[i][column]);
        }
        if (2 * texts > all) found.push_back(column);
    }
    return found;
}

std::size_t columnCalled(const std::string& wanted, const FileLayout& layout, const std::string& path) {
    for (std::size_t i = 0; i < layout.names.size(); ++i)
        if (layout.names[i] == wanted) return i;
    for (std::size_t i = 0; i < layout.names.size(); ++i)
        if (plainName(layout.names[i]) == lowercased(wanted)) return i;
    std::size_t number = 0;
    const char* const end = wanted.data() + wanted.size();
    if (std::from_chars(wanted.data(), end, number).ptr == end && number >= 1 && number <= layout.width)
        return number - 1;
    std::string has = "columns 1 to " + std::to_string(layout.width);
    if (!layout.names.empty()) {
        has.clear();
        for (const std::string& name : layout.names)
            has += (has.empty() ? "" : ", ") + name;
    }
    throw Error(path + " has no column \"" + wanted + "\"; it has " + has);
}

void chooseColumns(FileLayout& layout, const Rows& rows, SheetUse use, const LayoutChoice& choice,
                   const std::string& path) {
    const std::size_t wanted = use == SheetUse::Pairs ? 2 : 1;
    if (!choice.columns.empty()) {
        const std::vector<std::string> columns = cut(choice.columns, ',');
        if (columns.size() != wanted)
            throw Error("--columns names " +
                        std::string(wanted == 2 ? "two columns, source and target, with a comma between: 1,2 or en,fr"
                                                : "the column of the text: 1, or text"));
        for (std::size_t i = 0; i < wanted; ++i)
            layout.columns.at(i) = columnCalled(columns[i], layout, path);
        return;
    }
    // By their names, where they say it.
    const auto called = [&](const auto& names) -> std::optional<std::size_t> {
        for (const std::string_view name : names)
            for (std::size_t i = 0; i < layout.names.size(); ++i)
                if (plainName(layout.names[i]) == name) return i;
        return {};
    };
    const auto source = called(kSources), target = called(kTargets);
    if (source && (target || wanted == 1)) {
        layout.columns = {*source, target.value_or(*source)};
        return;
    }
    const std::size_t first = layout.hasHeader ? 1 : 0;
    const std::vector<std::size_t> texts = columnsOfText(rows, first, layout.width);
    std::vector<std::size_t> sentences;
    std::optional<std::size_t> label = target;
    for (std::size_t column = 0; column < layout.width; ++column) {
        const std::size_t labels = labelsIn(rows, column, first);
        if (labels > 1 && !label && column != source) label = column;
        const bool isText = std::ranges::find(texts, column) != texts.end();
        if (isText && labels == 0 && column != source && column != target) sentences.push_back(column);
    }
    if (source) sentences.insert(sentences.begin(), *source);
    if (wanted == 1) {
        layout.columns[0] = !sentences.empty() ? sentences[0] : texts.empty() ? 0 : texts[0];
    } else if (label && !sentences.empty() && (target || sentences.size() == 1)) {
        layout.columns = {sentences[0], *label};
    } else if (sentences.size() >= 2) {
        layout.columns = {sentences[0], sentences[1]};
    } else if (texts.size() >= 2) {
        layout.columns = {texts[0], texts[1]};
    } else if (texts.size() == 1 && layout.width > 2) {  // a sentence, and a label that is a number
        const bool isFirst = texts[0] == 0;
        layout.columns = {texts[0], isFirst ? std::size_t{1} : std::size_t{0}};
    }
}

/// The names of the texts in the first objects, in the order in which they are met.
std::vector<std::string> namesOfObjects(JsonObjects objects) {
    std::vector<std::string> names;
    for (std::string object; objects.count() < kRows && objects.next(object);)
        if (const auto values = flatJson(object))
            for (const auto& [name, value] : *values)
                if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    return names;
}

LineReader::Options readingAs(LayoutKind kind, const std::string& encoding) {
    return {.cutBehind = kind == LayoutKind::JsonList ? JsonObjects::kEnd : '\0', .encoding = encoding};
}

/// No more than the beginning.
LineReader::Options lookingAt(LayoutKind kind, const std::string& encoding) {
    LineReader::Options options = readingAs(kind, encoding);
    options.mostBytes = 2 * kLooked;
    return options;
}

/// Cells of the first rows; what cannot be read is said by whoever reads all of it.
Rows firstRows(const std::string& path, LayoutKind kind, const std::string& encoding,
               const std::vector<std::string>& names = {}) {
    Rows rows;
    try {
        LineReader lines(path, lookingAt(kind, encoding));
        RowReader reader(lines, kind, names);
        for (std::vector<std::string> row; rows.size() < kRows && reader.next(row);)
            rows.push_back(row);
    } catch (const Error&) {
        return rows;
    }
    return rows;
}

/// How many rows have as many cells as most have, and that two or more.
std::size_t likeRows(const Rows& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows)
        if (row.size() >= 2) widths.push_back(row.size());
    std::size_t most = 0;
    for (const std::size_t width : widths)
        most = std::max(most, static_cast<std::size_t>(std::ranges::count(widths, width)));
    return most;
}

bool isJsonLine(std::string_view text) {
    const std::string_view line = trimmed(text);
    return line.starts_with('{') && line.ends_with('}') && flatJson(line).has_value();
}

/// By its first object.
bool isJsonList(const std::string& path, const std::string& encoding) try {
    LineReader lines(path, lookingAt(LayoutKind::JsonList, encoding));
    std::string object;
    return JsonObjects(lines, /*isList=*/true).next(object) && flatJson(object);
} catch (const Error&) {
    return false;
}

/// A table, and its first rows; of JSON none, as nobody knows their names yet.
struct SeenTable {
    LayoutKind kind;
    Rows rows = {};
};

/// Nothing where the file does not look like a table.
std::optional<SeenTable> seenTable(const std::string& path, SheetUse use, const LayoutChoice& choice,
                                   const std::string& encoding) {
    const std::string ending = endingOf(path);
    const Rows lines = firstRows(path, LayoutKind::Lines, encoding);
    if (ending == ".jsonl" || ending == ".ndjson" || (!lines.empty() && isJsonLine(lines[0][0])))
        return SeenTable{LayoutKind::JsonLines};
    if (ending == ".json" || isJsonList(path, encoding)) return SeenTable{LayoutKind::JsonList};
    const bool mayBe = use == SheetUse::Pairs || !choice.columns.empty() || ending == ".tsv" || ending == ".csv";
    if (!mayBe) return {};
    if (Rows tabs = firstRows(path, LayoutKind::Tabs, encoding); 2 * likeRows(tabs) > lines.size())
        return SeenTable{LayoutKind::Tabs, std::move(tabs)};
    SeenTable commas{LayoutKind::Commas, firstRows(path, LayoutKind::Commas, encoding)},
        semicolons{LayoutKind::Semicolons, firstRows(path, LayoutKind::Semicolons, encoding)};
    if (ending == ".csv") return likeRows(semicolons.rows) > likeRows(commas.rows) ? semicolons : commas;
    // A comma in each of some sentences makes no table: a first row of names does.
    for (SeenTable* table : {&commas, &semicolons})
        if (likeRows(table->rows) == table->rows.size() && table->rows.size() > 1 && looksLikeHeader(table->rows))
            return std::move(*table);
    return {};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> settingsOf(const LayoutChoice& choice) {
    std::vector<std::pair<std::string, std::string>> settings;
    if (!choice.encoding.empty()) settings.emplace_back("encoding", choice.encoding);
    if (!choice.columns.empty()) settings.emplace_back("columns", choice.columns);
    if (choice.header) settings.emplace_back("header", *choice.header ? "true" : "false");
    return settings;
}

bool readSetting(const std::string& key, const std::string& value, LayoutChoice& choice) {
    if (key == "encoding")
        choice.encoding = value;
    else if (key == "columns")
        choice.columns = value;
    else if (key == "header")
        choice.header = value == "true";
    else
        return false;
    return true;
}

std::string FileLayout::nameOf(std::size_t column) const {
    return column < names.size() && !names[column].empty() ? names[column] : "column " + std::to_string(column + 1);
}

FileLayout layoutOf(const std::string& path, SheetUse use, const LayoutChoice& choice) {
    FileLayout layout;
    layout.kind = use == SheetUse::Pairs ? LayoutKind::Tabs : LayoutKind::Lines;
    layout.width = use == SheetUse::Pairs ? 2 : 1;
    if (!choice.encoding.empty()) layout.encoding = encodingNamed(choice.encoding);
    std::error_code problem;
    if (std::filesystem::exists(path, problem) && !std::filesystem::is_regular_file(path, problem) &&
        !std::filesystem::is_directory(path, problem)) {
        layout.hasHeader = choice.header.value_or(false);
        if (!choice.columns.empty()) throw Error(path + " is a pipe, of which columns cannot be chosen; give a file");
        return layout;
    }
    bool isWhole = false;
    const std::string bytes = beginningOf(path, isWhole);
    if (choice.encoding.empty()) layout.encoding = guessEncoding(bytes, isWhole);
    if (use == SheetUse::Lines) return layout;
    std::optional<SeenTable> seen = seenTable(path, use, choice, layout.encoding);
    layout.isSeen = seen.has_value();
    if (seen) layout.kind = seen->kind;
    if (!layout.isTable()) {
        if (!choice.columns.empty())
            throw Error(path + " has lines and no columns; leave out --columns, or give a table: CSV, TSV or JSON");
        return layout;
    }
    if (isJson(layout.kind)) {
        LineReader lines(path, readingAs(layout.kind, layout.encoding));
        layout.names = namesOfObjects({lines, layout.kind == LayoutKind::JsonList});
    }
    const Rows rows = seen && !seen->rows.empty() ? std::move(seen->rows)
                                                  : firstRows(path, layout.kind, layout.encoding, layout.names);
    if (isJson(layout.kind)) {
        if (layout.names.empty() && !rows.empty())
            throw Error(path +
                        " has objects without a text of their own; give one object a line, or one list of objects, as "
                        "{\"source\": \"…\", \"target\": \"…\"}");
        layout.width = layout.names.size();
    } else {
        layout.hasHeader = choice.header.value_or(looksLikeHeader(rows));
        layout.width = 1;
        for (const auto& row : rows)
            layout.width = std::max(layout.width, row.size());
        if (layout.hasHeader && !rows.empty()) layout.names = rows[0];
    }
    chooseColumns(layout, rows, use, choice, path);
    return layout;
}

bool looksLikePairs(const std::string& path) try {
    const FileLayout layout = layoutOf(path, SheetUse::Pairs);
    return layout.isSeen && layout.width >= 2;
} catch (const Error&) {
    return false;
}

std::string describe(const FileLayout& layout, SheetUse use) {
    const bool isPlain = layout.kind == LayoutKind::Lines || layout.kind == LayoutKind::Tabs;
    const bool isUsual = layout.kind == LayoutKind::Lines || layout.columns == std::array<std::size_t, 2>{0, 1};
    if (isPlain && isUsual && layout.encoding == kUtf8 && !layout.hasHeader) return {};
    std::string text;
    switch (layout.kind) {
        case LayoutKind::Lines:
            text = "lines";
            break;
        case LayoutKind::Tabs:
            text = "a table with tabs";
            break;
        case LayoutKind::Commas:
            text = "comma-separated values";
            break;
        case LayoutKind::Semicolons:
            text = "values with semicolons between";
            break;
        case LayoutKind::JsonLines:
            text = "JSON lines";
            break;
        case LayoutKind::JsonList:
            text = "a JSON list";
            break;
    }
    text += " in " + layout.encoding;
    if (layout.hasHeader) text += ", its first line as the names of columns";
    if (!layout.isTable()) return text;
    text += use == SheetUse::Pairs
                ? "; source: " + layout.nameOf(layout.columns[0]) + ", target: " + layout.nameOf(layout.columns[1])
                : "; text: " + layout.nameOf(layout.columns[0]);
    return text;
}

}  // namespace headlight
