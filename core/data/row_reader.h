// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/data/file_layout.h"
#include "core/data/json_objects.h"
#include "core/data/line_reader.h"

namespace headlight {

/// How the lines of a file that is laid out so are read.
LineReader::Options linesOf(const FileLayout& layout);

/// Hands out the rows of a table, blank lines passed over, and a first line that only says what parts the cells
/// (`sep=;`), as Excel reads it. Throws Error with file and line as LineReader, for a line
/// that is no JSON object, and for a quotation mark that is not closed within a hundred lines.
class RowReader {
public:
    /// Of JSON the layout's names say which texts are the cells, and in which order. `lines` are read as linesOf()
    /// says, and live longer.
    RowReader(LineReader& lines, const FileLayout& layout, bool undoEntities = false);
    ~RowReader();
    RowReader(const RowReader&) = delete;
    RowReader& operator=(const RowReader&) = delete;

    /// False at the end. Cells come without white space at their ends; of JSON a missing one is empty.
    bool next(std::vector<std::string>& cells);
    /// Undone so far, in cells: a quotation mark that comes of one is part of the text.
    long entities() const { return m_entities; }
    /// Where the row begins, from 1; of a JSON list, which is often one line, its entry.
    std::size_t line() const { return m_line; }
    [[noreturn]] void fail(const std::string& problem) const;

private:
    class CsvParser;

    bool nextRow(std::vector<std::string>& cells);
    bool nextOfCsv(std::vector<std::string>& cells);
    bool nextOfJson(std::vector<std::string>& cells);

    LineReader& m_lines;
    LayoutKind m_kind;
    std::vector<std::string> m_names;
    bool m_undoEntities;
    long m_entities = 0;
    std::unique_ptr<CsvParser> m_csv;
    std::optional<JsonObjects> m_objects;
    std::string m_text;  ///< of the row
    std::size_t m_line = 0;
};

/// A column of a table as the lines of a text: each cell's own lines, and a blank one behind a cell that has several.
class ColumnLines final : public LineSource {
public:
    /// `rows` live longer.
    ColumnLines(RowReader& rows, std::size_t column) : m_rows(rows), m_column(column) {}
    bool next(std::string& line) override;

private:
    RowReader& m_rows;
    std::size_t m_column;
    std::vector<std::string> m_cells;
    std::string m_cell;
    std::size_t m_at = std::string::npos;  ///< in the cell; npos: it is used up
    bool m_isLong = false;                 ///< the last cell had several lines
};

}  // namespace headlight
