// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/io/atomic_write.h"
#include "core/io/safetensors.h"
#include "core/io/safetensors_header.h"
#include "core/json_text.h"
#include "core/number_text.h"
#include "core/tensor/number_formats.h"

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

/// Throws Error where one is too large.
std::vector<uint16_t> toHalves(std::span<const float> values, const std::string& name) {
    constexpr float tooLarge = 65520;  // halfway between the largest half and what would come after it
    const auto found = std::ranges::find_if(values, [](float value) { return !(std::abs(value) < tooLarge); });
    if (found != values.end())
        throw Error(quotedName(name) + " holds " + shortestNumber(*found) +
                    ", and F16 goes to 65504: save the weights as F32");
    std::vector<uint16_t> halves(values.size());
    halvesFromFloats(values.size(), values.data(), halves.data());
    return halves;
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
    if (m_floats == DType::F16) {
        const std::vector<uint16_t>& halves = m_halves.emplace_back(toHalves(values, name));
        m_tensors[name] = {m_floats, std::move(shape), std::as_bytes(std::span(halves))};
        return;
    }
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

void roundTo(DType type, std::span<float> values, const std::string& name) {
    if (type != DType::F16) return;
    const std::vector<uint16_t> halves = toHalves(values, name);
    floatsFromHalf(halves.size(), halves.data(), values.data());
}

void Writer::write(const std::string& path) const {
    const std::vector<const Named*> order = inOrder();
    const std::vector<char> first = header(order);
    atomicWritePieces(path, pieces(first, order));
}

}  // namespace headlight::safetensors
