// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

/// What parts the cells of a file of sentences.
enum class LayoutKind : unsigned char {
    Lines,       ///< nothing: it is a text
    Tabs,        ///< tabs
    QuotedTabs,  ///< tabs; cells may be quoted as in comma-separated values, as spreadsheets write them
    Commas,      ///< comma-separated values: cells may be quoted, and a quoted one may hold commas and line ends
    Semicolons,  ///< the same, as it is written where the comma parts decimals
    JsonLines,   ///< an object a line; its texts are the cells, those of objects in it too
    JsonList,    ///< the same objects, in one list: the file's own, or one in the object that the file is
};
inline constexpr LayoutKind layoutKinds[] = {LayoutKind::Lines,   LayoutKind::Tabs,       LayoutKind::QuotedTabs,
                                             LayoutKind::Commas,  LayoutKind::Semicolons, LayoutKind::JsonLines,
                                             LayoutKind::JsonList};

/// `lines`, `tabs`, `quoted-tabs`, `csv`, `semicolons`, `json-lines`, `json`.
const char* nameOf(LayoutKind kind);
/// The way back. Throws Error for another text.
LayoutKind parseLayoutKind(const std::string& text);

/// How somebody says that a file of sentences is to be read. What is left empty is seen from the file.
struct LayoutChoice {
    std::optional<LayoutKind> kind = {};
    std::string encoding = {};        ///< encodingNamed()
    std::string columns = {};         ///< of pairs two, of a text one: numbers from 1, or names, a comma between
    std::optional<bool> header = {};  ///< whether the first row names the columns
    std::string list = {};            ///< of a JSON file that is an object: the key of the list in it

    bool operator==(const LayoutChoice&) const = default;
};

/// What of it is said, as settings: `kind`, `encoding`, `columns`, `header`, `list`.
std::vector<std::pair<std::string, std::string>> settingsOf(const LayoutChoice& choice);
/// The way back; false for another key.
bool readSetting(const std::string& key, const std::string& value, LayoutChoice& choice);

/// How a file of sentences is laid out: as somebody says, and otherwise as its first bytes look.
struct FileLayout {
    using Kind = LayoutKind;
    Kind kind = Kind::Lines;
    std::string encoding = "UTF-8";
    bool hasHeader = false;               ///< the first row names the columns
    std::vector<std::string> names = {};  ///< of the columns; empty: they have none
    std::size_t width = 1;                ///< columns of the first rows
    /// Those that are read, from 0: source and target of pairs; of a text the first.
    std::array<std::size_t, 2> columns{0, 1};
    bool isSeen = false;  ///< that it is a table was seen from the file, and not only asked for
    char lineEnd = '\n';  ///< '\r' where the file has no other, as programs of the old Macintosh write
    /// Of a JSON file that is an object: the key of the list that is read, and those of all lists of objects that its
    /// beginning has. Empty: the list is the file's own.
    std::string list = {};
    std::vector<std::string> lists = {};

    // What of the first rows is told to whoever asks why.
    std::size_t looked = 0;                  ///< how many they are
    std::size_t alike = 0;                   ///< of them, those with as many cells as most have, and that two or more
    std::vector<std::string> firstRow = {};  ///< of JSON empty
    std::string letters = {};                ///< a few that are not ASCII, a space between: "é è ç"

    bool isTable() const { return kind != Kind::Lines; }
    /// "en", or "column 2".
    std::string nameOf(std::size_t column) const;
};

inline bool isJson(LayoutKind kind) {
    return kind == LayoutKind::JsonLines || kind == LayoutKind::JsonList;
}

/// What a file is read for. Of two files line by line none is a table.
enum class SheetUse : unsigned char { Pairs, Text, Lines };

/// Looks at the first mebibyte. Of what can be read only once (a pipe) a table with tabs, or plain lines, in UTF-8 is
/// taken for granted. Throws Error for what cannot be opened, for an encoding, a column or a list that there is not,
/// for a first row that is none of its kind, for a kind that its first rows deny, and for what is no text
/// (foreign_text.h).
FileLayout layoutOf(const std::string& path, SheetUse use, const LayoutChoice& choice = {});

/// Whether a file holds pairs, as a table of two columns or more does.
bool looksLikePairs(const std::string& path, const LayoutChoice& choice = {});

/// "comma-separated, windows-1252, named in its first line: source en, target fr"; empty for what nobody has to be
/// told: a table with tabs, or lines, in UTF-8, read from its beginning.
std::string describe(const FileLayout& layout, SheetUse use);

}  // namespace headlight
