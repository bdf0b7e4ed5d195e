// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/platform/memory.h"

namespace headlight {

/// Floats in one run that grows; new ones are zeros. Unlike a vector's, those of a long run take no memory before they
/// are written, and room for more takes none at all.
class FloatRun {
public:
    FloatRun() = default;
    FloatRun(const FloatRun& other) : m_memory(bytes(other.m_size), platform::Memory::Content::Anything) {
        std::copy_n(other.data(), other.m_size, data());
        m_size = other.m_size;
    }
    FloatRun(FloatRun&& other) noexcept : m_memory(std::move(other.m_memory)), m_size(std::exchange(other.m_size, 0)) {}
    FloatRun& operator=(FloatRun other) noexcept {
        std::swap(m_memory, other.m_memory);
        std::swap(m_size, other.m_size);
        return *this;
    }
    ~FloatRun() = default;

    float* data() { return static_cast<float*>(m_memory.data()); }
    const float* data() const { return static_cast<const float*>(m_memory.data()); }
    size_t size() const { return m_size; }

    /// Room for so many, so that growing to there moves nothing.
    void reserve(size_t count) {
        if (bytes(count) <= m_memory.size()) return;
        platform::Memory more(bytes(count), platform::Memory::Content::Zeros);
        std::copy_n(data(), m_size, static_cast<float*>(more.data()));
        m_memory = std::move(more);
    }
    void grow(size_t count) {
        if (bytes(count) > m_memory.size()) reserve(std::max(count, 2 * m_size));
        m_size = count;
    }

private:
    static size_t bytes(size_t count) { return count * sizeof(float); }

    platform::Memory m_memory;
    size_t m_size = 0;
};

}  // namespace headlight
