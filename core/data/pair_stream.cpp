// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/pair_stream.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

/// A cell is one side of a pair: its line ends are spaces.
std::string onOneLine(std::string&& cell) {
    std::erase(cell, '\r');
    std::ranges::replace(cell, '\n', ' ');
    return std::move(cell);
}

/// "FILE has 12", lines in all, from where its reader stands.
std::string countOf(LineReader& reader) {
    for (std::string line; reader.next(line);) {
    }
    if (reader.line() == 0) throw Error(reader.path() + " is empty; give a file with a sentence a line");
    return reader.path() + " has " + std::to_string(reader.line());
}

}  // namespace

PairStream::PairStream(const CorpusFiles& files)
    : m_files(files),
      m_first(files.first(), files.use(), files.layout,
              {.undoEntities = files.undoEntities,
               .cutAfter = files.reading == TextReading::Lines ? 0 : TextLines::longestPiece}) {
    if (!files.targetFile.empty())
        m_second.emplace(files.targetFile, SheetUse::Lines, files.layout,
                         LineReader::Options{.undoEntities = files.undoEntities});
    if (!files.textFile.empty()) m_lines.emplace(m_first.lines(), files.reading);
}

bool PairStream::next() {
    if (m_second) return nextOfTwo();
    if (!m_files.pairs.empty()) return nextOfTable();
    return m_lines->next(m_pair);
}

bool PairStream::nextOfTable() {
    const auto [source, target] = layout().columns;
    RowReader& rows = m_first.rows();
    if (!rows.next(m_cells)) return false;
    const std::size_t last = std::max(source, target);
    if (m_cells.size() <= last && layout().kind == LayoutKind::Tabs && m_cells.size() == 1)
        rows.fail("has no tab; write the source, a tab and the target on each line");
    if (m_cells.size() <= last && layout().alike == 0 && m_cells.size() == 1 && !isJson(layout().kind))
        rows.fail("has one column, as the others have; part source and target with a comma, a semicolon or a tab");
    if (m_cells.size() <= last)
        rows.fail("has " + std::to_string(m_cells.size()) + (m_cells.size() == 1 ? " column" : " columns") +
                  ", and column " + std::to_string(last + 1) + " is read; give every row as many");
    m_pair.target = onOneLine(source == target ? std::string(m_cells[target]) : std::move(m_cells[target]));
    m_pair.source = onOneLine(std::move(m_cells[source]));
    return true;
}

bool PairStream::nextOfTwo() {
    const bool hasFirst = m_first.lines().next(m_line), hasSecond = m_second->lines().next(m_otherLine);
    if (hasFirst != hasSecond) refuseUnequal();
    m_pair.source = trimmed(m_line);
    m_pair.target = trimmed(m_otherLine);
    return hasFirst;
}

void PairStream::refuseUnequal() {
    const std::string sources = countOf(m_first.reader());
    throw Error(sources + " lines and " + countOf(m_second->reader()) + "; the two must match line by line");
}

bool PairStream::isWhole() const {
    return !m_files.textFile.empty() || (!m_pair.source.empty() && !m_pair.target.empty());
}

}  // namespace headlight
