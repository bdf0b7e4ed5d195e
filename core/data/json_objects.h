// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/json_top_level.h"

namespace headlight {

class LineReader;

/// Hands out the objects of a JSON file as text, one after another: those of JSON lines, or those of one list: the
/// file's own, or one at the top level of the object that the file is. Of a list only the object that is being read
/// stands in memory. Objects themselves are not checked.
class JsonObjects {
public:
    /// Where the lines of a list are to be cut too (LineReader::Options::cutBehind), as it may be one line.
    static constexpr char kEnd = '}';

    /// `lines` live longer. `list` is the key of the list in the file's object; empty: the first one of objects.
    JsonObjects(LineReader& lines, bool isList, std::string list = {})
        : m_lines(lines), m_isList(isList), m_list(std::move(list)) {}

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
    enum class Expected : unsigned char { List, ListInside, FirstEntry, Comma, Entry, Rest, Nothing };
    bool nextOfList(std::string& object);
    std::string_view beforeObject(std::string_view text);
    std::size_t passOver(std::string_view text);
    void readObject(std::string& object, std::string_view begun);
    [[noreturn]] void failAtEntry(const std::string& problem);

    LineReader& m_lines;
    const bool m_isList;
    const std::string m_list;
    std::optional<JsonTopLevel> m_top;  ///< of a list in an object
    Expected m_expected = Expected::List;
    std::size_t m_line = 0, m_count = 0;
    std::string m_piece;
};

/// A list of objects, and how much of what was looked at it takes.
struct JsonListSeen {
    std::string name;
    std::size_t bytes = 0;
};
/// Those of a file that is an object, as far as the reader hands it out; nothing where it is none.
std::optional<std::vector<JsonListSeen>> jsonListsIn(LineReader& lines);
/// Throws Error: the object that the file is has no list of that key, or, if it is empty, none at all.
[[noreturn]] void refuseWithoutList(const std::string& path, const std::string& list);

}  // namespace headlight
