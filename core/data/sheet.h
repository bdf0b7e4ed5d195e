// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/data/file_layout.h"
#include "core/data/line_reader.h"
#include "core/data/row_reader.h"

namespace headlight {

/// A file of sentences that is open, with the layout that was found: the rows of a table behind their header, or lines.
class Sheet {
public:
    /// Lines of a text are cut as `options` say, those of a table are not. Throws Error as layoutOf() and LineReader.
    Sheet(const std::string& path, SheetUse use, const LayoutChoice& choice, const LineReader::Options& options);

    const FileLayout& layout() const { return m_layout; }
    const LineReader& reader() const { return m_reader; }
    LineReader& reader() { return m_reader; }
    /// Of a table.
    RowReader& rows() { return *m_rows; }
    /// Of a text: its lines, or those of its column.
    LineSource& lines();
    /// Undone so far.
    long entities() const { return m_reader.entities() + (m_rows ? m_rows->entities() : 0); }
    /// Where what was handed out last begins, from 1: its line, or its entry in a JSON list.
    std::size_t line() const { return m_rows ? m_rows->line() : m_reader.line(); }

private:
    const FileLayout m_layout;
    LineReader m_reader;
    std::optional<RowReader> m_rows;
    std::optional<ColumnLines> m_column;
};

}  // namespace headlight
