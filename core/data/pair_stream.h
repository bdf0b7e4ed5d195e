// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/data/sheet.h"
#include "core/data/text_reading.h"
#include "core/data/training_data.h"

namespace headlight {

/// The pairs of files one after another, in the memory of one of them: a table, two files line by line, or the lines
/// of a text as TextLines hands them out. Throws Error as Sheet and RowReader, for a row without both columns, and at
/// the end where one of two files is longer.
class PairStream {
public:
    /// `files` are no task.
    explicit PairStream(const CorpusFiles& files);

    /// False at the end.
    bool next();
    /// Of a table and of two files without white space at their ends.
    const SentencePair& pair() const { return m_pair; }
    SentencePair& pair() { return m_pair; }
    /// Whether neither side is blank; of a text always.
    bool isWhole() const;
    /// Where it stands: Sheet::line().
    size_t line() const { return m_first.line(); }
    /// The table, the text, or the first of two files.
    const Sheet& sheet() const { return m_first; }
    /// Of it.
    const FileLayout& layout() const { return m_first.layout(); }
    /// Of the file that the source stands in; and of the one whose side is blank.
    const LineReader& reader() const { return m_first.reader(); }
    const LineReader& blankReader() const {
        return (m_second && !m_pair.source.empty() ? *m_second : m_first).reader();
    }
    /// How much of the files is read, 0 to 1.
    double share() const { return reader().share(); }
    /// Undone so far.
    long entities() const { return m_first.entities() + (m_second ? m_second->entities() : 0); }

private:
    bool nextOfTable();
    bool nextOfTwo();
    [[noreturn]] void refuseUnequal();

    const CorpusFiles m_files;
    Sheet m_first;
    std::optional<Sheet> m_second;
    std::optional<TextLines> m_lines;  ///< of a text
    std::vector<std::string> m_cells;
    std::string m_line, m_otherLine;
    SentencePair m_pair;
};

}  // namespace headlight
