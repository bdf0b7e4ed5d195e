// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/zip_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include <zip.h>

#include "core/error.h"
#include "core/io/atomic_write.h"

namespace headlight {

namespace {

constexpr zip_int64_t mostZipEntries = 2000;
constexpr size_t unpackedPiece = size_t{1} << 18;

using Zip = std::unique_ptr<zip_t, void (*)(zip_t*)>;
using ZipEntry = std::unique_ptr<zip_file_t, int (*)(zip_file_t*)>;

struct TextEntry {
    zip_uint64_t index = 0;
    std::uint64_t size = 0, packed = 0;
};

bool isTextName(std::string_view name) {
    constexpr std::array endings{std::string_view(".txt"), std::string_view(".tsv"), std::string_view(".csv")};
    const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::any_of(endings, [&](std::string_view ending) {
        return name.size() > ending.size() &&
               std::ranges::equal(name.substr(name.size() - ending.size()), ending, {}, small);
    });
}

/// By what the zip says of itself.
std::optional<TextEntry> largestText(zip_t* archive) {
    std::optional<TextEntry> found;
    const zip_int64_t count = std::min(zip_get_num_entries(archive, 0), mostZipEntries);
    for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(std::max<zip_int64_t>(count, 0)); ++i) {
        zip_stat_t stat;
        zip_stat_init(&stat);
        constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
        if (zip_stat_index(archive, i, 0, &stat) != 0 || (stat.valid & needed) != needed) continue;
        if (!isTextName(stat.name) || (found && stat.size <= found->size)) continue;
        found = {i, stat.size, stat.comp_size};
    }
    return found;
}

/// What so many packed bytes may become.
std::uint64_t mostOf(std::uint64_t packed, const UnpackLimits& limits) {
    const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - limits.always;
    const std::uint64_t grown = packed > room / limits.ratio ? room : packed * limits.ratio;
    return std::min(limits.largest, limits.always + grown);
}

UnpackedText unpackEntry(zip_file_t* entry, std::uint64_t size, AtomicFile& file, const std::function<bool()>& wanted) {
    std::vector<char> piece(unpackedPiece);
    std::uint64_t written = 0;
    for (;;) {
        if (wanted && !wanted()) return UnpackedText::Stopped;
        const zip_int64_t read = zip_fread(entry, piece.data(), piece.size());
        if (read < 0) return UnpackedText::Damaged;
        if (read == 0) break;
        const std::span<const char> bytes = std::span(piece).first(static_cast<size_t>(read));
        if (written == 0 && std::ranges::find(bytes, '\0') != bytes.end()) return UnpackedText::NoText;
        written += bytes.size();
        if (written > size) return UnpackedText::Damaged;
        file.write(bytes);
    }
    if (written != size) return UnpackedText::Damaged;
    file.commit();
    return UnpackedText::Whole;
}

}  // namespace

UnpackedText unpackText(const std::string& zip, const std::string& path, const UnpackLimits& limits,
                        const std::function<bool()>& wanted) {
    int code = 0;
    const Zip archive(zip_open(zip.c_str(), ZIP_RDONLY, &code), zip_discard);
    if (!archive) return UnpackedText::Damaged;
    const std::optional<TextEntry> text = largestText(archive.get());
    if (!text || text->size == 0) return UnpackedText::NoText;
    // An entry that says it is packed into more bytes than the file has is not believed.
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(zip, error);
    if (error) return UnpackedText::Damaged;
    if (text->size > mostOf(std::min(text->packed, bytes), limits)) return UnpackedText::TooMuch;
    const ZipEntry entry(zip_fopen_index(archive.get(), text->index, 0), zip_fclose);
    if (!entry) return UnpackedText::Damaged;
    try {
        AtomicFile file(path);
        return unpackEntry(entry.get(), text->size, file, wanted);
    } catch (const Error&) {
        return UnpackedText::NotWritable;
    }
}

}  // namespace headlight
