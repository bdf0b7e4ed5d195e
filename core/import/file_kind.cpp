// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/file_kind.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "core/import/import_model.h"
#include "core/io/foreign_text.h"
#include "core/io/gguf.h"
#include "core/io/json_top_level.h"
#include "core/io/text_file.h"
#include "core/json_text.h"

namespace headlight {

namespace {

using namespace std::string_view_literals;

constexpr std::array kLessons{".zip"sv, ".md"sv, ".yaml"sv, ".yml"sv};
constexpr std::array kSentences{".csv"sv, ".tsv"sv, ".txt"sv, ".jsonl"sv, ".ndjson"sv};
/// Text that is part of a model's folder.
constexpr std::array kOfModels{"vocab.txt"sv, "merges.txt"sv, "tokenizer.json"sv};

std::string firstBytes(const std::filesystem::path& path) {
    constexpr std::streamsize kEnough = 65536;
    std::string bytes(kEnough, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), kEnough);
    bytes.resize(static_cast<size_t>(file.gcount()));
    return bytes;
}

/// An object in a list: that of the file, or one in the object that the file is.
bool beginsJsonList(std::string_view bytes) {
    constexpr auto byteOrderMark = "\xef\xbb\xbf"sv, space = " \t\r\n"sv;
    if (bytes.starts_with(byteOrderMark)) bytes.remove_prefix(byteOrderMark.size());
    const std::size_t list = bytes.find_first_not_of(space);
    if (list == std::string_view::npos) return false;
    if (bytes[list] == '[') {
        const std::size_t first = bytes.find_first_not_of(space, list + 1);
        return first != std::string_view::npos && bytes[first] == '{';
    }
    JsonTopLevel top;
    for (const char c : bytes.substr(list)) {
        const JsonTopLevel::Met met = top.read(c);
        // A tokenizer has a list of objects too.
        if (met == JsonTopLevel::Met::ListBegins) return top.key() != "added_tokens";
        if (met == JsonTopLevel::Met::Wrong) return false;
    }
    return false;
}

/// Of a zip archive: whether its first file is one of sentences, and no lesson.
bool beginsWithSentences(std::string_view bytes) {
    constexpr std::size_t lengthAt = 26, nameAt = 30;  // in the header of a file
    if (!bytes.starts_with("PK\x03\x04"sv) || bytes.size() < nameAt) return false;
    const auto length = static_cast<std::size_t>(static_cast<unsigned char>(bytes[lengthAt]));
    const std::string ending = lowercaseEnding(std::filesystem::path(bytes.substr(nameAt, length)));
    return ending == ".json" || std::ranges::find(kSentences, ending) != kSentences.end();
}

/// An object on the first line, and another one behind it.
bool isJsonLines(std::string_view bytes) {
    const std::size_t end = bytes.find('\n');
    return end != std::string_view::npos && bytes.substr(end + 1).starts_with('{') && flatJson(bytes.substr(0, end));
}

}  // namespace

FileKind kindOfFile(const std::string& path) {
    const std::filesystem::path file(path);
    std::error_code problem;
    if (std::filesystem::is_directory(file, problem)) return isModelFolder(path) ? FileKind::Model : FileKind::Lessons;
    const std::string ending = lowercaseEnding(file);
    if (std::ranges::find(kOfModels, file.filename().string()) != kOfModels.end()) return FileKind::Model;
    const std::string bytes = firstBytes(file);
    if (gguf::isGguf(bytes)) return FileKind::Model;
    if (ending == ".zip" && beginsWithSentences(bytes)) return FileKind::Text;
    if (std::ranges::find(kLessons, ending) != kLessons.end()) return FileKind::Lessons;
    if (std::ranges::find(kSentences, ending) != kSentences.end()) return FileKind::Text;
    if (bytes.empty()) return FileKind::Model;
    if (isZippedEnding(ending)) return FileKind::Text;  // no models: what holds sentences in them is said under Train
    const bool isUtf16 = bytes.starts_with("\xff\xfe"sv) || bytes.starts_with("\xfe\xff"sv);
    if (ending == ".json")
        return isUtf16 || isJsonLines(bytes) || beginsJsonList(bytes) ? FileKind::Text : FileKind::Model;
    if (const ForeignText foreign = foreignText(bytes, ending); !foreign.told.empty() && !foreign.isZip)
        return FileKind::Text;
    // The length that a model begins with has zeros, and so has whatever else is no text.
    return isGzip(bytes) || isUtf16 || bytes.find('\0') == std::string::npos ? FileKind::Text : FileKind::Model;
}

}  // namespace headlight
