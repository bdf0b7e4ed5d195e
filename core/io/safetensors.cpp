// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/io/safetensors_header.h"
#include "core/tensor/number_formats.h"

namespace headlight::safetensors {

static_assert(std::endian::native == std::endian::little, "the values are copied as they lie in the file");

namespace {

/// Values of a file, a piece at a time: read(offset, bytes) fills bytes from the tensor's byte `offset` on, and
/// take(stored values, index of the first) uses them. A piece stays in the processor's second cache.
template <typename Stored, typename Read, typename Take>
void inPieces(size_t count, Read read, Take take) {
    constexpr size_t most = 32768;
    std::vector<Stored> piece(std::min(count, most));
    for (size_t first = 0; first < count; first += most) {
        const std::span<Stored> values = std::span(piece).first(std::min(most, count - first));
        read(first * sizeof(Stored), std::span(reinterpret_cast<char*>(values.data()), values.size_bytes()));
        take(std::span<const Stored>(values), first);
    }
}

/// Stored numbers as Result, each cast.
template <typename Stored, typename Result, typename Read>
void cast(std::span<Result> out, Read read) {
    inPieces<Stored>(out.size(), read, [&](std::span<const Stored> values, size_t first) {
        std::transform(values.begin(), values.end(), out.begin() + static_cast<std::ptrdiff_t>(first),
                       [](Stored value) { return static_cast<Result>(value); });
    });
}

template <typename Result, typename Read>
void truths(std::span<Result> out, Read read) {
    inPieces<uint8_t>(out.size(), read, [&](std::span<const uint8_t> values, size_t first) {
        std::transform(values.begin(), values.end(), out.begin() + static_cast<std::ptrdiff_t>(first),
                       [](uint8_t value) { return static_cast<Result>(value != 0); });
    });
}

}  // namespace

int64_t Entry::count() const {
    int64_t product = 1;
    for (const int64_t dim : shape)
        product *= dim;
    return product;
}

File File::open(std::shared_ptr<const FileBytes> bytes, const std::string& nameForErrors) {
    const size_t size = bytes->size();
    const auto start = [&](size_t from, size_t count) {
        std::vector<char> read(count);
        bytes->read(from, read);
        return read;
    };
    const std::vector<char> prefix = start(0, std::min(size, kPrefixBytes));
    const size_t length = headerLength({prefix.data(), prefix.size()}, size, nameForErrors);
    const std::vector<char> json = start(kPrefixBytes, length);
    Header header = parseHeader({json.data(), json.size()}, size, nameForErrors);
    File file;
    file.m_name = nameForErrors;
    file.m_bytes = std::move(bytes);
    file.m_dataStart = kPrefixBytes + length;
    file.m_metadata = std::move(header.metadata);
    file.m_entries = std::move(header.entries);
    return file;
}

File File::read(const std::string& path) {
    return open(FileBytes::onDisk(path), path);
}

File File::parse(std::vector<char> bytes, const std::string& nameForErrors) {
    return open(FileBytes::inMemory(std::move(bytes)), nameForErrors);
}

const Entry& File::entry(const std::string& name) const {
    const auto found = m_entries.find(name);
    if (found == m_entries.end()) {
        throw Error(m_name + ": there is no tensor named " + quotedName(name) +
                    ": the file is of another kind or incomplete");
    }
    return found->second;
}

std::string File::floatTypes() const {
    std::set<std::string> types;
    for (const auto& [name, tensor] : m_entries)
        if (tensor.dtype == DType::F32 || tensor.dtype == DType::F64 || tensor.dtype == DType::F16 ||
            tensor.dtype == DType::BF16)
            types.insert(nameOf(tensor.dtype));
    std::string text;
    for (const std::string& type : types)
        text += (text.empty() ? "" : ", ") + type;
    return text;
}

std::vector<float> File::floats(const std::string& name) const {
    std::vector<float> values(static_cast<size_t>(entry(name).count()));
    readFloats(name, values);
    return values;
}

void File::readFloats(const std::string& name, std::span<float> values) const {
    const Entry& tensor = entry(name);
    assert(values.size() == static_cast<size_t>(tensor.count()));
    const auto read = [&](size_t offset, std::span<char> bytes) {
        m_bytes->read(m_dataStart + tensor.begin + offset, bytes);
    };
    const auto widen = [&](auto kernel) {
        inPieces<uint16_t>(values.size(), read, [&](std::span<const uint16_t> piece, size_t first) {
            kernel(piece.size(), piece.data(), values.data() + first);
        });
    };
    switch (tensor.dtype) {
        case DType::F32:
            return read(0, std::span(reinterpret_cast<char*>(values.data()), values.size_bytes()));
        case DType::F64:
            return cast<double>(values, read);
        case DType::F16:
            return widen(floatsFromHalf);
        case DType::BF16:
            return widen(floatsFromBrain);
        case DType::I64:
            return cast<int64_t>(values, read);
        case DType::I32:
            return cast<int32_t>(values, read);
        case DType::U8:
            return cast<uint8_t>(values, read);
        case DType::Bool:
            return truths(values, read);
    }
}

std::vector<int64_t> File::integers(const std::string& name) const {
    const Entry& tensor = entry(name);
    std::vector<int64_t> values(static_cast<size_t>(tensor.count()));
    const std::span<int64_t> out(values);
    const auto read = [&](size_t offset, std::span<char> bytes) {
        m_bytes->read(m_dataStart + tensor.begin + offset, bytes);
    };
    switch (tensor.dtype) {
        case DType::I64:
            cast<int64_t>(out, read);
            return values;
        case DType::I32:
            cast<int32_t>(out, read);
            return values;
        case DType::U8:
            cast<uint8_t>(out, read);
            return values;
        case DType::Bool:
            truths(out, read);
            return values;
        case DType::F32:
        case DType::F64:
        case DType::F16:
        case DType::BF16:
            break;
    }
    throw Error(m_name + ": the tensor " + quotedName(name) + " holds " + nameOf(tensor.dtype) +
                ", where whole numbers are needed: write it as I64");
}

}  // namespace headlight::safetensors
