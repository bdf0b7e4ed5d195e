// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/io/file_bytes.h"

namespace headlight {

/// The safetensors format (https://github.com/huggingface/safetensors): a JSON header and packed little-endian data.
namespace safetensors {

enum class DType { F32, F64, F16, BF16, I64, I32, U8, Bool };
/// `F32`, as the header spells it.
const char* nameOf(DType dtype);

/// One tensor of an open file: where its bytes are.
struct Entry {
    DType dtype = DType::F32;
    std::vector<int64_t> shape;  ///< empty for a scalar
    size_t begin = 0, end = 0;   ///< bytes from the start of the data

    int64_t count() const;
};

/// An open file. Its header is checked before anything is allocated for its tensors: sizes, offsets without holes or
/// overlaps, no duplicate names, nothing behind the data. The values stay in the file until they are asked for, and are
/// then read straight to where they are wanted: a model takes the memory of its weights and no more. Throws Error with
/// the path and what is wrong, also where the file has become shorter since.
class File {
public:
    static File read(const std::string& path);
    static File parse(std::vector<char> bytes, const std::string& nameForErrors);

    /// As it was opened.
    const std::string& name() const { return m_name; }

    const std::map<std::string, std::string>& metadata() const { return m_metadata; }
    const std::map<std::string, Entry>& entries() const { return m_entries; }
    bool contains(const std::string& name) const { return m_entries.count(name) != 0; }
    /// Throws Error where there is no such tensor.
    const Entry& entry(const std::string& name) const;
    /// The types of its tensors of fractions, as the header spells them: "F32", or "BF16, F32" where there are several.
    std::string floatTypes() const;
    /// The values as float32, from F32, F64, F16, BF16, I64, I32, U8 or Bool.
    std::vector<float> floats(const std::string& name) const;
    /// The same into `values`, as many as the tensor has.
    void readFloats(const std::string& name, std::span<float> values) const;
    /// The values of an I64, I32, U8 or Bool tensor; throws Error for others.
    std::vector<int64_t> integers(const std::string& name) const;

private:
    static File open(std::shared_ptr<const FileBytes> bytes, const std::string& nameForErrors);

    std::string m_name;
    std::shared_ptr<const FileBytes> m_bytes;
    size_t m_dataStart = 0;
    std::map<std::string, std::string> m_metadata;
    std::map<std::string, Entry> m_entries;
};

/// A tensor to write. The memory must stay until Writer::write() has returned.
struct Tensor {
    DType dtype = DType::F32;
    std::vector<int64_t> shape;
    std::span<const std::byte> bytes;
};

/// Collects tensors and metadata, then writes the file in one go. The order in the file is the format's own (by
/// alignment, then by name), so that equal contents give equal bytes.
class Writer {
public:
    /// `floats`: how fractions are saved, F32 or F16.
    explicit Writer(DType floats = DType::F32) : m_floats(floats) {}
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    /// Views are kept, not copies: the values must be alive when the file is written. Where fractions are saved as F16
    /// each is rounded to the nearest half; throws Error where that is infinite.
    void add(const std::string& name, std::vector<int64_t> shape, std::span<const float> values);
    void add(const std::string& name, std::vector<int64_t> shape, std::span<const int64_t> values);
    void setMetadata(const std::string& key, const std::string& value) { m_metadata[key] = value; }
    /// Through atomicWrite(): the old file or the whole new one. Throws Error.
    void write(const std::string& path) const;
    std::vector<char> toBytes() const;

private:
    using Named = std::pair<const std::string, Tensor>;
    std::vector<const Named*> inOrder() const;
    /// Its length, the JSON and what pads it.
    std::vector<char> header(const std::vector<const Named*>& order) const;
    /// The whole file, nothing of it copied.
    static std::vector<std::span<const char>> pieces(const std::vector<char>& header,
                                                     const std::vector<const Named*>& order);

    DType m_floats;
    std::map<std::string, Tensor> m_tensors;
    std::list<std::vector<uint16_t>> m_halves;  ///< of tensors that were rounded
    std::map<std::string, std::string> m_metadata;
};

/// Rounds values to what a tensor of this type can hold (F32, F16). Throws Error, naming the tensor, for one that would
/// become infinite; nothing is changed then.
void roundTo(DType type, std::span<float> values, const std::string& name);

}  // namespace safetensors
}  // namespace headlight
