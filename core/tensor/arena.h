// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory_resource>
#include <vector>

#include "core/platform/memory.h"

namespace headlight {

/// Memory of one step: handed out in order, given back all at once. What a step needed is kept for the next one, in one
/// block, so that after the first steps nothing is allocated. Not for use by two threads.
///
/// As a memory resource it serves the short lists of a step, std::pmr::vector, as well.
class Arena : public std::pmr::memory_resource {
public:
    /// 64-byte aligned, not initialised. Stays valid until reset(), or rewind() to an earlier mark.
    void* allocate(size_t bytes);

    template <class T>
    T* allocate(size_t count) {
        return static_cast<T*>(allocate(count * sizeof(T)));
    }

    void reset();

    /// A place to come back to: everything handed out after mark() is given back by rewind().
    struct Mark {
        size_t block = 0;
        size_t used = 0;
    };
    Mark mark() const { return {m_current, m_blocks.empty() ? 0 : m_blocks[m_current].used}; }
    void rewind(Mark mark);

    /// Bytes held from the system.
    size_t capacity() const;

private:
    void* do_allocate(size_t bytes, size_t) override { return allocate(bytes); }
    void do_deallocate(void*, size_t, size_t) override {}
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

    struct Block {
        platform::Memory memory;
        size_t used = 0;

        size_t left() const { return memory.size() - used; }
    };
    void addBlock(size_t atLeast);

    std::vector<Block> m_blocks;
    size_t m_current = 0;
};

}  // namespace headlight
