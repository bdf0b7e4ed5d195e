// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/io/atomic_write.h"
#include "core/io/safetensors.h"
#include "core/io/safetensors_header.h"
#include "core/json_text.h"

namespace headlight::safetensors {

namespace {

/// Throws Error where `values` values do not fill `shape`, or the name is taken.
void checkNew(const std::map<std::string, Tensor>& tensors, const std::string& name, const std::vector<int64_t>& shape,
              size_t values) {
    if (name == kMetadataKey) throw Error("a tensor cannot be named " + quotedName(name) + ": choose another name");
    if (tensors.count(name))
        throw Error("the tensor " + quotedName(name) + " was added twice: give each a name of its own");
    if (static_cast<size_t>(Entry{DType::U8, shape, 0, 0}.count()) != values) {
        throw Error("the tensor " + quotedName(name) + " has the shape " + jsonText(shape) + ", but " +
                    std::to_string(values) + " values: give it as many as its shape counts");
    }
}

/// JSON of a string. Throws Error where it is not UTF-8, which no reader of the file would accept.
std::string jsonString(const std::string& text) {
    try {
        return jsonQuoted(text, BadBytes::Refuse);
    } catch (const Error&) {
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

std::vector<const Writer::Named*> Writer::inOrder() const {
    // The widest type first keeps every tensor aligned: the header is padded to a multiple of the widest.
    std::vector<const Named*> order;
    for (const Named& named : m_tensors)
        order.push_back(&named);
    std::stable_sort(order.begin(), order.end(),
                     [](const Named* a, const Named* b) { return sizeOf(a->second.dtype) > sizeOf(b->second.dtype); });
    return order;
}

std::vector<char> Writer::header(const std::vector<const Named*>& order) const {
    std::string json = "{";
    const char* separator = "";
    if (!m_metadata.empty()) {
        json += jsonOf(m_metadata);
        separator = ",";
    }
    size_t dataBytes = 0;
    for (const Named* named : order) {
        const auto& [name, tensor] = *named;
        const size_t begin = std::exchange(dataBytes, dataBytes + tensor.bytes.size());
        json += std::exchange(separator, ",");
        json += jsonString(name) + ":{\"dtype\":\"" + nameOf(tensor.dtype) + "\",\"shape\":" + jsonText(tensor.shape) +
                ",\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(dataBytes) + "]}";
    }
    json += "}";
    json.append((kPrefixBytes - json.size() % kPrefixBytes) % kPrefixBytes, ' ');
    if (json.size() > kMaxHeaderBytes || m_tensors.size() > kMaxTensors) {
        throw Error("the model's texts and names are too large for a file, " + std::to_string(json.size()) +
                    " of at most " + std::to_string(kMaxHeaderBytes) + " bytes: use a smaller vocabulary");
    }
    std::vector<char> bytes;
    for (size_t i = 0; i < kPrefixBytes; ++i)
        bytes.push_back(static_cast<char>((json.size() >> (8 * i)) & 0xff));
    bytes.insert(bytes.end(), json.begin(), json.end());
    return bytes;
}

std::vector<std::span<const char>> Writer::pieces(const std::vector<char>& header,
                                                  const std::vector<const Named*>& order) {
    std::vector<std::span<const char>> pieces{header};
    for (const Named* named : order) {
        const std::span<const std::byte> bytes = named->second.bytes;
        pieces.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    return pieces;
}

std::vector<char> Writer::toBytes() const {
    const std::vector<const Named*> order = inOrder();
    const std::vector<char> first = header(order);
    std::vector<char> bytes;
    for (const std::span<const char> piece : pieces(first, order))
        bytes.insert(bytes.end(), piece.begin(), piece.end());
    return bytes;
}

void Writer::write(const std::string& path) const {
    const std::vector<const Named*> order = inOrder();
    const std::vector<char> first = header(order);
    atomicWritePieces(path, pieces(first, order));
}

}  // namespace headlight::safetensors
