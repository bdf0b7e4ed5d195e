// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/row_reader.h"

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include <csv.h>

#include "core/error.h"
#include "core/json_text.h"
#include "core/text/entities.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

/// `sep=;`
bool namesSeparator(std::string_view line) {
    constexpr std::string_view begins = "sep=";
    return line.size() == begins.size() + 1 && line.starts_with(begins);
}

}  // namespace

/// libcsv, a line at a time.
class RowReader::CsvParser {
public:
    explicit CsvParser(char separator) : m_separator(separator) {
        if (csv_init(&m_parser, 0) != 0) throw std::bad_alloc();
        csv_set_delim(&m_parser, static_cast<unsigned char>(separator));
    }
    ~CsvParser() { csv_free(&m_parser); }
    CsvParser(const CsvParser&) = delete;
    CsvParser& operator=(const CsvParser&) = delete;

    enum class Read { Row, Part, Misquoted };
    /// `isFirst`: a row begins with the line. Where a cell begins with a quotation mark, it is one to the parser, and
    /// must be closed where the cell ends: read leniently it would take what follows with it, up to the next mark.
    Read read(const std::string& line, std::vector<std::string>& cells, bool isFirst) {
        m_cells = &cells;
        m_isWhole = false;
        if (isFirst) csv_set_opts(&m_parser, hasQuotedCell(line) ? CSV_STRICT : 0);
        if (csv_parse(&m_parser, line.data(), line.size(), cell, row, this) == line.size())
            return m_isWhole ? Read::Row : Read::Part;
        if (csv_error(&m_parser) != CSV_EPARSE) throw std::bad_alloc();
        return Read::Misquoted;
    }

private:
    bool hasQuotedCell(std::string_view line) const {
        for (std::size_t at = line.find('"'); at != std::string_view::npos; at = line.find('"', at + 1)) {
            const std::size_t before = at == 0 ? std::string_view::npos : line.find_last_not_of(' ', at - 1);
            if (before == std::string_view::npos || line[before] == m_separator) return true;
        }
        return false;
    }

    static void cell(void* text, std::size_t size, void* self) {
        static_cast<CsvParser*>(self)->m_cells->emplace_back(static_cast<const char*>(text), size);
    }
    static void row(int, void* self) { static_cast<CsvParser*>(self)->m_isWhole = true; }

    const char m_separator;
    csv_parser m_parser{};
    std::vector<std::string>* m_cells = nullptr;
    bool m_isWhole = false;
};

LineReader::Options linesOf(const FileLayout& layout) {
    return {.lineEnd = layout.lineEnd,
            .cutBehind = layout.kind == LayoutKind::JsonList ? JsonObjects::kEnd : '\0',
            .encoding = layout.encoding};
}

RowReader::RowReader(LineReader& lines, const FileLayout& layout, bool undoEntities)
    : m_lines(lines), m_kind(layout.kind), m_names(layout.names), m_undoEntities(undoEntities) {
    switch (m_kind) {
        case LayoutKind::Lines:
        case LayoutKind::Tabs:
            break;
        case LayoutKind::QuotedTabs:
            m_csv = std::make_unique<CsvParser>('\t');
            break;
        case LayoutKind::Commas:
            m_csv = std::make_unique<CsvParser>(',');
            break;
        case LayoutKind::Semicolons:
            m_csv = std::make_unique<CsvParser>(';');
            break;
        case LayoutKind::JsonLines:
        case LayoutKind::JsonList:
            m_objects.emplace(lines, m_kind == LayoutKind::JsonList, layout.list);
    }
}

RowReader::~RowReader() = default;

bool RowReader::next(std::vector<std::string>& cells) {
    if (!nextRow(cells)) return false;
    for (std::string& cell : cells) {
        const long undone = m_undoEntities ? undoEntities(cell) : 0;
        if (undone > 0) cell = toNfc(trimmed(cell));
        m_entities += undone;
    }
    return true;
}

bool RowReader::nextRow(std::vector<std::string>& cells) {
    cells.clear();
    if (m_objects) return nextOfJson(cells);
    while (m_lines.next(m_text)) {
        if (trimmed(m_text).empty()) continue;
        if (m_lines.line() == 1 && m_kind != LayoutKind::Lines && namesSeparator(m_text)) continue;
        m_line = m_lines.line();
        if (m_csv) return nextOfCsv(cells);
        if (m_kind == LayoutKind::Tabs)
            cells = cut(m_text, '\t');
        else
            cells.emplace_back(trimmed(m_text));
        return true;
    }
    return false;
}

bool RowReader::nextOfCsv(std::vector<std::string>& cells) {
    constexpr std::size_t mostLines = 100;
    do {
        m_text += '\n';
        const CsvParser::Read read = m_csv->read(m_text, cells, m_lines.line() == m_line);
        if (read == CsvParser::Read::Misquoted)
            fail("has a quotation mark in the middle of a quoted cell, or behind it; double those inside a cell");
        if (read == CsvParser::Read::Part) continue;
        for (std::string& cell : cells)
            cell = std::string(trimmed(cell));
        return true;
    } while (m_lines.line() < m_line + mostLines && m_lines.next(m_text));
    fail("has a quotation mark that is not closed; close it, or double it where it is part of the text");
}

bool RowReader::nextOfJson(std::vector<std::string>& cells) {
    if (!m_objects->next(m_text)) return false;
    const bool isList = m_kind == LayoutKind::JsonList;
    m_line = isList ? m_objects->count() : m_objects->line();
    const auto values = flatJson(m_text);
    if (!values)
        fail("is no JSON object; write " + std::string(isList ? "each entry" : "one on each line,") +
             " as {\"source\": \"…\", \"target\": \"…\"}");
    for (const std::string& name : m_names) {
        const auto found = std::ranges::find(*values, name, &std::pair<std::string, std::string>::first);
        if (found == values->end()) {
            cells.emplace_back();
            continue;
        }
        // An escape sequence says what the lines themselves may not hold, or letters apart from their marks.
        if (found->second.find('\0') != std::string::npos) fail("holds the character NUL in its text; take it out");
        cells.push_back(toNfc(trimmed(found->second)));
    }
    return true;
}

void RowReader::fail(const std::string& problem) const {
    if (m_objects) m_objects->fail(problem);
    m_lines.fail(m_line, problem);
}

bool ColumnLines::next(std::string& line) {
    if (m_at == std::string::npos) {
        if (std::exchange(m_isLong, false)) {
            line.clear();
            return true;
        }
        if (!m_rows.next(m_cells)) return false;
        m_cell = m_column < m_cells.size() ? std::move(m_cells[m_column]) : std::string();
        m_at = 0;
        m_isLong = m_cell.find('\n') != std::string::npos;
    }
    const std::size_t end = m_cell.find('\n', m_at);
    line = m_cell.substr(m_at, end - m_at);
    m_at = end == std::string::npos ? end : end + 1;
    return true;
}

}  // namespace headlight
