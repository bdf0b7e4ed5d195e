// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/io/atomic_write.h"
#include "core/io/safetensors.h"
#include "core/io/safetensors_header.h"

namespace headlight::safetensors {

namespace {

/// Throws Error where `values` values do not fill `shape`, or the name is taken.
void checkNew(const std::map<std::string, Tensor>& tensors, const std::string& name, const std::vector<int64_t>& shape,
              size_t values) {
    if (name == kMetadataKey) throw Error("a tensor cannot be named " + quotedName(name) + ": choose another name");
    if (tensors.count(name))
        throw Error("the tensor " + quotedName(name) + " was added twice: give each a name of its own");
    if (static_cast<size_t>(Entry{DType::U8, shape, 0, 0}.count()) != values) {
        throw Error("the tensor " + quotedName(name) + " has the shape " + nlohmann::json(shape).dump() + ", but " +
                    std::to_string(values) + " values: give it as many as its shape counts");
    }
}

/// JSON of a string. Throws Error where it is not UTF-8, which no reader of the file would accept.
std::string jsonString(const std::string& text) {
    try {
        return nlohmann::json(text).dump();
    } catch (const nlohmann::json::exception&) {
        throw Error("the text " + quotedName(text) + " is not valid UTF-8 and cannot be saved: correct it");
    }
}

std::string jsonOf(const std::map<std::string, std::string>& metadata) {
    std::string json = jsonString(kMetadataKey) + ":{";
    const char* separator = "";
    for (const auto& [key, value] : metadata) {
        json += std::exchange(separator, ",");
        json += jsonString(key) + ":" + jsonString(value);
    }
    return json + "}";
}

}  // namespace

void Writer::add(const std::string& name, std::vector<int64_t> shape, std::span<const float> values) {
    checkNew(m_tensors, name, shape, values.size());
    m_tensors[name] = {DType::F32, std::move(shape), std::as_bytes(values)};
}

void Writer::add(const std::string& name, std::vector<int64_t> shape, std::span<const int64_t> values) {
    checkNew(m_tensors, name, shape, values.size());
    m_tensors[name] = {DType::I64, std::move(shape), std::as_bytes(values)};
}

std::vector<char> Writer::toBytes() const {
    // The widest type first keeps every tensor aligned: the header is padded to a multiple of the widest.
    using Named = std::pair<const std::string, Tensor>;
    std::vector<const Named*> inOrder;
    for (const Named& named : m_tensors)
        inOrder.push_back(&named);
    std::stable_sort(inOrder.begin(), inOrder.end(),
                     [](const Named* a, const Named* b) { return sizeOf(a->second.dtype) > sizeOf(b->second.dtype); });

    std::string header = "{";
    const char* separator = "";
    if (!m_metadata.empty()) {
        header += jsonOf(m_metadata);
        separator = ",";
    }
    size_t dataBytes = 0;
    for (const Named* named : inOrder) {
        const auto& [name, tensor] = *named;
        const size_t begin = std::exchange(dataBytes, dataBytes + tensor.bytes.size());
        header += std::exchange(separator, ",");
        header += jsonString(name) + ":{\"dtype\":\"" + nameOf(tensor.dtype) +
                  "\",\"shape\":" + nlohmann::json(tensor.shape).dump() + ",\"data_offsets\":[" +
                  std::to_string(begin) + "," + std::to_string(dataBytes) + "]}";
    }
    header += "}";
    header.append((kPrefixBytes - header.size() % kPrefixBytes) % kPrefixBytes, ' ');
    if (header.size() > kMaxHeaderBytes || m_tensors.size() > kMaxTensors) {
        throw Error("the model's texts and names are too large for a file, " + std::to_string(header.size()) +
                    " of at most " + std::to_string(kMaxHeaderBytes) + " bytes: use a smaller vocabulary");
    }

    std::vector<char> bytes;
    bytes.reserve(kPrefixBytes + header.size() + dataBytes);
    for (size_t i = 0; i < kPrefixBytes; ++i)
        bytes.push_back(static_cast<char>((header.size() >> (8 * i)) & 0xff));
    bytes.insert(bytes.end(), header.begin(), header.end());
    for (const Named* named : inOrder) {
        const char* data = reinterpret_cast<const char*>(named->second.bytes.data());
        bytes.insert(bytes.end(), data, data + named->second.bytes.size());
    }
    return bytes;
}

void Writer::write(const std::string& path) const {
    atomicWrite(path, toBytes());
}

}  // namespace headlight::safetensors
