// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/pair_stream.h"

#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

const std::string& firstOf(const CorpusFiles& files) {
    return !files.pairs.empty() ? files.pairs : !files.textFile.empty() ? files.textFile : files.sourceFile;
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
      m_first(firstOf(files), {.undoEntities = files.undoEntities,
                               .cutAfter = files.reading == TextReading::Lines ? 0 : TextLines::longestPiece}),
      m_lines(m_first, files.reading) {
    if (!files.targetFile.empty())
        m_second.emplace(files.targetFile, LineReader::Options{.undoEntities = files.undoEntities});
}

bool PairStream::next() {
    if (m_second) return nextOfTwo();
    if (!m_files.pairs.empty()) return nextOfTable();
    return m_lines.next(m_pair);
}

bool PairStream::nextOfTable() {
    while (m_first.next(m_line)) {
        const std::string_view text = m_line;
        if (trimmed(text).empty()) continue;
        const size_t tab = text.find('\t');
        if (tab == std::string_view::npos)
            m_first.fail("has no tab; write the source, a tab and the target on each line");
        const std::string_view rest = text.substr(tab + 1);
        m_pair.source = trimmed(text.substr(0, tab));
        m_pair.target = trimmed(rest.substr(0, rest.find('\t')));
        return true;
    }
    return false;
}

bool PairStream::nextOfTwo() {
    const bool hasFirst = m_first.next(m_line), hasSecond = m_second->next(m_otherLine);
    if (hasFirst != hasSecond) refuseUnequal();
    m_pair.source = trimmed(m_line);
    m_pair.target = trimmed(m_otherLine);
    return hasFirst;
}

void PairStream::refuseUnequal() {
    const std::string sources = countOf(m_first);
    throw Error(sources + " lines and " + countOf(*m_second) + "; the two must match line by line");
}

bool PairStream::isWhole() const {
    return !m_files.textFile.empty() || (!m_pair.source.empty() && !m_pair.target.empty());
}

}  // namespace headlight
