// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/table_columns.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>

#include <unicode/locid.h>
#include <unicode/uloc.h>

#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

using namespace std::string_view_literals;

/// Names that a first row gives to columns, beside those of languages.
constexpr std::array kSources{"source"sv,  "src"sv,      "text"sv,    "sentence"sv,  "input"sv, "review"sv,
                              "comment"sv, "question"sv, "content"sv, "sentence1"sv, "prompt"sv};
constexpr std::array kTargets{"target"sv, "tgt"sv,       "trg"sv,       "translation"sv, "label"sv,
                              "labels"sv, "class"sv,     "category"sv,  "sentiment"sv,   "output"sv,
                              "answer"sv, "sentence2"sv, "completion"sv};
constexpr std::array kOthers{"id"sv,          "idx"sv,   "index"sv,    "lang"sv,      "language"sv,
                             "note"sv,        "notes"sv, "comments"sv, "author"sv,    "user"sv,
                             "username"sv,    "date"sv,  "url"sv,      "licence"sv,   "license"sv,
                             "attribution"sv, "score"sv, "rating"sv,   "source_id"sv, "target_id"sv};

template <std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// Languages by their codes, their English names and their own, in lower case.
const std::set<std::string, std::less<>>& languages() {
    static const std::set<std::string, std::less<>> all = [] {
        std::set<std::string, std::less<>> names;
        for (const char* const* code = uloc_getISOLanguages(); *code; ++code) {
            const icu::Locale language(*code);
            for (const icu::Locale& in : {icu::Locale::getEnglish(), language}) {
                icu::UnicodeString name;
                std::string bytes;
                language.getDisplayLanguage(in, name).toUTF8String(bytes);
                names.insert(lowercased(bytes));
            }
            names.insert(*code);
        }
        return names;
    }();
    return all;
}

/// "Englisch": languages by their names in the largest of those that spreadsheets are written in, in lower case.
bool isNameOfLanguage(const std::string& cell) {
    static const std::set<std::string, std::less<>> all = [] {
        std::set<std::string, std::less<>> names;
        for (const char* in : {"en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "vi", "zh", "ja"})
            for (const char* of : {"en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "uk", "vi", "zh",
                                   "ja", "ko", "ar", "tr", "el", "la", "sv", "da", "fi", "cs", "hu", "hi"}) {
                icu::UnicodeString name;
                std::string bytes;
                icu::Locale(of).getDisplayLanguage(icu::Locale(in), name).toUTF8String(bytes);
                names.insert(lowercased(bytes));
            }
        return names;
    }();
    return all.contains(lowercased(cell));
}

/// `English sentence`, `Swahili Translation`: words that each would name a column. Codes are none of them: "it is" are
/// two languages.
bool isNameOfWords(const std::string& cell) {
    constexpr std::size_t shortestName = 4, mostWords = 3;
    std::vector<std::string> words = cut(cell, ' ');
    return words.size() <= mostWords && std::ranges::all_of(words, [](const std::string& word) {
               const std::string name = lowercased(word);
               return isOneOf(kSources, name) || isOneOf(kTargets, name) ||
                      (name.size() >= shortestName && languages().contains(name));
           });
}

bool isLanguage(std::string_view name) {
    return languages().contains(name.substr(0, name.find_first_of("-_")));
}

/// Of a path in an object the last part: `translation.en`.
std::string plainName(const std::string& name) {
    return lowercased(name.substr(name.rfind('.') + 1));
}

bool isColumnName(const std::string& cell) {
    const std::string name = lowercased(cell);
    return isOneOf(kSources, name) || isOneOf(kTargets, name) || isOneOf(kOthers, name) || isLanguage(name) ||
           isNameOfWords(cell);
}

constexpr std::size_t kMostLabels = 20, kTimesEachLabel = 4;  ///< different ones, and each on average

/// How many different values a column has where these are a few short ones that come again and again, as labels do;
/// else 0.
std::size_t labelsIn(const TableRows& rows, std::size_t column, std::size_t first) {
    constexpr std::size_t longest = 30;
    std::set<std::string> values;
    for (std::size_t i = first; i < rows.size(); ++i) {
        if (column >= rows[i].size() || rows[i][column].size() > longest) return 0;
        values.insert(rows[i][column]);
    }
    return values.size() <= kMostLabels && kTimesEachLabel * values.size() <= rows.size() - first ? values.size() : 0;
}

/// Two languages by their names, whatever stands beside them: `Nr;Englisch;Französisch;Datum`.
bool namesLanguages(const std::vector<std::string>& row) {
    return std::ranges::count_if(row, isNameOfLanguage) >= 2 &&
           std::ranges::none_of(row, [](const std::string& cell) { return cell.find(' ') != std::string::npos; });
}

/// Does it say the same of every row, as where these come from?
bool isConstant(const TableRows& rows, std::size_t column, std::size_t first) {
    const auto at = [&](std::size_t row) { return column < rows[row].size() ? rows[row][column] : std::string(); };
    for (std::size_t i = first + 1; i < rows.size(); ++i)
        if (at(i) != at(first)) return false;
    return rows.size() > first + 1;
}

/// Of a row.
std::size_t bytesOf(const std::vector<std::string>& row) {
    std::size_t bytes = 0;
    for (const std::string& cell : row)
        bytes += cell.size();
    return bytes;
}

/// Of the rows below the first, on average.
std::size_t bytesBelow(const TableRows& rows) {
    std::size_t bytes = 0;
    for (std::size_t i = 1; i < rows.size(); ++i)
        bytes += bytesOf(rows[i]);
    return bytes / (rows.size() - 1);
}

/// Short names of which one stands over labels and is none of them: `v1,v2` over `ham,Ok lar...`.
bool namesLabels(const TableRows& rows) {
    const std::vector<std::string>& names = rows[0];
    if (bytesBelow(rows) < 2 * bytesOf(names)) return false;
    if (std::ranges::any_of(names, [](const std::string& name) { return name.find(' ') != std::string::npos; }))
        return false;
    for (std::size_t column = 0; column < names.size(); ++column)
        if (!names[column].empty() && labelsIn(rows, column, 1) > 1 &&
            std::none_of(rows.begin() + 1, rows.end(),
                         [&](const std::vector<std::string>& row) { return row[column] == names[column]; }))
            return true;
    return false;
}

/// Ids, dates and addresses are no sentences.
bool isText(const std::string& cell) {
    if (cell.starts_with("http://") || cell.starts_with("https://")) return false;
    return std::ranges::any_of(cell, [](unsigned char c) { return c >= 0x80 || std::isalpha(c) != 0; });
}

/// The columns of which most cells are text.
std::vector<std::size_t> columnsOfText(const TableRows& rows, std::size_t first, std::size_t width) {
    std::vector<std::size_t> found;
    for (std::size_t column = 0; column < width; ++column) {
        std::size_t texts = 0, all = 0;
        for (std::size_t i = first; i < rows.size(); ++i) {
            if (column >= rows[i].size()) continue;
            ++all;
            texts += isText(rows[i][column]);
        }
        if (2 * texts > all) found.push_back(column);
    }
    return found;
}

std::size_t columnCalled(const std::string& wanted, const FileLayout& layout, const std::string& path) {
    for (std::size_t i = 0; i < layout.names.size(); ++i)
        if (layout.names[i] == wanted) return i;
    for (std::size_t i = 0; i < layout.names.size(); ++i)
        if (plainName(layout.names[i]) == lowercased(wanted)) return i;
    std::size_t number = 0;
    const char* const end = wanted.data() + wanted.size();
    if (std::from_chars(wanted.data(), end, number).ptr == end && number >= 1 && number <= layout.width)
        return number - 1;
    std::string has = "columns 1 to " + std::to_string(layout.width);
    if (!layout.names.empty()) {
        has.clear();
        for (const std::string& name : layout.names)
            has += (has.empty() ? "" : ", ") + name;
    }
    throw Error(path + " has no column \"" + wanted + "\"; it has " + has);
}

}  // namespace

bool looksLikeHeader(const TableRows& rows) {
    if (rows.empty() || rows[0].empty()) return false;
    const bool isOfNames = std::ranges::all_of(rows[0], isColumnName) || namesLanguages(rows[0]);
    if (rows.size() == 1) return isOfNames;
    if (!isOfNames) return namesLabels(rows);
    const bool isAlone = std::none_of(rows.begin() + 1, rows.end(), [](const std::vector<std::string>& row) {
        return std::ranges::all_of(row, isColumnName) || namesLanguages(row);
    });
    return isAlone && bytesBelow(rows) >= bytesOf(rows[0]);
}

bool looksLikeLabels(std::span<const std::string_view> targets) {
    std::set<std::string_view> different;
    for (const std::string_view target : targets) {
        if (std::ranges::count(target, ' ') > 1) return false;
        different.insert(target);
        if (different.size() > kMostLabels) return false;
    }
    return kTimesEachLabel * different.size() <= targets.size();
}

void chooseColumns(FileLayout& layout, const TableRows& rows, SheetUse use, const LayoutChoice& choice,
                   const std::string& path) {
    const std::size_t wanted = use == SheetUse::Pairs ? 2 : 1;
    if (!choice.columns.empty()) {
        const std::vector<std::string> columns = cut(choice.columns, ',');
        if (columns.size() != wanted)
            throw Error("--columns names " +
                        std::string(wanted == 2 ? "two columns, source and target, with a comma between: 1,2 or en,fr"
                                                : "the column of the text: 1, or text"));
        for (std::size_t i = 0; i < wanted; ++i)
            layout.columns.at(i) = columnCalled(columns[i], layout, path);
        return;
    }
    // By their names, where they say it.
    const auto called = [&](const auto& names, bool mayBeConstant) -> std::optional<std::size_t> {
        for (const std::string_view name : names)
            for (std::size_t i = 0; i < layout.names.size(); ++i)
                if (plainName(layout.names[i]) == name &&
                    (mayBeConstant || !isConstant(rows, i, layout.hasHeader ? 1 : 0)))
                    return i;
        return {};
    };
    const auto source = called(kSources, false), target = called(kTargets, true);
    if (source && (target || wanted == 1)) {
        layout.columns = {*source, target.value_or(*source)};
        return;
    }
    const std::size_t first = layout.hasHeader ? 1 : 0;
    const std::vector<std::size_t> texts = columnsOfText(rows, first, layout.width);
    std::vector<std::size_t> sentences;
    std::optional<std::size_t> label = target;
    for (std::size_t column = 0; column < layout.width; ++column) {
        const std::size_t labels = labelsIn(rows, column, first);
        if (labels > 1 && !label && column != source) label = column;
        const bool isText = std::ranges::find(texts, column) != texts.end();
        if (isText && labels == 0 && column != source && column != target) sentences.push_back(column);
    }
    if (source) sentences.insert(sentences.begin(), *source);
    if (wanted == 1) {
        layout.columns[0] = !sentences.empty() ? sentences[0] : texts.empty() ? 0 : texts[0];
    } else if (label && !sentences.empty() && (target || sentences.size() == 1)) {
        layout.columns = {sentences[0], *label};
    } else if (sentences.size() >= 2) {
        layout.columns = {sentences[0], sentences[1]};
    } else if (texts.size() >= 2) {
        layout.columns = {texts[0], texts[1]};
    } else if (texts.size() == 1 && layout.width > 2) {  // a sentence, and a label that is a number
        const bool isFirst = texts[0] == 0;
        layout.columns = {texts[0], isFirst ? std::size_t{1} : std::size_t{0}};
    }
}

}  // namespace headlight
