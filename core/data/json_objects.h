// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight {

class LineReader;

/// Hands out the objects of a JSON file as text, one after another: those of JSON lines, or those of the one list that
/// the file is. Of a list only the object that is being read stands in memory. Objects themselves are not checked.
class JsonObjects {
public:
    /// Where the lines of a list are to be cut too (LineReader::Options::cutBehind), as it may be one line.
    static constexpr char kEnd = '}';

    /// `lines` live longer.
    JsonObjects(LineReader& lines, bool isList) : m_lines(lines), m_isList(isList) {}

    /// False at the end. Throws Error as LineReader, and of a list for what stands between its objects.
    bool next(std::string& object);
    /// Where the object begins, from 1.
    std::size_t line() const { return m_line; }
    /// Objects so far.
    std::size_t count() const { return m_count; }
    /// Throws Error: file, line, of a list which entry, and problem.
    [[noreturn]] void fail(const std::string& problem) const;

private:
    /// What is to come next in a list.
    enum class Expected : unsigned char { List, FirstEntry, Comma, Entry, Nothing };
    bool nextOfList(std::string& object);
    std::string_view beforeObject(std::string_view text);
    void readObject(std::string& object, std::string_view begun);
    [[noreturn]] void failAtEntry(const std::string& problem);

    LineReader& m_lines;
    const bool m_isList;
    Expected m_expected = Expected::List;
    std::size_t m_line = 0, m_count = 0;
    std::string m_piece;
};

}  // namespace headlight
