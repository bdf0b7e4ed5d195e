// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/data/file_layout.h"
#include "core/data/line_reader.h"

namespace headlight {

/// Hands out the rows of a table, blank lines passed over. Throws Error with file and line as LineReader, for a line
/// that is no JSON object, and for a quotation mark that is not closed within a hundred lines.
class RowReader {
public:
    /// Of JSON lines `names` say which texts are the cells, and in which order. `lines` live longer.
    RowReader(LineReader& lines, FileLayout::Kind kind, std::vector<std::string> names = {});
    ~RowReader();
    RowReader(const RowReader&) = delete;
    RowReader& operator=(const RowReader&) = delete;

    /// False at the end. Cells come without white space at their ends; of JSON lines a missing one is empty.
    bool next(std::vector<std::string>& cells);
    /// Where the row begins, from 1.
    std::size_t line() const { return m_line; }
    [[noreturn]] void fail(const std::string& problem) const { m_lines.fail(m_line, problem); }

private:
    class CsvParser;

    bool nextOfCsv(std::vector<std::string>& cells);
    void readJson(std::vector<std::string>& cells) const;

    LineReader& m_lines;
    FileLayout::Kind m_kind;
    std::vector<std::string> m_names;
    std::unique_ptr<CsvParser> m_csv;
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
