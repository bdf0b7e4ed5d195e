// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/gguf.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

#include "core/io/safetensors_header.h"

namespace headlight::gguf {

using safetensors::quotedName;

int64_t Tensor::count() const {
    int64_t product = 1;
    for (const int64_t dim : shape)
        product *= dim;
    return product;
}

bool isGguf(std::string_view firstBytes) {
    return firstBytes.starts_with("GGUF");
}

bool isGgufFile(const std::string& path) {
    std::array<char, 4> first{};
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;
    std::ifstream(path, std::ios::binary).read(first.data(), first.size());
    return isGguf({first.data(), first.size()});
}

File::File(std::shared_ptr<const FileBytes> bytes, std::string name)
    : m_name(std::move(name)), m_bytes(std::move(bytes)), m_header(readHeader(*m_bytes, m_name)) {}

File File::read(const std::string& path) {
    return {FileBytes::onDisk(path), path};
}

File File::parse(std::vector<char> bytes, const std::string& nameForErrors) {
    return {FileBytes::inMemory(std::move(bytes)), nameForErrors};
}

const Value* File::find(const std::string& key) const {
    const auto found = m_header.keys.find(key);
    return found == m_header.keys.end() ? nullptr : &found->second;
}

template <typename Held>
const Held* File::held(const std::string& key, const char* wanted) const {
    const Value* value = find(key);
    if (value == nullptr) return nullptr;
    if (const Held* there = std::get_if<Held>(&value->held)) return there;
    throw fault("the key " + key + " is not " + wanted + ": the file is damaged, copy or download it again");
}

std::optional<int64_t> File::whole(const std::string& key) const {
    const int64_t* there = held<int64_t>(key, "a whole number");
    return there != nullptr ? std::optional(*there) : std::nullopt;
}

std::optional<double> File::number(const std::string& key) const {
    if (const Value* value = find(key); value != nullptr && std::holds_alternative<int64_t>(value->held))
        return static_cast<double>(std::get<int64_t>(value->held));
    const auto* there = held<double>(key, "a number");
    return there != nullptr ? std::optional(*there) : std::nullopt;
}

std::optional<bool> File::flag(const std::string& key) const {
    const bool* there = held<bool>(key, "true or false");
    return there != nullptr ? std::optional(*there) : std::nullopt;
}

std::optional<std::string> File::text(const std::string& key) const {
    const auto* there = held<std::string>(key, "a text");
    return there != nullptr ? std::optional(*there) : std::nullopt;
}

const std::vector<int64_t>* File::wholes(const std::string& key) const {
    return held<std::vector<int64_t>>(key, "a list of whole numbers");
}

const std::vector<std::string>* File::texts(const std::string& key) const {
    return held<std::vector<std::string>>(key, "a list of texts");
}

std::optional<std::vector<double>> File::numbers(const std::string& key) const {
    if (const Value* value = find(key); value != nullptr && std::holds_alternative<std::vector<int64_t>>(value->held)) {
        const auto& whole = std::get<std::vector<int64_t>>(value->held);
        return std::vector<double>(whole.begin(), whole.end());
    }
    const auto* there = held<std::vector<double>>(key, "a list of numbers");
    return there != nullptr ? std::optional(*there) : std::nullopt;
}

const Tensor& File::tensor(const std::string& name) const {
    const auto found = m_header.tensors.find(name);
    if (found == m_header.tensors.end())
        throw fault("there is no tensor named " + quotedName(name) + ": the file is of another kind or incomplete");
    return found->second;
}

void File::readFloats(const std::string& name, std::span<float> values) const {
    constexpr size_t most = size_t{1} << 16;  // bytes at a time, which stay in the processor's second cache
    const Tensor& from = tensor(name);
    assert(values.size() == static_cast<size_t>(from.count()));
    const BlockType& type = *from.type;
    const size_t blocks = values.size() / type.numbers, atOnce = std::max<size_t>(1, most / type.bytes);
    std::vector<unsigned char> piece(std::min(blocks, atOnce) * type.bytes);
    for (size_t first = 0; first < blocks; first += atOnce) {
        const size_t count = std::min(atOnce, blocks - first);
        m_bytes->read(m_header.dataBegin + from.begin + first * type.bytes,
                      std::span(reinterpret_cast<char*>(piece.data()), count * type.bytes));
        type.widen(piece.data(), count, values.data() + first * type.numbers);
    }
}

std::vector<float> File::floats(const std::string& name) const {
    std::vector<float> values(static_cast<size_t>(tensor(name).count()));
    readFloats(name, values);
    return values;
}

std::string File::types() const {
    std::set<std::string> all, ofMatrices;
    for (const auto& [name, tensor] : m_header.tensors) {
        all.insert(tensor.type->name);
        if (tensor.shape.size() > 1) ofMatrices.insert(tensor.type->name);
    }
    std::string text;
    for (const std::string& type : ofMatrices.empty() ? all : ofMatrices)
        text += (text.empty() ? "" : ", ") + type;
    return text;
}

bool File::isQuantized() const {
    return std::ranges::any_of(m_header.tensors, [](const auto& named) { return named.second.type->isQuantized(); });
}

}  // namespace headlight::gguf
