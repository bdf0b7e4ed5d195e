// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/file_layout.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/data/json_objects.h"
#include "core/data/line_reader.h"
#include "core/data/row_reader.h"
#include "core/data/table_columns.h"
#include "core/error.h"
#include "core/io/encoding.h"
#include "core/io/foreign_text.h"
#include "core/io/text_file.h"
#include "core/json_text.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

constexpr std::size_t kLooked = std::size_t{1} << 20;
constexpr std::size_t kRows = 50;

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

/// The names of the texts in the first objects, in the order in which they are met.
std::vector<std::string> namesOfObjects(JsonObjects objects) {
    std::vector<std::string> names;
    for (std::string object; objects.count() < kRows && objects.next(object);)
        if (const auto values = flatJson(object))
            for (const auto& [name, value] : *values)
                if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    return names;
}

/// No more than the beginning.
LineReader::Options lookingAt(const FileLayout& layout) {
    LineReader::Options options = linesOf(layout);
    options.mostBytes = 2 * kLooked;
    return options;
}

struct FirstRows {
    TableRows rows = {};
    bool isBroken = false;  ///< what follows cannot be read so: whoever reads all of it says why
};

FirstRows firstRows(const std::string& path, const FileLayout& layout) {
    FirstRows first;
    try {
        LineReader lines(path, lookingAt(layout));
        RowReader reader(lines, layout);
        for (std::vector<std::string> row; first.rows.size() < kRows && reader.next(row);)
            first.rows.push_back(row);
    } catch (const Error&) {
        first.isBroken = true;
    }
    return first;
}

/// The first rows of another kind, as `layout` says all else.
FirstRows firstRowsAs(const std::string& path, FileLayout layout, LayoutKind kind) {
    layout.kind = kind;
    return firstRows(path, layout);
}

/// How many rows have as many cells as most have, and that two or more.
std::size_t likeRows(const TableRows& rows) {
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
bool isJsonList(const std::string& path, FileLayout layout) try {
    layout.kind = LayoutKind::JsonList;
    LineReader lines(path, lookingAt(layout));
    std::string object;
    return JsonObjects(lines, /*isList=*/true).next(object) && flatJson(object);
} catch (const Error&) {
    return false;
}

/// Whether cells are quoted as a spreadsheet quotes them: all marks are in their places, and some are needed.
bool isQuoted(const FirstRows& cells, const TableRows& lines) {
    if (cells.isBroken || cells.rows.empty() || likeRows(cells.rows) < cells.rows.size()) return false;
    const auto some = [](const TableRows& rows, const auto& is) {
        return std::ranges::any_of(rows, [&](const auto& row) { return std::ranges::any_of(row, is); });
    };
    if (some(cells.rows, [](const std::string& cell) { return cell.find_first_of("\t\n") != std::string::npos; }))
        return true;
    return some(cells.rows, [](const std::string& cell) { return cell.find('"') != std::string::npos; }) &&
           some(lines, [](const std::string& line) { return line.find("\"\"") != std::string::npos; });
}

/// A table, and its first rows; of JSON none, as nobody knows their names yet.
struct SeenTable {
    LayoutKind kind;
    TableRows rows = {};
};

/// Nothing where the file does not look like a table.
std::optional<SeenTable> seenTable(const std::string& path, SheetUse use, const LayoutChoice& choice,
                                   const FileLayout& layout, const TableRows& lines) {
    const std::string ending = endingOf(path);
    const bool isOneLine = lines.size() == 1, isOfLines = ending == ".jsonl" || ending == ".ndjson";
    // An object that is all of the file may hold a list of others.
    if (!isOfLines && isOneLine && isJsonList(path, layout)) return SeenTable{LayoutKind::JsonList};
    if (isOfLines || (!lines.empty() && isJsonLine(lines[0][0]))) return SeenTable{LayoutKind::JsonLines};
    if (ending == ".json" || isJsonList(path, layout)) return SeenTable{LayoutKind::JsonList};
    const bool mayBe = use == SheetUse::Pairs || !choice.columns.empty() || ending == ".tsv" || ending == ".csv";
    if (!mayBe) return {};
    FirstRows tabs = firstRowsAs(path, layout, LayoutKind::Tabs);
    if (likeRows(tabs.rows) > 0)
        if (FirstRows quoted = firstRowsAs(path, layout, LayoutKind::QuotedTabs); isQuoted(quoted, lines))
            return SeenTable{LayoutKind::QuotedTabs, std::move(quoted.rows)};
    if (2 * likeRows(tabs.rows) > lines.size()) return SeenTable{LayoutKind::Tabs, std::move(tabs.rows)};
    SeenTable commas{LayoutKind::Commas, firstRowsAs(path, layout, LayoutKind::Commas).rows},
        semicolons{LayoutKind::Semicolons, firstRowsAs(path, layout, LayoutKind::Semicolons).rows};
    if (ending == ".csv") return likeRows(semicolons.rows) > likeRows(commas.rows) ? semicolons : commas;
    // A comma in each of some sentences makes no table: a first row of names does.
    for (SeenTable* table : {&commas, &semicolons})
        if (likeRows(table->rows) == table->rows.size() && table->rows.size() > 1 && looksLikeHeader(table->rows))
            return std::move(*table);
    return {};
}

/// No more of it is looked at than has to be: such a file may be anything.
void seeLists(FileLayout& layout, const std::string& path, const LayoutChoice& choice) {
    LineReader lines(path, lookingAt(layout));
    const auto lists = jsonListsIn(lines);
    if (!lists && !choice.list.empty())
        throw Error(path + " is no JSON object, so it has no list called \"" + choice.list + "\"; leave out --list");
    if (!lists) return;
    for (const JsonListSeen& list : *lists)
        layout.lists.push_back(list.name);
    const auto most = std::ranges::max_element(*lists, {}, &JsonListSeen::bytes);
    layout.list = !choice.list.empty() ? choice.list : lists->empty() ? std::string() : most->name;
    if (layout.list.empty()) refuseWithoutList(path, layout.list);
}

/// Letters that tell whoever reads the language whether the encoding is right.
std::string lettersOf(const TableRows& lines) {
    constexpr int most = 3;
    constexpr std::int32_t firstLetter = 0xc0, firstMark = 0x2000, lastMark = 0x2bff;
    std::vector<std::string> letters;
    for (const auto& line : lines)
        for (std::int32_t at = 0, begin = 0; letters.size() < most && at < static_cast<std::int32_t>(line[0].size());
             begin = at) {
            const std::int32_t point = nextCodePoint(line[0], at);
            if (point < firstLetter || (point >= firstMark && point <= lastMark)) continue;
            std::string letter = line[0].substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(at - begin));
            if (std::ranges::find(letters, letter) == letters.end()) letters.push_back(std::move(letter));
        }
    std::string text;
    for (const std::string& letter : letters)
        text += (text.empty() ? "" : " ") + letter;
    return text;
}

/// Carriage returns and no line feed, as some programs of the Macintosh write; letters of UTF-16 may look like either.
bool endsLinesWithReturns(std::string_view bytes, const std::string& encoding) {
    return !encoding.starts_with("UTF-16") && bytes.find('\n') == std::string_view::npos &&
           bytes.find('\r') != std::string_view::npos;
}

/// What somebody says of a kind that the first rows are not of.
void requireCells(const FileLayout& layout, const TableRows& rows, SheetUse use, const std::string& path) {
    if (use != SheetUse::Pairs || isJson(layout.kind) || rows.empty() || likeRows(rows) > 0) return;
    const char* between = layout.kind == LayoutKind::Commas       ? "comma"
                          : layout.kind == LayoutKind::Semicolons ? "semicolon"
                                                                  : "tab";
    throw Error(path + " has no " + between + " between cells in its first lines, so it is no table of this kind; " +
                "choose another");
}

/// A pipe, of which nothing can be seen.
FileLayout layoutUnseen(FileLayout layout, const std::string& path, const LayoutChoice& choice) {
    layout.kind = choice.kind.value_or(layout.kind);
    layout.hasHeader = choice.header.value_or(false);
    if (!choice.columns.empty()) throw Error(path + " is a pipe, of which columns cannot be chosen; give a file");
    if (isJson(layout.kind)) throw Error(path + " is a pipe, of which JSON cannot be read; give a file");
    return layout;
}

bool isPipe(const std::string& path) {
    std::error_code problem;
    return std::filesystem::exists(path, problem) && !std::filesystem::is_regular_file(path, problem) &&
           !std::filesystem::is_directory(path, problem);
}

}  // namespace

const char* nameOf(LayoutKind kind) {
    switch (kind) {
        case LayoutKind::Lines:
            return "lines";
        case LayoutKind::Tabs:
            return "tabs";
        case LayoutKind::QuotedTabs:
            return "quoted-tabs";
        case LayoutKind::Commas:
            return "csv";
        case LayoutKind::Semicolons:
            return "semicolons";
        case LayoutKind::JsonLines:
            return "json-lines";
        case LayoutKind::JsonList:
            return "json";
    }
    return "";
}

LayoutKind parseLayoutKind(const std::string& text) {
    std::string all;
    for (const LayoutKind kind : layoutKinds) {
        if (text == nameOf(kind)) return kind;
        all += (all.empty() ? "" : ", ") + std::string(nameOf(kind));
    }
    throw Error("\"" + text + "\" is no kind of file that is read: write one of " + all);
}

std::vector<std::pair<std::string, std::string>> settingsOf(const LayoutChoice& choice) {
    std::vector<std::pair<std::string, std::string>> settings;
    if (choice.kind) settings.emplace_back("kind", nameOf(*choice.kind));
    if (!choice.encoding.empty()) settings.emplace_back("encoding", choice.encoding);
    if (!choice.columns.empty()) settings.emplace_back("columns", choice.columns);
    if (choice.header) settings.emplace_back("header", *choice.header ? "true" : "false");
    if (!choice.list.empty()) settings.emplace_back("list", choice.list);
    return settings;
}

bool readSetting(const std::string& key, const std::string& value, LayoutChoice& choice) {
    if (key == "kind")
        choice.kind = parseLayoutKind(value);
    else if (key == "encoding")
        choice.encoding = value;
    else if (key == "columns")
        choice.columns = value;
    else if (key == "header")
        choice.header = value == "true";
    else if (key == "list")
        choice.list = value;
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
    if (isPipe(path)) return layoutUnseen(layout, path, choice);
    bool isWhole = false;
    const std::string bytes = beginningOf(path, isWhole);
    if (const ForeignText foreign = foreignText(bytes, endingOf(path));
        !foreign.told.empty() && !(foreign.isPlain && choice.kind))
        throw Error(path + " " + foreign.told);
    if (choice.encoding.empty()) layout.encoding = guessEncoding(bytes, isWhole);
    if (endsLinesWithReturns(bytes, layout.encoding)) layout.lineEnd = '\r';
    const TableRows lines = firstRowsAs(path, layout, LayoutKind::Lines).rows;
    layout.letters = lettersOf(lines);
    layout.looked = lines.size();
    if (use == SheetUse::Lines) return layout;
    if (use == SheetUse::Pairs && choice.kind == LayoutKind::Lines)
        throw Error(path + " as lines has no columns, and pairs have two; give it as a text (--text-file)");
    std::optional<SeenTable> seen;
    if (!choice.kind)
        seen = seenTable(path, use, choice, layout, lines);
    else if (*choice.kind != LayoutKind::Lines)
        seen = SeenTable{*choice.kind};
    layout.isSeen = seen.has_value();
    if (seen) layout.kind = seen->kind;
    if (layout.kind != LayoutKind::JsonList && !choice.list.empty())
        throw Error(path + " is no JSON list, so \"" + choice.list + "\" names none in it; leave out --list");
    if (!layout.isTable()) {
        if (!choice.columns.empty())
            throw Error(path + " has lines and no columns; leave out --columns, or give a table: CSV, TSV or JSON");
        return layout;
    }
    if (layout.kind == LayoutKind::JsonList) seeLists(layout, path, choice);
    if (isJson(layout.kind)) {
        LineReader reader(path, linesOf(layout));
        layout.names = namesOfObjects({reader, layout.kind == LayoutKind::JsonList, layout.list});
    }
    const TableRows rows = seen && !seen->rows.empty() ? std::move(seen->rows) : firstRows(path, layout).rows;
    layout.looked = rows.size();
    layout.alike = likeRows(rows);
    if (isJson(layout.kind)) {
        if (layout.names.empty() && !rows.empty())
            throw Error(path +
                        " has objects without a text of their own; give one object a line, or one list of objects, as "
                        "{\"source\": \"…\", \"target\": \"…\"}");
        layout.width = layout.names.size();
    } else {
        if (choice.kind) requireCells(layout, rows, use, path);
        layout.hasHeader = choice.header.value_or(looksLikeHeader(rows));
        layout.width = 1;
        for (const auto& row : rows)
            layout.width = std::max(layout.width, row.size());
        if (!rows.empty()) layout.firstRow = rows[0];
        if (layout.hasHeader) layout.names = layout.firstRow;
    }
    chooseColumns(layout, rows, use, choice, path);
    return layout;
}

bool looksLikePairs(const std::string& path, const LayoutChoice& choice) try {
    const FileLayout layout = layoutOf(path, SheetUse::Pairs, choice);
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
        case LayoutKind::QuotedTabs:
            text = "a table with tabs and quoted cells";
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
            text = layout.list.empty() ? "a JSON list" : "the JSON list \"" + layout.list + "\"";
            break;
    }
    std::string others;
    for (const std::string& list : layout.lists)
        if (list != layout.list) others += (others.empty() ? "" : ", ") + list;
    if (!others.empty()) text += " (and not " + others + ", which --list would name)";
    text += " in " + layout.encoding;
    if (layout.hasHeader) text += ", its first line as the names of columns";
    if (!layout.isTable()) return text;
    text += use == SheetUse::Pairs
                ? "; source: " + layout.nameOf(layout.columns[0]) + ", target: " + layout.nameOf(layout.columns[1])
                : "; text: " + layout.nameOf(layout.columns[0]);
    return text;
}

}  // namespace headlight
