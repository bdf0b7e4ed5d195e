// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/io/safetensors_header.h"

namespace headlight::safetensors {

static_assert(std::endian::native == std::endian::little, "the values are copied as they lie in the file");

namespace {

size_t sizeOfRegularFile(const std::string& path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) throw Error(path + ": there is no such file: check its name and folder");
    if (std::filesystem::is_directory(status)) throw Error(path + ": this is a folder: name a file in it");
    // A pipe or device has no size to check the header against.
    if (!std::filesystem::is_regular_file(status)) throw Error(path + ": not a regular file: save it to a file first");
    const uintmax_t size = std::filesystem::file_size(path, error);
    if (error) throw Error(path + ": cannot be read (" + error.message() + "): check its permissions");
    return static_cast<size_t>(size);
}

/// Lengthens `bytes` to `size` from the stream.
void readUpTo(std::ifstream& in, std::vector<char>& bytes, size_t size, const std::string& path) {
    const size_t had = bytes.size();
    bytes.resize(size);
    in.read(bytes.data() + had, static_cast<std::streamsize>(size - had));
    if (static_cast<size_t>(in.gcount()) != size - had) {
        throw Error(path + ": cannot be read to its end: check the disk and that no other program is writing it");
    }
}

/// IEEE half precision: 1 sign bit, 5 of exponent, 10 of fraction.
float floatFromHalf(uint16_t half) {
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
    const uint32_t exponent = (half >> 10) & 0x1fu;
    const uint32_t fraction = half & 0x3ffu;
    if (exponent == 0) {  // zero, or without the leading one: fraction * 2^-24, exact in float
        const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
        return sign ? -magnitude : magnitude;
    }
    const uint32_t wide = exponent == 31 ? 255 : exponent + (127 - 15);
    return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

float floatFromBrain(uint16_t brain) {
    return std::bit_cast<float>(static_cast<uint32_t>(brain) << 16);
}

/// Copies out the values of an entry, of type Stored in the file, each through `convert`. The data of a file may begin
/// at any byte, hence memcpy.
template <typename Stored, typename Result, typename Convert>
std::vector<Result> converted(const char* data, const Entry& entry, Convert convert) {
    std::vector<Result> values(static_cast<size_t>(entry.count()));
    for (size_t i = 0; i < values.size(); ++i) {
        Stored stored;
        std::memcpy(&stored, data + i * sizeof(Stored), sizeof(Stored));
        values[i] = convert(stored);
    }
    return values;
}

template <typename Stored, typename Result>
std::vector<Result> cast(const char* data, const Entry& entry) {
    return converted<Stored, Result>(data, entry, [](Stored stored) { return static_cast<Result>(stored); });
}

template <typename Result>
std::vector<Result> truths(const char* data, const Entry& entry) {
    return converted<uint8_t, Result>(data, entry, [](uint8_t stored) { return static_cast<Result>(stored != 0); });
}

}  // namespace

int64_t Entry::count() const {
    int64_t product = 1;
    for (const int64_t dim : shape)
        product *= dim;
    return product;
}

File File::read(const std::string& path) {
    const size_t size = sizeOfRegularFile(path);
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error(path + ": cannot be opened (" + std::strerror(errno) + "): check its permissions");
    // The data are read only once the header has been found good: a large file of another kind costs nothing.
    File file;
    file.m_name = path;
    readUpTo(in, file.m_bytes, std::min(size, kPrefixBytes), path);
    const size_t length = headerLength({file.m_bytes.data(), file.m_bytes.size()}, size, path);
    file.m_dataStart = kPrefixBytes + length;
    readUpTo(in, file.m_bytes, file.m_dataStart, path);
    Header header = parseHeader({file.m_bytes.data() + kPrefixBytes, length}, size, path);
    file.m_metadata = std::move(header.metadata);
    file.m_entries = std::move(header.entries);
    readUpTo(in, file.m_bytes, size, path);
    return file;
}

File File::parse(std::vector<char> bytes, const std::string& nameForErrors) {
    const size_t length = headerLength({bytes.data(), bytes.size()}, bytes.size(), nameForErrors);
    Header header = parseHeader({bytes.data() + kPrefixBytes, length}, bytes.size(), nameForErrors);
    File file;
    file.m_name = nameForErrors;
    file.m_bytes = std::move(bytes);
    file.m_dataStart = kPrefixBytes + length;
    file.m_metadata = std::move(header.metadata);
    file.m_entries = std::move(header.entries);
    return file;
}

const Entry& File::entry(const std::string& name) const {
    const auto found = m_entries.find(name);
    if (found == m_entries.end()) {
        throw Error(m_name + ": there is no tensor named " + quotedName(name) +
                    ": the file is of another kind or incomplete");
    }
    return found->second;
}

std::vector<float> File::floats(const std::string& name) const {
    const Entry& tensor = entry(name);
    const char* data = m_bytes.data() + m_dataStart + tensor.begin;
    switch (tensor.dtype) {
        case DType::F32:
            return cast<float, float>(data, tensor);
        case DType::F64:
            return cast<double, float>(data, tensor);
        case DType::F16:
            return converted<uint16_t, float>(data, tensor, floatFromHalf);
        case DType::BF16:
            return converted<uint16_t, float>(data, tensor, floatFromBrain);
        case DType::I64:
            return cast<int64_t, float>(data, tensor);
        case DType::I32:
            return cast<int32_t, float>(data, tensor);
        case DType::U8:
            return cast<uint8_t, float>(data, tensor);
        case DType::Bool:
            return truths<float>(data, tensor);
    }
    return {};
}

std::vector<int64_t> File::integers(const std::string& name) const {
    const Entry& tensor = entry(name);
    const char* data = m_bytes.data() + m_dataStart + tensor.begin;
    switch (tensor.dtype) {
        case DType::I64:
            return cast<int64_t, int64_t>(data, tensor);
        case DType::I32:
            return cast<int32_t, int64_t>(data, tensor);
        case DType::U8:
            return cast<uint8_t, int64_t>(data, tensor);
        case DType::Bool:
            return truths<int64_t>(data, tensor);
        default:
            break;
    }
    throw Error(m_name + ": the tensor " + quotedName(name) + " holds " + nameOf(tensor.dtype) +
                ", where whole numbers are needed: write it as I64");
}

}  // namespace headlight::safetensors
