// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/numpy_file.h"

#include <algorithm>
#include <memory>

#include <zip.h>

#include "core/error.h"
#include "core/io/atomic_write.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

template <class T>
std::span<const char> bytesOf(std::span<const T> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

std::u32string codePointsOf(std::string_view text) {
    std::u32string result;
    const std::string whole = repairedUtf8(text);
    for (int32_t at = 0; at < static_cast<int32_t>(whole.size());)
        result += static_cast<char32_t>(nextCodePoint(whole, at));
    return result;
}

/// `(2, 5)`, `(5,)`, `()`
std::string tuple(const std::vector<int>& shape) {
    std::string result = "(";
    for (const int& size : shape)
        result += std::to_string(size) + (shape.size() == 1 ? "," : &size == &shape.back() ? "" : ", ");
    return result + ")";
}

/// Magic, version, length of the header, and the header, filled up so that the numbers begin at a multiple of 64.
std::string headerOf(const std::string& type, const std::vector<int>& shape) {
    constexpr size_t prefix = 10, alignment = 64;
    std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + tuple(shape) + ", }";
    while ((prefix + text.size() + 1) % alignment != 0)
        text += ' ';
    text += '\n';
    std::string header = "\x93NUMPY\x01";
    header += '\0';
    header += static_cast<char>(text.size() & 0xff);
    header += static_cast<char>(text.size() >> 8);
    return header + text;
}

[[noreturn]] void fail(const std::string& path, zip_error_t* error) {
    throw Error(path + ": the archive cannot be made (" + zip_error_strerror(error) + "): give another format");
}

struct FreeSource {
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};

/// What an archive was written to, read back.
std::string contentsOf(zip_source_t* source, const std::string& path) {
    zip_stat_t status;
    zip_stat_init(&status);
    std::string bytes;
    if (zip_source_stat(source, &status) != 0 || zip_source_open(source) != 0) fail(path, zip_source_error(source));
    bytes.resize(status.size);
    const bool whole = zip_source_read(source, bytes.data(), bytes.size()) == static_cast<zip_int64_t>(bytes.size());
    zip_source_close(source);
    if (!whole) fail(path, zip_source_error(source));
    return bytes;
}

/// Not compressed: floats hardly are, and readers may map such a file.
void put(zip_t* archive, const std::string& name, const std::string& bytes, const std::string& path) {
    constexpr zip_uint16_t firstDay = 0x21;  // 1 January 1980, so that equal contents are equal bytes
    zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    if (source == nullptr) fail(path, zip_get_error(archive));
    const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        fail(path, zip_get_error(archive));
    }
    const auto place = static_cast<zip_uint64_t>(index);
    if (zip_set_file_compression(archive, place, ZIP_CM_STORE, 0) != 0 ||
        zip_file_set_dostime(archive, place, 0, firstDay, 0) != 0)
        fail(path, zip_get_error(archive));
}

}  // namespace

void NumpyWriter::add(const std::string& name, const std::string& type, const std::vector<int>& shape,
                      std::span<const char> bytes) {
    m_files.emplace_back(name + ".npy", headerOf(type, shape).append(bytes.data(), bytes.size()));
}

void NumpyWriter::add(const std::string& name, const std::vector<int>& shape, std::span<const float> values) {
    add(name, "<f4", shape, bytesOf(values));
}

void NumpyWriter::add(const std::string& name, const std::vector<int>& shape, std::span<const int64_t> values) {
    add(name, "<i8", shape, bytesOf(values));
}

void NumpyWriter::add(const std::string& name, const std::vector<std::string>& texts) {
    std::vector<std::u32string> rows;
    size_t longest = 1;
    for (const std::string& text : texts)
        longest = std::max(longest, rows.emplace_back(codePointsOf(text)).size());
    std::u32string all;
    for (std::u32string& row : rows) {
        row.resize(longest, U'\0');
        all += row;
    }
    add(name, "<U" + std::to_string(longest), {static_cast<int>(texts.size())},
        bytesOf(std::span<const char32_t>(all)));
}

void NumpyWriter::write(const std::string& path) const {
    zip_error_t error;
    zip_error_init(&error);
    const std::unique_ptr<zip_source_t, FreeSource> memory(zip_source_buffer_create(nullptr, 0, 0, &error));
    if (!memory) fail(path, &error);
    zip_source_keep(memory.get());
    std::unique_ptr<zip_t, Discard> archive(zip_open_from_source(memory.get(), ZIP_TRUNCATE, &error));
    if (!archive) {
        zip_source_free(memory.get());
        fail(path, &error);
    }
    for (const auto& [name, bytes] : m_files)
        put(archive.get(), name, bytes, path);
    if (zip_close(archive.get()) != 0) fail(path, zip_get_error(archive.get()));
    static_cast<void>(archive.release());
    atomicWrite(path, contentsOf(memory.get(), path));
}

}  // namespace headlight
