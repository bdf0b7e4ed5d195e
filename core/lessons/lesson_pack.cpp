// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_pack.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>

#include <zip.h>

#include "core/error.h"
#include "core/lessons/lesson_folder.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr zip_uint64_t largestEntry = 1 << 20, largestPack = 32 << 20;
constexpr zip_int64_t mostEntries = 2000;

// Of ASCII, whatever the language of the system.
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isSmall(char c) {
    return c >= 'a' && c <= 'z';
}

template <class Fits>
bool consistsOf(std::string_view text, Fits fits) {
    return !text.empty() && std::ranges::all_of(text, fits);
}

/// `NN-slug.md`
bool isLessonName(std::string_view name) {
    constexpr std::string_view ending = ".md";
    constexpr size_t numberLength = 2;
    if (!name.ends_with(ending)) return false;
    name.remove_suffix(ending.size());
    const auto isSlug = [](char c) { return isSmall(c) || isDigit(c) || c == '-'; };
    return name.size() > numberLength + 1 && name[numberLength] == '-' &&
           consistsOf(name.substr(0, numberLength), isDigit) && consistsOf(name.substr(numberLength + 1), isSlug);
}

/// `FORMULA.svg`, its name as formulaName() makes it.
bool isFormulaName(std::string_view name) {
    constexpr std::string_view ending = ".svg";
    constexpr size_t digits = 16;
    const auto isHexadecimal = [](char c) { return isDigit(c) || (c >= 'a' && c <= 'f'); };
    return name.size() == digits + ending.size() && name.ends_with(ending) &&
           consistsOf(name.substr(0, digits), isHexadecimal);
}

/// Where an entry of that name belongs in the folder; nothing where it is none of a pack of lessons. A name is taken to
/// pieces and each piece must be one that is known, so none leads out of the folder.
std::optional<fs::path> placeOf(std::string_view name) {
    const auto isPlain = [](char c) {
        return isSmall(c) || isDigit(c) || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
    };
    if (std::ranges::count(name, '/') == 2) {  // within a folder of the pack's own name
        const size_t end = name.find('/');
        if (!consistsOf(name.substr(0, end), isPlain)) return std::nullopt;
        name.remove_prefix(end + 1);
    }
    const size_t slash = name.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const std::string folder(name.substr(0, slash)), file(name.substr(slash + 1));
    const bool known = folder == "formulas" ? isFormulaName(file)
                                            : isLanguageCode(folder) && (isLessonName(file) || file == "terms.yaml");
    return known ? std::optional(fs::path(folder) / file) : std::nullopt;
}

std::string contentsOf(zip_t* archive, zip_uint64_t index, zip_uint64_t size, const std::string& path) {
    const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> entry(zip_fopen_index(archive, index, 0), zip_fclose);
    std::string bytes(static_cast<size_t>(size), '\0');
    if (!entry || zip_fread(entry.get(), bytes.data(), size) != static_cast<zip_int64_t>(size))
        throw Error(path + " is damaged: copy or download it again");
    return bytes;
}

void write(const fs::path& path, const std::string& bytes) {
    std::error_code ignored;
    fs::create_directories(path.parent_path(), ignored);
    std::ofstream file(path, std::ios::binary);
    if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush())
        throw Error("the pack cannot be unpacked to " + path.string() + ": check the disk");
}

}  // namespace

void unpackLessons(const std::string& zip, const std::string& folder) {
    const Error tooMuch(zip + " holds more than a pack of lessons may: it is no such pack");
    std::error_code error;
    // The list of what is in it is read as it is opened, so the file itself must be of a size first.
    if (fs::file_size(zip, error) > largestPack && !error) throw Error(tooMuch);
    int code = 0;
    const std::unique_ptr<zip_t, void (*)(zip_t*)> archive(zip_open(zip.c_str(), ZIP_RDONLY, &code), zip_discard);
    if (!archive) throw Error(zip + " is no zip that can be read: choose a pack of lessons, or a folder");
    const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
    if (count > mostEntries) throw Error(tooMuch);
    zip_uint64_t written = 0;
    for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
        zip_stat_t stat;
        zip_stat_init(&stat);
        constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE;
        if (zip_stat_index(archive.get(), i, 0, &stat) != 0 || (stat.valid & needed) != needed) continue;
        const std::optional<fs::path> place = placeOf(stat.name);
        if (!place) continue;
        if (stat.size > largestEntry || written + stat.size > largestPack) throw Error(tooMuch);
        written += stat.size;
        write(folder / *place, contentsOf(archive.get(), i, stat.size, zip));
    }
}

}  // namespace headlight
