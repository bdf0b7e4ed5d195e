// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/tensor/number_formats.h"

namespace headlight::fixture {

/// Types of GGUF's keys and tensors, by its specification.
enum class GgufKind : uint32_t { U8, I8, U16, I16, U32, I32, F32, Bool, Text, List, U64, I64, F64 };
enum class GgufType : uint32_t {
    F32 = 0,
    F16 = 1,
    Q4_0 = 2,
    Q4_1 = 3,
    Q5_0 = 6,
    Q5_1 = 7,
    Q8_0 = 8,
    Q4_K = 12,
    Q5_K = 13,
    Q6_K = 14,
    BF16 = 30
};

/// Values one behind the other, little-endian.
class GgufBytes {
public:
    template <typename Number>
    GgufBytes& put(Number value) {
        const size_t at = m_bytes.size();
        m_bytes.resize(at + sizeof value);
        std::memcpy(m_bytes.data() + at, &value, sizeof value);
        return *this;
    }
    GgufBytes& text(const std::string& value) {
        put<uint64_t>(value.size());
        m_bytes.insert(m_bytes.end(), value.begin(), value.end());
        return *this;
    }
    GgufBytes& raw(std::span<const char> bytes) {
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
        return *this;
    }
    GgufBytes& align(size_t to) {
        while (m_bytes.size() % to != 0)
            m_bytes.push_back(0);
        return *this;
    }
    const std::vector<char>& bytes() const { return m_bytes; }

private:
    std::vector<char> m_bytes;
};

/// Collects keys and tensors, and writes them as GGUF's specification says; what is wrong with them is written too.
class GgufWriter {
public:
    uint32_t version = 3;
    size_t alignment = 32;
    /// What the file says of itself, where that is not the truth.
    uint64_t moreTensors = 0, moreKeys = 0;

    void key(const std::string& name, GgufKind kind, const GgufBytes& value) {
        m_keys.push_back({name, GgufBytes().text(name).put(static_cast<uint32_t>(kind)).raw(value.bytes()).bytes()});
    }
    void set(const std::string& name, const std::string& value) { key(name, GgufKind::Text, GgufBytes().text(value)); }
    void set(const std::string& name, const char* value) { set(name, std::string(value)); }
    void set(const std::string& name, uint32_t value) { key(name, GgufKind::U32, GgufBytes().put(value)); }
    void set(const std::string& name, int value) { set(name, static_cast<uint32_t>(value)); }
    void set(const std::string& name, float value) { key(name, GgufKind::F32, GgufBytes().put(value)); }
    void set(const std::string& name, double value) { set(name, static_cast<float>(value)); }
    void set(const std::string& name, bool value) { key(name, GgufKind::Bool, GgufBytes().put<uint8_t>(value)); }
    void set(const std::string& name, const std::vector<std::string>& values) {
        GgufBytes list;
        list.put(GgufKind::Text).put<uint64_t>(values.size());
        for (const std::string& each : values)
            list.text(each);
        key(name, GgufKind::List, list);
    }
    void set(const std::string& name, const std::vector<float>& values) { numbers(name, GgufKind::F32, values); }
    void set(const std::string& name, const std::vector<int32_t>& values) { numbers(name, GgufKind::I32, values); }

    /// `shape`: the slowest dimension first.
    void tensor(const std::string& name, const std::vector<int64_t>& shape, GgufType type, std::vector<char> bytes) {
        m_tensors.push_back({name, shape, type, std::move(bytes)});
    }
    /// Numbers as they are, as halves, as bfloat16, or in blocks of Q8_0.
    void tensor(const std::string& name, const std::vector<int64_t>& shape, GgufType type,
                std::span<const float> values) {
        tensor(name, shape, type, encoded(type, values));
    }

    /// Takes a key out; puts other numbers into a tensor, or, where there are none, takes it out.
    void drop(const std::string& name) {
        std::erase_if(m_keys, [&](const Key& key) { return key.name == name; });
    }
    void replace(const std::string& name, const std::vector<int64_t>& shape, std::span<const float> values) {
        std::erase_if(m_tensors, [&](const Tensor& tensor) { return tensor.name == name; });
        if (!values.empty()) tensor(name, shape, GgufType::F32, values);
    }

    static std::vector<char> encoded(GgufType type, std::span<const float> values) {
        GgufBytes bytes;
        for (size_t i = 0; i < values.size(); ++i) {
            if (type == GgufType::F32) bytes.put(values[i]);
            if (type == GgufType::F16) bytes.put(half(values[i]));
            if (type == GgufType::BF16) bytes.put(static_cast<uint16_t>(std::bit_cast<uint32_t>(values[i]) >> 16U));
            if (type == GgufType::Q8_0 && i % 32 == 0) bytes.raw(blockOf(values.subspan(i, 32)));
        }
        return bytes.bytes();
    }
    /// 32 numbers in eight bits each, of the largest.
    static std::vector<char> blockOf(std::span<const float> values) {
        float largest = 0;
        for (const float value : values)
            largest = std::max(largest, std::abs(value));
        const float scale = largest / 127;
        GgufBytes block;
        block.put(half(scale));
        for (const float value : values)
            block.put(static_cast<int8_t>(scale == 0 ? 0 : std::lround(value / scale)));
        return block.bytes();
    }
    static uint16_t half(float value) {
        uint16_t bits = 0;
        halvesFromFloats(1, &value, &bits);
        return bits;
    }

    std::vector<char> bytes() const {
        GgufBytes file;
        file.raw(std::string("GGUF")).put(version);
        file.put<uint64_t>(m_tensors.size() + moreTensors).put<uint64_t>(m_keys.size() + moreKeys);
        for (const Key& each : m_keys)
            file.raw(each.bytes);
        uint64_t offset = 0;
        for (const Tensor& each : m_tensors) {
            file.text(each.name).put<uint32_t>(static_cast<uint32_t>(each.shape.size()));
            for (auto dim = each.shape.rbegin(); dim != each.shape.rend(); ++dim)
                file.put<int64_t>(*dim);
            file.put(each.type).put(offset);
            offset += (each.bytes.size() + alignment - 1) / alignment * alignment;
        }
        for (const Tensor& each : m_tensors)
            file.align(alignment).raw(each.bytes);
        return file.bytes();
    }
    void write(const std::string& path) const {
        const std::vector<char> all = bytes();
        std::ofstream(path, std::ios::binary).write(all.data(), static_cast<std::streamsize>(all.size()));
    }

private:
    template <typename Number>
    void numbers(const std::string& name, GgufKind kind, const std::vector<Number>& values) {
        GgufBytes list;
        list.put(kind).put<uint64_t>(values.size());
        for (const Number each : values)
            list.put(each);
        key(name, GgufKind::List, list);
    }

    struct Tensor {
        std::string name;
        std::vector<int64_t> shape;
        GgufType type;
        std::vector<char> bytes;
    };
    struct Key {
        std::string name;
        std::vector<char> bytes;
    };
    std::vector<Key> m_keys;
    std::vector<Tensor> m_tensors;
};

/// A model with a vocabulary of that size and no other use, as words go by their embeddings alone.
inline GgufWriter smallModel(const char* architecture, size_t words) {
    GgufWriter writer;
    const std::string prefix = std::string(architecture) + ".";
    writer.set("general.architecture", architecture);
    for (const char* key : {"block_count", "attention.head_count"})
        writer.set(prefix + key, 1);
    for (const char* key : {"context_length", "embedding_length", "feed_forward_length"})
        writer.set(prefix + key, 8);
    const std::vector<float> ones(8 * std::max<size_t>(words, 24), 0.5F);
    const auto add = [&](const std::string& name, const std::vector<int64_t>& shape) {
        size_t count = 1;
        for (const int64_t dim : shape)
            count *= static_cast<size_t>(dim);
        writer.tensor(name, shape, GgufType::F32, std::span(ones).first(count));
    };
    add("token_embd.weight", {static_cast<int64_t>(words), 8});
    add("output_norm.weight", {8});
    const bool isGpt2 = std::string(architecture) == "gpt2";
    writer.set(prefix + (isGpt2 ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon"), 1e-5);
    if (!isGpt2) {
        for (const char* part : {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"})
            add(std::string("blk.0.") + part + ".weight", {8, 8});
        for (const char* part : {"attn_q", "attn_k", "attn_v"})
            if (std::string(architecture) == "qwen2") add(std::string("blk.0.") + part + ".bias", {8});
        for (const char* part : {"attn_norm", "ffn_norm"})
            add(std::string("blk.0.") + part + ".weight", {8});
        return writer;
    }
    add("output_norm.bias", {8}), add("position_embd.weight", {8, 8});
    add("blk.0.attn_qkv.weight", {24, 8}), add("blk.0.attn_qkv.bias", {24});
    for (const char* part : {"attn_output", "ffn_up", "ffn_down"})
        add(std::string("blk.0.") + part + ".weight", {8, 8}), add(std::string("blk.0.") + part + ".bias", {8});
    for (const char* part : {"attn_norm", "ffn_norm"})
        add(std::string("blk.0.") + part + ".weight", {8}), add(std::string("blk.0.") + part + ".bias", {8});
    return writer;
}

}  // namespace headlight::fixture
