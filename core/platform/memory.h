// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace headlight::platform {

/// A run of bytes from the system, on a cache line's boundary. Of a long one nothing takes memory before it is touched,
/// and it comes in pages as large as the system has: each page costs an interruption when it is touched first, and half
/// a gigabyte of weights has a hundred thousand small ones.
class Memory {
public:
    enum class Content { Zeros, Anything };

    Memory() = default;
    /// Throws std::bad_alloc.
    Memory(size_t bytes, Content content);
    Memory(Memory&& other) noexcept;
    Memory& operator=(Memory&& other) noexcept;
    ~Memory();

    void* data() const { return m_data; }
    size_t size() const { return m_size; }

private:
    void* m_data = nullptr;
    size_t m_size = 0;
};

}  // namespace headlight::platform
