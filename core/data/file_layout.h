// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

/// How somebody says that a file of sentences is to be read. What is left empty is seen from the file.
struct LayoutChoice {
    std::string encoding = {};        ///< encodingNamed()
    std::string columns = {};         ///< of pairs two, of a text one: numbers from 1, or names, a comma between
    std::optional<bool> header = {};  ///< whether the first row names the columns

    bool operator==(const LayoutChoice&) const = default;
};

/// What of it is said, as settings: `encoding`, `columns`, `header`.
std::vector<std::pair<std::string, std::string>> settingsOf(const LayoutChoice& choice);
/// The way back; false for another key.
bool readSetting(const std::string& key, const std::string& value, LayoutChoice& choice);

/// How a file of sentences is laid out: as somebody says, and otherwise as its first bytes look.
struct FileLayout {
    enum class Kind : unsigned char {
        Lines,       ///< of a text
        Tabs,        ///< cells with a tab between
        Commas,      ///< comma-separated values: cells may be quoted, and a quoted one may hold commas and line ends
        Semicolons,  ///< the same, as it is written where the comma parts decimals
        JsonLines,   ///< an object a line; its texts are the cells, those of objects in it too
        JsonList,    ///< the same objects, in the one list that the file is
    };
    Kind kind = Kind::Lines;
    std::string encoding = "UTF-8";
    bool hasHeader = false;               ///< the first row names the columns
    std::vector<std::string> names = {};  ///< of the columns; empty: they have none
    std::size_t width = 1;                ///< columns of the first rows
    /// Those that are read, from 0: source and target of pairs; of a text the first.
    std::array<std::size_t, 2> columns{0, 1};
    bool isSeen = false;  ///< that it is a table was seen from the file, and not only asked for

    bool isTable() const { return kind != Kind::Lines; }
    /// "en", or "column 2".
    std::string nameOf(std::size_t column) const;
};

inline bool isJson(FileLayout::Kind kind) {
    return kind == FileLayout::Kind::JsonLines || kind == FileLayout::Kind::JsonList;
}

/// What a file is read for. Of two files line by line none is a table.
enum class SheetUse : unsigned char { Pairs, Text, Lines };

/// Looks at the first mebibyte. Of what can be read only once (a pipe) a table with tabs, or plain lines, in UTF-8 is
/// taken for granted. Throws Error for what cannot be opened, for an encoding or a column that there is not, and for a
/// first row that is none of its kind.
FileLayout layoutOf(const std::string& path, SheetUse use, const LayoutChoice& choice = {});

/// Whether a file that nobody has said anything about holds pairs: a table of two columns or more.
bool looksLikePairs(const std::string& path);

/// "comma-separated, windows-1252, named in its first line: source en, target fr"; empty for what nobody has to be
/// told: a table with tabs, or lines, in UTF-8, read from its beginning.
std::string describe(const FileLayout& layout, SheetUse use);

}  // namespace headlight
